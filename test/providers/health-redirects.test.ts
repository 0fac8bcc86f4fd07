import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { checkHealth, type HealthOptions } from '../../src/providers/health.ts';
import type { HealthResult } from '../../src/shared/checks/health.ts';
import { startWorld, type Site, type World } from '../support/world.ts';

const moved = (location: string, status = 301): Site => ({ status, location });

const SITES: Record<string, Site> = {
  'end.test': {},
  'end.test/deep/page?q=1': { status: 206 },
  'once.test': moved('http://end.test/'),
  'relative.test/': moved('/here/there'),
  'relative.test/here/there': moved('../up', 307),
  'relative.test/up': { status: 204 },
  'sibling.test': moved('//end.test/deep/page?q=1', 308),
  'http://secure.test/': moved('https://secure.test/'),
  'https://secure.test/': { status: 203 },
  'https://downgrade.test/': moved('http://end.test/'),
  'http://loop.test/': moved('http://loop.test/b', 302),
  'http://loop.test/b': moved('http://loop.test/#again', 303),
  'self.test': moved('/'),
  'dead-end.test': moved('http://dead.test/'),
  'dead.test': { fault: 'close' },
  'named.test': moved('http://joe:secret@end.test/#part'),
  'кириллица.test': {},
  'cyrillic.test/': moved(Buffer.from('/страница').toString('latin1')),
  'cyrillic.test/%D1%81%D1%82%D1%80%D0%B0%D0%BD%D0%B8%D1%86%D0%B0': {},
  'mailto.test': moved('mailto:joe@end.test'),
  'file.test': moved('file:///etc/passwd'),
  'broken.test': moved('http://[::1'),
  'nowhere.test': { status: 302 },
  'unchanged.test': moved('http://end.test/', 304),
  'choices.test': moved('http://end.test/', 300),
};
for (let hop = 0; hop <= 6; hop += 1) SITES[`hop.test/${hop}`] = hop === 6 ? {} : moved(`/${hop + 1}`);
SITES['five.test'] = moved('http://hop.test/2');
SITES['six.test'] = moved('http://hop.test/1');

let world: World;
beforeAll(async () => {
  world = await startWorld(SITES);
});
beforeEach(() => {
  world.seen.length = 0;
});
afterAll(() => world.close());

async function check(host: string, options: HealthOptions = {}): Promise<HealthResult> {
  let result: HealthResult | undefined;
  const connectTo = [
    { host1: '', port1: 443, host2: '127.0.0.1', port2: world.tlsPort },
    { host1: '', port1: null, host2: '127.0.0.1', port2: world.port },
  ];
  await checkHealth([host], { scheme: 'http', timeoutMs: 20_000, connectTo, ...options }, (given) => (result = given));
  if (result === undefined) throw new Error('no result');
  return result;
}

test('a redirect is followed and reported; the last code counts', async () => {
  expect(await check('once.test')).toMatchObject({
    http_status_code: 200,
    error: null,
    redirects: [{ url: 'http://once.test/', status: 301, location: 'http://end.test/' }],
    final_url: 'http://end.test/',
  });
});

test('with follow off, the first code counts and its target is reported', async () => {
  expect(await check('once.test', { follow: false })).toMatchObject({
    http_status_code: 301,
    redirects: [{ url: 'http://once.test/', status: 301, location: 'http://end.test/' }],
    final_url: 'http://once.test/',
  });
  expect(world.seen).toHaveLength(1);
});

test('relative and scheme-relative targets are followed', async () => {
  const relative = await check('relative.test');
  expect(relative).toMatchObject({ http_status_code: 204, final_url: 'http://relative.test/up' });
  expect(relative.redirects.map(({ status, location }) => [status, location])).toEqual([
    [301, 'http://relative.test/here/there'],
    [307, 'http://relative.test/up'],
  ]);
  expect(await check('sibling.test')).toMatchObject({ http_status_code: 206 });
});

test('redirects are followed from http to https and back', async () => {
  expect(await check('secure.test')).toMatchObject({
    http_status_code: 203,
    scheme: 'https',
    tls_error: 'self_signed',
  });
  expect(await check('downgrade.test', { scheme: 'https' })).toMatchObject({
    http_status_code: 200,
    scheme: 'http',
    tls_error: 'self_signed',
  });
});

test('five redirects are followed, the sixth is one too many', async () => {
  expect(await check('five.test')).toMatchObject({ http_status_code: 200, error: null });
  const six = await check('six.test');
  expect(six).toMatchObject({ http_status_code: null, error: 'too_many_redirects', scheme: null });
  expect(six.redirects).toHaveLength(6);
  expect(world.seen.at(-1)?.url).toBe('http://hop.test/5');
});

test.each([
  ['loop.test', 'redirect_loop', 2],
  ['self.test', 'redirect_loop', 1],
  ['dead-end.test', 'reset', 1],
  ['mailto.test', 'unsupported_scheme', 1],
  ['file.test', 'unsupported_scheme', 1],
  ['broken.test', 'bad_answer', 0],
])('%s ends with %s', async (host, error, redirects) => {
  const result = await check(host);
  expect(result).toMatchObject({ http_status_code: null, error });
  expect(result.redirects).toHaveLength(redirects);
});

test.each([
  ['nowhere.test', 302],
  ['unchanged.test', 304],
  ['choices.test', 300],
])('%s is not followed: its code is %i', async (host, code) => {
  expect(await check(host)).toMatchObject({ http_status_code: code, error: null, redirects: [] });
});

test('a name and a password in a target are neither sent nor reported', async () => {
  const result = await check('named.test');
  expect(result).toMatchObject({ http_status_code: 200, final_url: 'http://end.test/' });
  expect(JSON.stringify(result)).not.toContain('secret');
  expect(world.seen.at(-1)?.headers).not.toHaveProperty('authorization');
});

test('a target in raw UTF-8 is followed', async () => {
  expect(await check('cyrillic.test')).toMatchObject({ http_status_code: 200 });
});

test('all hops share one timeout', async () => {
  const slow = await startWorld({
    'slow.test/': { ...moved('/1'), delayMs: 1_000 },
    'slow.test/1': { ...moved('/2'), delayMs: 1_000 },
    'slow.test/2': { delayMs: 60_000 },
  });
  const connectTo = [{ host1: '', port1: null, host2: '127.0.0.1', port2: slow.port }];
  expect(await check('slow.test', { timeoutMs: 6_000, connectTo })).toMatchObject({ error: 'timeout' });
  expect(slow.seen).toHaveLength(3);
  await slow.close();
});
