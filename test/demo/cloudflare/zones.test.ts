// Logins, zones and their settings at Cloudflare in small.
import { describe, expect, test } from 'vitest';
import type { Login } from '../../../src/demo/cloudflare/state.ts';
import { A, ask, at, B, cloudflare, KEY, PAIR, start, TOKEN, useCloudflare, zone } from './world.ts';

useCloudflare();

describe('a login', () => {
  const cases: [string, Record<string, string>, number, number, number?][] = [
    ['nobody', {}, 400, 9106],
    ['an address that is none', { ...PAIR, 'X-Auth-Email': 'ops' }, 400, 6003, 6102],
    ['a token in the place of the key', { ...PAIR, 'X-Auth-Key': TOKEN }, 400, 6003, 6103],
    ['an unknown key', { ...PAIR, 'X-Auth-Key': KEY.replace('0', '1') }, 403, 9103],
    ['no token at all', { Authorization: 'Bearer short' }, 400, 6003, 6111],
    ['an unknown token', { Authorization: `Bearer ${'u'.repeat(40)}` }, 403, 9109],
    ['both', { ...PAIR, Authorization: `Bearer ${TOKEN}` }, 400, 6003, 6111],
  ];
  test.each(cases)('is refused: %s', async (_, headers, status, code, chain) => {
    expect(await ask('GET /zones', undefined, headers)).toMatchObject({ status, code, chain });
  });

  test('with a key sees its user, accounts and memberships', async () => {
    expect((await ask('GET /user')).result).toMatchObject({ email: 'ops@example.net', suspended: false });
    expect((await ask('GET /accounts')).result).toMatchObject([{ id: A, type: 'standard' }]);
    expect((await ask('GET /memberships')).result).toMatchObject([{ status: 'accepted', account: { id: A } }]);
    expect(await ask('GET /user/tokens/verify')).toMatchObject({ status: 401, code: 1000 });
  });

  test('with a token is verified, and has the listed permissions', async () => {
    const token = { Authorization: `Bearer ${TOKEN}` };
    expect((await ask('GET /user/tokens/verify', undefined, token)).result).toMatchObject({ status: 'active' });
    expect((await ask(`GET ${at('')}`, undefined, token)).status).toBe(200);
    expect((await ask(`GET ${at('/dns_records')}`, undefined, token)).status).toBe(200);
    expect(await ask(`GET ${at('/settings')}`, undefined, token)).toMatchObject({ status: 403, code: 10_000 });
    expect(await ask('GET /user', undefined, token)).toMatchObject({ status: 403, code: 9109 });
  });

  test('cannot reach a zone of another account', async () => {
    const other = cloudflare.addZone({ name: 'other.example', account_id: B });
    expect(await ask(`GET /zones/${other.id}`)).toMatchObject({ status: 403, code: 9109 });
    expect((await ask('GET /zones')).info).toMatchObject({ total_count: 1 });
    expect(await ask(`GET /zones/${'0'.repeat(32)}`)).toMatchObject({ status: 404, code: 1001 });
    expect(await ask('GET /zones/nonsense')).toMatchObject({ status: 400, code: 7003 });
  });
});

