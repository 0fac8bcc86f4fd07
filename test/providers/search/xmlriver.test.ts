// XMLRiver over real HTTP, at the fake of the demo: pages, errors inside answers, and a key that stays out of messages.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startXmlriver, type XmlriverFake } from '../../../src/demo/search/xmlriver.ts';
import type { Call } from '../../../src/providers/provider.ts';
import { ProviderError } from '../../../src/providers/provider-error.ts';
import { xmlriver } from '../../../src/providers/search/xmlriver.ts';
import { describeSearchSource } from './conformance.ts';

const login = { login: '12345', key: '0123456789abcdef0123456789abcdef01234567' };
const state = () => ({
  accounts: [{ ...login, balance: 1_000_000 }],
  web: { topics: { seo: 'a' }, hosts: { 'astro-mir.ru': { topic: 'a', from: null, until: null } } },
});
const query = { engine: 'yandex', keyword: 'seo', region: '213', device: 'desktop' } as const;

let fake: XmlriverFake;

beforeAll(async () => {
  fake = await startXmlriver(state());
});
beforeEach(() => {
  Object.assign(fake.state, state());
  fake.faults.length = 0;
  fake.charged.length = 0;
});
afterAll(() => fake.close());

const call = (): Call => ({ url: fake.url, pace: { calls: 1_000, seconds: 1, atOnce: 10 } });

describeSearchSource({ provider: xmlriver, login, call }, { indexed: 'astro-mir.ru', absent: 'nobody.example' });

const failure = async (code: number, text = 'message'): Promise<ProviderError> => {
  fake.faults.push({ kind: 'code', code, text, times: 1 });
  const error: unknown = await xmlriver.readPage(login, query, 0, call()).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ProviderError);
  return error as ProviderError;
};

describe('errors inside an answer of the status 200', () => {
  test.each([
    [31, 'credentials', undefined, undefined],
    [42, 'credentials', undefined, undefined],
    [45, 'refused', 'address', undefined],
    [200, 'refused', 'no_money', undefined],
    [2, 'refused', undefined, undefined],
    [16, 'refused', undefined, undefined],
    [104, 'refused', undefined, undefined],
    [120, 'refused', undefined, undefined],
    [20, 'unavailable', undefined, 5],
    [500, 'unavailable', undefined, 5],
    [202, 'unavailable', undefined, 10],
    [777, 'unavailable', undefined, 5],
  ])('code %i is %s', async (code, kind, reason, retryAfter) => {
    expect(await failure(code)).toMatchObject({ kind, reason, retryAfter });
    expect(fake.charged).toEqual([]);
  });

  test('the seconds to wait are read from the text', async () => {
    expect(await failure(203, 'Повторите через 7 секунд')).toMatchObject({ kind: 'unavailable', retryAfter: 8 });
  });

  test('code 15 is an empty page, which is the last', async () => {
    fake.faults.push({ kind: 'empty', times: 1 });
    expect(await xmlriver.readPage(login, query, 0, call())).toEqual({ urls: [], isLast: true });
  });

  test.each(['html', 'captcha'] as const)('a page of %s is malformed, and no empty result', async (kind) => {
    fake.faults.push({ kind, times: 1 });
    await expect(xmlriver.readPage(login, query, 0, call())).rejects.toMatchObject({ kind: 'malformed' });
  });
});

test('a document in windows-1251 has the same addresses', async () => {
  const usual = await xmlriver.readPage(login, query, 0, call());
  fake.faults.push({ kind: 'cyrillic', times: 1 });
  expect(await xmlriver.readPage(login, query, 0, call())).toEqual(usual);
});

test('a call whose answer is lost is sent once', async () => {
  fake.faults.push({ kind: 'lost', times: 1 });
  await expect(xmlriver.readPage(login, query, 0, call())).rejects.toMatchObject({ kind: 'unavailable' });
  expect(fake.charged).toHaveLength(1);
});

test('pages of Google are counted from 1 and of Yandex from 0, and regions go where each engine has them', async () => {
  await xmlriver.readPage(login, { ...query, engine: 'google', region: '2643' }, 0, call());
  await xmlriver.readPage(login, query, 2, call());
  expect(fake.charged).toEqual([
    { engine: 'google', query: 'seo', page: 0 },
    { engine: 'yandex', query: 'seo', page: 2 },
  ]);
});

test('a service that repeats the key in its text does not bring it into an error', async () => {
  const error = await failure(500, `no answer for ${login.key}`);
  expect(error.message).not.toContain(login.key);
});
