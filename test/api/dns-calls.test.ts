// The number of Cloudflare calls that DNS work costs, and the fields of a record that it keeps.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { setBudget } from '../../src/providers/cloudflare/budget.ts';
import { SERVER_IP, startCdn, type Cdn } from '../support/cdn.ts';

let cdn: Cdn;

beforeEach(async () => {
  cdn = await startCdn();
});
afterEach(() => cdn.close());

const attach = (pageRules: string[], more: object = {}) => ({
  accountId: cdn.accounts[0],
  domainName: 'main.com',
  ipAddress: SERVER_IP,
  pageRules,
  ...more,
});
const calls = (): string[] => cdn.fake.requests.map(({ method, path }) => `${method} ${path}`);
const restored = async (id: number) =>
  cdn.ended((await cdn.call(`POST /api/operations/${id}/restore`, {})).body.operation.id);

test('attaching a zone costs five calls after the plan; a zone that has changed since is left alone and fails', async () => {
  const names = Array.from({ length: 6 }, (_, index) => `n${index}.com`);
  for (const name of names) cdn.addZone(name, ['A @ 198.51.100.1', 'TXT @ kept']);
  const plan = await cdn.call('POST /api/manage_dns/plan', attach(names));
  expect(plan.body.data.acts).toHaveLength(12);
  cdn.zone('n3.com').records[0]!.content = '198.51.100.9';
  cdn.fake.requests.length = 0;
  const { status, body } = await cdn.call('POST /api/manage_dns', attach(names, { plan: plan.body.data.hash }));
  expect(status).toBe(200);
  expect(await cdn.ended(body.operation.id)).toMatchObject({ state: 'partial', failed: 1, counts: { done: 5 } });
  const each = (name: string) => calls().filter((call) => call.includes(`/zones/${cdn.zone(name).id}/`));
  for (const name of names.filter((one) => one !== 'n3.com')) expect(each(name)).toHaveLength(5);
  expect(each('n3.com').filter((call) => !call.startsWith('GET'))).toEqual([]);
  expect(cdn.zone('n3.com').records[0]!.content).toBe('198.51.100.9');
  // A single zone costs five calls, too, as the plan has found it.
  cdn.addZone('one.com');
  const small = await cdn.call('POST /api/manage_dns/plan', attach(['one.com']));
  cdn.fake.requests.length = 0;
  const started = await cdn.call('POST /api/manage_dns', attach(['one.com'], { plan: small.body.data.hash }));
  expect(await cdn.ended(started.body.operation.id)).toMatchObject({ state: 'succeeded' });
  expect(calls()).toHaveLength(5);
});

test('an editor save costs four calls', async () => {
  const id = await cdn.addDomain('one.com');
  cdn.addZone('one.com', ['A @ 198.51.100.1', 'TXT @ old']);
  const read = await cdn.call(`GET /api/domain_dns/${id}`);
  const dns = read.body.dns.map((record: { type: string }) =>
    record.type === 'A' ? { ...record, content: SERVER_IP } : record,
  );
  cdn.fake.requests.length = 0;
  const saved = await cdn.call(`POST /api/domain_dns/${id}`, { dns, version: read.body.version });
  expect([saved.status, saved.body.dns.find((one: { type: string }) => one.type === 'A').content]).toEqual([
    200,
    SERVER_IP,
  ]);
  expect(calls()).toHaveLength(4);
  // So does the next one: what has worked on the zone had ended before it was read.
  const next = saved.body.dns.filter(({ type }: { type: string }) => type === 'A');
  cdn.fake.requests.length = 0;
  const again = await cdn.call(`POST /api/domain_dns/${id}`, { dns: next, version: saved.body.version });
  expect([again.status, again.body.dns.length, calls().length]).toEqual([200, 1, 4]);
});

