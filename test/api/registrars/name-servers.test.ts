// The name servers at the registrar, as Change DNS sets them: looked at, set once, seen there, given back.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hold } from '../../../src/demo/cloudflare/faults.ts';
import type { ShopServer } from '../../../src/demo/registrars/server.ts';
import { REGISTRAR_TYPES, type RegistrarType } from '../../../src/shared/accounts/registrar-types.ts';
import { SERVER_IP, startCdn, type Cdn } from '../../support/cdn.ts';
import { LOGIN, startRegistrar } from '../../support/registrars/shops.ts';
import { createPerson, request } from '../../support/server.ts';
import { newName } from '../calls.ts';

const OLD = ['ns1.example.net', 'ns2.example.net'];
const SETTINGS: Partial<Record<RegistrarType, object>> = {
  'reghouse.ru': { base_url: 'https://partner.example.com/api', contact: 'ANN-R01' },
  'namecheap.com': { client_ip: LOGIN.client_ip },
};

let cdn: Cdn;
let shop: ShopServer;

async function start(type: RegistrarType): Promise<void> {
  shop = await startRegistrar(type);
  const registrarUrls = Object.fromEntries(REGISTRAR_TYPES.map((one) => [one, shop.url]));
  cdn = await startCdn({}, 1, { registrarUrls });
}
const stop = async (): Promise<void> => {
  await cdn.close();
  await shop.close();
};

const addRegistrar = async (type: RegistrarType): Promise<number> => {
  const { login, password } = LOGIN;
  const input = { name: newName(), type, login, password, ...SETTINGS[type] };
  return (await cdn.call('POST /api/registrars', input)).body.data.id;
};

const change = (domainName: string, more: object = {}) => ({
  accountId: cdn.accounts[0],
  domainName,
  ipAddress: SERVER_IP,
  updateNs: 'on',
  ...more,
});
const started = async (domainName: string, more: object = {}) => {
  const { status, body } = await cdn.call('POST /api/manage_dns', change(domainName, more));
  expect(status).toBe(200);
  return cdn.ended(body.operation.id);
};
const itemsOf = async (id: number) => (await cdn.call(`GET /api/operations/${id}/items`)).body.data;
const errorOf = async (id: number): Promise<string> => (await itemsOf(id))[0].error;
const atShop = (name: string) => shop.state.accounts[0]!.domains.find((domain) => domain.name === name)!;

describe.each(REGISTRAR_TYPES)('at %s', (type) => {
  const name = type.endsWith('.ru') ? 'first.ru' : 'first.com';
  beforeEach(() => start(type));
  afterEach(stop);

  test('the name servers of the zone are planned, set once, seen, and given back', async () => {
    await cdn.addDomain(name, { registrars_id: await addRegistrar(type) });
    const zone = cdn.addZone(name, ['A @ 198.51.100.1']);
    const planned = (await cdn.call('POST /api/manage_dns/plan', change(name))).body.data;
    const act = planned.acts.at(-1);
    expect([act.act, act.before.name_servers, act.after.name_servers]).toEqual([
      'name_servers',
      OLD,
      zone.name_servers,
    ]);
    expect(atShop(name).name_servers).toEqual(OLD);
    const { id, state } = await started(name, { plan: planned.hash });
    expect(state).toBe('succeeded');
    expect(atShop(name).name_servers).toEqual(zone.name_servers);
    const back = await cdn.call(`POST /api/operations/${id}/restore`, {});
    expect(await cdn.ended(back.body.operation.id)).toMatchObject({ state: 'succeeded' });
    expect(atShop(name).name_servers).toEqual(OLD);
  });
});

