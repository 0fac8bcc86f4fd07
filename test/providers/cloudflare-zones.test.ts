import { describe, expect, test } from 'vitest';
import { hold } from '../../src/demo/cloudflare/faults.ts';
import { ACCOUNT, failure, OTHER_ACCOUNT, STRANGER, success, TOKEN, useCloudflare } from './cloudflare-world.ts';

const world = useCloudflare();
const add = (name: string, account_id = ACCOUNT) => world.fake.addZone({ name, account_id, status: 'active' });

const NO_ROWS = { page: 1, per_page: 50, count: 0, total_count: 0 };

describe('the list of zones', () => {
  test('has all pages, fifty zones per call', async () => {
    const names = Array.from({ length: 260 }, (_, index) => `site-${String(index).padStart(3, '0')}.com`);
    for (const name of names) add(name);
    const zones = await world.api.listZones();
    expect(zones.map(({ name }) => name)).toEqual(names);
    expect(world.calls()).toEqual(Array.from({ length: 6 }, () => 'GET /zones'));
    expect(new Set(world.fake.requests.map(({ query }) => query['page'])).size).toBe(6);
  });

  test('is empty where there are none, by one call', async () => {
    expect(await world.api.listZones()).toEqual([]);
    expect(world.calls()).toEqual(['GET /zones']);
  });

  test('is refused where it changed between two pages', async () => {
    for (let index = 0; index < 60; index += 1) add(`site-${index}.com`);
    world.fake.faults.push({
      kind: 'status',
      status: 200,
      body: success([], { page: 2, per_page: 50, count: 0, total_count: 59 }),
      match: ({ query }) => query['page'] === '2',
    });
    expect(await failure(world.api.listZones())).toMatchObject({ kind: 'malformed' });
  });

  test('is refused without a count, or with the wrong page', async () => {
    const zone = add('example.com');
    const row = { id: zone.id, name: zone.name, status: 'active', account: { id: ACCOUNT } };
    for (const info of [
      undefined,
      { page: 2, per_page: 50, total_count: 1 },
      { page: 1, per_page: 50, total_count: 2 },
    ]) {
      world.fake.faults.push({ kind: 'status', status: 200, body: success([row], info) });
      expect(await failure(world.api.listZones())).toMatchObject({ kind: 'malformed' });
    }
  });
});

describe('one zone', () => {
  test('is found by its name in the given account', async () => {
    const stranger = world.open(STRANGER);
    const [here, there] = [add('example.com'), add('example.com', OTHER_ACCOUNT)];
    expect(await stranger.findZone('Example.com', ACCOUNT)).toMatchObject({ id: here.id, name: 'example.com' });
    expect(await stranger.findZone('example.com', OTHER_ACCOUNT)).toMatchObject({ id: there.id });
    expect(await stranger.findZone('example.org')).toBeNull();
  });

  test('is the active one where two accounts have it', async () => {
    world.fake.addZone({ name: 'example.com', account_id: ACCOUNT });
    const active = add('example.com', OTHER_ACCOUNT);
    expect(await world.open(STRANGER).findZone('example.com')).toMatchObject({ id: active.id });
  });

  test('has its name in punycode, also where Cloudflare has it in Unicode only', async () => {
    const zone = add('пример.рф');
    expect(await world.api.getZone(zone.id)).toMatchObject({ name: 'xn--e1afmkfd.xn--p1ai' });
    expect(await world.api.findZone('xn--e1afmkfd.xn--p1ai')).toMatchObject({ id: zone.id });
    expect(world.fake.requests.map(({ query }) => query['name'])).toEqual([
      undefined,
      'xn--e1afmkfd.xn--p1ai',
      'пример.рф',
    ]);
  });

  test('is refused if it is not the requested one', async () => {
    const [zone, other] = [add('example.com'), add('example.org')];
    const row = { id: other.id, name: other.name, status: 'active', account: { id: ACCOUNT } };
    world.fake.faults.push({ kind: 'status', status: 200, body: success(row) });
    expect(await failure(world.api.getZone(zone.id))).toMatchObject({ kind: 'malformed' });
    const info = { page: 1, per_page: 50, total_count: 1 };
    world.fake.faults.push({ kind: 'status', status: 200, body: success([row], info) });
    expect(await failure(world.api.findZone('example.com'))).toMatchObject({ kind: 'malformed' });
  });

  test('that does not exist is refused, and an invalid id makes no call', async () => {
    expect(await failure(world.api.getZone('0'.repeat(32)))).toMatchObject({ kind: 'refused' });
    expect(await failure(world.api.getZone('..'))).toMatchObject({ kind: 'refused', status: 404 });
    expect(world.calls()).toHaveLength(1);
  });

  test('gets an activation check on request, which is refused the second time', async () => {
    const zone = world.fake.addZone({ name: 'example.com', account_id: ACCOUNT });
    world.fake.state.delegations['example.com'] = zone.name_servers;
    await world.api.checkActivation(zone.id);
    expect(await world.api.getZone(zone.id)).toMatchObject({ status: 'active', name_servers: zone.name_servers });
    expect(await failure(world.api.checkActivation(zone.id))).toMatchObject({ kind: 'refused', code: 1224 });
  });
});