test('work that waits for the rate limit says until when, and succeeds; a plan waits, too', async () => {
  const names = Array.from({ length: 3 }, (_, index) => `n${index}.com`);
  for (const name of names) cdn.addZone(name);
  setBudget(cdn.fake.url, { calls: 8, seconds: 4 });
  const plan = await cdn.call('POST /api/manage_dns/plan', attach(names));
  expect([plan.status, plan.body.data.failed]).toEqual([200, []]);
  const { body } = await cdn.call('POST /api/manage_dns', attach(names, { plan: plan.body.data.hash }));
  const { id } = body.operation;
  let seen: { waits_until: string; message: string } | undefined;
  while (!seen) {
    const { body: view } = await cdn.call(`GET /api/operations/${id}`);
    if (view.waits_until) seen = view;
    expect(['queued', 'running']).toContain(view.state);
  }
  expect(seen.message).toMatch(/до \d\d:\d\d$/);
  expect(await cdn.ended(id)).toMatchObject({ state: 'succeeded', waits_until: null, counts: { done: 3 } });
});

test('a plan that meets a 502 tries again', async () => {
  const id = await cdn.addDomain('one.com');
  cdn.addZone('one.com');
  for (const call of ['GET /zones', 'GET /zones/*/dns_records']) {
    cdn.fake.faults.push({ kind: 'status', status: 502, body: '<html>502</html>', call });
  }
  const plan = await cdn.call('POST /api/manage_dns/plan', attach(['one.com']));
  expect([plan.status, plan.body.data.failed, plan.body.data.acts.length]).toEqual([200, [], 2]);
  cdn.fake.faults.push({ kind: 'status', status: 502, body: '<html>502</html>', call: 'GET /zones/*/dns_records' });
  expect((await cdn.call(`POST /api/domain_dns/${id}/plan`, { dns: [] })).status).toBe(200);
});

test.each(['GET /zones/*/pagerules', 'GET /zones/*/rulesets/**'])(
  'rules are read again where %s was a 502',
  async (call) => {
    const id = await cdn.addDomain('one.com');
    cdn.addZone('one.com');
    cdn.fake.faults.push({ kind: 'status', status: 502, body: '<html>502</html>', call });
    expect((await cdn.call(`GET /api/domain_page_rules/${id}`)).status).toBe(200);
    cdn.fake.faults.push({ kind: 'status', status: 502, body: '<html>502</html>', call });
    // Asked for before there is anything to delete.
    expect((await cdn.call(`DELETE /api/domain_page_rules/${id}/none`)).status).toBe(404);
    expect(cdn.fake.faults).toEqual([]);
  },
);

test('a record keeps the fields that were not edited, and a restore brings all of them back', async () => {
  const id = await cdn.addDomain('one.com');
  const zone = cdn.addZone('one.com', [
    'CNAME www target.com',
    'A @ 198.51.100.1',
    'A app 192.0.2.1',
    'CNAME odd localhost',
  ]);
  const [www, , app] = zone.records;
  Object.assign(www!, { settings: { flatten_cname: true }, comment: 'by hand', ttl: 300 });
  Object.assign(app!, { meta: { read_only: true } });
  const before = structuredClone(zone.records);
  const read = await cdn.call(`GET /api/domain_dns/${id}`);
  expect(read.body.others).toMatchObject([{ name: 'app.one.com', read_only: true }]);
  // A new CNAME to a single label would be refused; an untouched one does not block the save.
  const change = (content: string) =>
    read.body.dns.map((record: { name: string }) => (record.name === 'www.one.com' ? { ...record, content } : record));
  const saved = await cdn.call(`POST /api/domain_dns/${id}`, { dns: change('other.com') });
  expect([saved.status, saved.body.error]).toEqual([200, undefined]);
  const found = (recordId: string) => zone.records.find((record) => record.id === recordId);
  const after = cdn.zone('one.com').records.find((record) => record.id === www!.id);
  expect(after).toMatchObject({
    content: 'other.com',
    settings: { flatten_cname: true },
    comment: 'by hand',
    ttl: 300,
  });
  const batch = cdn.fake.requests.find(({ path }) => path.endsWith('/batch'))!.body as Record<string, unknown[]>;
  expect([batch['patches']?.length, batch['puts'], batch['deletes']]).toEqual([1, [], []]);
  expect(found(app!.id)).toBeDefined();
  const touched = read.body.dns.map((record: { name: string }) =>
    record.name === 'odd.one.com' ? { ...record, content: 'nowhere' } : record,
  );
  const refused = await cdn.call(`POST /api/domain_dns/${id}`, { dns: touched });
  expect([refused.status, Object.keys(refused.body.fields)[0]]).toEqual([
    400,
    expect.stringMatching(/^dns\.\d\.content$/),
  ]);
  const gone = read.body.dns.filter(({ name }: { name: string }) => name !== 'www.one.com');
  const deleted = await cdn.call(`POST /api/domain_dns/${id}`, { dns: gone });
  expect(await restored(deleted.body.operation.id)).toMatchObject({ state: 'succeeded' });
  const www2 = cdn.zone('one.com').records.find(({ name }) => name === 'www.one.com');
  expect(www2).toMatchObject({ settings: { flatten_cname: true }, comment: 'by hand', ttl: 300 });
  expect(cdn.zone('one.com').records).toHaveLength(before.length);
});

