// The zone of a name, tested through the API, with a Cloudflare that finds zones like the real one.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pointingAt, SERVER_IP, startCdn, type Cdn } from '../support/cdn.ts';
import { cfAccount } from '../support/cloudflare-state.ts';

let cdn: Cdn;

beforeEach(async () => {
  cdn = await startCdn({}, 2);
});
afterEach(() => cdn.close());

const change = (domainName: string, more: object = {}) => pointingAt(cdn, domainName, more);
const made = (): string[] =>
  cdn.fake.requests
    .filter(({ method, path }) => method === 'POST' && path === '/zones')
    .map(({ body }) => (body as { name: string }).name);
const level = (id: string): unknown => cdn.fake.state.zones[id]?.settings['security_level']?.value;
const addressesOf = (id: string): string[] =>
  cdn.fake.state.zones[id]!.records.map(({ type, name, content }) => `${type} ${name} ${content}`).toSorted();

test('a name below a private suffix is a zone of its own', async () => {
  const names = ['mysite.com.ru', 'x.spb.ru', 'y.uk.com', 'site.github.io'];
  const { body } = await cdn.call('POST /api/manage_dns', change(names[0]!, { pageRules: names }));
  expect(await cdn.ended(body.operation.id)).toMatchObject({ state: 'succeeded', total: 4, failed: 0 });
  expect(made().toSorted()).toEqual(names.toSorted());
});

test('a public suffix is refused with its field, without a call to Cloudflare', async () => {
  const asked = cdn.fake.requests.length;
  for (const name of ['com.ru', 'uk.com', 'github.io', 'co.uk']) {
    for (const route of ['POST /api/manage_dns', 'POST /api/manage_dns/plan']) {
      const { status, body } = await cdn.call(route, change(name));
      expect([status, body.code, Object.keys(body.fields)]).toEqual([422, 'refused', ['domainName']]);
      expect(body.error).toContain(name);
    }
    const attached = await cdn.call('POST /api/manage_dns', change('one.com', { pageRules: ['one.com', name] }));
    expect([attached.status, Object.keys(attached.body.fields)]).toEqual([422, ['pageRules']]);
  }
  expect(cdn.fake.requests).toHaveLength(asked);
});

test('the longest zone of the account that contains a name is the one that is read and changed', async () => {
  const parent = cdn.addZone('one.com', ['A shop 198.51.100.1', 'A @ 198.51.100.1']);
  const delegated = cdn.addZone('shop.one.com', ['A @ 198.51.100.2']);
  const id = await cdn.addDomain('shop.one.com');
  expect((await cdn.call(`GET /api/domain_dns/${id}`)).body.zone).toMatchObject({ name: 'shop.one.com' });
  const before = structuredClone(parent.records);
  const { body } = await cdn.call('POST /api/manage_dns', change('shop.one.com', { pageRules: ['shop.one.com'] }));
  expect(await cdn.ended(body.operation.id)).toMatchObject({ state: 'succeeded', counts: { done: 1 } });
  expect(addressesOf(delegated.id)).toEqual([`A shop.one.com ${SERVER_IP}`]);
  expect(parent.records).toEqual(before);
  const deep = await cdn.addDomain('www.shop.one.com');
  expect((await cdn.call(`GET /api/domain_dns/${deep}`)).body.zone).toMatchObject({ name: 'shop.one.com' });
});

test('a switch changes a zone and its separate subzones, each once', async () => {
  const parent = cdn.addZone('one.com');
  const delegated = cdn.addZone('shop.one.com');
  for (const name of ['one.com', 'blog.one.com', 'shop.one.com', 'www.shop.one.com']) await cdn.addDomain(name);
  const on = await cdn.call('POST /api/manage-under-attack-mode-all', { action: 'enable' });
  expect(await cdn.ended(on.body.operation.id)).toMatchObject({ state: 'succeeded', total: 1 });
  expect([parent.id, delegated.id].map(level)).toEqual(['under_attack', 'under_attack']);
  const writes = cdn.fake.requests.filter(({ method }) => method === 'PATCH').map(({ path }) => path);
  expect(writes.toSorted()).toEqual(
    [parent.id, delegated.id].map((id) => `/zones/${id}/settings/security_level`).toSorted(),
  );
});

test('the same zone name in two accounts is two zones: both are switched, keep their own level, and are restored by id', async () => {
  const at = '2026-01-01T00:00:00Z';
  const zones = [cdn.addZone('one.com', [], 1), cdn.addZone('one.com', [], 2)];
  zones[0]!.settings['security_level'] = { value: 'high', modified_on: at };
  zones[1]!.settings['security_level'] = { value: 'low', modified_on: at };
  await cdn.addDomain('one.com');
  await cdn.addDomain('www.one.com', { cloudflare_account_id: cdn.accounts[1] });
  const levels = () => zones.map(({ id }) => level(id));
  const on = await cdn.call('POST /api/manage-under-attack-mode-all', { action: 'enable' });
  expect(await cdn.ended(on.body.operation.id)).toMatchObject({ state: 'succeeded', total: 2, done: 2, failed: 0 });
  expect(levels()).toEqual(['under_attack', 'under_attack']);
  const off = await cdn.call('POST /api/manage-under-attack-mode-all', { action: 'disable' });
  expect(await cdn.ended(off.body.operation.id)).toMatchObject({ state: 'succeeded', total: 2 });
  expect(levels()).toEqual(['high', 'low']);
  // A zone of the same name that the login sees since then is a different one.
  const login = cdn.fake.state.logins[0]!;
  login.accounts.push(cfAccount(2));
  zones[0]!.status = 'pending';
  const back = await cdn.call(`POST /api/operations/${off.body.operation.id}/restore`, {});
  expect(await cdn.ended(back.body.operation.id)).toMatchObject({ state: 'succeeded', total: 2, failed: 0 });
  expect(levels()).toEqual(['under_attack', 'under_attack']);
  const tls = await cdn.call('POST /api/update-all-domains-tls', { state: 'off' });
  expect(await cdn.ended(tls.body.operation.id)).toMatchObject({ state: 'succeeded', total: 2 });
});

test('two logins that see one zone give it back its level, also where one of them has looked before the other wrote', async () => {
  cdn.fake.state.logins[1]!.accounts = [cfAccount(1)];
  const zone = cdn.addZone('one.com');
  zone.settings['security_level'] = { value: 'high', modified_on: '2026-01-01T00:00:00Z' };
  await cdn.addDomain('one.com');
  await cdn.addDomain('www.one.com', { cloudflare_account_id: cdn.accounts[1] });
  const on = await cdn.call('POST /api/manage-under-attack-mode-all', { action: 'enable' });
  expect(await cdn.ended(on.body.operation.id)).toMatchObject({ state: 'succeeded', total: 2 });
  cdn.fake.faults.push({
    kind: 'delay',
    ms: 1_500,
    match: ({ login, method, path }) =>
      login === 'ops2@example.net' && method === 'GET' && path.endsWith('/security_level'),
  });
  const off = await cdn.call('POST /api/manage-under-attack-mode-all', { action: 'disable' });
  expect(await cdn.ended(off.body.operation.id)).toMatchObject({ state: 'succeeded', total: 2 });
  expect(level(zone.id)).toBe('high');
});
