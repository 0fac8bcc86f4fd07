// Zones and the names in them have one owner, in every call that reaches the CDN.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { execute, transaction } from '../../db/index.ts';
import { SERVER_IP, startCdn, type Cdn } from '../support/cdn.ts';
import { createPerson, request, type Person } from '../support/server.ts';

let cdn: Cdn;
let victim: Person;
let attacker: Person;

beforeEach(async () => {
  cdn = await startCdn();
  victim = await createPerson(cdn.server);
  attacker = await createPerson(cdn.server);
});
afterEach(() => cdn.close());

const ask = (person: Person, call: string, body?: unknown) =>
  request(cdn.server, call, { token: person.token, ...(body !== undefined && { body }) });

async function add(person: Person, domain_name: string): Promise<number> {
  const body = { domain_name, cloudflare_account_id: cdn.accounts[0] };
  const answer = await ask(person, 'POST /api/domains', body);
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return answer.body.data.id;
}

const RECORDS = [
  'A @ 198.51.100.1',
  'A www 198.51.100.1',
  'A x 198.51.100.2',
  'A a.x 198.51.100.3',
  'A y 198.51.100.4',
];
const records = () =>
  cdn
    .zone('zone.com')
    .records.map(({ type, name, content }) => `${type} ${name} ${content}`)
    .toSorted();
const world = () => JSON.stringify(cdn.fake.state.zones);

const pointing = (domainName: string, more: object = {}) => ({
  accountId: cdn.accounts[0],
  domainName,
  ipAddress: SERVER_IP,
  tls: 'on',
  updateNs: 'off',
  ...more,
});

/** Expects that every call on the whole zone is refused for a domain in it, and changes nothing. */
async function expectNoZone(person: Person, id: number, name: string, rule: string): Promise<void> {
  const before = world();
  expect((await ask(person, `GET /api/domain_page_rules/${id}`)).status).toBe(404);
  expect((await ask(person, `DELETE /api/domain_page_rules/${id}/${rule}`)).status).toBe(404);
  for (const body of [pointing(name), pointing('other.com', { pageRules: [name] }), pointing('www.zone.com')]) {
    for (const call of ['POST /api/manage_dns/plan', 'POST /api/manage_dns']) {
      const field = 'pageRules' in body ? 'pageRules' : 'domainName';
      expect((await ask(person, call, body)).body).toMatchObject({ error: `Unknown ${field}` });
    }
  }
  expect((await ask(person, 'GET /api/domains-for-under-attack')).body).toEqual([]);
  for (const [call, body] of [
    ['POST /api/manage-under-attack-mode-all', { action: 'enable' }],
    ['POST /api/update-all-domains-tls', { state: 'on' }],
  ] as const) {
    const { body: answer } = await ask(person, call, body);
    expect(answer.operation ? (await cdn.ended(answer.operation.id)).total : 0).toBe(0);
  }
  expect(world()).toBe(before);
}

/** Adds a page rule to the zone and returns its id. */
function addRule(): string {
  cdn.zone('zone.com').page_rules.push({
    id: 'a'.repeat(32),
    targets: [{ target: 'url', constraint: { operator: 'matches', value: '*zone.com/*' } }],
    actions: [{ id: 'forwarding_url', value: { url: 'https://elsewhere.com/$2', status_code: 301 } }],
    priority: 1,
    status: 'active',
    created_on: '2026-01-01T00:00:00Z',
    modified_on: '2026-01-01T00:00:00Z',
  });
  return 'a'.repeat(32);
}

test('a later domain below that of another user gets no rights in the zone, and takes none from its holder', async () => {
  cdn.addZone('zone.com', RECORDS);
  const rule = addRule();
  const apex = await add(victim, 'zone.com');
  for (const name of ['x.zone.com', 'www.zone.com']) {
    const id = await add(attacker, name);
    const before = world();
    expect((await ask(attacker, `GET /api/domain_dns/${id}`)).status).toBe(404);
    for (const call of [`POST /api/domain_dns/${id}`, `POST /api/domain_dns/${id}/plan`]) {
      expect((await ask(attacker, call, { dns: [], override: true })).status).toBe(404);
    }
    expect(world()).toBe(before);
    await expectNoZone(attacker, id, name, rule);
  }
  expect((await ask(victim, `GET /api/domain_dns/${apex}`)).body.dns).toHaveLength(RECORDS.length);
  expect((await ask(victim, `GET /api/domain_page_rules/${apex}`)).body.data.result).toHaveLength(1);
  expect((await ask(victim, 'GET /api/domains-for-under-attack')).body).toHaveLength(1);
  expect((await cdn.call(`GET /api/domain_dns/${apex}`)).body.dns).toHaveLength(RECORDS.length);
});