test('a text is compared decoded and sent quoted', async () => {
  const id = await cdn.addDomain('one.com');
  const zone = cdn.addZone('one.com', ['TXT @ "caf\\195\\169 \\"x\\""', 'TXT long "aa" "bb"']);
  const read = await cdn.call(`GET /api/domain_dns/${id}`);
  const dns = read.body.dns.map((record: { name: string }) =>
    Object.assign(record, { content: record.name === 'one.com' ? 'café "x"' : 'aabb' }),
  );
  expect((await cdn.call(`POST /api/domain_dns/${id}/plan`, { dns })).body.data).toMatchObject({
    updates: [],
    creates: [],
    deletes: [],
  });
  const text = `v=${'x'.repeat(300)}é"`;
  const saved = await cdn.call(`POST /api/domain_dns/${id}`, {
    dns: [...dns, { type: 'TXT', name: 'new', content: text }],
  });
  expect(saved.status).toBe(200);
  const sent = (cdn.fake.requests.find(({ path }) => path.endsWith('/batch'))!.body as { posts: { content: string }[] })
    .posts[0]!.content;
  expect(sent).toBe(`"v=${'x'.repeat(253)}" "${'x'.repeat(47)}\\195\\169\\""`);
  expect(cdn.zone('one.com').records.at(-1)!.content).toBe(sent);
  expect(zone.records[0]!.content).toBe('"caf\\195\\169 \\"x\\""');
});

test('an edit that failed and is tried again later deletes no record that somebody has changed since', async () => {
  const id = await cdn.addDomain('one.com');
  const zone = cdn.addZone('one.com', ['A @ 198.51.100.1', 'A old 198.51.100.2']);
  const { body } = await cdn.call(`GET /api/domain_dns/${id}`);
  cdn.fake.faults.push({ kind: 'status', status: 500, call: 'POST /zones/*/dns_records/batch', times: 2 });
  const dns = body.dns.filter(({ name }: { name: string }) => name === 'one.com');
  expect((await cdn.call(`POST /api/domain_dns/${id}`, { dns, version: body.version })).status).toBe(502);
  zone.records[1]!.content = SERVER_IP;
  const [operation] = (await cdn.call('GET /api/operations?limit=1')).body.data;
  expect((await cdn.call(`POST /api/operations/${operation.id}/retry`, {})).status).toBe(200);
  expect(await cdn.ended(operation.id)).toMatchObject({ state: 'failed' });
  expect(zone.records.map(({ name, content }) => `${name} ${content}`)).toEqual([
    'one.com 198.51.100.1',
    `old.one.com ${SERVER_IP}`,
  ]);
});
