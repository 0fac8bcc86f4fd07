import { execute, select } from '../../db/index.ts';
import { memberOf } from '../../db/sql.ts';
import type { Key, Message } from '../shared/i18n/index.ts';
import type { ItemState } from '../shared/operations.ts';
import { operationItems, type OperationItemRow } from '../shared/operations/tables.ts';
import type { NewItem } from './flow.ts';
import { lockOf, type StoredLock } from './locks.ts';

const now = (): string => new Date().toISOString();

/** Condition for items that have not ended. */
export const OPEN = `state IN ('queued', 'intent')`;

/** Inserts the items of an operation, queued, in their order. */
export async function insertItems(operation: number, items: readonly NewItem[]): Promise<void> {
  const rows = items.map((one) => {
    const { kind, name, part } = lockOf(one);
    return [one.item, one.lane, one.lane_id ?? null, JSON.stringify(one.data), kind, name, part];
  });
  await execute(
    `INSERT INTO operation_items (operation_id, item, lane, lane_id, data, state, acts, changed_at, lock_kind, lock_name,
       lock_part)
     SELECT $operation, value ->> 0, value ->> 1, CAST(value ->> 2 AS INTEGER), value ->> 3, 'queued', '[]', $now,
       value ->> 4, value ->> 5, value ->> 6 FROM json_each($items)`,
    { operation, items: JSON.stringify(rows), now: now() },
  );
}

/** Ends the queued items of an operation as cancelled, and the begun ones as failed with an error. */
export async function endItems(operation: number, message: Message): Promise<void> {
  await execute(
    `UPDATE operation_items SET state = CASE WHEN state = 'queued' THEN 'cancelled' ELSE 'failed' END,
       error = CASE WHEN state = 'queued' THEN NULL ELSE $error END,
       error_key = CASE WHEN state = 'queued' THEN NULL ELSE $key END, changed_at = $now
     WHERE operation_id = $operation AND ${OPEN}`,
    { operation, error: JSON.stringify(message), key: message.key, now: now() },
  );
}

/** The error of an item that was not in the plan that is carried out. No other run of that plan can do it: it takes a new one. */
export const NOT_SHOWN = 'operation.not_shown' satisfies Key;

/** Condition for items that another run is to work on: all but those that were done, had nothing to do, or were not shown. */
const LEFT = `state IN ('failed', 'cancelled', 'intent', 'queued') AND COALESCE(error_key, '') <> '${NOT_SHOWN}'`;

/** Returns those of the operations that have items which another run is to work on. */
export const listOperationsLeft = (ids: readonly number[]): Promise<{ id: number }[]> =>
  select(
    `SELECT o.id FROM operations o WHERE o.id IN (SELECT CAST(value AS INTEGER) FROM json_each($ids)) AND EXISTS
       (SELECT 1 FROM operation_items WHERE operation_id = o.id AND ${LEFT})`,
    { ids: JSON.stringify(ids) },
  );

/** Returns the locks of the items of an operation that `requeueItems` puts back. */
export const listLeftLocks = (operation: number): Promise<StoredLock[]> =>
  select(
    `SELECT lock_kind AS kind, lock_name AS name, lock_part AS part FROM operation_items
     WHERE operation_id = $operation AND ${LEFT}`,
    { operation },
  );

/**
 * Puts back the items that were not done. A wait for something outside begins anew. An item with an act in doubt keeps
 * its intent: the act is looked at first.
 */
export async function requeueItems(operation: number): Promise<void> {
  await execute(
    `UPDATE operation_items SET error = NULL, error_key = NULL, attempt = 0, not_before = NULL, waiting = NULL,
       changed_at = $now, state = CASE WHEN in_doubt = 1 THEN 'intent' ELSE 'queued' END
     WHERE operation_id = $operation AND ${LEFT}`,
    { operation, now: now() },
  );
}

/** Returns the items of an operation, in the order in which they were queued. */
export const listItemRows = (operation: number): Promise<OperationItemRow[]> =>
  select('SELECT * FROM operation_items WHERE operation_id = $operation ORDER BY id', { operation });