test('a domain below a later one of another user keeps its own names only; the later one has the rest', async () => {
  cdn.addZone('zone.com', RECORDS);
  const rule = addRule();
  const child = await add(victim, 'x.zone.com');
  expect((await ask(victim, `GET /api/domain_dns/${child}`)).body.dns).toHaveLength(RECORDS.length);
  const parent = await add(attacker, 'zone.com');
  const names = async (person: Person, id: number) =>
    (await ask(person, `GET /api/domain_dns/${id}`)).body.dns.map(({ name }: { name: string }) => name).toSorted();
  expect(await names(victim, child)).toEqual(['a.x.zone.com', 'x.zone.com']);
  expect(await names(attacker, parent)).toEqual(['www.zone.com', 'y.zone.com', 'zone.com']);
  await expectNoZone(victim, child, 'x.zone.com', rule);
  await expectNoZone(attacker, parent, 'zone.com', rule);
  expect(await names({ ...victim, token: cdn.server.admin.token }, child)).toHaveLength(RECORDS.length);
  // Saving one's own names keeps the others, and names of the other user are refused with 404.
  const own = (await ask(victim, `GET /api/domain_dns/${child}`)).body;
  const [record] = own.dns;
  const moved = { dns: [{ ...record, content: '198.51.100.9' }], version: own.version };
  expect((await ask(victim, `POST /api/domain_dns/${child}`, moved)).status).toBe(200);
  expect(records()).toHaveLength(RECORDS.length - 1);
  for (const name of ['@', 'www', 'y', '*', 'Zone.com', 'yx.zone.com']) {
    const dns = [{ type: 'A', name, content: '198.51.100.9', proxied: false }];
    const answer = await ask(victim, `POST /api/domain_dns/${child}`, { dns, override: true });
    expect([name, answer.status]).toEqual([name, 404]);
  }
  const wild = { dns: [{ type: 'A', name: '*.x', content: '198.51.100.9', proxied: false }], override: true };
  expect((await ask(victim, `POST /api/domain_dns/${child}`, wild)).status).toBe(200);
  expect(records()).toEqual([
    'A *.x.zone.com 198.51.100.9',
    'A www.zone.com 198.51.100.1',
    'A y.zone.com 198.51.100.4',
    'A zone.com 198.51.100.1',
  ]);
});

test('neighbours in a zone without a holder have their own names only, and nobody has the zone', async () => {
  cdn.addZone('zone.com', RECORDS);
  const rule = addRule();
  const one = await add(victim, 'x.zone.com');
  const two = await add(attacker, 'y.zone.com');
  for (const [person, id, name] of [
    [victim, one, 'x.zone.com'],
    [attacker, two, 'y.zone.com'],
  ] as const) {
    const { dns } = (await ask(person, `GET /api/domain_dns/${id}`)).body;
    expect(dns.every((record: { name: string }) => record.name.endsWith(name))).toBe(true);
    await expectNoZone(person, id, name, rule);
  }
  // A deleted domain holds nothing; a restored one comes after domains that were added meanwhile.
  await ask(attacker, `DELETE /api/domains/${two}`);
  expect((await ask(victim, `GET /api/domain_page_rules/${one}`)).status).toBe(200);
  const apex = await add(victim, 'zone.com');
  await ask(attacker, `POST /api/domains/${two}/restore`, {});
  expect((await ask(attacker, `GET /api/domain_dns/${two}`)).status).toBe(404);
  expect((await ask(victim, `GET /api/domain_page_rules/${apex}`)).status).toBe(200);
});

