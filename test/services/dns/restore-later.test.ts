// An operation is given back after later work on the same zones: what somebody has changed since is left alone, and told.
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { execute, transaction } from '../../../db/index.ts';
import { operationRow } from '../../../src/operations/lease.ts';
import { requeue } from '../../../src/operations/queue.ts';
import { startRestore } from '../../../src/operations/restore.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { startSwitch } from '../../../src/services/dns/protection.ts';
import { viewOf } from '../../../src/services/operations/operation-views.ts';
import { startBulk, ZONE_TIME, type Bulk } from '../../support/bulk.ts';

const ZONES = 3;

let bulk: Bulk;
beforeAll(async () => {
  bulk = await startBulk({ accounts: 1, zonesEach: ZONES, latencyMs: 1 });
});
beforeEach(async () => {
  bulk.fake.faults.length = 0;
  setByHand('low');
  await transaction(async () => {
    await execute('DELETE FROM zone_levels');
    await execute('DELETE FROM operations');
  });
});
afterAll(() => bulk.close());

const ON = Array(ZONES).fill('under_attack');
const levels = (): unknown[] => bulk.zones().map(({ settings }) => settings['security_level']?.value);

function setByHand(value: string): void {
  for (const zone of bulk.zones()) zone.settings = { security_level: { value, modified_on: ZONE_TIME } };
}

async function enabled(): Promise<number> {
  const { id } = await startSwitch(SYSTEM, { kind: 'under_attack', action: 'enable' });
  await bulk.run(id);
  return id;
}

async function givenBack(id: number) {
  const back = await startRestore(null, id);
  const { state } = await bulk.run(back.id);
  const errors = (await bulk.items(back.id)).map(({ error }) => error && (JSON.parse(error) as object));
  return { id: back.id, state, errors };
}

test('a switch that was given back, and was enabled by somebody since, is not given back again', async () => {
  const first = await enabled();
  await givenBack(first);
  const third = await enabled();
  await expect(startRestore(null, first)).rejects.toMatchObject({ key: 'operation.nothing_to_restore' });
  expect(levels()).toEqual(ON);
  expect((await viewOf(await operationRow(third))).counts.done).toBe(ZONES);
});

test('a setting that later work has written again is left alone, until that work is given back', async () => {
  const first = await enabled();
  setByHand('high');
  const third = await enabled();
  expect(await givenBack(first)).toMatchObject({
    state: 'failed',
    errors: bulk.zones().map(() => ({
      key: 'operation.changed_since',
      params: { id: third, differences: 'security_level: low → under_attack' },
    })),
  });
  expect(levels()).toEqual(ON);
  expect((await viewOf(await operationRow(first))).restorable).toBe(true);

  expect(await givenBack(third)).toMatchObject({ state: 'succeeded' });
  expect(levels()).toEqual(Array(ZONES).fill('high'));
  setByHand('under_attack');
  expect(await givenBack(first)).toMatchObject({ state: 'succeeded' });
  expect(levels()).toEqual(Array(ZONES).fill('low'));
});

/** Runs work in a process whose clock differs by so many ms. */
async function atClock<T>(ms: number, work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(Date.now() + ms);
  return work().finally(() => vi.useRealTimers());
}

test('which of two operations is the later one is not told by the clocks of their processes', async () => {
  const first = await atClock(90_000, enabled);
  setByHand('high');
  const second = await enabled();
  const laterWork = { key: 'operation.changed_since', params: { id: second } };
  expect((await givenBack(first)).errors).toMatchObject(bulk.zones().map(() => laterWork));
  expect(levels()).toEqual(ON);
  expect(await givenBack(second)).toMatchObject({ state: 'succeeded' });
  expect(levels()).toEqual(Array(ZONES).fill('high'));
});

test('another try is later than work that began before it, by whatever clock', async () => {
  const first = await enabled();
  await givenBack(first);
  const second = await enabled();
  setByHand('high');
  await requeue(first);
  await atClock(-90_000, () => bulk.run(first));
  const laterWork = { key: 'operation.changed_since', params: { id: first } };
  expect((await givenBack(second)).errors).toMatchObject(bulk.zones().map(() => laterWork));
  expect(levels()).toEqual(ON);
  expect(await givenBack(first)).toMatchObject({ state: 'succeeded' });
  expect(levels()).toEqual(Array(ZONES).fill('high'));
});

test('a restore that is tried again leaves what was given back and done again in between', async () => {
  const first = await enabled();
  bulk.fake.faults.push({ kind: 'status', status: 400, times: 2 * ZONES, match: ({ method }) => method === 'PATCH' });
  const failed = await givenBack(first);
  expect(failed.state).toBe('failed');
  bulk.fake.faults.length = 0;
  expect((await givenBack(first)).state).toBe('succeeded');
  setByHand('high');
  await requeue(first);
  await bulk.run(first);
  await requeue(failed.id);
  expect((await bulk.run(failed.id)).state).toBe('failed');
  expect(levels()).toEqual(ON);
});
