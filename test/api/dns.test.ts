import { afterEach, beforeEach, expect, test } from 'vitest';
import { pointingAt, SERVER_IP, startCdn, type Cdn } from '../support/cdn.ts';
import { dump } from '../support/database.ts';
import { createPerson, request } from '../support/server.ts';

let cdn: Cdn;

beforeEach(async () => {
  cdn = await startCdn();
});
afterEach(() => cdn.close());

const records = (zone: string) =>
  cdn
    .zone(zone)
    .records.map(({ type, name, content, proxied }) => `${type} ${name} ${content}${proxied ? ' proxied' : ''}`)
    .toSorted();
const change = (domainName: string, more: object = {}) => pointingAt(cdn, domainName, more);

test('pointing a domain at a server sets zone, records and TLS, changes nothing the second time, and can be restored', async () => {
  const id = await cdn.addDomain('one.com');
  cdn.addZone('one.com', ['A @ 198.51.100.1', 'A www 198.51.100.1', 'MX @ mail.one.com', 'TXT @ v=spf1 -all']);
  const before = records('one.com');
  const plan = await cdn.call('POST /api/manage_dns/plan', change('one.com'));
  expect(plan.body.data.acts.map(({ act }: { act: string }) => act)).toEqual(['dns', 'tls_1_3']);
  expect(records('one.com')).toEqual(before);
  const { status, body } = await cdn.call('POST /api/manage_dns', change('one.com', { plan: plan.body.data.hash }));
  expect([status, body.message]).toEqual([200, 'Смена DNS для one.com']);
  expect(await cdn.ended(body.operation.id)).toMatchObject({ state: 'succeeded', total: 1, done: 1, failed: 0 });
  expect(records('one.com')).toEqual([
    `A one.com ${SERVER_IP} proxied`,
    `A www.one.com ${SERVER_IP} proxied`,
    'MX one.com mail.one.com',
    'TXT one.com v=spf1 -all',
  ]);
  const domain = async () => (await cdn.call(`GET /api/domains/${id}`)).body.data;
  expect(await domain()).toMatchObject({ server_ip: SERVER_IP });
  expect((await cdn.call('POST /api/manage_dns/plan', change('one.com'))).body.data).toMatchObject({
    acts: [],
    unchanged: 1,
  });
  const stale = await cdn.call('POST /api/manage_dns', change('one.com', { plan: plan.body.data.hash }));
  expect([stale.status, stale.body.code]).toEqual([409, 'plan_stale']);
  const back = await cdn.call(`POST /api/operations/${body.operation.id}/restore`, {});
  expect(await cdn.ended(back.body.operation.id)).toMatchObject({ state: 'succeeded' });
  expect(records('one.com')).toEqual(before);
  expect(await domain()).toMatchObject({ server_id: null });
});

test('restoring a change keeps a server that somebody has given the domain since', async () => {
  const id = await cdn.addDomain('one.com');
  cdn.addZone('one.com', ['A @ 198.51.100.1']);
  const { body } = await cdn.call('POST /api/manage_dns', change('one.com'));
  expect(await cdn.ended(body.operation.id)).toMatchObject({ state: 'succeeded' });
  expect((await cdn.call(`POST /api/domains/${id}`, { server_id: null, cloudflare_account_id: null })).status).toBe(
    200,
  );
  const back = await cdn.call(`POST /api/operations/${body.operation.id}/restore`, {});
  expect(await cdn.ended(back.body.operation.id)).toMatchObject({ state: 'succeeded' });
  const { data } = (await cdn.call(`GET /api/domains/${id}`)).body;
  expect(data).toMatchObject({ server_id: null, cloudflare_account_id: null });
});

test('a change with nothing to do outside sets the server and account of the domain, and a restore resets them', async () => {
  const id = await cdn.addDomain('one.com');
  cdn.addZone('one.com', ['A @ 198.51.100.1']);
  const first = await cdn.call('POST /api/manage_dns', change('one.com'));
  await cdn.ended(first.body.operation.id);
  const place = { server_id: null, cloudflare_account_id: null };
  expect((await cdn.call(`POST /api/domains/${id}`, place)).status).toBe(200);
  const calls = cdn.fake.requests.filter(({ method }) => method !== 'GET').length;
  const { body } = await cdn.call('POST /api/manage_dns', change('one.com'));
  expect(await cdn.ended(body.operation.id)).toMatchObject({ state: 'succeeded', restorable: true });
  const domain = async () => (await cdn.call(`GET /api/domains/${id}`)).body.data;
  expect(await domain()).toMatchObject({ server_ip: SERVER_IP, cloudflare_account_id: cdn.accounts[0] });
  const back = await cdn.call(`POST /api/operations/${body.operation.id}/restore`, {});
  expect(await cdn.ended(back.body.operation.id)).toMatchObject({ state: 'succeeded' });
  expect(await domain()).toMatchObject(place);
  expect(cdn.fake.requests.filter(({ method }) => method !== 'GET').length).toBe(calls);
});

