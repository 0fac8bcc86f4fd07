// Bulk work that is killed at every boundary, and bulk work while the outside fails: nothing is lost or done twice.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { execute, transaction } from '../../../db/index.ts';
import type { FaultKind, JournalEntry } from '../../../src/demo/cloudflare/faults.ts';
import { countItems } from '../../../src/operations/items.ts';
import { operationRow } from '../../../src/operations/lease.ts';
import { startRestore } from '../../../src/operations/restore.ts';
import { startDnsChange } from '../../../src/services/dns/change.ts';
import { startSwitch, type Switch } from '../../../src/services/dns/protection.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { ManageDnsInput } from '../../../src/shared/dns/dns-changes.ts';
import type { StoredAct } from '../../../src/shared/operations.ts';
import { emptyZone, startBulk, ZONE_TIME, zoneName, type Bulk } from '../../support/bulk.ts';
import { SERVER_IP } from '../../support/cdn.ts';
import { startChild, type Child } from '../../support/child.ts';
import { endLeases } from '../../support/leases.ts';
import { inTurns, isTurnOf } from '../../support/vitest/turns.ts';

const EACH = 3;
const LEVELS = ['high', 'low', 'medium'];

let bulk: Bulk;
let cases = 0;

beforeAll(async () => {
  bulk = await startBulk({ accounts: 2, zonesEach: EACH });
});
afterAll(async () => {
  console.log(`bulk work killed or failing: ${cases} cases`);
  await bulk.close();
});

/** Resets the zones: the three levels in turn, an address and mail; zones made by a test are removed. */
beforeEach(async () => {
  cases += 1;
  bulk.fake.faults.length = 0;
  for (const [position, zone] of bulk.zones().entries()) {
    if (!zone.name.startsWith('z')) {
      bulk.fake.removeZone(zone.id);
      continue;
    }
    emptyZone(zone);
    zone.settings = { security_level: { value: LEVELS[position % 3], modified_on: ZONE_TIME } };
  }
  await transaction(() => execute('DELETE FROM zone_levels'));
  bulk.fake.requests.length = 0;
});

const levels = () =>
  Object.fromEntries(bulk.zones().map((zone) => [zone.name, zone.settings['security_level']?.value]));

async function begin(wanted: Switch): Promise<number> {
  return (await startSwitch(SYSTEM, wanted)).id;
}

const names = Array.from({ length: EACH }, (_, index) => zoneName(1, index));
const attaching = ManageDnsInput.parse({
  accountId: 1,
  domainName: 'main.com',
  ipAddress: SERVER_IP,
  pageRules: [...names, 'new-one.com', 'new-two.com'],
});
const pointing = ManageDnsInput.parse({ accountId: 1, domainName: names[0], ipAddress: SERVER_IP, tls: 'off' });

/** The kinds of work with their acts; `start` queues one, `items` is the number of items it changes. */
const WORK: Record<string, { acts: string[]; items: number; start: () => Promise<number> }> = {
  'under_attack enable': {
    acts: ['under_attack:security_level'],
    items: 2 * EACH,
    start: () => begin({ kind: 'under_attack', action: 'enable' }),
  },
  'under_attack disable': {
    acts: ['under_attack:security_level'],
    items: 2 * EACH,
    start: async () => {
      await bulk.run(await begin({ kind: 'under_attack', action: 'enable' }));
      bulk.fake.requests.length = 0;
      return begin({ kind: 'under_attack', action: 'disable' });
    },
  },
  tls: { acts: ['tls:tls_1_3'], items: 2 * EACH, start: () => begin({ kind: 'tls', state: 'off' }) },
  attach: {
    acts: ['dns_change:zone', 'dns_change:dns', 'dns_change:rule'],
    items: EACH + 2,
    start: async () => (await startDnsChange(SYSTEM, attaching)).id,
  },
  point: {
    acts: ['dns_change:tls_1_3'],
    items: 1,
    start: async () => (await startDnsChange(SYSTEM, pointing)).id,
  },
  restore: {
    acts: ['restore:rule', 'restore:dns'],
    // Restores the existing zones; zones that were made stay.
    items: EACH + 2,
    start: async () => {
      const { id } = await startDnsChange(SYSTEM, attaching);
      await bulk.run(id);
      bulk.fake.requests.length = 0;
      return (await startRestore(null, id)).id;
    },
  },
};