describe('with a registrar', () => {
  let registrar: number;
  beforeEach(async () => {
    await start('porkbun.com');
    registrar = await addRegistrar('porkbun.com');
  });
  afterEach(stop);
  const add = (name = 'first.com', fields: object = {}) => cdn.addDomain(name, { registrars_id: registrar, ...fields });
  const set = () => shop.requests.filter(({ path }) => path === '/domain/updateNs');

  test('a zone that is yet to be made gives its name servers when it is there', async () => {
    await add();
    const plan = (await cdn.call('POST /api/manage_dns/plan', change('first.com'))).body.data;
    expect(plan.acts.at(-1)).toMatchObject({ act: 'name_servers', after: { name_servers: [] } });
    expect(await started('first.com', { plan: plan.hash })).toMatchObject({ state: 'succeeded' });
    expect(atShop('first.com').name_servers).toEqual(cdn.zone('first.com').name_servers);
    expect(set()).toHaveLength(1);
  });

  test('name servers that are as wanted are left alone', async () => {
    await add();
    const zone = cdn.addZone('first.com', ['A @ 198.51.100.1']);
    atShop('first.com').name_servers = zone.name_servers.map((server) => `${server.toUpperCase()}.`).toReversed();
    expect(await started('first.com')).toMatchObject({ state: 'succeeded' });
    expect(set()).toHaveLength(0);
  });

  test('an answer that was lost after the change is found, and nothing is set twice', async () => {
    await add();
    cdn.addZone('first.com', ['A @ 198.51.100.1']);
    shop.faults.push({ kind: 'act-then-drop', call: 'POST /domain/updateNs' });
    expect(await started('first.com')).toMatchObject({ state: 'succeeded' });
    expect([atShop('first.com').name_servers, set().length]).toEqual([cdn.zone('first.com').name_servers, 1]);
  });

  test('HTML from the registrar is an error of its own in the plan, which still tells of the zone', async () => {
    await add();
    cdn.addZone('first.com', ['A @ 198.51.100.1']);
    shop.faults.push({ kind: 'malformed', times: 9 });
    const { status, body } = await cdn.call('POST /api/manage_dns/plan', change('first.com', { tls: 'on' }));
    expect([status, body.data.acts.map(({ act }: { act: string }) => act)]).toEqual([200, ['dns']]);
    expect(body.data.failed).toMatchObject([{ error: expect.stringContaining('porkbun.com') }]);
  });

  test('a domain that is not in the account is named, and DNS is changed all the same', async () => {
    await add('other.com');
    const zone = cdn.addZone('other.com', ['A @ 198.51.100.1']);
    const { id, state } = await started('other.com');
    expect([state, set().length]).toEqual(['failed', 0]);
    expect(await errorOf(id)).toMatch(/В аккаунте регистратора .* домена other\.com нет/);
    expect(zone.records.map(({ content }) => content)).toEqual([SERVER_IP, SERVER_IP]);
  });

  test('a name below the registered one never touches its delegation', async () => {
    await add();
    await add('shop.first.com');
    cdn.addZone('first.com', ['A shop 198.51.100.1']).status = 'pending';
    const { state, steps } = await started('shop.first.com');
    expect([state, atShop('first.com').name_servers, set().length]).toEqual(['partial', OLD, 0]);
    expect(steps.at(-1).error).toMatch(/Пропишите/);
  });

  test('another user can’t set them: neither by a name below nor by the name itself', async () => {
    const [one, two] = [await createPerson(cdn.server), await createPerson(cdn.server)];
    const by = (token: string, name: string, body?: unknown) => request(cdn.server, name, { token, body });
    await by(one.token, 'POST /api/domains', { domain_name: 'first.com', registrars_id: registrar });
    await by(two.token, 'POST /api/domains', { domain_name: 'x.first.com', registrars_id: registrar });
    cdn.addZone('first.com', ['A @ 198.51.100.1']);
    for (const name of ['first.com', 'x.first.com']) {
      expect((await by(two.token, 'POST /api/manage_dns', change(name))).status).toBe(422);
    }
    expect([atShop('first.com').name_servers, set().length]).toEqual([OLD, 0]);
  });

  test('name servers that somebody has set since are left alone by a restore, which says so', async () => {
    await add();
    cdn.addZone('first.com', ['A @ 198.51.100.1']);
    const { id } = await started('first.com');
    atShop('first.com').name_servers = ['ns1.example.org', 'ns2.example.org'];
    const back = await cdn.call(`POST /api/operations/${id}/restore`, {});
    const ended = await cdn.ended(back.body.operation.id);
    expect(ended.state).toBe('failed');
    expect(await errorOf(back.body.operation.id)).toMatch(/ns1\.example\.org/);
    expect(atShop('first.com').name_servers).toEqual(['ns1.example.org', 'ns2.example.org']);
  });

  test('a domain at another registrar by then is not touched', async () => {
    const id = await add();
    cdn.addZone('first.com', ['A @ 198.51.100.1']);
    const other = await addRegistrar('reg.ru');
    shop.faults.push({ kind: 'status', status: 500, call: 'POST /domain/get', times: 1 });
    const { body } = await cdn.call('POST /api/manage_dns', change('first.com'));
    await expect.poll(() => shop.requests.some(({ path }) => path === '/domain/get')).toBe(true);
    await cdn.call(`POST /api/domains/${id}`, { registrars_id: other });
    expect(await cdn.ended(body.operation.id)).toMatchObject({ state: 'failed' });
    expect(await errorOf(body.operation.id)).toMatch(/другой регистратор/);
    expect([atShop('first.com').name_servers, set().length]).toEqual([OLD, 0]);
  });

  test('a registrar is not deleted while its work waits', async () => {
    await add();
    cdn.addZone('first.com', ['A @ 198.51.100.1']);
    const answer = hold();
    shop.faults.push({ ...answer.fault, call: 'POST /domain/get' });
    const { body } = await cdn.call('POST /api/manage_dns', change('first.com'));
    const { id } = (await cdn.call('GET /api/domains?search=first.com')).body.data[0];
    await cdn.call(`POST /api/domains/${id}`, { registrars_id: null });
    const gone = await cdn.call(`DELETE /api/registrars/${registrar}`);
    expect([gone.status, gone.body.code]).toEqual([409, 'in_use']);
    answer.release();
    await cdn.ended(body.operation.id);
  });
});

