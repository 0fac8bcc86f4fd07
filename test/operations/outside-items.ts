// Shared parts of the tests of items: work on an outside service, queued by the names of its items.
import type { OperationItemRow } from '../../src/shared/operations/tables.ts';
import { afterEach, beforeEach } from 'vitest';
import { select } from '../../db/index.ts';
import { registerFlows } from '../../src/operations/engine.ts';
import { enqueue, type Request } from '../../src/operations/queue.ts';
import { restoreFlow } from '../../src/operations/restore.ts';
import { startDatabase } from '../support/database.ts';
import { startOutside, testFlow, type Fault, type Outside } from './outside.ts';

/** The database of the running test. */
export let database: Awaited<ReturnType<typeof startDatabase>>;
/** The outside service of the running test. */
export let outside: Outside;

/** Opens a new database and starts a new outside service for each test. */
export function useOutside(): void {
  beforeEach(async () => {
    database = await startDatabase();
    outside = await startOutside();
    registerFlows([testFlow(outside.url), restoreFlow]);
  });
  afterEach(async () => {
    await database.close();
    await outside.close();
  });
}

/** Returns that many names. */
export const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `n${index}`);
/** A request for work on these items, on two lanes in turn. */
export const asked = (list: string[], more: Partial<Request> = {}): Request => ({
  kind: 'test',
  subject: 'all',
  user_id: null,
  input: {},
  message: { key: 'check.started' },
  items: list.map((item, index) => ({ item, lane: index % 2 === 0 ? 'even' : 'odd', data: {} })),
  ...more,
});
/** Queues work on these items, and returns its id. */
export const queue = async (list: string[]): Promise<number> => (await enqueue(asked(list), true)).id;
/** The items of an operation. */
export const rowsOf = (id: number) =>
  select<OperationItemRow>('SELECT * FROM operation_items WHERE operation_id = $id ORDER BY id', { id });
/** Makes the next calls for a name fail. */
export const fault = (name: string, ...faults: Fault[]) => outside.faults.set(name, faults);