describe('a new zone', () => {
  test('is created, in punycode', async () => {
    const { zone, created } = await world.api.createZone('Пример.рф', ACCOUNT);
    expect(created).toBe(true);
    expect(zone).toMatchObject({ name: 'xn--e1afmkfd.xn--p1ai', status: 'pending', account: { id: ACCOUNT } });
    expect(zone.name_servers).toHaveLength(2);
  });

  test('that the account has already is looked up (1061)', async () => {
    const { id } = add('example.com');
    expect(await world.api.createZone('example.com', ACCOUNT)).toMatchObject({ zone: { id }, created: false });
    expect(world.calls()).toEqual(['POST /zones', 'GET /zones']);
  });

  test('that exists elsewhere is refused with the message of Cloudflare', async () => {
    world.fake.faults.push({
      kind: 'status',
      status: 400,
      body: { success: false, errors: [{ code: 1061, message: 'example.com already exists' }], result: null },
    });
    const error = await failure(world.api.createZone('example.com', ACCOUNT));
    expect(error).toMatchObject({ kind: 'refused', code: 1061, message: 'example.com already exists (1061)' });
  });

  test.for([
    ['unregistered', 1049],
    ['banned', 1097],
  ] as const)('that is %s is refused with the code', async ([list, code]) => {
    world.fake.state[list].push('example.com');
    expect(await failure(world.api.createZone('example.com', ACCOUNT))).toMatchObject({ kind: 'refused', code });
  });

  test('is sent once where the connection drops after the act, and found by a look-up', async () => {
    world.fake.faults.push({ kind: 'act-then-drop', call: 'POST /zones' });
    expect(await failure(world.api.createZone('example.com', ACCOUNT))).toMatchObject({ kind: 'unavailable' });
    expect(await world.api.findZone('example.com')).toMatchObject({ name: 'example.com' });
    expect(world.calls()).toEqual(['POST /zones', 'GET /zones']);
  });

  test('is sent once where the answer comes too late, and found by a look-up', async () => {
    const hasty = world.open(
      { email: STRANGER.email, api_key: STRANGER.api_key },
      { timeouts: { read: 15_000, write: 1_000 } },
    );
    const answer = hold();
    world.fake.faults.push({ ...answer.fault, call: 'POST /zones' });
    const error = await failure(hasty.createZone('example.com', ACCOUNT));
    answer.release();
    expect(error).toMatchObject({ kind: 'unavailable', code: 'ETIMEDOUT' });
    const patient = world.open({ email: STRANGER.email, api_key: STRANGER.api_key });
    expect(await patient.createZone('example.com', ACCOUNT)).toMatchObject({ created: false });
    expect(Object.values(world.fake.state.zones)).toHaveLength(1);
  });

  test('in another account than requested is refused', async () => {
    const row = { id: 'c'.repeat(32), name: 'example.com', status: 'pending', account: { id: OTHER_ACCOUNT } };
    world.fake.faults.push({ kind: 'status', status: 200, body: success(row) });
    expect(await failure(world.api.createZone('example.com', ACCOUNT))).toMatchObject({ kind: 'malformed' });
  });
});