// The first tells of the lock, the second only refuses.
test.each(['namecheap.com', 'reg.ru'] as const)(
  'at %s a locked domain keeps its name servers, is told so, and is set when tried again',
  async (type) => {
    await start(type);
    try {
      const name = type === 'reg.ru' ? 'first.ru' : 'first.com';
      await cdn.addDomain(name, { registrars_id: await addRegistrar(type) });
      const zone = cdn.addZone(name, ['A @ 198.51.100.1']);
      atShop(name).locked = true;
      const { id, state } = await started(name);
      expect([state, atShop(name).name_servers]).toEqual(['failed', OLD]);
      expect(await errorOf(id)).toMatch(/заблокирован/);
      expect(zone.records.map(({ content }) => content)).toEqual([SERVER_IP, SERVER_IP]);
      delete atShop(name).locked;
      await cdn.call(`POST /api/operations/${id}/retry`, {});
      expect(await cdn.ended(id)).toMatchObject({ state: 'succeeded' });
      expect(atShop(name).name_servers).toEqual(zone.name_servers);
    } finally {
      await stop();
    }
  },
);

test('a name without a registrar ends with what a person has to enter', async () => {
  await start('porkbun.com');
  try {
    await cdn.addDomain('one.com');
    cdn.addZone('one.com', ['A @ 198.51.100.1']).status = 'pending';
    const { state, steps } = await started('one.com');
    expect([state, shop.requests.length]).toEqual(['partial', 0]);
    expect(steps.at(-1).error).toBe(
      `NS у регистратора не изменены: регистратор домена не подключён. Пропишите ${cdn.zone('one.com').name_servers.join(', ')}`,
    );
  } finally {
    await stop();
  }
});
