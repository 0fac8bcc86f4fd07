// Bulk work that is cancelled, killed, stopped, retried and restored at random moments; after each, the fake
// Cloudflare, the journal and the API have to agree.
import { setTimeout as sleep } from 'node:timers/promises';
import type { OperationRow } from '../../src/shared/operations/tables.ts';
import { expect } from 'vitest';
import { execute, select, transaction } from '../../db/index.ts';
import type { JournalEntry } from '../../src/demo/cloudflare/faults.ts';
import type { Zone } from '../../src/demo/cloudflare/state.ts';
import { operationRow } from '../../src/operations/lease.ts';
import { cancelOperation, requeue } from '../../src/operations/queue.ts';
import { startRestore } from '../../src/operations/restore.ts';
import { startDnsChange } from '../../src/services/dns/change.ts';
import { viewOf } from '../../src/services/operations/operation-views.ts';
import { startSwitch } from '../../src/services/dns/protection.ts';
import { SYSTEM } from '../../src/services/access/scope.ts';
import { ManageDnsInput } from '../../src/shared/dns/dns-changes.ts';
import { isFinal, type OperationState } from '../../src/shared/operations.ts';
import { startChild } from './child.ts';
import { SERVER_IP } from './cdn.ts';
import { emptyZone, ZONE_TIME, type Bulk } from './bulk.ts';
import { endLeases } from './leases.ts';

const LEVELS = ['high', 'low', 'medium', 'essentially_off'];

/** Returns a generator of numbers in [0, 1), equal for equal seeds (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Resets every zone to its initial state: a level of its own, TLS 1.3 on or with early data, an address and mail. */
async function resetZones(bulk: Bulk, random: () => number): Promise<void> {
  bulk.fake.faults.length = 0;
  for (const zone of bulk.zones()) {
    emptyZone(zone);
    zone.settings = {
      security_level: { value: LEVELS[Math.floor(random() * LEVELS.length)], modified_on: ZONE_TIME },
      tls_1_3: { value: random() < 0.5 ? 'on' : 'zrt', modified_on: ZONE_TIME },
    };
  }
  await transaction(() => execute('DELETE FROM zone_levels'));
  bulk.fake.requests.length = 0;
}

/** Returns the relevant state of a zone as text. */
const pictureOf = ({ settings, records, page_rules }: Zone): string =>
  JSON.stringify([
    settings['security_level']?.value,
    settings['tls_1_3']?.value,
    records.map(({ type, name, content, proxied }) => [type, name, content, proxied].join(' ')).toSorted(),
    page_rules.map(({ targets, actions }) => JSON.stringify([targets[0]?.constraint.value, actions])),
  ]);

type Pictures = Map<string, string>;
const picturesOf = (bulk: Bulk): Pictures => new Map(bulk.zones().map((zone) => [zone.name, pictureOf(zone)]));

export type RandomKind = 'enable' | 'disable' | 'tls' | 'attach';

async function begin(bulk: Bulk, kind: RandomKind): Promise<number> {
  if (kind === 'tls') return (await startSwitch(SYSTEM, { kind: 'tls', state: 'off' })).id;
  if (kind === 'attach') {
    const names = bulk.zones().flatMap(({ name }) => (name.endsWith('-a1.com') ? [name] : []));
    const asked = { accountId: 1, domainName: 'main.com', ipAddress: SERVER_IP, pageRules: names };
    return (await startDnsChange(SYSTEM, ManageDnsInput.parse(asked))).id;
  }
  return (await startSwitch(SYSTEM, { kind: 'under_attack', action: kind })).id;
}

const isWrite = ({ method }: JournalEntry): boolean => method !== 'GET';

/** The fate of a run: it ends, or is cancelled, stopped in order, or killed after a number of calls. */
type Fate = 'ends' | 'cancelled' | 'stopped' | 'killed';

/** Runs an operation until its fate, and waits until nothing runs any more. */
async function runTo(bulk: Bulk, id: number, fate: Fate, calls: number): Promise<OperationState> {
  const { requests } = bulk.fake;
  const from = requests.length;
  const moment = async (over: AbortSignal): Promise<void> => {
    while (!over.aborted && requests.length < from + calls) await sleep(1);
  };
  if (fate === 'killed') {
    await endLeases();
    const child = startChild('test/children/bulk.ts', [bulk.config.dataDir, bulk.fake.url, String(id)]);
    while (child.process.exitCode === null && requests.length < from + calls) await sleep(2);
    await child.kill();
    await endLeases();
    return (await operationRow(id)).state;
  }
  const stop = new AbortController();
  const over = new AbortController();
  const running = bulk.run(id, stop.signal).finally(() => over.abort());
  await moment(over.signal);
  if (fate === 'stopped') stop.abort();
  if (fate === 'cancelled' && !over.signal.aborted) await cancelOperation(id).catch(() => undefined);
  return (await running).state;
}

interface Books {
  row: OperationRow;
  changed: number;
}

/**
 * Compares the journal of an ended operation with the zones and the API: a done item has changed its zone, any other
 * has left it as it was, and no act is in doubt.
 */
