// The parser of result pages, on documents of every variant that services are known to send.
import { describe, expect, test } from 'vitest';
import { ProviderError } from '../../../src/providers/provider-error.ts';
import { escapeXml } from '../../../src/providers/xml.ts';
import { parseSerp } from '../../../src/providers/search/serp-xml.ts';
import { placesIn } from '../../../src/shared/positions/places.ts';
import { random } from '../../support/random.ts';

const whole = (content: string): string =>
  `<?xml version="1.0" encoding="utf-8"?><yandexsearch version="1.0"><response date="20260105T101500">${content}</response></yandexsearch>`;
const grouped = (groups: string): string =>
  whole(`<found priority="all">1000</found><results><grouping>${groups}</grouping></results>`);
const doc = (url: string, more = '<contenttype>organic</contenttype>'): string =>
  `<doc><url>${escapeXml(url)}</url><title>T <hlword>слово</hlword></title>${more}<passages/></doc>`;
const group = (...docs: string[]): string =>
  `<group id="1"><doccount>${docs.length}</doccount>${docs.join('')}</group>`;

const urlsOf = (text: string): string[] => {
  const answer = parseSerp(text);
  return 'urls' in answer ? answer.urls : [];
};

describe('results', () => {
  test('organic results keep their order, whatever numbers their groups have', () => {
    const text = grouped(group(doc('https://a.example/')) + group(doc('https://b.example/x?y=1&z=2')));
    expect(urlsOf(text)).toEqual(['https://a.example/', 'https://b.example/x?y=1&z=2']);
  });

  test('advertisements and answers are no places; a result without a type is organic', () => {
    const types = ['ads', 'answer', 'images', 'ORGANIC'].map((type) =>
      doc(`https://${type.toLowerCase()}.example/`, `<contenttype>${type}</contenttype>`),
    );
    expect(urlsOf(grouped(group(...types) + group(doc('https://plain.example/', ''))))).toEqual([
      'https://organic.example/',
      'https://plain.example/',
    ]);
  });

  test('a group has none, one or several results', () => {
    const text = grouped(
      group() + group(doc('https://a.example/1'), doc('https://a.example/2')) + group(doc('https://b.example/')),
    );
    expect(urlsOf(text)).toEqual(['https://a.example/1', 'https://a.example/2', 'https://b.example/']);
  });

  test('of several counts the one of all results is taken, and a zero is one', () => {
    const counts = '<found priority="phrase">5</found><found priority="all">0</found><results/>';
    expect(parseSerp(whole(counts))).toMatchObject({ urls: [], found: 0 });
    expect(parseSerp(whole('<found>7</found><results/>'))).toMatchObject({ urls: [], found: 7 });
    expect(parseSerp(whole('<results><grouping><found>9</found></grouping></results>'))).toMatchObject({ found: 9 });
    const inside = '<found>7</found><results><found priority="all">9</found></results>';
    expect(parseSerp(whole(inside))).toMatchObject({ found: 7 });
    expect(parseSerp(whole('<results/>'))).toMatchObject({ urls: [], found: null });
  });

  test.each([
    ['https://www.google.com/url?sa=t&q=https%3A%2F%2Fa.example%2Fp', 'https://a.example/p'],
    ['https://www.google.ru/url?url=https://a.example/', 'https://a.example/'],
    ['https://yandex.ru/clck/jsredir?from=x&url=https%3A%2F%2Fa.example%2F', 'https://a.example/'],
    ['https://yandex.ru/clck/jsredir?from=x&etext=y', 'https://yandex.ru/clck/jsredir?from=x&etext=y'],
    ['https://a.example/url?q=https://b.example/', 'https://a.example/url?q=https://b.example/'],
    ['//a.example/p', 'https://a.example/p'],
    ['HTTPS://A.Example:8443/P', 'https://a.example:8443/P'],
    ['https://гороскопы.рф/', 'https://xn--c1aolabgdj7g.xn--p1ai/'],
  ])('the address %s is %s', (raw, url) => {
    expect(urlsOf(grouped(group(doc(raw))))).toEqual([new URL(url).href]);
  });

  test('an address that is none keeps its place', () => {
    const text = grouped(group(doc('javascript:alert(1)')) + group(doc('https://a.example/')));
    expect(placesIn(urlsOf(text), [{ id: 1, domain_name: 'a.example' }])).toMatchObject([{ place: 2 }]);
  });
});

