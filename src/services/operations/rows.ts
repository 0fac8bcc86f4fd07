import { execute, select } from '../../../db/index.ts';
import type { Order } from '../../shared/lists.ts';
import type { ItemState, OperationState } from '../../shared/operations.ts';
import type { OperationItemRow, OperationRow, PlanRow } from '../../shared/operations/tables.ts';
import { bindings, OWN, type Actor } from '../access/scope.ts';

/** A part of a list. */
export interface Part {
  limit: number;
  offset: number;
}

/** Filters of operations; null: any. */
export interface Selected {
  state: OperationState | null;
  kind: string | null;
}

interface Condition {
  sql: string;
  bind: Record<string, unknown>;
}

function ownOperations(actor: Actor, selected: Selected): Condition {
  const { state, kind } = selected;
  const conditions = [
    OWN.operations(actor),
    ...(state === null ? [] : ['o.state = $state']),
    ...(kind === null ? [] : ['o.kind = $kind']),
  ];
  const bind = { ...bindings(actor), ...(state !== null && { state }), ...(kind !== null && { kind }) };
  return { sql: conditions.join(' AND '), bind };
}

/** The fields that operations are sorted by. */
export const SORTS = ['id', 'kind', 'state', 'created_at', 'finished_at'] as const;

/** Returns a part of the operations of an actor's; ties are ordered by id, newest first. */
export function listOperationRows(
  actor: Actor,
  selected: Selected,
  { field, descending }: Order<(typeof SORTS)[number]>,
  part: Part,
): Promise<OperationRow[]> {
  const { sql, bind } = ownOperations(actor, selected);
  // An open operation sorts before all times; without a NULLS clause SQLite and PostgreSQL differ.
  const ends = field === 'finished_at' ? (descending ? 'NULLS LAST' : 'NULLS FIRST') : '';
  const order = `o.${field} ${descending ? 'DESC' : 'ASC'} ${ends}, o.id DESC`;
  return select(`SELECT o.* FROM operations o WHERE ${sql} ORDER BY ${order} LIMIT $limit OFFSET $offset`, {
    ...bind,
    ...part,
  });
}

/** Returns the number of an actor's operations. */
export async function countOperations(actor: Actor, selected: Selected): Promise<number> {
  const { sql, bind } = ownOperations(actor, selected);
  const [row] = await select<{ n: number }>(`SELECT count(*) AS n FROM operations o WHERE ${sql}`, bind);
  return row?.n ?? 0;
}

/** Returns those of the operations that are an actor's, in the order of their changes. */
export const listOperationsByIds = (actor: Actor, ids: readonly number[]): Promise<OperationRow[]> =>
  select(
    `SELECT o.* FROM operations o WHERE ${OWN.operations(actor)} AND o.id IN (SELECT CAST(value AS INTEGER) FROM json_each($ids))
     ORDER BY o.changed_at, o.id`,
    { ...bindings(actor), ids: JSON.stringify(ids) },
  );

/** Returns an actor's operations that have not ended or have changed since a time, newest change first. */
export const listCurrentOperations = (actor: Actor, since: string, limit: number): Promise<OperationRow[]> =>
  select(
    `SELECT o.* FROM operations o WHERE ${OWN.operations(actor)}
       AND (o.state IN ('queued', 'running') OR o.changed_at >= $since)
     ORDER BY o.changed_at DESC, o.id DESC LIMIT $limit`,
    { ...bindings(actor), since, limit },
  );

/** Returns an operation of an actor's; undefined: there is none. */
export async function findOwnOperation(actor: Actor, id: number): Promise<OperationRow | undefined> {
  const [row] = await select<OperationRow>(
    `SELECT o.* FROM operations o WHERE o.id = $id AND ${OWN.operations(actor)}`,
    { id, ...bindings(actor) },
  );
  return row;
}

/** Returns the number of items of each of the operations by state; states without items are left out. */
export const countItemsOf = (ids: readonly number[]): Promise<{ id: number; state: ItemState; n: number }[]> =>
  select(
    `SELECT operation_id AS id, state, count(*) AS n FROM operation_items
     WHERE operation_id IN (SELECT CAST(value AS INTEGER) FROM json_each($ids)) GROUP BY operation_id, state`,
    { ids: JSON.stringify(ids) },
  );

