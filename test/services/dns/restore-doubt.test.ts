// A restore of which nobody knows how it ended, and another try of what it was to give back.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { execute, transaction } from '../../../db/index.ts';
import { setFirstPause, USUAL_PATIENCE } from '../../../src/operations/item-lane.ts';
import { operationRow } from '../../../src/operations/lease.ts';
import { cancelOperation, requeue } from '../../../src/operations/queue.ts';
import { startRestore } from '../../../src/operations/restore.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { startSwitch } from '../../../src/services/dns/protection.ts';
import { viewOf } from '../../../src/services/operations/operation-views.ts';
import { startBulk, ZONE_TIME, type Bulk } from '../../support/bulk.ts';

const ZONES = 3;

let bulk: Bulk;
beforeAll(async () => {
  bulk = await startBulk({ accounts: 1, zonesEach: ZONES });
  setFirstPause(1);
});
beforeEach(async () => {
  bulk.fake.faults.length = 0;
  for (const zone of bulk.zones()) zone.settings = { security_level: { value: 'low', modified_on: ZONE_TIME } };
  await transaction(() => execute('DELETE FROM zone_levels'));
});
afterAll(() => {
  setFirstPause(USUAL_PATIENCE.firstPauseMs);
  return bulk.close();
});

const view = async (id: number) => viewOf(await operationRow(id));
const levels = (): unknown[] => bulk.zones().map(({ settings }) => settings['security_level']?.value);
const count = (value: string): number => levels().filter((level) => level === value).length;

/** The item of an operation that is in doubt, as a person sees it. */
const doubtful = async (id: number) =>
  (await bulk.items(id))
    .filter(({ in_doubt }) => in_doubt === 1)
    .map(({ state, error_key, acts }) => [state, error_key, acts.map((act) => act.state)]);

/** Switches Under Attack on for all zones, and gives one back whose answer is lost; the service is away from then on. Returns both operations. */
async function begin(): Promise<{ id: number; back: number }> {
  const { id } = await startSwitch(SYSTEM, { kind: 'under_attack', action: 'enable' });
  expect((await bulk.run(id)).state).toBe('succeeded');
  const back = (await startRestore(null, id)).id;
  bulk.fake.faults.push({ kind: 'act-then-drop', match: ({ method }) => method === 'PATCH' });
  const away = { kind: 'status', status: 502, times: 9_999, match: () => count('low') > 0 } as const;
  bulk.fake.faults.push(away);
  const running = bulk.run(back);
  while (count('low') === 0) await sleep(1);
  await cancelOperation(back);
  await running;
  expect(await doubtful(back)).toEqual([['failed', 'operation.unclear', ['intent']]]);
  bulk.fake.faults.length = 0;
  return { id, back };
}

test('an act that was perhaps given back is told as unclear, and another try makes it good', async () => {
  const { id } = await begin();
  expect(await doubtful(id)).toEqual([['failed', 'operation.unclear', ['intent']]]);
  expect(await view(id)).toMatchObject({ retryable: true, counts: { done: ZONES - 1, failed: 1 } });
  expect(count('under_attack')).toBe(ZONES - 1);
  await requeue(id);
  expect((await bulk.run(id)).state).toBe('succeeded');
  expect([count('under_attack'), (await view(id)).counts.done]).toEqual([ZONES, ZONES]);
  // The state before the first try is given back.
  await bulk.run((await startRestore(null, id)).id);
  expect(count('low')).toBe(ZONES);
});

test.each(['tried again', 'asked for again'])('a restore that is %s tells that all is as before', async (how) => {
  const { id, back } = await begin();
  if (how === 'tried again') await requeue(back);
  const again = how === 'tried again' ? back : (await startRestore(null, id)).id;
  expect((await bulk.run(again)).state).toBe('succeeded');
  expect(count('low')).toBe(ZONES);
  const ends = (await bulk.items(id)).map(({ state, error }) => `${state} ${error}`.trim());
  expect(ends).toEqual(Array(ZONES).fill('cancelled'));
  expect(await view(id)).toMatchObject({ restorable: false, retryable: true });
});
