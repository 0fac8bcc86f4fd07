// Documents in the shapes in which services were seen to send them. Contents are invented.

/** `urls` are its organic results, `docs` the number of its documents of all kinds; `places` those of domains that are sought. */
export interface Document {
  title: string;
  xml: string;
  urls: string[];
  docs?: number;
  found: number | null;
  places: Record<string, number>;
}

const HEAD = '<?xml version="1.0" encoding="utf-8"?>\n<yandexsearch version="1.0">';
const TAIL = '</yandexsearch>\n';

const bare = (groups: string): string =>
  `${HEAD}<response date="20260105T101500"><found priority="all">12300</found><results><grouping>${groups}</grouping></results></response>${TAIL}`;
const group = (url: string, more = ''): string =>
  `<group><doccount>1</doccount><doc><url>${url}</url><title>T</title>${more}</doc></group>`;

const FULL = `${HEAD}
  <response date="20260105T101500">
    <found priority="all">12300</found>
    <results>
      <grouping>
        <page first="1" last="10">0</page>
        <group id="1">
          <doccount>1</doccount>
          <doc>
            <url>https://www.example-a.ru/katalog/</url>
            <title>Каталог &lt;...&gt;</title>
            <contenttype>organic</contenttype>
            <pubDate>29 авг. 2025 г.</pubDate>
            <passages><passage>Текст сниппета</passage></passages>
          </doc>
        </group>
        <group id="2"><doccount>1</doccount><doc><url>https://shop.example-b.com/</url><title>B</title><contenttype>organic</contenttype><passages/></doc></group>
      </grouping>
    </results>
  </response>
${TAIL}`;

const YANDEX_ADS = `<?xml version="1.0" encoding="UTF-8" ?>
<yandexsearch version="1.0">
  <response date="20261209T185337"><found priority="all">3000000</found><advcount>2</advcount><topads><query><url>http://example-a.ru</url><adsurl></adsurl><title>Закажи %3Cb%3Eзабор%3C/b%3E</title><snippet>Скидка 23%!</snippet><oneline><sitelink><title>Акции и Скидки</title><url>http://Акции и Скидки</url></sitelink></oneline></query></topads><bottomads><query><url>http://example-b.com</url><adsurl></adsurl><title>Цена до&amp;nbsp,17%!…</title></query></bottomads><rightads><query><url></url><img></img></query></rightads><results><grouping><page first="1" last="10">2</page><group id="1"><doccount>1</doccount><doc><url>https://first.example/</url><title>Купить</title><contenttype>organic</contenttype><passages><passage>Зелёный &amp;gt; забор</passage></passages><tablesnippet></tablesnippet><extendedpassages></extendedpassages></doc></group><group id="2"><doccount>1</doccount><doc><url>https://www.Example-A.ru/category?text=забор на дачу</url><title>Забор</title><contenttype>organic</contenttype></doc></group></grouping></results></response></yandexsearch>`;

const GOOGLE_BLOCKS = `${HEAD}<response date="20260518T120000"><found priority="all">206775197</found><displayed>10</displayed><correct>исправлено</correct><fixtype>correct</fixtype>
<addresults><zeroposition><title>Ответ</title><url>https://www.example-a.ru/answer</url></zeroposition><relatedQuestions><question><title>Что?</title></question></relatedQuestions><knowledge_graph><type>firm</type><name>A</name><website>https://example-a.ru</website></knowledge_graph><relatedSearches><query><title>ещё</title></query></relatedSearches></addresults>
<ai><item><type>center</type><position>0</position><content>PGhxPg==</content></item></ai>
<results><grouping><page first="1" last="14">1</page>
<group id="1"><doccount>1</doccount><doc><url>https://first.example/</url><title>1</title><contenttype>organic</contenttype><data_amp></data_amp><sitelinks><sitelink><url>https://example-b.com/about</url><title>О нас</title></sitelink></sitelinks></doc></group>
<group id="2"><doccount>1</doccount><doc><url>https://video.example-b.com/x</url><title>Видео</title><contenttype>video</contenttype></doc></group>
<group id="3"><doccount>1</doccount><doc><url>https://news.example-b.com/</url><title>Новости</title><contenttype>news</contenttype></doc></group>
<group id="4"><doccount>1</doccount><doc><url>https://example-a.ru/p</url><title>2</title></doc></group>
<group id="5"><doccount>1</doccount><doc><title>Похожие запросы</title><contenttype>related_queries</contenttype></doc></group>
</grouping></results><scroller><item><domain>example-b.com</domain></item></scroller></response>${TAIL}`;

