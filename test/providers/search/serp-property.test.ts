// Property tests of the parser: one list of results in many dresses, and texts of enemies.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ProviderError } from '../../../src/providers/provider-error.ts';
import { parseSerp, type SerpAnswer } from '../../../src/providers/search/serp-xml.ts';
import { resultUrl } from '../../../src/providers/search/serp-url.ts';
import { escapeXml } from '../../../src/providers/xml.ts';
import { placesIn } from '../../../src/shared/positions/places.ts';

const RUNS = { numRuns: 300, seed: 20_260_511 };

const host = fc
  .tuple(fc.constantFrom('', 'www.', 'm.', 'x'), fc.constantFrom('a.ru', 'b.ru', 'sub.b.ru', 'a.com.ru', 'пример.рф'))
  .map(([before, name]) => before + name);
const tail = fc.array(fc.constantFrom('/', 'a', 'я', '%20', '?q=1&', '&amp', ';', '=', '+', '<', '#'), {
  maxLength: 8,
});
const address = fc.tuple(host, tail).map(([name, parts]) => `https://${name}/${parts.join('')}`);

/** How a result is written. */
const escaping = fc.constantFrom<(url: string) => string>(
  escapeXml,
  (url) => `<![CDATA[${url}]]>`,
  (url) => `\n\t${escapeXml(url)} `,
  (url) => Array.from(escapeXml(url), (letter) => (letter === 'я' ? '&#1103;' : letter)).join(''),
  (url) =>
    escapeXml(url)
      .replace(/^https:\/\//, 'https://<hlword>')
      .replace(/\.(?=ru|рф)/, '</hlword>.'),
);
const more = fc.constantFrom(
  '',
  '<title>T</title>',
  '<title><hlword>T</hlword> &nbsp; & Co</title><contenttype>organic</contenttype>',
  '<contenttype> ORGANIC\n</contenttype><sitelinks><sitelink><url>https://a.ru/</url></sitelink></sitelinks>',
  '<passages><passage>https://a.ru/ &lt;doc&gt;</passage></passages><properties><TurboLink>https://a.ru/</TurboLink></properties>',
);
/** Texts between results that are no result. */
const between = fc.constantFrom(
  '',
  '<group/>',
  '<group><doccount>0</doccount></group>',
  '<group><doc><url>https://a.ru/</url><contenttype>ads</contenttype></doc></group>',
  '<group><doc><contenttype>related</contenttype></doc></group>',
  '<!-- <group><doc><url>https://a.ru/</url></doc></group> -->',
  '<page first="1" last="10">0</page>',
);
const around = fc.constantFrom(
  '',
  '<found priority="all">12300</found>',
  '<topads><query><url>https://a.ru/</url></query></topads>',
  '<addresults><zeroposition><url>https://a.ru/</url></zeroposition></addresults>',
);
const result = fc.record({ url: address, write: escaping, more, before: between, joins: fc.boolean() });

interface Result {
  url: string;
  write: (url: string) => string;
  more: string;
  before: string;
  joins: boolean;
}

/** Writes results as a document; a result that `joins` stands in the group of the one before it. */
function written(results: readonly Result[], [first, last]: readonly [string, string]): string {
  const groups: string[] = [];
  for (const { url, write, more: rest, before, joins } of results) {
    const doc = `<doc><url>${write(url)}</url>${rest}</doc>`;
    const open = joins && before === '' ? groups.pop() : undefined;
    groups.push(
      open?.endsWith('</doc></group>')
        ? open.replace(/<\/group>$/, `${doc}</group>`)
        : `${open ?? ''}${before}<group>${doc}</group>`,
    );
  }
  return `<?xml version="1.0"?><yandexsearch><response>${first}<results><grouping>${groups.join('')}</grouping></results>${last}</response></yandexsearch>`;
}

const SOUGHT = ['a.ru', 'b.ru', 'sub.b.ru', 'a.com.ru', 'xn--e1afmkfd.xn--p1ai'];
const OWNERS: Readonly<Record<string, string>> = {
  'a.ru': 'a.ru',
  'b.ru': 'b.ru',
  'sub.b.ru': 'sub.b.ru',
  'xsub.b.ru': 'b.ru',
  'a.com.ru': 'a.com.ru',
  'пример.рф': 'xn--e1afmkfd.xn--p1ai',
};
/** Returns whose result an address is, by the rule that the test states: `www.` and subdomains count, names that are alike don't. */
const ownerOf = (url: string): string | undefined => {
  const name = /^https:\/\/([^/]+)/.exec(url)?.[1] ?? '';
  return OWNERS[name] ?? OWNERS[name.replace(/^(?:www|m)\./, '')];
};

const urlsOf = (answer: SerpAnswer): string[] => ('urls' in answer ? answer.urls : []);

describe('results', () => {
  test('are the same, and in the same places, in whatever dress they come', () => {
    fc.assert(
      fc.property(fc.array(result, { maxLength: 14 }), fc.tuple(around, around), (results, outside) => {
        const urls = urlsOf(parseSerp(written(results, outside)));
        expect(urls).toEqual(results.map(({ url }) => new URL(url.replace('<', '%3C')).href));
        const sought = SOUGHT.map((domain_name, id) => ({ id, domain_name }));
        const places = new Map(placesIn(urls, sought).map(({ domain_id, place }) => [SOUGHT[domain_id], place]));
        const owners = results.map(({ url }) => ownerOf(url));
        expect(SOUGHT.map((name) => places.get(name) ?? 0)).toEqual(SOUGHT.map((name) => owners.indexOf(name) + 1));
      }),
      RUNS,
    );
  });

  test('of a document that is cut anywhere are refused, and never fewer', () => {
    fc.assert(
      fc.property(fc.array(result, { minLength: 1, maxLength: 6 }), fc.nat(), (results, at) => {
        const whole = written(results, ['', '']);
        const cut = whole.slice(0, at % (whole.length - 1));
        expect(() => parseSerp(cut)).toThrow(ProviderError);
      }),
      RUNS,
    );
  });
});

/** Parses a text: results, or null for a ProviderError `malformed`. Any other error fails the test. */
function parsed(text: string): SerpAnswer | null {
  try {
    return parseSerp(text);
  } catch (error) {
    if (error instanceof ProviderError && error.kind === 'malformed') return null;
    throw error;
  }
}
const SAID_EMPTY = /<results\s*\/>|<results>[^]*<\/results>/;

describe('a hostile text', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '<yandexsearch>',
      '</yandexsearch>',
      '<response>',
      '</response>',
      '<results>',
      '</results>',
      '<results/>',
      '<group><doc><url>https://a.ru/</url></doc></group>',
      '<error code="15"/>',
      '<error>',
      '<![CDATA[',
      ']]>',
      '<!DOCTYPE a [',
      '<!ENTITY b "c">',
      '&b;',
      '&#xD800;',
      '<hlword',
      '<a b="',
      '"',
      '<__proto__ constructor="1"/>',
      '<?xml version="1.1"?>',
      '<!--',
      '-->',
    ),
    fc.string({ unit: 'binary', maxLength: 5 }),
  );

  test('is results or a ProviderError, and an empty list only where the service has said so', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 16 }), (pieces) => {
        const text = pieces.join('');
        const answer = parsed(text);
        const isEmpty = answer !== null && 'urls' in answer && answer.urls.length === 0;
        expect(!isEmpty || SAID_EMPTY.test(text)).toBe(true);
      }),
      { ...RUNS, numRuns: 2_000 },
    );
  });

  test('of an address is an address of the web or empty', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.webUrl(),
          fc.string({ unit: 'binary' }),
          address.map((url) => `https://google.com/url?q=${url}`),
        ),
        (raw) => {
          expect(resultUrl(raw)).toMatch(/^(?:https?:\/\/[^\s<>"@/]+\/[\x21-\x7E]*)?$/);
        },
      ),
      { ...RUNS, numRuns: 2_000 },
    );
  });

  const OPEN = '<yandexsearch><response><results><grouping><group><doc>';
  const MEGABYTE = 2 ** 20;
  const filled = (part: string, bytes = MEGABYTE): string => part.repeat(Math.ceil(bytes / part.length));

  // A net: what grows by the square of its length takes two minutes, anything else a second at most.
  const LATE = { timeout: 90_000 };
  test.each([
    ['CDATA that never ends', OPEN + filled('<![CDATA[', 2 * MEGABYTE)],
    ['marks that never end', OPEN + filled('<hlword ')],
    ['marks with blanks', `${OPEN}<hlword${filled(' ')}`],
    ['brackets', OPEN + filled('<')],
    ['ampersands', OPEN + filled('&')],
    ['numbers of characters', OPEN + filled('&#1')],
    ['one long number of a character', `${OPEN}&#${filled('1')};`],
    ['ends of CDATA', OPEN + filled(']]>')],
    ['a prefix without end', `<${filled('a')}:response`],
    ['prefixes', filled('<a:')],
    ['depth', OPEN + filled('<a>')],
    [
      'elements without number',
      `${OPEN}${filled('<a/>', 3 * MEGABYTE)}</doc></group></grouping></results></response></yandexsearch>`,
    ],
    ['attributes', `${OPEN}<a ${Array.from({ length: 100_000 }, (_, index) => `a${index}=""`).join(' ')}`],
    ['one long attribute', `${OPEN}<a b="${filled('c')}`],
    [
      'entities of entities',
      `<!DOCTYPE a [${Array.from({ length: 9 }, (_, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`).join('')}]>${OPEN}<url>&l9;</url>`,
    ],
    ['one entity, used without end', `<!DOCTYPE a [<!ENTITY b "${filled('c', 50_000)}">]>${OPEN}<url>${filled('&b;')}`],
    ['a document type without end', `<!DOCTYPE a [${filled('<!ENTITY a "')}<response`],
    ['a comment without end', `${OPEN}<!--${filled('-')}`],
  ])('of %s ends soon, as no results', LATE, (_what, text) => {
    expect(parsed(text)).toBeNull();
  });

  test('of a long address ends soon', LATE, () => {
    for (const part of [
      'a',
      '.',
      '%',
      '/',
      '?q=',
      '#',
      '@',
      ':',
      'https://google.com/url?q=',
      'a.',
      'я.',
      '-',
      '\u0308',
    ]) {
      for (const before of ['', 'https://', 'https://google.com/url?q=', 'https://yandex.ru/turbo/', 'https://a.ru/']) {
        expect(resultUrl(before + filled(part, MEGABYTE / 4)).length).toBeLessThanOrEqual(2000);
      }
    }
  });
});
