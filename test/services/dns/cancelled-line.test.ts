// A cancellation while calls wait for the limit of the service: those are dropped, and the work ends without another call.
import { afterEach, expect, test } from 'vitest';
import { select } from '../../../db/index.ts';
import { hold } from '../../../src/demo/cloudflare/faults.ts';
import { operationRow } from '../../../src/operations/lease.ts';
import { cancelOperation } from '../../../src/operations/queue.ts';
import { startRestore } from '../../../src/operations/restore.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { startSwitch } from '../../../src/services/dns/protection.ts';
import { startBulk, type Bulk } from '../../support/bulk.ts';

let bulk: Bulk;
afterEach(() => bulk.close());

const ZONES = 30;
const isWrite = ({ method }: { method: string }): boolean => method === 'PATCH';
const begin = async (): Promise<number> => (await startSwitch(SYSTEM, { kind: 'under_attack', action: 'enable' })).id;
const changed = (): string[] =>
  bulk
    .zones()
    .filter(({ settings }) => settings['security_level']?.value === 'under_attack')
    .map(({ name }) => name)
    .toSorted();

/** Waits until an operation waits for the limit, cancels it, and waits for its end. Returns the items whose call had an intent. */
async function cancelInLine(id: number, running: Promise<{ state: string }>): Promise<string[]> {
  await expect.poll(async () => (await operationRow(id)).waits_until, { timeout: 20_000 }).not.toBeNull();
  const { length } = bulk.fake.requests;
  const begun = (await bulk.items(id)).filter(({ state }) => state === 'intent').map(({ item }) => item);
  await cancelOperation(id);
  expect((await running).state).toBe('cancelled');
  expect(bulk.fake.requests).toHaveLength(length);
  return begun;
}

/** Expects that each item was done or not begun, as the zones are. */
async function expectKnown(id: number): Promise<void> {
  const items = await bulk.items(id);
  const done = items.filter(({ state }) => state === 'done').map(({ lock_name }) => lock_name);
  expect(done.toSorted()).toEqual(changed());
  const others = items.filter(({ state }) => state !== 'done');
  expect(others.map(({ state, acts, error }) => [state, acts, error])).toEqual(others.map(() => ['cancelled', [], '']));
}

test.each([10, 11, 12, 13])(
  'after %i calls nothing more is sent, and each zone is known as done or not begun',
  async (calls) => {
    bulk = await startBulk({ accounts: 1, zonesEach: ZONES, rateLimit: { calls, seconds: 600 } });
    const id = await begin();
    const begun = await cancelInLine(id, bulk.run(id));
    const states = new Map((await bulk.items(id)).map(({ item, state }) => [item, state]));
    expect(begun.map((item) => states.get(item))).toEqual(begun.map(() => 'cancelled'));
    await expectKnown(id);
    expect(await select('SELECT zone_id FROM zone_levels')).toHaveLength(changed().length);
  },
);

test('a pause that the service asks for is not waited for either', async () => {
  bulk = await startBulk({ accounts: 1, zonesEach: ZONES });
  bulk.fake.faults.push({ kind: '429', retryAfter: 600, match: (call) => isWrite(call) && changed().length > 4 });
  const id = await begin();
  await cancelInLine(id, bulk.run(id));
  await expectKnown(id);
  expect(changed().length).toBeGreaterThan(4);
});

test('a call that was sent is waited for, and a restore that is cancelled in the line leaves the rest as it was', async () => {
  bulk = await startBulk({ accounts: 1, zonesEach: 8 });
  const { fault, release } = hold();
  bulk.fake.faults.push({ ...fault, match: isWrite });
  const id = await begin();
  const running = bulk.run(id);
  await expect.poll(changed).toHaveLength(1);
  await cancelOperation(id);
  release();
  expect((await running).state).toBe('cancelled');
  await expectKnown(id);
  expect(changed()).toHaveLength(1);
  const all = await begin();
  expect((await bulk.run(all)).state).toBe('succeeded');
  bulk.fake.faults.push({ kind: '429', retryAfter: 600, match: (call) => isWrite(call) && changed().length < 6 });
  const back = await startRestore(null, all);
  await cancelInLine(back.id, bulk.run(back.id));
  const left = (await bulk.items(all)).filter(({ state }) => state === 'done').map(({ lock_name }) => lock_name);
  const first = (await bulk.items(id)).filter(({ state }) => state === 'done').map(({ lock_name }) => lock_name);
  expect([...left, ...first].toSorted()).toEqual(changed());
});
