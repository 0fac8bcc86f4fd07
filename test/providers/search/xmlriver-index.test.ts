// Whether XMLRiver says that a host is in an index: which addresses of the results decide, and what is unknown.
import { describe, expect, test } from 'vitest';
import type { ProviderError } from '../../../src/providers/provider-error.ts';
import { xmlriver } from '../../../src/providers/search/xmlriver.ts';
import { answerBy, askedFor, call, errorOf, login, pageOf, useAnswers } from './world.ts';

useAnswers();

describe('the verdict of an index', () => {
  const NO = errorOf(15);
  const ask = async (host: string, ...pages: string[]): Promise<unknown> => {
    answerBy(...pages.map((text) => (response: { end: (text: string) => void }) => response.end(text)));
    return xmlriver.isIndexed(login, 'google', host, call()).catch((error: ProviderError) => error.kind);
  };

  test.each([
    ['the address itself', ['https://a.ru/']],
    ['by http', ['http://a.ru/']],
    ['without a slash', ['https://a.ru']],
    ['with www', ['https://www.a.ru/']],
    ['in capitals', ['HTTPS://WWW.A.RU/']],
    ['with a dot at its end', ['https://a.ru./']],
    ['behind another', ['https://other.example/', 'https://a.ru/']],
    ['behind a counter of clicks', ['https://www.google.com/url?q=https://a.ru/']],
  ])('is yes by %s, in one request', async (_what, urls) => {
    expect(await ask('a.ru', pageOf(urls))).toBe(true);
    expect(askedFor().map(({ searchParams }) => [searchParams.get('query'), searchParams.get('inindex')])).toEqual([
      ['https://a.ru/', '1'],
    ]);
  });

  test.each([
    ['a page below it, to which it leads', pageOf(['https://a.ru/ru/']), ['https://www.a.ru/ru/'], true],
    ['another page of it', NO, ['https://a.ru/p?x=1'], true],
    ['a page of its subdomain alone', NO, ['https://m.a.ru/'], true],
    ['nothing', NO, [], false],
    ['pages of names that are alike', pageOf(['https://xa.ru/']), ['https://xa.ru/', 'https://a.ru.example/'], false],
    ['a page that names it', NO, ['https://other.example/?u=https://a.ru/'], false],
  ])('by %s is of its second request', async (_what, first, urls, verdict) => {
    expect(await ask('a.ru', first, urls.length === 0 ? NO : pageOf(urls))).toBe(verdict);
    expect(askedFor().map(({ searchParams }) => searchParams.get('query'))).toEqual(['https://a.ru/', 'site:a.ru']);
  });

  test('by advertisements alone, and by a count without results, is no', async () => {
    const ads = pageOf(['https://a.ru/'], 1, 'ads');
    expect(await ask('a.ru', ads, ads)).toBe(false);
    expect(await ask('a.ru', pageOf([], 100), pageOf([], 100))).toBe(false);
  });

  test('of a name with www asks for that name, and looks for both', async () => {
    expect(await ask('www.a.ru', NO, pageOf(['https://a.ru/']))).toBe(true);
    expect(askedFor().map(({ searchParams }) => searchParams.get('query'))).toEqual(['https://www.a.ru/', 'site:a.ru']);
  });

  test.each([
    ['refused', errorOf(120)],
    ['credentials', errorOf(42)],
    ['unavailable', errorOf(500)],
    ['malformed', '<html>captcha</html>'],
  ])('is an error, %s, and never a no', async (kind, text) => {
    expect(await ask('a.ru', text)).toBe(kind);
    expect(await ask('a.ru', NO, text)).toBe(kind);
  });
});