test('restoring a change does not touch a domain that another user owns since', async () => {
  const [one, two] = [await createPerson(cdn.server), await createPerson(cdn.server)];
  const by = (token: string, name: string, body?: unknown) => request(cdn.server, name, { token, body });
  await by(one.token, 'POST /api/domains', { domain_name: 'one.com' });
  const { id } = (await by(one.token, 'POST /api/domains', { domain_name: 'x.one.com' })).body.data;
  cdn.addZone('one.com', ['A x 198.51.100.1']);
  const { body } = await by(one.token, 'POST /api/manage_dns', change('x.one.com'));
  expect(await cdn.ended(body.operation.id)).toMatchObject({ state: 'succeeded' });
  const project = (await by(two.token, 'POST /api/projects', { name: 'Of two' })).body.data.id;
  expect((await cdn.call(`POST /api/domains/${id}`, { project_id: project })).status).toBe(200);
  const back = await by(one.token, `POST /api/operations/${body.operation.id}/restore`, {});
  expect(await cdn.ended(back.body.operation.id)).toMatchObject({ state: 'succeeded' });
  expect((await by(one.token, `GET /api/domains/${id}`)).status).toBe(404);
  const { data } = (await by(two.token, `GET /api/domains/${id}`)).body;
  expect(data).toMatchObject({ server_ip: SERVER_IP, cloudflare_account_id: cdn.accounts[0] });
});

test('a missing zone is created; attached domains redirect', async () => {
  await cdn.addDomain('main.com');
  const { body } = await cdn.call(
    'POST /api/manage_dns',
    change('main.com', { pageRules: ['a.com', 'b.com', 'main.com'] }),
  );
  expect(await cdn.ended(body.operation.id)).toMatchObject({ state: 'succeeded', total: 3 });
  expect(records('a.com')).toEqual([`A a.com ${SERVER_IP} proxied`, `A www.a.com ${SERVER_IP} proxied`]);
  const rules = Object.values(cdn.fake.state.zones).map(({ name, page_rules }) => [name, page_rules.length]);
  expect(Object.fromEntries(rules)).toEqual({ 'a.com': 1, 'b.com': 1, 'main.com': 0 });
  const again = await cdn.call(
    'POST /api/manage_dns/plan',
    change('main.com', { pageRules: ['a.com', 'b.com', 'main.com'] }),
  );
  expect(again.body.data).toMatchObject({ acts: [], unchanged: 3 });
});

test('the editor writes the changes; an empty set and a zone that changed meanwhile are refused', async () => {
  const id = await cdn.addDomain('one.com');
  cdn.addZone('one.com', ['A @ 198.51.100.1', 'TXT @ old', 'MX @ mail.one.com']);
  const read = await cdn.call(`GET /api/domain_dns/${id}`);
  expect(read.body).toMatchObject({
    copyOnTransfer: 'off',
    others: [{ type: 'MX' }],
    dns: [{ type: 'A' }, { type: 'TXT' }],
  });
  const [a] = read.body.dns;
  const wanted = [
    { id: a.id, type: 'A', name: 'one.com', content: SERVER_IP, proxied: true },
    // A form that keeps the id of a new record as null or empty.
    { id: null, type: 'URI', name: '_http._tcp', content: 'https://www.one.com/', proxied: false },
    { id: '', type: 'TXT', name: '@', content: 'new', proxied: false },
  ];
  const saved = await cdn.call(`POST /api/domain_dns/${id}`, {
    dns: wanted,
    copyOnTransfer: 'on',
    version: read.body.version,
  });
  expect(saved.status).toBe(200);
  expect(saved.body).toMatchObject({ copyOnTransfer: 'on', operation: { id: expect.any(Number) } });
  expect(records('one.com')).toEqual([
    `A one.com ${SERVER_IP} proxied`,
    'MX one.com mail.one.com',
    'TXT one.com "new"',
    'URI _http._tcp.one.com 1 "https://www.one.com/"',
  ]);
  const stale = await cdn.call(`POST /api/domain_dns/${id}`, {
    dns: wanted,
    copyOnTransfer: 'on',
    version: read.body.version,
  });
  expect([stale.status, stale.body.code]).toEqual([409, 'zone_changed']);
  const empty = await cdn.call(`POST /api/domain_dns/${id}`, { dns: [], copyOnTransfer: 'on' });
  expect([empty.status, empty.body.code]).toEqual([409, 'unsafe_plan']);
  const forced = await cdn.call(`POST /api/domain_dns/${id}`, { dns: [], override: true });
  expect(forced.body.dns).toEqual([]);
  expect(records('one.com')).toEqual(['MX one.com mail.one.com']);
});