test('a name is held since it was taken: a domain renamed into a zone comes after the holder', async () => {
  cdn.addZone('zone.com', RECORDS);
  const old = await add(attacker, 'elsewhere.com');
  const apex = await add(victim, 'zone.com');
  await ask(attacker, `POST /api/domains/${old}`, { domain_name: 'www.zone.com' });
  expect((await ask(attacker, `GET /api/domain_dns/${old}`)).status).toBe(404);
  expect((await ask(victim, `GET /api/domain_page_rules/${apex}`)).status).toBe(200);
});

test('a project that changes its owner takes its zones along, and the former owner cannot restore earlier changes', async () => {
  cdn.addZone('zone.com', RECORDS);
  const project = (await ask(attacker, 'POST /api/projects', { name: 'P' })).body.data.id;
  const id = await add(attacker, 'zone.com');
  await ask(attacker, `POST /api/domains/${id}`, { project_id: project });
  const { body } = await ask(attacker, 'POST /api/manage_dns', pointing('zone.com'));
  expect(await cdn.ended(body.operation.id)).toMatchObject({ state: 'succeeded' });
  const after = world();
  await transaction(() => execute('UPDATE projects SET user_id = $to WHERE id = $project', { to: victim.id, project }));
  const back = await ask(attacker, `POST /api/operations/${body.operation.id}/restore`, {});
  expect(await cdn.ended(back.body.operation.id)).toMatchObject({ state: 'failed' });
  expect(world()).toBe(after);
  // An admin can restore them.
  const again = await cdn.call(`POST /api/operations/${body.operation.id}/restore`, {});
  expect(await cdn.ended(again.body.operation.id)).toMatchObject({ state: 'succeeded' });
});

test('work that was requested while the zone was free is not done once somebody holds the zone', async () => {
  cdn.addZone('zone.com', RECORDS);
  await add(attacker, 'x.zone.com');
  const { body } = await ask(attacker, 'POST /api/manage_dns', pointing('x.zone.com'));
  await cdn.ended(body.operation.id);
  const plan = await ask(attacker, 'POST /api/manage_dns/plan', pointing('x.zone.com', { tls: 'off' }));
  expect(plan.body.data.acts.length).toBeGreaterThan(0);
  await add(victim, 'zone.com');
  const before = world();
  const asked = pointing('x.zone.com', { tls: 'off', plan: plan.body.data.hash });
  expect((await ask(attacker, 'POST /api/manage_dns', asked)).body).toMatchObject({ error: 'Unknown domainName' });
  // A retry of work that failed before is refused, too.
  await transaction(() =>
    execute(
      `UPDATE operation_items SET state = 'failed', acts = '[]', data = substr(data, 1, length(data) - 1) || ',"tls":"off"}'`,
    ),
  );
  await ask(attacker, `POST /api/operations/${body.operation.id}/retry`, {});
  expect(await cdn.ended(body.operation.id)).toMatchObject({ state: 'failed', failed: 1 });
  const { data } = (await ask(attacker, `GET /api/operations/${body.operation.id}/items`)).body;
  expect(data[0].error).toContain('zone.com');
  expect(world()).toBe(before);
});

test('a transfer is refused where one of the two zones belongs to another user', async () => {
  for (const name of ['zone.com', 'main.com']) cdn.addZone(name, ['A @ 198.51.100.1']);
  await add(victim, 'zone.com');
  const project = (await ask(attacker, 'POST /api/projects', { name: 'P' })).body.data.id;
  const [source, target] = [await add(attacker, 'main.com'), await add(attacker, 'x.zone.com')];
  await ask(attacker, `POST /api/domains/${source}`, { project_id: project, type: 'main' });
  await ask(attacker, `POST /api/domains/${target}`, { project_id: project, type: 'transfer' });
  const before = world();
  for (const call of ['POST /api/transfer_explicit/plan', 'POST /api/transfer_explicit']) {
    const body = { sourceDomainId: source, targetDomainId: target, force: true };
    expect((await ask(attacker, call, body)).body).toMatchObject({ code: 'zone_not_yours' });
  }
  await transaction(() => execute(`UPDATE domains SET status = 'blocked' WHERE id = $source`, { source }));
  const { body } = await ask(attacker, 'POST /api/trigger_auto_transfer', { project });
  if (body.operation) await cdn.ended(body.operation.id);
  expect(world()).toBe(before);
});