async function expectBooks(bulk: Bulk, id: number, before: Pictures): Promise<Books> {
  const row = await operationRow(id);
  const items = await bulk.items(id);
  const wrong: unknown[] = [];
  let changed = 0;
  for (const { item, state, acts } of items) {
    const zone = item.split(' ')[1] ?? '';
    const isChanged = pictureOf(bulk.zone(zone)) !== before.get(zone);
    const isNoted = acts.some((act) => act.state === 'done');
    if (isChanged) changed += 1;
    if (isChanged !== isNoted || acts.some((act) => act.state === 'intent')) wrong.push([item, state, isChanged, acts]);
    if (!['done', 'noop', 'cancelled'].includes(state)) wrong.push([item, state]);
  }
  expect(wrong).toEqual([]);
  const { counts, state, total } = await viewOf(row);
  expect(counts.done + counts.noop + counts.cancelled).toBe(total);
  expect([counts.failed, counts.queued]).toEqual([0, 0]);
  expect(state).toBe(counts.cancelled > 0 ? 'cancelled' : 'succeeded');
  return { row, changed };
}

/** Expects that no write was repeated with the same body, and that no record or rule exists twice. */
function expectNothingDoubled(bulk: Bulk): void {
  const seen = new Map<string, number>();
  for (const { method, path, status, body } of bulk.fake.requests) {
    if (method === 'GET' || (status !== 200 && status !== 0)) continue;
    const key = `${method} ${path} ${JSON.stringify(body)}`;
    seen.set(key, (seen.get(key) ?? 0) + 1);
  }
  expect([...seen].filter(([, count]) => count > 1)).toEqual([]);
  for (const { name, records, page_rules } of bulk.zones()) {
    const told = records.map(({ type, name: host, content }) => `${type} ${host} ${content}`);
    expect([name, told.length, page_rules.length]).toEqual([name, new Set(told).size, Math.min(page_rules.length, 1)]);
  }
}

export interface RandomRun {
  seed: number;
  kind: RandomKind;
  /** The maximum number of kills: each costs the start of a process. */
  kills: number;
}

/** The outcome of a run, for a line of the log. */
export interface RandomEnd {
  fates: Fate[];
  changed: number;
}

/** Plays one run: an operation meets random fates until it ends, may be retried, and is restored. */
export async function playRandom(bulk: Bulk, { seed, kind, kills }: RandomRun): Promise<RandomEnd> {
  const random = randomOf(seed);
  await resetZones(bulk, random);
  let killsLeft = kills;
  const fates: Fate[] = [];
  const begun = picturesOf(bulk);
  const suffer = async (id: number, most: number): Promise<void> => {
    for (let round = 0; !isFinal((await operationRow(id)).state); round += 1) {
      const dice = random();
      const fate: Fate =
        round > 5 ? 'ends' : dice < 0.4 ? 'cancelled' : dice < 0.7 && killsLeft > 0 ? 'killed' : 'stopped';
      if (fate === 'killed') killsLeft -= 1;
      fates.push(fate);
      await runTo(bulk, id, fate, Math.floor(random() * most));
    }
  };
  const lost = { match: isWrite, times: 2 } as const;
  if (kind === 'disable') await bulk.run(await begin(bulk, 'enable'));
  const before = picturesOf(bulk);
  bulk.fake.requests.length = 0;
  bulk.fake.faults.push({ kind: 'act-then-drop', ...lost }, { kind: 'malformed', ...lost });
  const id = await begin(bulk, kind);
  const { total } = await operationRow(id);
  // After more calls than the whole operation makes, it would always end.
  const most = Math.ceil(total * (kind === 'attach' ? 5 : 2.2));
  await suffer(id, most);
  let { changed } = await expectBooks(bulk, id, before);
  expectNothingDoubled(bulk);
  if (random() < 0.5 && (await operationRow(id)).state === 'cancelled') {
    await endLeases();
    await requeue(id);
    await suffer(id, most);
    ({ changed } = await expectBooks(bulk, id, before));
    expectNothingDoubled(bulk);
  }
  if (changed > 0) {
    bulk.fake.faults.push({ kind: 'act-then-drop', ...lost });
    const back = (await startRestore(null, id)).id;
    await suffer(back, most);
    for (let round = 0; (await operationRow(back)).state === 'cancelled'; round += 1) {
      await requeue(back);
      if (round < 3) await suffer(back, most);
      else await bulk.run(back);
    }
    expect([(await operationRow(back)).state, (await operationRow(back)).message]).toEqual([
      'succeeded',
      expect.stringContaining('operation.restored'),
    ]);
    expectNothingDoubled(bulk);
  }
  expect(differences(before, picturesOf(bulk))).toEqual([]);
  if (kind === 'enable' || kind === 'disable') await expectLevels(bulk, begun);
  return { fates, changed };
}

const differences = (before: Pictures, now: Pictures): unknown[] =>
  [...before].flatMap(([name, picture]) => (now.get(name) === picture ? [] : [[name, picture, now.get(name)]]));

/** Expects that after enabling and disabling for all, every zone has its initial level. */
async function expectLevels(bulk: Bulk, begun: Pictures): Promise<void> {
  for (const action of ['enable', 'disable'] as const) await bulk.run(await begin(bulk, action));
  expect(differences(begun, picturesOf(bulk))).toEqual([]);
  expect(await select('SELECT * FROM zone_levels')).toEqual([]);
}
