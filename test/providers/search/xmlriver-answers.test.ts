// Meanings of XMLRiver's answers: every documented code, the status 429, plain numbers, pages of HTML.
import { describe, expect, test } from 'vitest';
import { ProviderError } from '../../../src/providers/provider-error.ts';
import { xmlriver } from '../../../src/providers/search/xmlriver.ts';
import { answerBy, answerWith, askedFor, call, errorOf, login, pageOf, query, useAnswers } from './world.ts';

useAnswers();

const failureOf = async (work: Promise<unknown>): Promise<ProviderError> => {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ProviderError);
  return error as ProviderError;
};
const read = (page = 0) => xmlriver.readPage(login, query, page, call());

describe('a code in an answer of the status 200', () => {
  test.each([
    [2, 'refused', undefined, undefined],
    [16, 'refused', undefined, undefined],
    [20, 'unavailable', undefined, 5],
    [21, 'unavailable', undefined, 5],
    [22, 'unavailable', undefined, 5],
    [23, 'unavailable', undefined, 5],
    [24, 'unavailable', undefined, 5],
    [31, 'credentials', undefined, undefined],
    [42, 'credentials', undefined, undefined],
    [45, 'refused', 'address', undefined],
    [101, 'unavailable', undefined, 60],
    [102, 'refused', undefined, undefined],
    [103, 'refused', undefined, undefined],
    [104, 'refused', undefined, undefined],
    [105, 'refused', undefined, undefined],
    [106, 'refused', undefined, undefined],
    [107, 'refused', undefined, undefined],
    [110, 'rate_limited', undefined, 3],
    [111, 'rate_limited', undefined, 5],
    [115, 'rate_limited', undefined, 60],
    [120, 'refused', undefined, undefined],
    [121, 'unavailable', undefined, 5],
    [200, 'refused', 'no_money', undefined],
    [201, 'rate_limited', undefined, 1200],
    [202, 'unavailable', undefined, 10],
    [203, 'unavailable', undefined, 10],
    [204, 'unavailable', undefined, 5],
    [500, 'unavailable', undefined, 5],
    [501, 'unavailable', undefined, 5],
    ['', 'unavailable', undefined, 5],
    ['constructor', 'unavailable', undefined, 5],
  ])('%s is %s with the reason %s and %s seconds', async (code, kind, reason, retryAfter) => {
    answerWith(errorOf(code, 'Текст &lt;b&gt; ошибки'));
    const error = await failureOf(read());
    expect(error).toMatchObject({ kind, reason, retryAfter, unsent: false });
    expect(error.message).toContain('Текст <b> ошибки');
  });

  test('15 is no error, whatever blanks are around it', async () => {
    answerWith(errorOf(' 15 '));
    expect(await read()).toEqual({ urls: [], isLast: true });
  });

  test('that is nowhere is temporary', async () => {
    answerWith('<yandexsearch><response><error>Сервис временно недоступен</error></response></yandexsearch>');
    expect(await failureOf(read())).toMatchObject({ kind: 'unavailable', retryAfter: 5 });
  });

  test.each([
    [203, 'Повторите запрос через 7 секунд', 8],
    [203, 'Repeat in 12 sec', 13],
    [203, 'через 3', 4],
    [115, 'Too many streams: 25 streams at once. Access will be open in 40 seconds', 41],
    [115, 'Доступ откроется через 10 минут', 601],
    [115, 'blocked, 5 min left', 301],
    [115, 'open in 99999999 seconds', 3601],
    [115, 'заблокировано на 30 с', 31],
    [115, 'no number at all', 60],
    [110, 'через 500 секунд', 3],
  ])('%s with the text "%s" asks for %s seconds', async (code, text, retryAfter) => {
    answerWith(errorOf(code, text));
    expect((await failureOf(read())).retryAfter).toBe(retryAfter);
  });
});

describe('the status 429', () => {
  test.each([
    ['in XML with its seconds', errorOf(115, 'open in 40 seconds'), {}, 41],
    ['in XML with those of the header', errorOf(115, 'wait'), { 'retry-after': '20' }, 21],
    ['in XML of another code', errorOf(110), {}, 3],
    ['with a header', '', { 'retry-after': '30' }, 31],
    ['with a date in its header', '', { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }, 60],
    ['with a page', '<html><error-page>Too many requests</error-page></html>', {}, 60],
    ['with a text', 'open in 40 seconds', {}, 41],
    ['with half a document', errorOf(115).slice(0, 60), {}, 60],
    ['with results', pageOf(['https://a.ru/']), {}, 60],
    ['with no results', errorOf(15), {}, 60],
  ])('%s is a pause', async (_what, text, headers, retryAfter) => {
    answerWith(text, { 'content-type': 'text/xml', ...headers }, 429);
    expect(await failureOf(read())).toMatchObject({ kind: 'rate_limited', retryAfter });
  });

  test('with the code of an empty account says so', async () => {
    answerWith(errorOf(200), {}, 429);
    expect(await failureOf(read())).toMatchObject({ kind: 'refused', reason: 'no_money' });
  });
});

test.each([
  [301, { location: '/elsewhere' }],
  [302, { location: 'https://elsewhere.example/' }],
  [403, {}],
  [404, {}],
  [500, {}],
  [503, {}],
])('the status %i is temporary, even with results', async (status, headers) => {
  answerWith(pageOf(['https://a.ru/']), headers, status);
  expect(await failureOf(read())).toMatchObject({ kind: 'unavailable', status });
  expect(askedFor()).toHaveLength(1);
});

