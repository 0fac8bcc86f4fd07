import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkHealth, readPage } from '../../src/providers/health.ts';
import type { HealthResult } from '../../src/shared/checks/health.ts';
import { startNames, startWorld, type Records, type World } from '../support/world.ts';

const NAMES: Record<string, Records> = {
  'fine.test': { a: ['127.0.0.1'], aaaa: ['::1'] },
  'six.test': { aaaa: ['::ffff:127.0.0.1'] },
  'second.test': { a: ['127.0.0.9', '127.0.0.1'] },
  'many.test': { a: ['127.0.0.1', ...Array.from({ length: 20 }, (_, index) => `127.0.1.${index}`)] },
  'slow.test': { a: ['127.0.0.1'], delayMs: 900 },
  'empty.test': {},
  'ill.test': { rcode: 'SERVFAIL' },
  'refusing.test': { rcode: 'REFUSED' },
  'silent.test': { drop: true },
};

let world: World;
let names: Awaited<ReturnType<typeof startNames>>;

beforeAll(async () => {
  [world, names] = await Promise.all([
    startWorld(Object.fromEntries(Object.keys(NAMES).map((name) => [name, {}]))),
    startNames(NAMES),
  ]);
});
afterAll(() => Promise.all([world.close(), names.close()]));

async function check(hosts: string[], timeoutMs = 1_000): Promise<Record<string, HealthResult>> {
  const results: Record<string, HealthResult> = {};
  await checkHealth(
    hosts,
    {
      scheme: 'http',
      timeoutMs,
      allowPrivate: true,
      dns: names.address,
      connectTo: [{ host1: '', port1: null, host2: '', port2: world.port }],
    },
    (result) => (results[result.domain] = result),
  );
  return results;
}

const verdict = (result: HealthResult | undefined) => result?.error ?? result?.http_status_code;

test('the errors of a name server are distinguished, and none is a status of the site', async () => {
  const results = await check(['nobody.test', 'empty.test', 'ill.test', 'refusing.test', 'silent.test', 'a..test']);
  expect(Object.fromEntries(Object.values(results).map((result) => [result.domain, verdict(result)]))).toEqual({
    'nobody.test': 'dns_not_found',
    'empty.test': 'dns_no_address',
    'ill.test': 'dns_failed',
    'refusing.test': 'dns_failed',
    'silent.test': 'dns_timeout',
    'a..test': 'bad_name',
  });
});

test('a name with IPv4 takes one query; IPv6 is queried only where there is no IPv4', async () => {
  names.asked.length = 0;
  const results = await check(['fine.test', 'six.test']);
  expect(verdict(results['fine.test'])).toBe(200);
  expect(verdict(results['six.test'])).toBe(200);
  expect(names.asked.sort()).toEqual(['A fine.test', 'A six.test', 'AAAA six.test']);
});

test('the next address is asked after one that refuses', async () => {
  expect(verdict((await check(['second.test']))['second.test'])).toBe(200);
  expect(verdict((await check(['many.test']))['many.test'])).toBe(200);
});

test('a name that is not found is asked by http where a detour leads http elsewhere', async () => {
  const ask = async (host2: string): Promise<HealthResult | undefined> => {
    let found: HealthResult | undefined;
    const connectTo = [{ host1: 'nobody.test', port1: 80, host2, port2: world.port }];
    const options = { timeoutMs: 1_000, dns: names.address, connectTo };
    await checkHealth(['nobody.test'], options, (result) => (found = result));
    return found;
  };
  expect(await ask('127.0.0.1')).toMatchObject({ http_status_code: expect.any(Number), scheme: 'http', error: null });
  expect(verdict(await ask(''))).toBe('dns_not_found');
  expect((await readPage('nobody.test', '/', { bodyBytes: 10, dns: names.address, connectTo: [] })).url.protocol).toBe(
    'https:',
  );
});

test('waiting for the name server does not count against the timeout of the host', async () => {
  const { 'slow.test': result } = await check(['slow.test'], 500);
  expect(verdict(result)).toBe(200);
});

test('a missing name server gives a DNS error', async () => {
  const results: HealthResult[] = [];
  await checkHealth(['fine.test'], { dns: '127.0.0.1:1', scheme: 'http' }, (result) => results.push(result));
  expect(['dns_failed', 'dns_timeout']).toContain(verdict(results[0]));
});
