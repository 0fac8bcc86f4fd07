// Look-ups at a registry on loopback, over WHOIS and RDAP.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startRegistry, type RegistryName, type RegistryServer } from '../../../src/demo/registry.ts';
import { registeredName } from '../../../src/lib/zone-name.ts';
import { lookUpName, type RegistryOptions } from '../../../src/providers/registry.ts';

const names = new Map<string, RegistryName>();
let refused = new Set<string>();
let registry: RegistryServer;
beforeAll(async () => {
  registry = await startRegistry({ find: (name) => names.get(name), isTooMuch: (name) => refused.delete(name) });
});
afterAll(() => registry.close());
beforeEach(() => {
  refused = new Set();
  registry.queries.length = 0;
});

const AT_ONCE = { calls: 10_000, seconds: 1, atOnce: 10 };
const options = (): RegistryOptions => ({
  rdapUrl: registry.rdap,
  whoisServer: registry.whois,
  pace: { rdap: AT_ONCE, whois: AT_ONCE },
});

const registered = (name: string, expires_at: string | null): void => {
  const statuses = name.endsWith('.ru') ? ['REGISTERED', 'DELEGATED'] : ['active'];
  names.set(name, { expires_at, registrar: 'REGRU-RU', statuses, name_servers: ['ns1.example.net'] });
};

describe('a look-up', () => {
  test('of .ru asks WHOIS, and reads the end at midnight in Moscow', async () => {
    registered('example.ru', '2027-02-13T21:00:00.000Z');
    expect(await lookUpName('www.example.ru', options())).toEqual({
      name: 'example.ru',
      source: 'whois',
      server: 'whois.tcinet.ru',
      state: 'registered',
      expires_at: '2027-02-13T21:00:00.000Z',
      free_at: null,
      registrar: 'REGRU-RU',
      statuses: ['REGISTERED', 'DELEGATED'],
      name_servers: ['ns1.example.net'],
    });
    expect(registry.queries).toEqual(['example.ru']);
  });

  test('of another zone asks RDAP', async () => {
    registered('example.com', '2027-08-13T04:00:00.000Z');
    expect(await lookUpName('example.com', options())).toMatchObject({
      source: 'rdap',
      expires_at: '2027-08-13T04:00:00.000Z',
      registrar: 'REGRU-RU',
      statuses: ['active'],
      name_servers: ['ns1.example.net'],
    });
  });

  test.each(['free.ru', 'free.com'])('of %s, which is not registered, says so', async (name) => {
    expect(await lookUpName(name, options())).toMatchObject({ state: 'free', expires_at: null });
  });

  test('that is refused for its number is an error, never a free name', async () => {
    for (const name of ['busy.ru', 'busy.com']) {
      registered(name, '2027-08-13T04:00:00.000Z');
      refused.add(name);
    }
    await expect(lookUpName('busy.com', options())).rejects.toMatchObject({ kind: 'rate_limited', retryAfter: 1 });
    await expect(lookUpName('busy.ru', options())).rejects.toMatchObject({ kind: 'rate_limited' });
  });

  test('of a name below a private suffix asks nobody: its date is not the one of the suffix', async () => {
    await expect(lookUpName('mysite.com.ru', options())).rejects.toMatchObject({ kind: 'refused', reason: 'absent' });
    expect(registry.queries).toEqual([]);
  });
});

test.each([
  ['www.example.co.uk', 'example.co.uk'],
  ['example.ru', 'example.ru'],
  ['mysite.com.ru', null],
  ['ru', null],
  ['xn--e1afmkfd.xn--p1ai', 'xn--e1afmkfd.xn--p1ai'],
])('the registered name of %s is %s', (host, name) => {
  expect(registeredName(host)).toBe(name);
});