test('the log tells what copying on transfer was before a save, and gives it back', async () => {
  const id = await cdn.addDomain('one.com');
  cdn.addZone('one.com', ['A @ 198.51.100.1']);
  const { dns } = (await cdn.call(`GET /api/domain_dns/${id}`)).body;
  expect((await cdn.call(`POST /api/domain_dns/${id}`, { dns, copyOnTransfer: 'on' })).status).toBe(200);
  const [entry] = (await cdn.call('GET /api/audit?object=domains&limit=1')).body.data;
  expect(entry).toMatchObject({ before: { transfer_dns: 'off' }, after: { transfer_dns: 'on' } });
  expect((await cdn.call(`POST /api/audit/${entry.id}/give_back`, {})).status).toBe(200);
  expect((await cdn.call(`GET /api/domains/${id}`)).body.data).toMatchObject({ transfer_dns: 'off' });
});

test('disabling Under Attack mode restores the former level of each zone', async () => {
  for (const name of ['one.com', 'two.com', 'three.com']) {
    await cdn.addDomain(name);
    cdn.addZone(name);
  }
  const level = (name: string) => cdn.zone(name).settings['security_level']?.value;
  cdn.zone('one.com').settings['security_level'] = { value: 'high', modified_on: '2026-01-01T00:00:00Z' };
  const on = await cdn.call('POST /api/manage-under-attack-mode-all', { action: 'enable' });
  expect(await cdn.ended(on.body.operation.id)).toMatchObject({ state: 'succeeded', total: 3, done: 3 });
  expect(['one.com', 'two.com', 'three.com'].map(level)).toEqual(Array(3).fill('under_attack'));
  const off = await cdn.call('POST /api/manage-under-attack-mode-all', { action: 'disable' });
  expect(await cdn.ended(off.body.operation.id)).toMatchObject({ state: 'succeeded' });
  expect(['one.com', 'two.com', 'three.com'].map(level)).toEqual(['high', 'medium', 'medium']);
  const tls = await cdn.call('POST /api/update-all-domains-tls', { state: 'off' });
  expect(await cdn.ended(tls.body.operation.id)).toMatchObject({ state: 'succeeded', counts: { done: 3 } });
});

test('a page rule can be shown, deleted and restored', async () => {
  const id = await cdn.addDomain('one.com');
  await cdn.ended(
    (await cdn.call('POST /api/manage_dns', change('main.com', { pageRules: ['one.com'] }))).body.operation.id,
  );
  const { body } = await cdn.call(`GET /api/domain_page_rules/${id}`);
  expect(body.data.result).toMatchObject([
    {
      status: 'active',
      actions: [{ id: 'forwarding_url', value: { url: 'https://main.com/$2' } }],
      targets: [{ constraint: { value: '*one.com/*' } }],
    },
  ]);
  const deleted = await cdn.call(`DELETE /api/domain_page_rules/${id}/${body.data.result[0].id}`);
  expect([deleted.status, deleted.body.message]).toEqual([200, 'Правило успешно удалено!']);
  expect((await cdn.call(`GET /api/domain_page_rules/${id}`)).body.data.result).toEqual([]);
  expect((await cdn.call(`DELETE /api/domain_page_rules/${id}/nothing`)).status).toBe(404);
  await cdn.ended((await cdn.call(`POST /api/operations/${deleted.body.operation.id}/restore`, {})).body.operation.id);
  expect((await cdn.call(`GET /api/domain_page_rules/${id}`)).body.data.result).toHaveLength(1);
});

test('a domain of another user cannot be pointed or attached; an unknown account is refused in the same words', async () => {
  const one = await createPerson(cdn.server);
  await cdn.addDomain('one.com');
  const ask = (name: string, more: object = {}) =>
    request(cdn.server, name, { token: one.token, body: change('free.com', more) });
  for (const name of ['POST /api/manage_dns', 'POST /api/manage_dns/plan']) {
    for (const more of [{ domainName: 'one.com' }, { pageRules: ['free.com', 'one.com'] }]) {
      const { status, body } = await ask(name, more);
      const [field = ''] = Object.keys(more);
      expect([status, body.error, Object.keys(body.fields)]).toEqual([422, `Unknown ${field}`, [field]]);
    }
    const unknown = await ask(name, { accountId: 999_999 });
    expect([unknown.status, unknown.body.error]).toEqual([422, 'Unknown accountId']);
    const missing = await ask(name, { ipAddress: '192.0.2.99' });
    expect([missing.status, missing.body.code]).toEqual([422, 'refused']);
  }
  expect(cdn.fake.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('every call says so where Cloudflare does not answer, and stores nothing', async () => {
  const id = await cdn.addDomain('one.com');
  await cdn.fake.close();
  const calls: [string, unknown?][] = [
    [`GET /api/domain_dns/${id}`],
    [`POST /api/domain_dns/${id}`, { dns: [] }],
    [`POST /api/domain_dns/${id}/plan`, { dns: [] }],
    [`GET /api/domain_page_rules/${id}`],
    [`DELETE /api/domain_page_rules/${id}/x`],
    ['POST /api/manage_dns/plan', change('one.com')],
  ];
  const before = await dump();
  for (const [name, body] of calls) {
    const answer = await cdn.call(name, body);
    expect([name, answer.status, answer.body.code]).toEqual([name, 502, 'provider_unavailable']);
  }
  expect(await dump()).toBe(before);
});
