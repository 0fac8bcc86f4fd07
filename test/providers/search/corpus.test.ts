// The corpus of answers over real HTTP: what each is read as, and whose places its results are.
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { parseSerp } from '../../../src/providers/search/serp-xml.ts';
import { xmlriver } from '../../../src/providers/search/xmlriver.ts';
import { escapeXml } from '../../../src/providers/xml.ts';
import { placesIn } from '../../../src/shared/positions/places.ts';
import { ADDRESSES, SOUGHT } from './corpus/addresses.ts';
import { DOCUMENTS, NO_DOCUMENTS } from './corpus/documents.ts';
import { answerWith, call, login, query, useAnswers } from './world.ts';

useAnswers();

const readSent = (body: string | Buffer, headers?: Record<string, string>) => {
  answerWith(body, headers);
  return xmlriver.readPage(login, query, 1, call());
};

const soughtOf = (names: readonly string[]) => names.map((domain_name, id) => ({ id, domain_name }));

describe('a document with', () => {
  test.each(DOCUMENTS)(
    '$title has its results and places',
    async ({ xml, urls, docs = urls.length, found, places }) => {
      expect(parseSerp(xml)).toEqual({ urls, docs, found });
      expect((await readSent(xml)).urls).toEqual(urls);
      const sought = soughtOf(Object.keys(places));
      const read = new Map(placesIn(urls, sought).map(({ domain_id, place }) => [domain_id, place]));
      expect(sought.map(({ id }) => read.get(id) ?? 0)).toEqual(Object.values(places));
    },
  );

  test.each(Object.entries(NO_DOCUMENTS))('%s is malformed', async (_what, text) => {
    expect(() => parseSerp(text)).toThrow(
      expect.objectContaining({ name: 'ProviderError', kind: 'malformed' }) as Error,
    );
    await expect(readSent(text)).rejects.toMatchObject({ name: 'ProviderError', kind: 'malformed' });
  });
});

describe('the address', () => {
  const sought = soughtOf(SOUGHT);
  const documentOf = (raw: string): string =>
    `<yandexsearch><response><results><grouping><group><doc><url>https://first.example/</url></doc></group><group><doc><url>${escapeXml(raw)}</url></doc></group></grouping></results></response></yandexsearch>`;

  test.each(ADDRESSES)('$raw is the place of $site', ({ raw, url, site }) => {
    const answered = parseSerp(documentOf(raw));
    const urls = 'urls' in answered ? answered.urls : [];
    expect(urls).toEqual(['https://first.example/', url === '' ? '' : new URL(url).href]);
    const owners = placesIn(urls, sought).map(({ domain_id, place }) => [SOUGHT[domain_id], place]);
    expect(owners).toEqual(site === null ? [] : [[site, 2]]);
  });

  test('that is too long is cut behind its host, and stays the place of its host alone', () => {
    const long = `https://a.ru/${'%D0%B0'.repeat(900)}#${'x'.repeat(3000)}`;
    const foreign = `https://${'x'.repeat(60)}.${'a.'.repeat(960)}a.ru.${'z'.repeat(60)}.example/`;
    const answered = parseSerp(documentOf(long).replace('https://first.example/', foreign));
    const urls = 'urls' in answered ? answered.urls : [];
    expect(urls[0]).toBe('');
    expect(urls[1]).toMatch(/^https:\/\/a\.ru\/(?:%D0%B0)+(?:%D0)?$/);
    expect(urls[1]?.length).toBeLessThanOrEqual(2000);
  });

  const readOf = (raw: string): string => {
    const answered = parseSerp(documentOf(raw));
    return ('urls' in answered ? answered.urls[1] : undefined) ?? '';
  };

  test('has a host of 253 characters at most, and 2000 in all', () => {
    const name = (length: number): string => `${'a.'.repeat(100)}${'b'.repeat(length - 203)}.ru`;
    expect([name(253).length, readOf(`https://${name(253)}/`), readOf(`https://${name(254)}/`)]).toEqual([
      253,
      `https://${name(253)}/`,
      '',
    ]);
    const long = (length: number): string => `https://a.ru/${'x'.repeat(length - 15)}#y`;
    expect([1999, 2000, 2001].map((length) => readOf(long(length)).length)).toEqual([1999, 2000, 1999]);
    const plain = `https://a.ru/${'x'.repeat(3000)}`;
    expect(readOf(plain)).toBe(plain.slice(0, 2000));
    expect(readOf(`${plain.slice(0, 1999)}%20${'x'.repeat(99)}`)).toBe(plain.slice(0, 1999));
    expect(readOf(`${plain.slice(0, 1998)}%20${'x'.repeat(99)}`)).toBe(plain.slice(0, 1998));
  });

  test('is that of a counter within a counter, up to three', () => {
    const within = (times: number): string =>
      Array.from({ length: times }).reduce<string>(
        (url) => `https://www.google.com/url?q=${encodeURIComponent(url)}`,
        'https://a.ru/',
      );
    expect([1, 2, 3].map((times) => readOf(within(times)))).toEqual([
      'https://a.ru/',
      'https://a.ru/',
      'https://a.ru/',
    ]);
    expect(readOf(within(4))).toBe('https://www.google.com/url?q=https%3A%2F%2Fa.ru%2F');
  });

  test('of a domain that is sought with and without www is the place of both', () => {
    expect(placesIn(['https://www.a.ru/'], soughtOf(['a.ru', 'www.a.ru'])).map(({ domain_id }) => domain_id)).toEqual([
      0, 1,
    ]);
  });
});

