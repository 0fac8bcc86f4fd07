import { afterEach, beforeEach, expect, test } from 'vitest';
import { select } from '../../db/index.ts';
import { registerFlows, runOperation } from '../../src/operations/engine.ts';
import type { Act } from '../../src/operations/flow.ts';
import { itemFlow } from '../../src/operations/items.ts';
import { operationRow } from '../../src/operations/lease.ts';
import { cancelOperation, enqueue } from '../../src/operations/queue.ts';
import { restoreFlow, startRestore } from '../../src/operations/restore.ts';
import { listOperationsUsing } from '../../src/services/accounts/team-rows.ts';
import { startDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await startDatabase();
});
afterEach(() => database.close());

const made: Act = {
  name: 'made',
  class: 'set',
  look: async () => ({ before: null, after: { note: '"stays":true' }, perform: async () => undefined }),
};
const USE = { kind: 'servers', id: 9 };

/** Queues and runs work on these items, whose undo leaves what it has made where the item's name says so; `undo` is what it does. */
async function work(names: string[], undo?: () => Promise<void>): Promise<number> {
  const undone = (item: string): Act => ({
    ...made,
    look: async () => (undo ? { before: null, after: null, perform: undo } : null),
    differs: async () => (item === 'left' ? [{ name: 'zone', was: null, is: item, stays: true }] : []),
  });
  registerFlows([
    itemFlow('made', { open: async () => undefined, acts: () => [made], undo: ({ item }) => [undone(item)] }),
    restoreFlow,
  ]);
  const items = names.map((item) => ({ item, lane: 'one', uses: [USE], data: {} }));
  const message = { key: 'check.started' } as const;
  const { id } = await enqueue({ kind: 'made', subject: 's', user_id: null, input: {}, message, items }, true);
  await runOperation(id);
  return id;
}

test('a restore counts the items of which something stays on purpose', async () => {
  const id = await work(['left', 'gone', 'also gone']);
  const back = await startRestore(null, id, true);
  await runOperation(back.id);
  const { message, restored_kind } = await operationRow(back.id);
  expect([restored_kind, JSON.parse(message)]).toMatchObject([
    'made',
    { key: 'operation.restored_stays', params: { stays: 1, failed: 0 } },
  ]);
  const left = 'SELECT item FROM operation_items WHERE stays = 1';
  expect(await select(left)).toEqual([{ item: 'left' }]);
});

test('what stays on purpose of an item is told where the restore was cancelled as that was given back', async () => {
  let back = 0;
  const id = await work(['also gone', 'gone', 'left'], async () => {
    await cancelOperation(back);
  });
  back = (await startRestore(null, id, true)).id;
  await runOperation(back);
  expect(await operationRow(back)).toMatchObject({ state: 'cancelled', done: 1, failed: 0 });
  const items = 'SELECT item, state, stays FROM operation_items WHERE operation_id = $back ORDER BY id';
  expect(await select(items, { back })).toEqual([
    { item: 'left', state: 'done', stays: 1 },
    { item: 'gone', state: 'cancelled', stays: 0 },
    { item: 'also gone', state: 'cancelled', stays: 0 },
  ]);
});

test('a restore uses the accounts of what it restores', async () => {
  const id = await work(['gone']);
  expect(await listOperationsUsing(USE.kind, USE.id)).toEqual([]);
  const back = await startRestore(null, id);
  expect(await listOperationsUsing(USE.kind, USE.id)).toEqual([back.id]);
});