test('an answer of 20 MB is refused while it comes', async () => {
  const piece = Buffer.alloc(2 ** 20, '<a/>');
  let sent = 0;
  answerBy((response) => {
    response.writeHead(200, { 'content-type': 'text/xml' });
    const more = (): void => {
      while (sent < 20 && !response.destroyed) {
        sent += 1;
        if (!response.write(piece)) return void response.once('drain', more);
      }
      response.end();
    };
    more();
  });
  expect(await failureOf(read())).toMatchObject({ kind: 'malformed' });
  expect(sent).toBeLessThan(20);
});

describe('the last page', () => {
  const full = Array.from({ length: 10 }, (_, index) => `https://h${index}.example/`);
  test.each([
    ['is a short one where no more are counted', pageOf(full.slice(0, 3), 23), 2, true],
    ['is no short one where more are counted', pageOf(full.slice(0, 3), 31), 2, false],
    ['is no full one', pageOf(full, 30), 2, false],
    ['is none where nothing is counted', pageOf(full.slice(0, 3), null), 2, false],
    ['is an empty one where nothing is counted', pageOf([], null), 2, true],
    ['is an empty one where no more are counted', pageOf([], 30), 2, true],
    ['is no empty one where more are counted', pageOf([], 31), 2, false],
    ['is that of the code 15', errorOf(15), 2, true],
    ['is a first one without anything', pageOf([], 0), 0, true],
    ['is a first one without any count', pageOf([], null), 0, true],
  ])('%s', async (_what, text, page, isLast) => {
    answerWith(text);
    expect((await read(page)).isLast).toBe(isLast);
  });
});

test.each([
  ['counted, and none is there', pageOf([], 3)],
  ['counted, and other blocks stand there alone', pageOf(['https://a.ru/'], 3, 'ads')],
  ['not counted, and other blocks stand there alone', pageOf(['https://a.ru/'], null, 'ads')],
])('a first page whose results are %s is malformed, and a later one has none', async (_what, text) => {
  answerWith(text);
  expect(await failureOf(read(0))).toMatchObject({ kind: 'malformed' });
  expect((await read(1)).urls).toEqual([]);
});

describe('a request', () => {
  test('has no groupby, and each engine its own region and number of a page', async () => {
    answerWith(pageOf([]));
    await read(2);
    for (const region of ['2643', '1011969', '21643']) {
      await xmlriver.readPage(
        login,
        { ...query, engine: 'google', region, device: 'mobile', keyword: 'a&b=c #?' },
        2,
        call(),
      );
    }
    const [yandex, ...google] = askedFor().map(({ pathname, searchParams }) =>
      Object.assign(Object.fromEntries(searchParams), { path: pathname.replace(/^\/\d+/, '') }),
    );
    const own = { user: login.login, key: login.key };
    expect(yandex).toEqual({
      path: '/search_yandex/xml',
      ...own,
      query: query.keyword,
      page: '2',
      lr: '213',
      device: 'desktop',
    });
    const asked = { path: '/search/xml', ...own, query: 'a&b=c #?', page: '3', device: 'mobile' };
    expect(google).toEqual([
      { ...asked, country: '2643' },
      { ...asked, loc: '1011969' },
      { ...asked, loc: '21643' },
    ]);
  });
});

describe('a plain number', () => {
  test.each([
    ['1234.56', '1234.56'],
    [' 0\r\n', '0'],
    ['-12.5', '-12.5'],
    ['1234,56', '1234.56'],
    ['\uFEFF15', '15'],
  ])('%j is the balance %s, and so is a price', async (text, amount) => {
    answerWith(text, { 'content-type': 'text/html' });
    expect(await xmlriver.readBalance(login, call())).toEqual({ amount, currency: 'RUB' });
    expect(await xmlriver.readPrice(login, 'google', call())).toEqual({ amount, currency: 'RUB' });
    expect(askedFor().map(({ pathname }) => pathname.replace(/^\/\d+/, ''))).toEqual([
      '/api/get_balance/',
      '/api/get_cost/google/',
    ]);
  });

  test.each([
    [200, '', 'malformed'],
    [200, '12 34', 'malformed'],
    [200, '1e9', 'malformed'],
    [200, 'NaN', 'malformed'],
    [200, '9'.repeat(40), 'malformed'],
    [200, '<html><h1>502 Bad Gateway</h1></html>', 'malformed'],
    [200, '{"error":0}', 'malformed'],
    [200, 'Authorization failed', 'credentials'],
    [200, '<html><body>Authorization failed</body></html>', 'credentials'],
    [200, 'Неверный ключ', 'credentials'],
    [200, errorOf(31), 'credentials'],
    [200, errorOf(42), 'credentials'],
    [200, errorOf(45), 'refused'],
    [200, errorOf(101), 'unavailable'],
    [200, errorOf(15), 'malformed'],
    [200, pageOf(['https://a.ru/']), 'malformed'],
    [401, '', 'credentials'],
    [403, '', 'credentials'],
    [302, '', 'unavailable'],
    [404, '12', 'unavailable'],
    [429, '', 'rate_limited'],
    [500, '12', 'unavailable'],
  ])('is none of the status %i with %j: %s', async (status, text, kind) => {
    answerWith(text, {}, status);
    expect((await failureOf(xmlriver.readBalance(login, call()))).kind).toBe(kind);
    expect((await failureOf(xmlriver.testLogin(login, call()))).kind).toBe(kind);
  });
});