// The form of the engine itself, with its own elements around and within a document.
const OFFICIAL = `<?xml version="1.0" encoding="utf-8"?>
<yandexsearch version="1.0">
<request><query>купить url</query><page>0</page><sortby order="descending" priority="no">rlv</sortby><maxpassages></maxpassages><groupings><groupby attr="d" mode="deep" groups-on-page="100" docs-in-group="1" curcateg="-1" /></groupings></request>
<response date="20260105T101500"><reqid>1-2-3</reqid><found priority="phrase">17</found><found priority="strict">5</found><found priority="all">25</found><found-human>Нашлось 25 ответов</found-human>
<results><grouping attr="d" mode="deep" groups-on-page="100" docs-in-group="3" curcateg="-1"><found priority="all">9</found><found-docs priority="all">25</found-docs><found-docs-human>нашёл 25 ответов</found-docs-human><page first="1" last="10">0</page>
<group><categ attr="d" name="first.example" /><doccount>2</doccount><relevance /><doc id="Z1"><relevance /><url>https://first.example/1</url><domain>first.example</domain><title>A <hlword>url</hlword></title><modtime>20250101T000000</modtime><size>0</size><charset>utf-8</charset><mime-type>text/html</mime-type><saved-copy-url>https://yandexwebcache.net/x</saved-copy-url><properties><_PassagesType>0</_PassagesType><TurboLink>https://example-b.com</TurboLink></properties><passages><passage>x</passage></passages></doc><doc id="Z2"><url>https://first.example/2</url></doc></group>
<group><categ attr="d" name="example-a.ru" /><doccount>1</doccount><doc id="Z3"><url>https://example-a.ru/</url></doc></group>
</grouping></results></response></yandexsearch>`;

const MARKED = bare(
  group('https://<hlword>example</hlword>-<hlword priority="strict">a</hlword>.ru/<HLWORD>kupit</HLWORD>-divan/') +
    group('https://other.example/').replace('<title>T', '<title><hlword>T</hlword> & <hlword/>Co'),
);