describe('an answer', () => {
  const xml = DOCUMENTS[0]?.xml ?? '';
  const idn = xml.replace('www.example-a.ru', 'гороскопы.рф');
  const cyrillic = (text: string): Buffer =>
    Buffer.from(
      Array.from(text, (letter) => {
        const code = letter.codePointAt(0) ?? 0;
        return code >= 0x04_10 && code <= 0x04_4f ? code - 0x04_10 + 0xc0 : Math.min(code, 127);
      }),
    );
  const utf16 = (text: string, isBig: boolean): Buffer => {
    const little = Buffer.from(text, 'utf16le');
    return isBig ? little.swap16() : little;
  };
  const declared = idn.replace('utf-8', 'windows-1251');
  const of16 = idn.replace('utf-8', 'utf-16');
  const type = (charset?: string) => ({ 'content-type': charset ? `text/xml; charset=${charset}` : 'text/xml' });

  test.each([
    ['in UTF-8 with a byte order mark', `\uFEFF${idn}`, type()],
    ['with a byte order mark and another encoding in its header', `\uFEFF${idn}`, type('windows-1251')],
    ['with blanks before it', `\r\n  ${idn}`, type()],
    ['in windows-1251 as declared', cyrillic(declared), type()],
    ['in windows-1251 as the header says', cyrillic(idn.replace(/^<\?.*\?>/, '')), type('windows-1251')],
    ['in windows-1251 as declared, against its header', cyrillic(declared), type('utf-8')],
    ['in UTF-8, against what it declares', idn.replace('utf-8', 'utf-16'), type()],
    ['in UTF-8, of an encoding that is unknown', idn.replace('utf-8', 'x-unknown-7'), type('x-unknown-7')],
    ['in UTF-16 with a mark', utf16(`\uFEFF${of16}`, false), type()],
    ['in UTF-16 with a mark, the other way round', utf16(`\uFEFF${of16}`, true), type('utf-16')],
    ['in UTF-16 without a mark', utf16(of16, false), type()],
    ['in UTF-16 without a mark, the other way round', utf16(of16, true), type()],
    ['compressed', gzipSync(idn), { ...type(), 'content-encoding': 'gzip' }],
  ])('%s has the same addresses', async (_what, body, headers) => {
    expect((await readSent(body, headers)).urls).toEqual([
      'https://xn--c1aolabgdj7g.xn--p1ai/katalog/',
      'https://shop.example-b.com/',
    ]);
  });

  test.each([
    ['says that it is compressed, and is not', xml, { 'content-encoding': 'gzip' }],
    ['is compressed, and cut', gzipSync(xml).subarray(0, 90), { 'content-encoding': 'gzip' }],
    ['is of no known text', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 1]), {}],
  ])('that %s is a ProviderError', async (_what, body, headers) => {
    await expect(readSent(body, headers)).rejects.toMatchObject({ name: 'ProviderError' });
  });
});
