import type { OperationItemRow, OperationRow } from '../../shared/operations/tables.ts';
import { redact, redactValue } from '../../lib/redact.ts';
import { canRestore, flowOf } from '../../operations/engine.ts';
import { itemOf } from '../../operations/flow.ts';
import { listTouchedItems } from '../../operations/item-rows.ts';
import { busyWith } from '../../operations/lease.ts';
import { cancelOperation, requeue } from '../../operations/queue.ts';
import { endUnheld } from '../../operations/unheld.ts';
import { isTouched } from '../../operations/notes.ts';
import { CANCELLED } from '../../operations/rollback.ts';
import { startRestore } from '../../operations/restore.ts';
import { parseSort, type ListOf } from '../../shared/lists.ts';
import { AppError, notFound } from '../../shared/errors.ts';
import type { Message } from '../../shared/i18n/index.ts';
import {
  isFinal,
  type ItemState,
  type OperationItemView,
  type OperationState,
  type OperationView,
  type StoredAct,
} from '../../shared/operations.ts';
import type { Actor } from '../access/scope.ts';
import {
  countFailed,
  countItemsIn,
  countOperations,
  findOwnOperation,
  listCurrentOperations,
  listItemsPart,
  listOperationRows,
  listOperationsByIds,
  SORTS,
} from './rows.ts';
import { viewsOf } from './operation-views.ts';

const MOST = 200;

// So many items are read and shown at once; whatever else waits has its turn in between.
const ITEMS_AT_ONCE = 1_000;

/** The wanted part of a list; `sort` is a field or `-field`. */
export interface Page {
  limit?: number | undefined;
  offset?: number | undefined;
  sort?: string | undefined;
}

/** Filters of the list of operations. */
export interface OperationSelection {
  state?: OperationState | undefined;
  kind?: string | undefined;
}

/**
 * Returns operations, newest first unless `sort` says otherwise; an admin's are everybody's, a user's their own.
 * Without `limit` 200 at most. Throws AppError `invalid` for an unknown `sort`.
 */
export async function listOperations(
  actor: Actor,
  { state, kind }: OperationSelection = {},
  { limit, offset, sort }: Page = {},
): Promise<ListOf<OperationView<Message>>> {
  const selected = { state: state ?? null, kind: kind ?? null };
  const part = { limit: limit ?? MOST, offset: offset ?? 0 };
  const rows = await listOperationRows(actor, selected, parseSort(sort || '-id', SORTS), part);
  const data = await viewsOf(rows);
  if (limit === undefined) return { data };
  return { data, total: await countOperations(actor, selected) };
}

/** Returns those of the operations that the caller may see, in the order of their changes. */
export async function operationsOf(actor: Actor, ids: number[]): Promise<OperationView<Message>[]> {
  return viewsOf(await listOperationsByIds(actor, ids));
}

/** Returns the caller's operations that are under way or have changed since `since` (ISO 8601), 200 at most. */
export async function currentOperations(actor: Actor, since?: string): Promise<OperationView<Message>[]> {
  const rows = await listCurrentOperations(actor, since ?? '~', MOST);
  return viewsOf(rows.toReversed());
}

/** Returns an operation's row: the caller's own, or any for an admin. Throws AppError `not_found`. */
export async function findOperation(actor: Actor, id: number): Promise<OperationRow> {
  const row = await findOwnOperation(actor, id);
  if (!row) throw notFound();
  return row;
}

const itemView = (row: OperationItemRow): OperationItemView<Message> => ({
  id: row.id,
  item: redact(row.item),
  lane: redact(row.lane),
  state: row.state,
  error: row.error ? (JSON.parse(row.error) as Message) : null,
  acts: redactValue(JSON.parse(row.acts)) as StoredAct[],
  changed_at: row.changed_at,
});

/**
 * Returns the items of an operation, in the order in which they were queued, with what was done to each. Throws
 * AppError `not_found`.
 */
export async function listItems(
  actor: Actor,
  id: number,
  { state, limit, offset }: Page & { state?: ItemState | undefined } = {},
): Promise<Required<ListOf<OperationItemView<Message>>>> {
  await findOperation(actor, id);
  const wanted = limit ?? Infinity;
  const data: OperationItemView<Message>[] = [];
  for (;;) {
    const most = Math.min(ITEMS_AT_ONCE, wanted - data.length);
    const last = data.at(-1);
    const part = { limit: most, offset: last ? 0 : (offset ?? 0) };
    const rows = await listItemsPart(id, state ?? null, part, last?.id);
    for (const row of rows) data.push(itemView(row));
    if (rows.length < most || data.length >= wanted) break;
  }
  return { data, total: await countItemsIn(id, state ?? null) };
}

/** The errors of an outside service that was away or limited. */
const AWAY = ['provider.unavailable', 'provider.malformed', 'provider.rate_limited'];

/**
 * Whether all failed items of an operation failed because an outside service was away or limited: a later try may
 * succeed.
 */
export async function failedForAway(id: number): Promise<boolean> {
  const { failed, among } = await countFailed(id, AWAY);
  return failed > 0 && failed === among;
}

/** Whether a cancelled operation has an item that has failed by more than the cancellation. */
export async function hasTroubled(id: number): Promise<boolean> {
  const { failed, among } = await countFailed(id, CANCELLED);
  return failed > among;
}

/**
 * Requests the cancellation of an operation of the caller's. It ends at once where nobody holds it and nothing of it is in doubt; `isLeft`: nobody
 * holds it, but its acts are still to be looked up or given back. Throws AppError `not_found`, or `conflict` where it has
 * ended.
 */
export async function cancelOwn(actor: Actor, id: number): Promise<{ isLeft: boolean }> {
  await findOperation(actor, id);
  await cancelOperation(id);
  return { isLeft: !(await endUnheld(id)) };
}

/**
 * Queues the failed and remaining items of an operation again and returns their number; with `here` for this process to
 * run.
 */
export async function retryOwn(actor: Actor, id: number, here = false): Promise<number> {
  await findOperation(actor, id);
  return requeue(id, here);
}

/** Queues an operation that restores what was there before; with `here` for this process to run. */
export async function restoreOwn(
  actor: Actor,
  id: number,
  here = false,
  idem_key?: string,
): Promise<{ id: number; started: boolean }> {
  await findOperation(actor, id);
  return startRestore(actor.id, id, here, idem_key);
}

/**
 * Returns what restoring would do: the items with done acts, the last first, each act with `before` and `after`
 * exchanged; an item of what is no longer the actor's has no acts, and the reason as its error. Throws AppError `not_found`, `busy` while it runs, `conflict` where there is nothing to restore.
 */
export async function restorePlan(actor: Actor, id: number): Promise<OperationItemView<Message>[]> {
  const { kind, state } = await findOperation(actor, id);
  if (!isFinal(state)) throw await busyWith(id);
  const rows = await listTouchedItems(id);
  if (!canRestore(kind) || rows.length === 0) {
    throw new AppError('conflict', 'operation.nothing_to_restore');
  }
  const refused = await flowOf(kind).items?.refused?.(rows.map((row) => itemOf(row, actor.id)));
  return rows.map((row) => {
    const item = itemView(row);
    const error = refused?.get(row.item);
    if (error) return Object.assign(item, { error, acts: [] });
    const acts = item.acts.filter(isTouched).toReversed();
    return Object.assign(item, {
      acts: acts.map(({ name, state, before, after }) => ({ name, state, before: after, after: before })),
    });
  });
}