export const DOCUMENTS: Document[] = [
  {
    title: 'organic results alone',
    xml: FULL,
    urls: ['https://www.example-a.ru/katalog/', 'https://shop.example-b.com/'],
    found: 12_300,
    places: { 'example-a.ru': 1, 'example-b.com': 2 },
  },
  {
    title: 'advertisements beside the results, whose addresses are no places',
    xml: YANDEX_ADS,
    urls: [
      'https://first.example/',
      'https://www.example-a.ru/category?text=%D0%B7%D0%B0%D0%B1%D0%BE%D1%80%20%D0%BD%D0%B0%20%D0%B4%D0%B0%D1%87%D1%83',
    ],
    found: 3_000_000,
    places: { 'example-a.ru': 2, 'example-b.com': 0 },
  },
  {
    title: 'answers, a graph, a carousel, blocks between the results and links below them',
    xml: GOOGLE_BLOCKS,
    urls: ['https://first.example/', 'https://example-a.ru/p'],
    docs: 5,
    found: 206_775_197,
    places: { 'example-a.ru': 2, 'example-b.com': 0 },
  },
  {
    title: 'the form of the engine itself: several documents of a group, several counts',
    xml: OFFICIAL,
    urls: ['https://first.example/1', 'https://first.example/2', 'https://example-a.ru/'],
    found: 25,
    places: { 'example-a.ru': 3, 'example-b.com': 0 },
  },
  {
    title: 'marked words in addresses and titles, and an ampersand that is no entity',
    xml: MARKED,
    urls: ['https://example-a.ru/kupit-divan/', 'https://other.example/'],
    found: 12_300,
    places: { 'example-a.ru': 1 },
  },
  {
    title: 'a group without a document, and a document without an address, which has its place',
    xml: bare(
      `<group id="1"><doccount>0</doccount></group><group/>${group('')}<group><doc/></group>${group('https://example-a.ru/')}`,
    ),
    urls: ['', '', 'https://example-a.ru/'],
    found: 12_300,
    places: { 'example-a.ru': 3 },
  },
  {
    title: 'CDATA, comments, entities and processing instructions',
    xml: bare(
      `<!-- <doc><url>https://comment.example/</url></doc> --><?x y?>${group('<![CDATA[https://example-b.com/?a=1&b=2]]>', '<contenttype><![CDATA[organic]]></contenttype>')}${group('https://example-a.ru/?a=1&amp;b=2&#38;c=%D1%8F&#x2F;', '<contenttype> Organic </contenttype>')}`,
    ),
    urls: ['https://example-b.com/?a=1&b=2', 'https://example-a.ru/?a=1&b=2&c=%D1%8F/'],
    found: 12_300,
    places: { 'example-a.ru': 2, 'example-b.com': 1 },
  },
  {
    title: 'what no XML may hold: entities of HTML, forbidden characters, bare ampersands and an end of CDATA',
    xml: bare(
      group(
        'https://example-b.com/?a=1&b=2&copy=3',
        '<snippet>&nbsp;&laquo;&#0;&#xB;&#xD800;&#1114112;&#XAB;&AMP; \u0001\uFFFF ]]> <![CDATA[&nbsp; ok]]></snippet>',
      ) + group('https://example-a.ru/'),
    ),
    urls: ['https://example-b.com/?a=1&b=2&copy=3', 'https://example-a.ru/'],
    found: 12_300,
    places: { 'example-a.ru': 2, 'example-b.com': 1 },
  },
  {
    title: 'the same address twice: both have their places',
    xml: bare(group('https://other.example/') + group('https://other.example/') + group('https://example-a.ru/')),
    urls: ['https://other.example/', 'https://other.example/', 'https://example-a.ru/'],
    found: 12_300,
    places: { 'example-a.ru': 3, 'other.example': 1 },
  },
  {
    title: 'a response as its root, with a prefix, an entity of its own and nothing around',
    xml: `<!DOCTYPE r [<!ENTITY a "&b;&b;"><!ENTITY b "https://example-b.com/">]><y:response xmlns:y="u"><results><group><doc><url>https://example-a.ru/&a;</url></doc></group></results></y:response>`,
    urls: ['https://example-a.ru/&a;'],
    found: null,
    places: { 'example-a.ru': 1, 'example-b.com': 0 },
  },
  {
    title: 'results that are empty',
    xml: `${HEAD}<response><found priority="all">0</found><results><grouping><page>0</page></grouping></results></response>${TAIL}`,
    urls: [],
    found: 0,
    places: { 'example-a.ru': 0 },
  },
];

/** Texts that are no result page: each is `malformed`, never an empty list. */
export const NO_DOCUMENTS: Record<string, string> = {
  nothing: '',
  'a page':
    '<!doctype html><html><head><title>502 Bad Gateway</title></head><body><center>nginx</center></body></html>',
  'a page of a refused login': '<html><body>Authorization failed</body></html>',
  'a captcha': '<html><body>Подтвердите, что запросы отправляли вы, а не робот. SmartCaptcha</body></html>',
  'a captcha in English': '<html><title>Are you not a robot?</title></html>',
  JSON: '{"error":"no"}',
  'a text': 'WAIT',
  'half a document': FULL.slice(0, -60),
  'a document without its end': FULL.replace('</yandexsearch>', ''),
  'another element of that name in a page': '<html><body><response>ok</body></html>',
  'XML of something else': '<?xml version="1.0"?><rss><channel><title>yandexsearch</title></channel></rss>',
  'no response': `${HEAD}${TAIL}`,
  'a response without results': `${HEAD}<response><found>3</found></response>${TAIL}`,
  'results of another form': `${HEAD}<response><results><item><link>https://example-a.ru/</link></item></results></response>${TAIL}`,
  'results that are a text': `${HEAD}<response><results>https://example-a.ru/</results></response>${TAIL}`,
  'results whose addresses stand elsewhere': bare('<group><doc><link>https://example-a.ru/</link></doc></group>'),
  'an unknown encoding of bytes': '\uFFFD\uFFFD<\0?\0x\0m\0l\0',
};
