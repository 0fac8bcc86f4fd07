// Random zones with random wanted sets, a half of them on each database: an applied plan leaves nothing to do, and no other record
// is touched. `npm run test:long` plays eight times as many.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { OperationRow } from '../../../src/shared/operations/tables.ts';
import { enqueue } from '../../../src/operations/queue.ts';
import { startRestore } from '../../../src/operations/restore.ts';
import type { DnsRecord } from '../../../src/demo/cloudflare/state.ts';
import { accountLane } from '../../../src/services/accounts/lanes.ts';
import { planDnsChange, startDnsChange } from '../../../src/services/dns/change.ts';
import { planDomainDns } from '../../../src/services/dns/dns.ts';
import { saveDomainDns } from '../../../src/services/dns/dns-edit.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { isEditableType, type DnsRecordInput } from '../../../src/shared/dns/dns.ts';
import { ManageDnsInput } from '../../../src/shared/dns/dns-changes.ts';
import { zoneName, startBulk, type Bulk } from '../../support/bulk.ts';
import { SERVER_IP } from '../../support/cdn.ts';
import { inTurns, isWholeMatrix } from '../../support/vitest/turns.ts';
import { recordsBefore, scenarios, wantedSet } from './random.ts';

const ALL = isWholeMatrix ? 1_000 : 250;
const SEED = 20_261_120;

let bulk: Bulk;
const cases = inTurns(scenarios(ALL, SEED)).map((scenario, index) => {
  const name = zoneName(1, index);
  const records = recordsBefore(name, scenario);
  return { name, records, wanted: wantedSet(name, records, scenario) };
});
const ZONES = cases.length;

beforeAll(async () => {
  bulk = await startBulk({ zonesEach: ZONES });
});
beforeEach(() => {
  for (const [index, zone] of bulk.zones().entries()) {
    Object.assign(zone, { records: structuredClone(cases[index]!.records), page_rules: [], settings: {} });
  }
});
afterAll(() => bulk.close());

const zoneByName = () => new Map(bulk.zones().map((zone) => [zone.name, zone.records]));
const untouchable = (records: readonly DnsRecord[]) =>
  JSON.stringify(records.filter(({ type }) => !isEditableType(type)));
/** The content of the records as sorted text, without the fields that a recreated record gets anew. */
const said = (records: readonly DnsRecord[]) =>
  records
    .map(({ type, name, content, priority, data, proxied, ttl, comment, tags }) =>
      JSON.stringify([type, name, content, priority, data?.['weight'], data?.['target'], proxied, ttl, comment, tags]),
    )
    .toSorted();
const others = () => bulk.zones().map(({ records }) => untouchable(records));
const begun = () => cases.map(({ records }) => untouchable(records));

async function idsByName(): Promise<number[]> {
  return Promise.all(cases.map(({ name }) => bulk.domainId(name)));
}

/** Runs `work` for the first `count` cases, eight at once, and returns the results in order. */
async function each<T>(work: (index: number) => Promise<T>, count = ZONES): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) results[index] = await work(index);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return results;
}

function expectRestored(): void {
  const now = zoneByName();
  for (const { name, records } of cases) expect([name, said(now.get(name) ?? [])]).toEqual([name, said(records)]);
  expect(others()).toEqual(begun());
}

test('edited zones have nothing left to plan and their other types stay; a restore brings everything back', async () => {
  const ids = await idsByName();
  const input = (wanted: DnsRecordInput[]) => ({ dns: wanted, override: true });
  const plans = await each((index) => planDomainDns(SYSTEM, ids[index]!, input(cases[index]!.wanted)));
  const items = plans.map(({ deletes, updates, creates }, index) => ({
    item: `dns ${cases[index]!.name}`,
    ...accountLane(1),
    data: { zone: cases[index]!.name, diff: { deletes, updates, creates } },
  }));
  const message = { key: 'dns.saving', params: { domain: 'all' } } as const;
  const request = { kind: 'dns_edit', subject: 'all', user_id: null, input: {}, message, items };
  const { id } = await enqueue(request, true);
  expect(await bulk.run(id)).toMatchObject({ state: 'succeeded', total: ZONES, done: ZONES, failed: 0 });
  // Without ids: the caller does not know those of the created records.
  const again = await each((index) => {
    const wanted = cases[index]!.wanted.map(({ type, name, content, proxied }) => ({ type, name, content, proxied }));
    return planDomainDns(SYSTEM, ids[index]!, input(wanted));
  });
  for (const [index, { deletes, updates, creates }] of again.entries()) {
    expect({ name: cases[index]!.name, deletes, updates, creates }).toMatchObject({
      deletes: [],
      updates: [],
      creates: [],
    });
  }
  expect(others()).toEqual(begun());
  const changed = plans.filter((plan) => plan.deletes.length + plan.updates.length + plan.creates.length > 0).length;
  console.log(`random zones: ${ZONES} edited, ${changed} of them changed, ${bulk.fake.requests.length} calls`);
  const back = await startRestore(null, id, true);
  expect(await bulk.run(back.id)).toMatchObject({ state: 'succeeded', failed: 0 });
  expectRestored();
});