describe('a login', () => {
  test('with a key has all permissions and lists its accounts', async () => {
    const zone = add('example.com');
    const found = await world.open(STRANGER).verify();
    expect(found).toMatchObject({ kind: 'key', missing: [], zones: 1, zone: { id: zone.id } });
    expect(found.accounts.map(({ id, name, type }) => [id, name, type])).toEqual([
      [ACCOUNT, 'Main', 'standard'],
      [OTHER_ACCOUNT, 'Other', 'standard'],
    ]);
    expect(world.calls().every((call) => call.startsWith('GET '))).toBe(true);
  });

  test('with a token reports the missing permissions', async () => {
    add('example.com');
    const found = await world.open(TOKEN).verify();
    expect(found).toMatchObject({ kind: 'token', missing: ['dns', 'settings', 'page_rules', 'redirects'] });
  });

  test('whose token may not read zones is valid all the same', async () => {
    world.fake.state.logins[2]!.permissions = ['dns:edit'];
    expect(await world.open(TOKEN).verify()).toMatchObject({ missing: ['zones'], zones: 0, zone: null });
  });

  test('whose token may not list accounts has those of its zones', async () => {
    add('example.com');
    world.fake.faults.push({
      kind: 'status',
      status: 400,
      body: {
        success: false,
        errors: [{ code: 1001, message: 'does not support account owned tokens' }],
        result: null,
      },
      call: 'GET /accounts',
    });
    expect((await world.open(TOKEN).verify()).accounts).toEqual([{ id: ACCOUNT, name: 'Main' }]);
  });

  test('whose token lists no accounts has the first and the last one of however many zones, by a bounded number of calls', async () => {
    for (let index = 0; index < 1_150; index += 1) add(`site-${index}.com`, index === 600 ? OTHER_ACCOUNT : ACCOUNT);
    world.fake.state.logins[2]!.accounts.push(OTHER_ACCOUNT);
    world.fake.faults.push({
      kind: 'status',
      status: 200,
      body: success([], NO_ROWS),
      call: 'GET /accounts',
      times: 9,
    });
    const { accounts } = await world.open(TOKEN).listAccounts();
    expect(accounts.map(({ id }) => id).toSorted()).toEqual([ACCOUNT, OTHER_ACCOUNT].toSorted());
    expect(world.calls().length).toBeLessThanOrEqual(23);
  });

  test('without zones reports no missing permissions', async () => {
    expect(await world.api.verify()).toMatchObject({ missing: [], zones: 0, zone: null, accounts: [{ id: ACCOUNT }] });
  });

  test('that is wrong is reported after two calls', async () => {
    const wrongKey = world.open({ email: 'ops@example.net', api_key: 'e'.repeat(37) });
    expect(await failure(wrongKey.verify())).toMatchObject({ kind: 'credentials', code: 9103 });
    expect(world.calls()).toEqual(['GET /zones', 'GET /user']);
    const wrongToken = world.open({ email: '', api_key: 'x'.repeat(40) });
    expect(await failure(wrongToken.verify())).toMatchObject({ kind: 'credentials', code: 9109 });
    expect(world.calls()).toHaveLength(4);
  });

  test('whose token has expired is reported so', async () => {
    world.fake.state.logins[2]!.permissions = [];
    world.fake.faults.push({
      kind: 'status',
      status: 200,
      body: success({ id: 'x', status: 'expired' }),
      call: 'GET /user/tokens/verify',
    });
    const error = await failure(world.open(TOKEN).verify());
    expect(error).toMatchObject({ kind: 'credentials', message: 'the token is expired' });
  });
});