describe('zones', () => {
  const create = (name: string, id = A) => ask('POST /zones', { name, account: { id } });

  test('are created, wait for their name servers, and become active', async () => {
    const { result } = await create('xn--e1afmkfd.xn--p1ai');
    expect(result).toMatchObject({
      status: 'pending',
      name_servers: ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'],
    });
    const check = `PUT /zones/${result.id}/activation_check`;
    await ask(check);
    expect((await ask(`GET /zones/${result.id}`)).result.status).toBe('pending');
    expect(await ask(check)).toMatchObject({ status: 400, code: 1224 });
  });

  test('become active by name servers at the registry', async () => {
    await start({ activationSeconds: 0 });
    const { result } = await create('new.example');
    cloudflare.state.delegations['new.example'] = ['bob.ns.cloudflare.com', 'ada.ns.cloudflare.com'];
    await ask(`PUT /zones/${result.id}/activation_check`);
    const now = (await ask(`GET /zones/${result.id}`)).result;
    expect(now.status).toBe('active');
    expect(now.activated_on).not.toBeNull();
  });

  test('that may not be added are refused with their code', async () => {
    cloudflare.state.unregistered.push('fresh.ru');
    cloudflare.state.banned.push('banned.ru');
    expect((await create('example.com')).code).toBe(1061);
    expect((await create('fresh.ru')).code).toBe(1049);
    expect((await create('banned.ru')).code).toBe(1097);
    expect((await create('www.shop.co.uk')).code).toBe(1099);
    expect((await create('co.uk')).code).toBe(1099);
    expect((await create('Пример.рф')).code).toBe(1001);
    expect(await create('fine.ru', B)).toMatchObject({ status: 403, code: 0 });
  });

  test('are refused while too many wait; another account may add the name', async () => {
    const [first] = cloudflare.state.accounts;
    Object.assign(first ?? {}, { pending_cap: 1 });
    expect((await create('one.ru')).status).toBe(200);
    expect((await create('two.ru')).code).toBe(1118);
    const two = { 'X-Auth-Email': 'two@example.net', 'X-Auth-Key': KEY.replace('0', 'f') };
    const made = await ask('POST /zones', { name: 'example.com', account: { id: B } }, two);
    expect(made.result.name_servers).toContain('eve.ns.cloudflare.com');
    expect((await ask('GET /zones?name=example.com', undefined, two)).info).toMatchObject({ total_count: 2 });
  });

  test('are listed by pages, filtered and sorted', async () => {
    for (let i = 0; i < 120; i += 1) cloudflare.addZone({ name: `site-${i}.ru`, account_id: A });
    expect((await ask('GET /zones?per_page=50&page=3')).info).toEqual({
      page: 3,
      per_page: 50,
      count: 21,
      total_count: 121,
      total_pages: 3,
    });
    expect((await ask('GET /zones?per_page=51')).status).toBe(400);
    expect((await ask('GET /zones?page=9')).result).toEqual([]);
    expect((await ask('GET /zones?name=site-7.ru')).result).toMatchObject([{ name: 'site-7.ru' }]);
    expect((await ask('GET /zones?name=contains:te-11')).info).toMatchObject({ total_count: 11 });
    expect((await ask('GET /zones?status=active')).info).toMatchObject({ total_count: 1 });
    expect((await ask('GET /zones?direction=desc&per_page=5')).result[0].name).toBe('site-99.ru');
  });

  test('are found by name and by page among ten thousand', async () => {
    for (let i = 0; i < 10_000; i += 1) cloudflare.addZone({ name: `many-${i}.ru`, account_id: A });
    expect((await ask('GET /zones?per_page=50&page=200')).result).toHaveLength(50);
    expect((await ask('GET /zones?per_page=50&page=201')).result).toMatchObject([{ name: 'many-9999.ru' }]);
    expect((await ask('GET /zones?name=many-7777.ru')).result).toHaveLength(1);
    expect((await create('many-7777.ru')).code).toBe(1061);
  });

  test('are paused, purged and deleted', async () => {
    expect((await ask(`PATCH ${at('')}`, { paused: true })).result.paused).toBe(true);
    expect((await ask(`POST ${at('/purge_cache')}`, { purge_everything: true })).result.id).toBe(zone.id);
    expect((await ask(`POST ${at('/purge_cache')}`, {})).code).toBe(1012);
    expect((await ask(`DELETE ${at('')}`)).result.id).toBe(zone.id);
    expect((await ask('GET /zones?name=example.com')).result).toEqual([]);
  });
});

describe('settings', () => {
  test('have defaults, are set one by one and together', async () => {
    const all = (await ask(`GET ${at('/settings')}`)).result as { id: string; value: unknown }[];
    expect(all.find(({ id }) => id === 'security_level')).toMatchObject({ value: 'medium' });
    for (const [id, value] of Object.entries({
      tls_1_3: 'off',
      security_level: 'under_attack',
      ech: 'off',
      ssl: 'flexible',
    })) {
      expect((await ask(`PATCH ${at(`/settings/${id}`)}`, { value })).result).toMatchObject({ id, value });
      expect((await ask(`GET ${at(`/settings/${id}`)}`)).result).toMatchObject({ id, value });
    }
    const items = [
      { id: 'tls_1_3', value: 'zrt' },
      { id: 'always_use_https', value: 'on' },
    ];
    expect((await ask(`PATCH ${at('/settings')}`, { items })).result).toMatchObject(items);
  });

  test('with unknown names and values are refused', async () => {
    expect((await ask(`PATCH ${at('/settings/nonsense')}`, { value: 'on' })).code).toBe(1006);
    expect((await ask(`PATCH ${at('/settings/tls_1_3')}`, { value: 'maybe' })).code).toBe(1007);
    expect((await ask(`PATCH ${at('/settings/security_level')}`, { value: 'off' })).code).toBe(1007);
  });
});

test('a login is plain data, and is refused once it is removed', async () => {
  cloudflare.state.logins = cloudflare.state.logins.filter((login: Login) => login.email !== 'ops@example.net');
  expect((await ask('GET /zones')).code).toBe(9103);
});
