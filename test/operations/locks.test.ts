import { afterEach, beforeEach, expect, test } from 'vitest';
import { execute, transaction } from '../../db/index.ts';
import type { NewItem } from '../../src/operations/flow.ts';
import { ALL_PARTS, itemOn, type Lock } from '../../src/operations/locks.ts';
import { cancelOperation, enqueue, refuseHeld, requeue, type Request } from '../../src/operations/queue.ts';
import { startDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await startDatabase();
});
afterEach(() => database.close());

const asked = (list: string[], more: Partial<Request> = {}): Request => ({
  kind: 'test',
  subject: 'all',
  user_id: null,
  input: {},
  message: { key: 'check.started' },
  items: list.map((item) => ({ item, lane: 'one', data: {} })),
  ...more,
});

test('locks of another operation are refused, and so is what they cover: a lock of all parts has each part', async () => {
  const zone = { kind: 'zone', name: 'a.com' };
  const part = (name: string, of: string) => ({ kind: 'rule', name, part: of });
  const on = (...locks: Lock[]) => locks.map((lock) => Object.assign(itemOn(lock), { lane: 'one', data: {} }));
  const start = (subject: string, items: NewItem[], locks: Lock[] = []) =>
    enqueue(asked([], { subject, items, locks }));
  const busy = { kind: 'busy' };
  const { id } = await enqueue(asked(['n0'], { locks: [zone, part('a.com', ALL_PARTS)] }));
  await expect(start('other', on(zone))).rejects.toMatchObject(busy);
  await expect(start('other', on(part('a.com', '17')))).rejects.toMatchObject(busy);
  await expect(start('other', on(zone), [part('a.com', '17')])).rejects.toMatchObject(busy);
  await expect(start('other', [], [{ kind: 'item', name: 'n0' }])).rejects.toMatchObject(busy);
  await expect(start('other', [], [part('a.com', ALL_PARTS)])).rejects.toMatchObject(busy);
  // The whole is none of its parts, and names count as a whole.
  const free = await start('other', on(part('b.com', '17'), { kind: 'rule', name: 'a.com' }, part('a.common', '1')), [
    { kind: 'zone', name: 'b.com', part: 'x' },
  ]);
  expect(free.started).toBe(true);
  for (const lock of [part('b.com', ALL_PARTS), { kind: 'zone', name: 'b.com', part: ALL_PARTS }]) {
    await expect(start('third', [], [lock])).rejects.toMatchObject({ ...busy, params: { id: free.id } });
  }
  expect((await start('third', [], [{ kind: 'zone', name: 'b.com' }, part('b.com', '18')])).started).toBe(true);
  await cancelOperation(id);
  expect((await start('fourth', on(zone, part('a.com', '17')))).started).toBe(true);
});

test('an item that has ended is free while its operation goes on, and what is tried again takes its locks again', async () => {
  const lock = { kind: 'zone', name: 'a.com' };
  const { id } = await enqueue(asked(['n0', 'n1'], { locks: [lock] }));
  await transaction(() => execute(`UPDATE operation_items SET state = 'failed' WHERE item = 'n0'`));
  await expect(refuseHeld([{ kind: 'item', name: 'n0' }])).resolves.toBeUndefined();
  await expect(refuseHeld([{ kind: 'item', name: 'n1' }])).rejects.toMatchObject({ kind: 'busy', params: { id } });
  await cancelOperation(id);
  await expect(refuseHeld([lock])).resolves.toBeUndefined();
  const other = await enqueue(asked([], { subject: 'other', locks: [lock] }));
  await expect(requeue(id)).rejects.toMatchObject({ kind: 'busy', params: { id: other.id } });
  await cancelOperation(other.id);
  expect(await requeue(id)).toBe(2);
  await expect(refuseHeld([lock])).rejects.toMatchObject({ kind: 'busy', params: { id } });
});