/** Returns why the first failed item of each of the operations has failed, as a message in JSON. */
export const listFirstErrors = (ids: readonly number[]): Promise<{ id: number; error: string }[]> =>
  select(
    `SELECT operation_id AS id, error FROM operation_items WHERE id IN (SELECT min(id) FROM operation_items
     WHERE operation_id IN (SELECT CAST(value AS INTEGER) FROM json_each($ids)) AND state = 'failed' AND error IS NOT NULL
     GROUP BY operation_id)`,
    { ids: JSON.stringify(ids) },
  );

/** Returns what the items of the operations wait for, newest item first. */
export const listWaits = (ids: readonly number[]): Promise<{ id: number; waiting: string }[]> =>
  select(
    `SELECT operation_id AS id, waiting FROM operation_items WHERE operation_id IN (SELECT CAST(value AS INTEGER) FROM json_each($ids))
       AND state IN ('queued', 'intent') AND waiting IS NOT NULL ORDER BY id DESC`,
    { ids: JSON.stringify(ids) },
  );

function itemsOf(operation: number, state: ItemState | null): Condition {
  return state === null
    ? { sql: 'operation_id = $operation', bind: { operation } }
    : { sql: 'operation_id = $operation AND state = $state', bind: { operation, state } };
}

/** Returns a part of an operation's items, of one state or all, in the order in which they were queued; those after an item. */
export function listItemsPart(
  operation: number,
  state: ItemState | null,
  part: Part,
  after = 0,
): Promise<OperationItemRow[]> {
  const { sql, bind } = itemsOf(operation, state);
  return select(`SELECT * FROM operation_items WHERE ${sql} AND id > $after ORDER BY id LIMIT $limit OFFSET $offset`, {
    ...bind,
    ...part,
    after,
  });
}

/** Returns the number of an operation's items, of one state or all. */
export async function countItemsIn(operation: number, state: ItemState | null): Promise<number> {
  const { sql, bind } = itemsOf(operation, state);
  const [row] = await select<{ n: number }>(`SELECT count(*) AS n FROM operation_items WHERE ${sql}`, bind);
  return row?.n ?? 0;
}

/** Returns the number of an operation's failed items, and of those whose error has one of the keys (`among`). */
export async function countFailed(
  operation: number,
  keys: readonly string[],
): Promise<{ failed: number; among: number }> {
  const [row] = await select<{ failed: number; among: number }>(
    `SELECT count(*) AS failed,
       count(*) FILTER (WHERE error_key IN (SELECT value FROM json_each($keys))) AS among
     FROM operation_items WHERE operation_id = $operation AND state = 'failed'`,
    { operation, keys: JSON.stringify(keys) },
  );
  return row ?? { failed: 0, among: 0 };
}

/** Returns the error of a failed item of an operation, '{}' where it has none; undefined: no item failed. */
export async function findFailure(operation: number): Promise<string | undefined> {
  const [row] = await select<Pick<OperationItemRow, 'error'>>(
    `SELECT error FROM operation_items WHERE operation_id = $operation AND state = 'failed' LIMIT 1`,
    { operation },
  );
  return row && (row.error ?? '{}');
}

/** Inserts a plan, or replaces the one of the same hash. */
export async function upsertPlan(values: Omit<PlanRow, 'id'>): Promise<void> {
  await execute(
    `INSERT INTO plans (hash, items, created_at) VALUES ($hash, $items, $created_at)
     ON CONFLICT (hash) DO UPDATE SET items = excluded.items, created_at = excluded.created_at`,
    values,
  );
}

/** Returns the items of the plan of a hash as JSON; undefined: there is none. */
export async function findPlanItems(hash: string): Promise<string | undefined> {
  const [row] = await select<Pick<PlanRow, 'items'>>('SELECT items FROM plans WHERE hash = $hash', { hash });
  return row?.items;
}

/** Deletes the plan of a hash. */
export async function deletePlan(hash: string): Promise<void> {
  await execute('DELETE FROM plans WHERE hash = $hash', { hash });
}

/** Deletes the plans that were stored before a time. */
export async function deletePlansBefore(before: string): Promise<void> {
  await execute('DELETE FROM plans WHERE created_at < $before', { before });
}