/** Counts the changes outside by method and path; with `arrived`, dropped calls count as changes too. */
function changes(arrived = false): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { method, path, status, body } of bulk.fake.requests) {
    if (method === 'GET' || !(status === 200 || (status === 0 && arrived))) continue;
    const name = path === '/zones' ? ` ${(body as { name: string }).name}` : '';
    const key = `${method} ${path}${name}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

/** Tells whether a zone is in the state that a done act describes. */
function holds(name: string, { name: act, after }: StoredAct): boolean {
  const { settings, records, page_rules } = bulk.zone(name);
  if (act === 'security_level' || act === 'tls_1_3') return settings[act]?.value === after;
  if (act === 'rule') return page_rules.length === (after === null ? 0 : 1);
  if (act !== 'dns') return true;
  const { updated, created, deleted } = after as {
    updated: { id: string; record: { content: string; proxied: boolean } }[];
    created: { type: string; name: string; content: string; proxied: boolean }[];
    deleted: string[];
  };
  const isThere = (wanted: object) =>
    records.filter((record) => Object.entries(wanted).every(([field, value]) => record[field as 'type'] === value));
  return (
    updated.every(({ id, record: { content, proxied } }) => isThere({ id, content, proxied }).length === 1) &&
    created.every(({ type, name: host, content }) => isThere({ type, name: host, content }).length === 1) &&
    deleted.every((id) => isThere({ id }).length === 0)
  );
}

/** Expects that all items have ended, nothing was changed twice, and the outside matches the journal. */
async function expectExact(id: number, items: number, arrived = false): Promise<void> {
  const { done, noop, failed, queued, intent } = await countItems(id);
  expect({ sum: done + noop + failed, failed, queued, intent }).toEqual({
    sum: items,
    failed: 0,
    queued: 0,
    intent: 0,
  });
  expect(await operationRow(id)).toMatchObject({ state: 'succeeded', total: items, done: items, failed: 0 });
  const twice = Object.entries(changes(arrived)).filter(([, count]) => count > 1);
  expect(twice).toEqual([]);
  for (const { item, acts } of await bulk.items(id)) {
    for (const act of acts.filter(({ state }) => state === 'done')) {
      const zone = item.split(' ')[1] ?? '';
      expect([item, act.name, holds(zone, act)]).toEqual([item, act.name, true]);
    }
  }
  for (const zone of bulk.zones()) {
    const mail = zone.records.filter(({ type }) => type === 'MX').map(({ content }) => content);
    expect([zone.name, mail]).toEqual([zone.name, zone.name.startsWith('z') ? ['mail.example.net'] : []]);
  }
}

const child = (id: number): Child =>
  startChild('test/children/bulk.ts', [bulk.config.dataDir, bulk.fake.url, String(id)]);

const POINTS = ['before-intent', 'after-intent', 'after-call', 'after-done'];
// Each database has each moment: by its place alone a case would be of the same two moments for every act.
const EVERY = Object.entries(WORK).flatMap(([kind, { acts }], row) =>
  acts.flatMap((act, number) =>
    POINTS.filter((_point, at) => isTurnOf(row + number + at)).map((point) => ({ kind, point: `${act}:${point}` })),
  ),
);

describe('bulk work killed', { timeout: 180_000 }, () => {
  test.each(EVERY)('at $point and started again is exact: $kind', async ({ kind, point }) => {
    const { start, items } = WORK[kind]!;
    const id = await start();
    const before = levels();
    process.env['SEO_ADMIN_CRASH_AT'] = `${point}#${items > 1 ? 2 : 1}`;
    const killed = child(id);
    delete process.env['SEO_ADMIN_CRASH_AT'];
    await expect(killed.output()).rejects.toThrow('ended');
    await endLeases();
    expect(await operationRow(id)).toMatchObject({ state: 'running' });
    await bulk.run(id);
    await expectExact(id, items);
    if (kind !== 'under_attack disable') return;
    expect(Object.values(before)).toEqual(Array(2 * EACH).fill('under_attack'));
    const now = Object.values(levels()).map(String).toSorted();
    expect(now).toEqual(['high', 'high', 'low', 'low', 'medium', 'medium']);
  });

  test('again and again at any moment, while the outside fails, is exact', async () => {
    expect.hasAssertions();
    const isWrite = ({ method }: JournalEntry): boolean => method !== 'GET';
    bulk.fake.faults.push(
      { kind: 'act-then-drop', match: isWrite, times: 2 },
      { kind: '429', retryAfter: 1, times: 1 },
      { kind: 'status', status: 503, times: 2 },
      { kind: 'malformed', match: isWrite, times: 1 },
    );
    const id = await WORK['attach']!.start();
    for (let round = 0; round < 6; round += 1) {
      const calls = bulk.fake.requests.length;
      const running = child(id);
      while (running.process.exitCode === null && bulk.fake.requests.length < calls + 6) await sleep(5);
      await running.kill();
      await endLeases();
    }
    await bulk.run(id);
    await expectExact(id, EACH + 2);
  });
});

const FAULTS: Record<string, FaultKind> = {
  'acts, then drops': { kind: 'act-then-drop' },
  'drops before': { kind: 'drop-before' },
  'says 429': { kind: '429', retryAfter: 1 },
  'says 503': { kind: 'status', status: 503 },
  'answers rubbish': { kind: 'malformed' },
};
const CALLS: Record<string, string[]> = {
  'under_attack enable': ['PATCH /zones/*/settings/*', 'GET /zones/*/settings/*'],
  tls: ['PATCH /zones/*/settings/*'],
  attach: ['POST /zones', 'POST /zones/*/dns_records/batch', 'POST /zones/*/pagerules', 'GET /zones/**'],
};
const FAILING = Object.entries(CALLS).flatMap(([kind, calls]) =>
  Object.keys(FAULTS).map((fault) => ({ kind, fault, calls })),
);

test.each(inTurns(FAILING))(
  '$kind while the outside $fault: each zone is changed once',
  async ({ kind, fault, calls }) => {
    const { start, items } = WORK[kind]!;
    for (const call of calls) bulk.fake.faults.push({ ...FAULTS[fault]!, call });
    const id = await start();
    await bulk.run(id);
    expect(bulk.fake.faults).toEqual([]);
    await expectExact(id, items, fault === 'acts, then drops');
  },
);
