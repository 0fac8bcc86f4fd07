import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkHealth, type HealthOptions } from '../../src/providers/health.ts';
import { parseConnectTo } from '../../src/lib/outgoing/connect-to.ts';
import type { HealthResult } from '../../src/shared/checks/health.ts';
import { startNames, startTrap, startWorld, type Records, type Site, type World } from '../support/world.ts';

const metadata = { status: 302, location: 'http://169.254.169.254/latest/meta-data/' };

const SITES: Record<string, Site> = {
  'fine.test': {},
  'metadata.test': metadata,
  'port.test': { status: 302, location: 'http://fine.test:8080/' },
  'inside.test': { status: 302, location: 'http://private.test/' },
};

const NAMES: Record<string, Records> = {
  'private.test': { a: ['127.0.0.1'] },
  'ten.test': { a: ['10.0.0.1', '192.168.1.1'] },
  'six.test': { aaaa: ['::1', 'fd00::1', '::ffff:127.0.0.1'] },
};

let world: World;
let names: Awaited<ReturnType<typeof startNames>>;
let trap: Awaited<ReturnType<typeof startTrap>>;

beforeAll(async () => {
  [world, names, trap] = await Promise.all([startWorld(SITES), startNames(NAMES), startTrap()]);
});
beforeEach(() => {
  world.seen.length = 0;
});
afterAll(async () => {
  trap.close();
  await Promise.all([world.close(), names.close()]);
});

async function check(host: string, connectTo: string, options: HealthOptions = {}): Promise<HealthResult> {
  let result: HealthResult | undefined;
  await checkHealth(
    [host],
    { scheme: 'http', timeoutMs: 20_000, dns: names.address, connectTo: parseConnectTo(connectTo), ...options },
    (given) => (result = given),
  );
  if (result === undefined) throw new Error('no result');
  return result;
}

describe('private targets', () => {
  // Redirects every port to the trap, for any address that passes the check.
  const toTrap = () => `:::${trap.port}`;

  test.each([
    'private.test',
    'ten.test',
    'six.test',
    'localhost',
    'a.localhost',
    'localhost.',
    '127.0.0.1',
    '127.1',
    '0x7f.1',
    '2130706433',
    '0177.0.0.1',
    '0.0.0.0',
    '169.254.169.254',
    '10.0.0.1',
    '::1',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::127.0.0.1]',
    '[2002:7f00:1::]',
    '[fe80::1]',
    '①②⑦.0.0.1',
  ])('such as %s are refused without a connection', async (host) => {
    for (const scheme of ['http', 'https', 'auto'] as const) {
      expect(await check(host, toTrap(), { scheme })).toMatchObject({
        error: 'private_address',
        http_status_code: null,
      });
    }
    expect(trap.hits()).toBe(0);
  });

  test('are refused in a redirect, too, even with a detour for all hosts', async () => {
    const all = `::127.0.0.1:${world.port}`;
    expect(await check('metadata.test', all)).toMatchObject({
      error: 'private_address',
      http_status_code: null,
      redirects: [{ url: 'http://metadata.test/', status: 302, location: metadata.location }],
    });
    expect(await check('inside.test', `inside.test::127.0.0.1:${world.port},${toTrap()}`)).toMatchObject({
      error: 'private_address',
    });
    expect(world.seen).toHaveLength(2);
    expect(trap.hits()).toBe(0);
  });

  test('a redirect stays on the ports of the web, unless a detour covers it', async () => {
    const one = `port.test::127.0.0.1:${world.port}`;
    expect(await check('port.test', one)).toMatchObject({ error: 'port_not_allowed', http_status_code: null });
    expect(await check('port.test', `::127.0.0.1:${world.port}`)).toMatchObject({
      http_status_code: 404,
      final_url: 'http://fine.test:8080/',
    });
  });

  test('are asked like any other if allowed', async () => {
    const port = `:::${world.port}`;
    world.seen.length = 0;
    for (const host of ['private.test', 'localhost', '127.0.0.1']) {
      expect(await check(host, port, { allowPrivate: true })).toMatchObject({ http_status_code: 404, error: null });
    }
    expect(world.seen.map((request) => request.url)).toEqual([
      'http://private.test/',
      'http://localhost/',
      'http://127.0.0.1/',
    ]);
  });

  test('are allowed as the target of a detour of the operator', async () => {
    expect(await check('fine.test', `::127.0.0.1:${world.port}`)).toMatchObject({ http_status_code: 200 });
    expect(await check('fine.test', `::localhost:${world.port}`)).toMatchObject({ http_status_code: 200 });
    expect(await check('10.0.0.1', `10.0.0.1::127.0.0.1:${world.port}`)).toMatchObject({ http_status_code: 404 });
  });
});

describe('a name that changes its address', () => {
  test('is looked up once: the address that was checked is the one asked', async () => {
    let looked = 0;
    const sites = { 'swap.test/': { status: 302, location: '/again' }, 'swap.test/again': {} };
    const [site, rebinding] = await Promise.all([
      startWorld(sites),
      startNames({ 'swap.test': { a: () => [(looked += 1) === 1 ? '127.0.0.1' : '127.0.0.2'] } }),
    ]);
    const other = await startTrap('127.0.0.2', site.port);
    const options = { allowPrivate: true, dns: rebinding.address };
    expect(await check('swap.test', `:::${site.port}`, options)).toMatchObject({ http_status_code: 200 });
    expect(rebinding.asked).toEqual(['A swap.test']);
    expect(other.hits()).toBe(0);
    other.close();
    await Promise.all([site.close(), rebinding.close()]);
  });
});