test('zones saved one by one, as the editor does, have nothing left to plan and can be restored', async () => {
  const some = 20;
  const ids = await idsByName();
  for (let index = 0; index < some; index += 1) {
    const { wanted } = cases[index]!;
    const saved = await saveDomainDns(SYSTEM, ids[index]!, { dns: wanted, override: true });
    const back = saved.dns.map(({ id, type, name, content, proxied }) => ({ id, type, name, content, proxied }));
    const plan = await planDomainDns(SYSTEM, ids[index]!, {
      dns: back as DnsRecordInput[],
      override: true,
    });
    expect(plan).toMatchObject({ deletes: [], updates: [], creates: [] });
    if (!saved.operation) continue;
    await bulk.run((await startRestore(null, saved.operation.id, true)).id);
  }
  expectRestored();
});

const pointing = (domainName: string, more: object = {}) =>
  ManageDnsInput.parse({ accountId: 1, domainName, ipAddress: SERVER_IP, tls: 'on', updateNs: 'off', ...more });

/** Runs the DNS changes, expects an empty plan after each, and restores them. */
async function pointAndBack(asked: ManageDnsInput[]): Promise<OperationRow[]> {
  const ran: OperationRow[] = [];
  for (const input of asked) {
    const { id } = await startDnsChange(SYSTEM, input, { here: true });
    ran.push(await bulk.run(id));
    expect(await planDnsChange(SYSTEM, input)).toMatchObject({ acts: [], failed: [] });
  }
  expect(others()).toEqual(begun());
  for (const { id } of ran) {
    const acts = (await bulk.items(id)).flatMap((item) => item.acts);
    if (acts.some(({ state }) => state === 'done')) await bulk.run((await startRestore(null, id, true)).id);
  }
  expectRestored();
  for (const { name, page_rules, settings } of bulk.zones()) {
    expect([name, page_rules, settings['tls_1_3']?.value ?? 'on']).toEqual([name, [], 'on']);
  }
  return ran;
}

const wentWell = (operations: OperationRow[]) =>
  operations.every(({ state, failed }) => state === 'succeeded' && failed === 0);

test('zones pointed at a server have nothing left to plan and can be restored', async () => {
  // `off`, because the fake's zones begin with TLS 1.3 on.
  const ran = await pointAndBack(cases.slice(0, 20).map(({ name }) => pointing(name, { tls: 'off' })));
  expect(wentWell(ran)).toBe(true);
});

test('zones attached by two changes, each of some of them, have nothing left to plan and can be restored', async () => {
  const names = cases.map(({ name }) => name);
  const main = 'main-site.com';
  const ran = await pointAndBack([
    pointing(main, { pageRules: names.slice(0, 60) }),
    pointing(main, { pageRules: names.slice(60) }),
  ]);
  expect(wentWell(ran)).toBe(true);
});

test('records that move to another name or swap contents cause no conflicts', async () => {
  const { name } = cases[0]!;
  const id = await bulk.domainId(name);
  const line = (recordId: string, type: string, host: string, content: string) =>
    ({ id: recordId, type, name: `${host}.${name}`, content, proxied: false, ttl: 1, comment: null }) as const;
  const at = { tags: [], settings: {}, meta: {}, created_on: '', modified_on: '', proxiable: true };
  const there = [
    line('1'.repeat(32), 'A', 'one', '192.0.2.1'),
    line('2'.repeat(32), 'A', 'one', '192.0.2.2'),
    line('3'.repeat(32), 'CNAME', 'two', 'example.net'),
    line('4'.repeat(32), 'A', 'three', '192.0.2.3'),
  ];
  const stored = there.map((record): DnsRecord => Object.assign({}, record, at, { tags: [] }));
  bulk.zone(name).records = structuredClone(stored);
  const [one, two, three, four] = there;
  const wanted = [
    { ...one, content: '192.0.2.2' },
    { ...two, content: '192.0.2.1' },
    { ...three, name: `three.${name}` },
    { ...four, name: `two.${name}` },
  ] as DnsRecordInput[];
  const saved = await saveDomainDns(SYSTEM, id, { dns: wanted, override: true });
  expect(saved.dns.map(({ type, name: host, content }) => `${type} ${host} ${content}`).toSorted()).toEqual(
    [
      `A one.${name} 192.0.2.1`,
      `A one.${name} 192.0.2.2`,
      `A two.${name} 192.0.2.3`,
      `CNAME three.${name} example.net`,
    ].toSorted(),
  );
  await bulk.run((await startRestore(null, saved.operation!.id, true)).id);
  expect(said(bulk.zone(name).records)).toEqual(said(stored));
});