/** Returns the items of an operation with something to restore, newest first. */
export const listTouchedItems = (operation: number): Promise<OperationItemRow[]> =>
  select(`SELECT * FROM operation_items WHERE operation_id = $operation AND touched = 1 ORDER BY id DESC`, {
    operation,
  });

/** Returns the acts of those items of an operation that have these names, with their locks. */
export const listActsOf = (
  operation: number,
  items: readonly string[],
): Promise<(StoredLock & Pick<OperationItemRow, 'item' | 'acts'>)[]> =>
  select(
    `SELECT item, acts, lock_kind AS kind, lock_name AS name, lock_part AS part FROM operation_items
     WHERE operation_id = $operation AND item IN (SELECT value FROM json_each($items))`,
    { operation, items: JSON.stringify(items) },
  );

/** Returns the items of an operation that items of its restore give back, each with the number of that one as `back`. */
export const listRestoredItems = (
  operation: number,
  backs: readonly number[],
): Promise<(OperationItemRow & { back: number })[]> =>
  select(
    `SELECT i.*, b.id AS back FROM json_each($backs) j
     CROSS JOIN operation_items b ON b.id = CAST(j.value AS INTEGER)
     CROSS JOIN operation_items i ON i.operation_id = $operation AND i.lock_kind = b.lock_kind
       AND i.lock_name = b.lock_name AND i.lock_part = b.lock_part`,
    { operation, backs: JSON.stringify(backs) },
  );

/** Returns those of the operations that have an item with something to restore. */
export const listTouchedOperations = (ids: readonly number[]): Promise<{ id: number }[]> =>
  select(
    `SELECT o.id FROM operations o WHERE o.id IN (SELECT CAST(value AS INTEGER) FROM json_each($ids)) AND EXISTS
       (SELECT 1 FROM operation_items i WHERE i.operation_id = o.id AND i.touched = 1)`,
    { ids: JSON.stringify(ids) },
  );

/** Returns the number of an operation's items by state; states without items are left out. */
export const countItemsByState = (operation: number): Promise<{ state: ItemState; n: number }[]> =>
  select('SELECT state, count(*) AS n FROM operation_items WHERE operation_id = $operation GROUP BY state', {
    operation,
  });

/** Returns the number of an operation's items with a difference that stays on purpose. */
export async function countStaying(operation: number): Promise<number> {
  const [row] = await select<{ n: number }>(
    `SELECT count(*) AS n FROM operation_items WHERE operation_id = $operation AND stays = 1`,
    { operation },
  );
  return row?.n ?? 0;
}

const STORED = [
  'state',
  'acts',
  'in_doubt',
  'touched',
  'stays',
  'attempt',
  'not_before',
  'error',
  'error_key',
  'waiting',
] as const;

async function update(
  items: readonly OperationItemRow[],
  fields: readonly (typeof STORED)[number][],
  changed_at: string | null,
): Promise<void> {
  const { columns } = operationItems;
  // Arrays, whose members are found faster than those of objects.
  const rows = items.map((item) => [item.id, ...fields.map((field) => item[field])]);
  const values = fields.map((field, index) => `${field} = ${memberOf('j.value', index + 1, columns[field])}`);
  await execute(
    `UPDATE operation_items AS i SET ${values.join(', ')}, changed_at = COALESCE($changed_at, changed_at)
     FROM json_each($rows) AS j WHERE i.id = ${memberOf('j.value', 0, columns.id)}`,
    { rows: JSON.stringify(rows), changed_at },
  );
}

/** Writes the state and the acts of items, by one statement. */
export const updateItems = (items: readonly OperationItemRow[]): Promise<void> => update(items, STORED, now());

/** Writes what is left of items that a restore gives back. When they were worked on stays: that is what the timeline tells. */
export const updateRestored = (items: readonly OperationItemRow[]): Promise<void> =>
  update(items, ['state', 'acts', 'in_doubt', 'touched', 'error', 'error_key'], null);
