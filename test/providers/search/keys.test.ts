// The login, the key and the query stand in the address of every call to XMLRiver: no failure may show them.
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { inspect } from 'node:util';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import type { Call } from '../../../src/providers/provider.ts';
import { ProviderError } from '../../../src/providers/provider-error.ts';
import { arsenkin } from '../../../src/providers/search/arsenkin.ts';
import { xmlriver } from '../../../src/providers/search/xmlriver.ts';
import { answerBy, answerWith, call, errorOf, login, useAnswers } from './world.ts';

useAnswers();

const QUERY = 'тайный запрос 4711';
const query = { engine: 'yandex', keyword: QUERY, region: '213', device: 'desktop' } as const;

/** How each may be written. */
const spellings = (text: string): string[] => [
  text,
  encodeURIComponent(text),
  encodeURIComponent(text).replaceAll('%20', '+'),
  new URLSearchParams({ '': text }).toString().slice(1),
  JSON.stringify(text).slice(1, -1),
];
const SECRET = [login.key, login.login, QUERY, 'user=', 'key=', 'query='].flatMap(spellings);

/** Returns all that an error shows: as it is logged, as a rejection that nobody handles is printed, and as JSON. */
function shown(error: unknown): string {
  let lines = '';
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines += chunk.toString();
      done();
    },
  });
  pino({ level: 'trace' }, stream).error({ err: error, error, nested: { error } }, 'failed');
  const parts: string[] = [];
  for (let one: unknown = error; one instanceof Error; one = one.cause) {
    parts.push(one.message, one.stack ?? '', JSON.stringify(one), String(one));
    for (const name of Object.getOwnPropertyNames(one)) parts.push(inspect(Reflect.get(one, name), { depth: 8 }));
  }
  return [lines, inspect(error, { depth: 12, showHidden: true, getters: true }), ...parts].join('\n');
}

/** Returns the kind of failure, and what of our address the failure shows. */
async function failureOf(work: Promise<unknown>): Promise<{ isOurs: boolean; shows: string[] }> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  const text = shown(error);
  return { isOurs: error instanceof ProviderError, shows: SECRET.filter((secret) => text.includes(secret)) };
}
const SILENT = { isOurs: true, shows: [] };

const WORK: [string, (options: Call) => Promise<unknown>][] = [
  ['a page', (options) => xmlriver.readPage(login, query, 0, options)],
  ['a page of Google', (options) => xmlriver.readPage(login, { ...query, engine: 'google' }, 3, options)],
  ['an index', (options) => xmlriver.isIndexed(login, 'yandex', 'a.ru', options)],
  ['a balance', (options) => xmlriver.readBalance(login, options)],
  ['a price', (options) => xmlriver.readPrice(login, 'yandex', options)],
  ['a test', (options) => xmlriver.testLogin(login, options)],
];

describe.each(WORK)('a failure of %s shows no key where', (_what, work) => {
  test.each([
    ['the name is not there', 'http://nowhere.invalid'],
    ['nobody listens', 'http://127.0.0.1:9'],
    ['the other side speaks no TLS', 'https'],
    ['the address has a wrong port', 'http://127.0.0.1:99999'],
    ['the address is none', 'nowhere at all'],
    ['the address is of no known kind', 'gopher://127.0.0.1/'],
  ])('%s', async (_where, url) => {
    const plain = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')).listen(0, '127.0.0.1');
    await once(plain, 'listening');
    const { port } = plain.address() as AddressInfo;
    try {
      const options = { ...call(), url: url === 'https' ? `https://127.0.0.1:${port}` : url };
      expect(await failureOf(work(options))).toEqual(SILENT);
    } finally {
      plain.close();
    }
  });

  test.each([
    ['the connection breaks', 'destroy'],
    ['the answer is no HTTP', 'garbage'],
    ['the answer breaks off', 'half'],
  ])('%s', async (_where, how) => {
    answerBy((response) => {
      if (how === 'garbage') response.socket?.end('SSH-2.0-x\r\n');
      else if (how === 'half')
        response.writeHead(200, { 'content-length': '100' }).write('<yand', () => response.destroy());
      else response.destroy();
    });
    expect(await failureOf(work(call()))).toEqual(SILENT);
  });

  test.each([301, 302, 307, 400, 401, 403, 404, 429, 500, 502])(
    'the status is %i and all repeats them',
    async (status) => {
      answerBy((response, { url = '' }) => {
        const headers = { location: `http://other.example${url}`, 'x-asked': url, 'set-cookie': `key=${login.key}` };
        response.writeHead(status, headers).end(`<html><a href="${url}">${url}</a> ${decodeURIComponent(url)}</html>`);
      });
      expect(await failureOf(work(call()))).toEqual(SILENT);
    },
  );

  test.each([
    ['a page repeats them', (url: string) => `<html>not found: ${url}</html>`],
    ['a text repeats them', (url: string) => `user not authorised: ${url}`],
    [
      'an error repeats them',
      (url: string) => errorOf(31, `Пользователь ${login.login}: ${url.replaceAll('&', '&amp;')}`),
    ],
    [
      'an error of another code repeats them',
      (url: string) => errorOf(url.replaceAll('&', '&amp;').slice(0, 40), url.replaceAll('&', '&amp;')),
    ],
    [
      'half a document repeats them',
      (url: string) => `<yandexsearch><response><request>${url.replaceAll('&', '&amp;')}`,
    ],
    ['a tag repeats them', (url: string) => `<yandexsearch><${url}>`],
  ])('%s', async (_where, bodyOf) => {
    answerBy((response, { url = '' }) => response.end(bodyOf(url.replace(/^\/\d+/, ''))));
    expect(await failureOf(work(call()))).toEqual(SILENT);
  });

  test('it is aborted', async () => {
    answerBy(() => undefined);
    const signal = AbortSignal.timeout(50);
    expect(await failureOf(work({ ...call(), signal }))).toMatchObject({ shows: [] });
  });
});

test.each([
  ['a name that is not there', 'http://nowhere.invalid'],
  ['a wrong port', 'http://127.0.0.1:99999'],
])('a failure of Arsenkin shows no token at %s', async (_what, url) => {
  const error: unknown = await arsenkin
    .testLogin({ token: login.key }, { ...call(), url })
    .catch((thrown: unknown) => thrown);
  expect(shown(error)).not.toContain(login.key);
  expect(error).toBeInstanceOf(ProviderError);
});

test('a repeated address is cut out of what a person reads, and the rest stays', async () => {
  answerWith(errorOf(500, `No answer for /search/xml?user=${login.login}&amp;key=${login.key}&amp;query=x now`));
  const error = await xmlriver.readPage(login, query, 0, call()).catch((thrown: Error) => thrown);
  expect((error as Error).message).toBe('xmlriver: No answer for /search/xml now (500)');
});
