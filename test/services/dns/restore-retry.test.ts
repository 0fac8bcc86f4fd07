// Work that was given back, in full or in part, and is tried again: what was given back is done again.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { execute, transaction } from '../../../db/index.ts';
import type { JournalEntry } from '../../../src/demo/cloudflare/faults.ts';
import { operationRow } from '../../../src/operations/lease.ts';
import { cancelOperation, requeue } from '../../../src/operations/queue.ts';
import { startRestore } from '../../../src/operations/restore.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { startDnsChange } from '../../../src/services/dns/change.ts';
import { startSwitch } from '../../../src/services/dns/protection.ts';
import { viewOf } from '../../../src/services/operations/operation-views.ts';
import { restorePlan } from '../../../src/services/operations/operations.ts';
import { ManageDnsInput } from '../../../src/shared/dns/dns-changes.ts';
import { emptyZone, startBulk, ZONE_TIME, type Bulk } from '../../support/bulk.ts';
import { SERVER_IP } from '../../support/cdn.ts';

const ZONES = 12;

let bulk: Bulk;
beforeAll(async () => {
  bulk = await startBulk({ accounts: 1, zonesEach: ZONES, latencyMs: 2 });
});
beforeEach(async () => {
  bulk.fake.faults.length = 0;
  bulk.fake.requests.length = 0;
  for (const zone of bulk.zones()) {
    emptyZone(zone);
    zone.settings = { security_level: { value: 'low', modified_on: ZONE_TIME } };
  }
  await transaction(() => execute('DELETE FROM zone_levels'));
});
afterAll(() => bulk.close());

const isWrite = ({ method }: Pick<JournalEntry, 'method'>): boolean => method !== 'GET';
const view = async (id: number) => viewOf(await operationRow(id));
const NOTHING = { key: 'operation.nothing_to_restore' };

async function startAttach(): Promise<number> {
  const pageRules = bulk.zones().map(({ name }) => name);
  const asked = { accountId: 1, domainName: 'main.com', ipAddress: SERVER_IP, pageRules };
  return (await startDnsChange(SYSTEM, ManageDnsInput.parse(asked))).id;
}

/** Begins to switch Under Attack on for all zones. */
const startEnable = async (): Promise<number> =>
  (await startSwitch(SYSTEM, { kind: 'under_attack', action: 'enable' })).id;

const giveBack = async (id: number) => bulk.run((await startRestore(null, id)).id);

const levels = (): unknown[] => bulk.zones().map(({ settings }) => settings['security_level']?.value);
const count = (value: string): number => levels().filter((level) => level === value).length;

/** Cancels an operation that runs, after so many of its writes. */
async function cancelAfter(id: number, writes: number): Promise<void> {
  const from = bulk.fake.requests.filter(isWrite).length;
  const running = bulk.run(id);
  while (bulk.fake.requests.filter(isWrite).length < from + writes) await sleep(1);
  await cancelOperation(id);
  await running;
}

test('an attaching that has failed half way and was given back is made whole by another try', async () => {
  bulk.fake.faults.push({
    kind: 'status',
    status: 400,
    times: 9999,
    match: ({ method, path }) => isWrite({ method }) && /pagerules|rulesets/.test(path),
  });
  const id = await startAttach();
  expect((await bulk.run(id)).state).toBe('failed');
  bulk.fake.faults.length = 0;
  expect((await giveBack(id)).state).toBe('succeeded');
  expect(bulk.zones().some(({ records }) => records.some(({ content }) => content === SERVER_IP))).toBe(false);
  expect(await view(id)).toMatchObject({ restorable: false, retryable: true });
  await expect(startRestore(null, id)).rejects.toMatchObject(NOTHING);

  await requeue(id);
  expect((await bulk.run(id)).state).toBe('succeeded');
  const whole = bulk.zones().filter(({ records, page_rules }) => {
    const isPointed = records.some(({ type, content }) => type === 'A' && content === SERVER_IP);
    return isPointed && page_rules.length === 1;
  });
  expect(whole).toHaveLength(ZONES);
  expect(await view(id)).toMatchObject({ restorable: true, counts: { done: ZONES } });

  // The state that the second try has replaced is given back.
  expect((await giveBack(id)).state).toBe('succeeded');
  expect(bulk.zones().some(({ page_rules }) => page_rules.length > 0)).toBe(false);
});

test('a switch that was cancelled half way and given back is done again, all of it', async () => {
  const id = await startEnable();
  await cancelAfter(id, 4);
  const changed = count('under_attack');
  expect([changed > 0, changed < ZONES]).toEqual([true, true]);
  await giveBack(id);
  expect(await view(id)).toMatchObject({ restorable: false, counts: { done: 0, cancelled: ZONES } });
  await requeue(id);
  expect(await bulk.run(id)).toMatchObject({ state: 'succeeded', done: ZONES });
  expect(count('under_attack')).toBe(ZONES);
});

test('a restore that was cancelled half way leaves the rest to another one, and its share to another try', async () => {
  const id = await startEnable();
  await bulk.run(id);
  const back = (await startRestore(null, id)).id;
  await cancelAfter(back, 4);
  const left = count('under_attack');
  expect([left > 0, left < ZONES]).toEqual([true, true]);
  expect(await view(id)).toMatchObject({ restorable: true, counts: { done: left, cancelled: ZONES - left } });

  const rest = await giveBack(id);
  expect([rest.total, count('low')]).toEqual([left, ZONES]);
  await requeue(id);
  await bulk.run(id);
  expect([count('under_attack'), (await view(id)).counts.done]).toEqual([ZONES, ZONES]);
});

test('of a restore and another try that are asked for at once one goes on', async () => {
  const id = await startEnable();
  await cancelAfter(id, 4);
  const [back, again] = await Promise.allSettled([startRestore(null, id), requeue(id)]);
  expect([back.status, again.status].toSorted()).toEqual(['fulfilled', 'rejected']);
  const one = back.status === 'fulfilled' ? back.value.id : id;
  expect((await bulk.run(one)).state).toBe('succeeded');
});

test('a restore asked for while another try runs is refused with the number of what runs', async () => {
  const id = await startEnable();
  await cancelAfter(id, 4);
  await requeue(id);
  const busy = { kind: 'busy', params: { id } };
  await expect(startRestore(null, id)).rejects.toMatchObject(busy);
  await expect(restorePlan(SYSTEM, id)).rejects.toMatchObject(busy);
  await bulk.run(id);
  expect((await giveBack(id)).state).toBe('succeeded');
});

test('the same restore asked for again is the one that runs, and with its key the one that has ended', async () => {
  const id = await startEnable();
  await bulk.run(id);
  const back = await startRestore(null, id, false, 'one key');
  const running = bulk.run(back.id);
  while (count('low') < 3) await sleep(1);
  expect(await startRestore(null, id)).toEqual({ id: back.id, started: false });
  await running;
  expect(await startRestore(null, id, false, 'one key')).toEqual({ id: back.id, started: false });
  await expect(startRestore(null, id, false, 'another key')).rejects.toMatchObject(NOTHING);
});