describe('a text that is no result page', () => {
  test('an error has its code and text', () => {
    const text = whole('<error code="200">На вашем счету закончились деньги</error>');
    expect(parseSerp(text)).toEqual({ error: { code: '200', text: 'На вашем счету закончились деньги' } });
  });

  test.each([
    ['a page', '<!doctype html><title>Authorization failed</title>', true],
    ['a captcha', '<html>Подтвердите, что вы не робот</html>', true],
    ['half a document', grouped(group(doc('https://a.example/'))).slice(0, -40), false],
    ['XML of something else', '<?xml version="1.0"?><rss><channel/></rss>', true],
    ['XML without a response', '<?xml version="1.0"?><yandexsearch version="1.0"/>', true],
    ['a response without results', whole('<found>3</found>'), false],
    ['results of another form', whole('<results><item/></results>'), false],
    ['nothing', '', true],
    ['an entity of its own', '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><response>&b;</response>', false],
  ])('%s is malformed, and unanswered where it comes from before the search', (_what, text, unanswered) => {
    const isRight = (error: unknown): boolean =>
      error instanceof ProviderError && error.kind === 'malformed' && error.unanswered === unanswered;
    expect(() => parseSerp(text)).toThrow(expect.toSatisfy(isRight) as Error);
  });

  test('of a text that is mended each character that XML may hold stays, and each other is a blank', () => {
    const textOf = (code: number, base: 10 | 16): string => {
      const reference = base === 16 ? `x${code.toString(16)}` : String(code);
      const answer = parseSerp(whole(`<error code="1">a&#${reference};b &nbsp;</error>`));
      return 'error' in answer ? answer.error.text : '';
    };
    const allowed = [0x9, 0xa, 0xd, 0x20, 0x41, 0xd7_ff, 0xe0_00, 0xff_fd, 0x1_00_00, 0x10_ff_ff];
    const forbidden = [0, 0x8, 0xb, 0xe, 0x1f, 0xd8_00, 0xdf_ff, 0xff_fe, 0xff_ff, 0x11_00_00];
    for (const base of [10, 16] as const) {
      for (const code of allowed) expect(textOf(code, base)).toBe(`a${String.fromCodePoint(code)}b &nbsp;`);
      for (const code of forbidden) expect(textOf(code, base)).toBe('a b &nbsp;');
    }
  });

  test('a captcha is told from other pages', () => {
    expect(() => parseSerp('<html>Подтвердите, что вы не робот</html>')).toThrow('captcha');
  });
});

test('the place of a host is the number of organic results up to it, whatever stands between them', () => {
  const next = random(20_260_501);
  const below = (most: number): number => Math.floor(next() * most);
  for (let round = 0; round < 300; round += 1) {
    const organic: string[] = [];
    const groups = Array.from({ length: below(30) }, () => {
      const docs = Array.from({ length: below(4) }, () => {
        const isOrganic = below(3) > 0;
        const host = `${below(2) === 0 ? 'www.' : ''}h${below(40)}.example`;
        if (isOrganic) organic.push(host.replace('www.', ''));
        return doc(`https://${host}/${below(9)}`, isOrganic ? '' : '<contenttype>ads</contenttype>');
      });
      return group(...docs);
    });
    const sought = Array.from({ length: 5 }, (_, id) => ({ id, domain_name: `h${below(40)}.example` }));
    const unique = [...new Map(sought.map((one) => [one.domain_name, one])).values()];
    const places = new Map(
      placesIn(urlsOf(grouped(groups.join(''))), unique).map(({ domain_id, place }) => [domain_id, place]),
    );
    const wanted = unique.map(({ domain_name }) => organic.indexOf(domain_name) + 1);
    expect(unique.map(({ id }) => places.get(id) ?? 0)).toEqual(wanted);
  }
});
