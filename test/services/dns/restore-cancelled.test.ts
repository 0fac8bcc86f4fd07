// A restore that is cancelled: what it has given back by then is proven, and told as done or with each difference.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hold } from '../../../src/demo/cloudflare/faults.ts';
import { cancelOperation } from '../../../src/operations/queue.ts';
import { startRestore } from '../../../src/operations/restore.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { startSwitch } from '../../../src/services/dns/protection.ts';
import { startBulk, type Bulk, type BulkItem } from '../../support/bulk.ts';

let bulk: Bulk;
beforeEach(async () => {
  bulk = await startBulk({ accounts: 1, zonesEach: 6 });
});
afterEach(() => bulk.close());

const LEVEL = 'security_level';
const WRITE = `PATCH /zones/*/settings/${LEVEL}`;
const levelOf = (name: string): unknown => bulk.zone(name).settings[LEVEL]?.value ?? 'medium';
const given = (): string[] =>
  bulk
    .zones()
    .map(({ name }) => name)
    .filter((name) => levelOf(name) === 'medium')
    .toSorted();
const actsOf = ({ acts }: BulkItem) => acts.map(({ name, state }) => `${name} ${state}`);

async function switched(): Promise<number> {
  const { id } = await startSwitch(SYSTEM, { kind: 'under_attack', action: 'enable' });
  expect((await bulk.run(id)).state).toBe('succeeded');
  return id;
}

/** Cancels the restore of an operation as its first call that changes something is on its way. */
async function cancelled(id: number, call: string) {
  const { fault, release } = hold();
  bulk.fake.faults.push({ ...fault, call });
  const from = bulk.fake.requests.length;
  const back = (await startRestore(null, id)).id;
  const running = bulk.run(back);
  const isBegun = (): boolean => bulk.fake.requests.slice(from).some(({ method }) => method !== 'GET');
  await expect.poll(isBegun).toBe(true);
  await cancelOperation(back);
  release();
  return { back, row: await running };
}

const countsIn = (message: string): unknown => (JSON.parse(message) as { params: unknown }).params;

test('a zone that was given back as the restore was cancelled has its proof, and counts as done', async () => {
  const id = await switched();
  const { back, row } = await cancelled(id, WRITE);
  expect([row.state, countsIn(row.message)]).toEqual(['cancelled', { done: 1, failed: 0, cancelled: 5 }]);
  const items = await bulk.items(back);
  const done = items.filter(({ state }) => state === 'done');
  expect(done.map(({ lock_name }) => lock_name)).toEqual(given());
  expect(done.map(actsOf)).toEqual([[`${LEVEL} done`, 'proof noop']]);
  expect(items.filter(({ state }) => state === 'cancelled').flatMap(actsOf)).toEqual([]);
});

test('a zone that is not as before once the restore was cancelled is told with the difference', async () => {
  const id = await switched();
  const others = (call: { method: string; path: string }): boolean => {
    if (call.method === 'GET' && given().length > 0)
      bulk.zone(given()[0]!).settings[LEVEL] = { value: 'high', modified_on: '' };
    return false;
  };
  bulk.fake.faults.push({ kind: 'status', status: 500, match: others });
  const { back, row } = await cancelled(id, WRITE);
  expect([row.state, countsIn(row.message)]).toEqual(['cancelled', { done: 0, failed: 1, cancelled: 5 }]);
  const failed = (await bulk.items(back)).find(({ state }) => state === 'failed');
  expect(JSON.parse(failed!.error)).toMatchObject({
    key: 'operation.differs',
    params: { differences: expect.stringContaining('medium → high') },
  });
});
