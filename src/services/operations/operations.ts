import type { OperationItemRow, OperationRow } from '../../shared/operations/tables.ts';
import { redact, redactValue } from '../../lib/redact.ts';
import { storageWait } from '../../lib/waits.ts';
import { canRestore } from '../../operations/engine.ts';
import { owner as holder } from '../../operations/lease.ts';
import { cancelOperation, requeue } from '../../operations/queue.ts';
import { isTouched } from '../../operations/notes.ts';
import { startRestore } from '../../operations/restore.ts';
import { listTouchedOperations } from '../../operations/item-rows.ts';
import type { ListOf } from '../../shared/lists.ts';
import { AppError, notFound } from '../../shared/errors.ts';
import type { Message } from '../../shared/i18n/index.ts';
import {
  isFinal,
  type Held,
  type ItemState,
  type ItemTally,
  type OperationItemView,
  type OperationState,
  type OperationView,
  type StoredAct,
  type StoredStep,
  type StoredWait,
} from '../../shared/operations.ts';
import type { Actor } from '../access/scope.ts';
import {
  countFailed,
  countItemsIn,
  countItemsOf,
  countOperations,
  findOwnOperation,
  listCurrentOperations,
  listItemsPart,
  listOperationRows,
  listOperationsByIds,
  listWaits,
  type Order,
} from './rows.ts';

const MOST = 200;

// More rows than any list has.
const EVERY = 1_000_000_000;

/** Which part of a list is asked for; `sort` is a field or `-field`. */
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

const NO_ITEMS: ItemTally = { done: 0, noop: 0, failed: 0, cancelled: 0, queued: 0 };

async function talliesOf(ids: number[]): Promise<Map<number, ItemTally>> {
  const rows = await countItemsOf(ids);
  const tallies = new Map<number, ItemTally>();
  for (const { id, state, n } of rows) {
    const tally = tallies.get(id) ?? { ...NO_ITEMS };
    // An item that was begun has not ended: it is shown as queued.
    tally[state === 'intent' ? 'queued' : state] += n;
    tallies.set(id, tally);
  }
  return tallies;
}

/** Returns those of the operations that may have changed something, even if no item was finished. */
async function withActs(ids: number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await listTouchedOperations(ids);
  return new Set(rows.map(({ id }) => id));
}

/** Returns what operations wait for now, by id: a transfer for a certificate, for example. */
async function waitsOf(ids: number[]): Promise<Map<number, Message>> {
  if (ids.length === 0) return new Map();
  const rows = await listWaits(ids);
  return new Map(rows.map(({ id, waiting }) => [id, (JSON.parse(waiting) as StoredWait).said]));
}

/**
 * Returns the message until when an operation waits for the limit of a service, by this machine's clock; null: it does
 * not.
 */
export const limitOf = ({ state, waits_until }: Pick<OperationRow, 'state' | 'waits_until'>): Message | null =>
  waits_until === null || isFinal(state)
    ? null
    : { key: 'operation.waits_until', params: { time: new Date(waits_until).toTimeString().slice(0, 5) } };

/** Returns why an operation that runs in this process waits for our own database, or null. */
const storageOf = ({ state, lease_owner }: OperationRow): Message | null =>
  state === 'running' && lease_owner === holder ? storageWait() : null;

/** Returns operations as doors show them. */
async function viewsOf(rows: OperationRow[]): Promise<OperationView<Message>[]> {
  const tallies = await talliesOf(rows.map(({ id }) => id));
  const ended = rows.filter(({ id, kind, state }) => isFinal(state) && canRestore(kind) && tallies.has(id));
  const touched = await withActs(ended.map(({ id }) => id));
  const waits = await waitsOf(rows.filter(({ state }) => !isFinal(state)).map(({ id }) => id));
  return rows.map((row) => {
    const counts = tallies.get(row.id) ?? NO_ITEMS;
    const hasEnded = isFinal(row.state);
    return {
      id: row.id,
      kind: row.kind,
      state: row.state,
      total: row.total,
      done: row.done,
      failed: row.failed,
      steps: (JSON.parse(row.steps) as StoredStep[]).map(({ name, state, error }) =>
        error ? { name, state, error } : { name, state },
      ),
      message: storageOf(row) ?? waits.get(row.id) ?? limitOf(row) ?? (JSON.parse(row.message) as Message),
      held: row.held ? (JSON.parse(row.held) as Held) : null,
      counts,
      restorable: touched.has(row.id),
      retryable: hasEnded && counts.failed + counts.cancelled + counts.queued > 0,
      cancellable: !hasEnded && row.cancel_requested === 0,
      waits_until: hasEnded ? null : row.waits_until,
      created_at: row.created_at,
      finished_at: row.finished_at,
    };
  });
}

/** Returns an operation as doors show it. */
export async function viewOf(row: OperationRow): Promise<OperationView<Message>> {
  const [view] = await viewsOf([row]);
  return view as OperationView<Message>;
}

const SORTS: readonly Order['field'][] = ['id', 'kind', 'state', 'created_at', 'finished_at'];

function orderOf(sort: string | undefined): Order {
  if (!sort) return { field: 'id', descending: true };
  const field = SORTS.find((name) => name === sort.replace(/^-/, ''));
  if (!field) {
    throw new AppError('invalid', 'error.invalid', { fields: 'sort' }, { fields: { sort: 'error.invalid_value' } });
  }
  return { field, descending: sort.startsWith('-') };
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
  const rows = await listOperationRows(actor, selected, orderOf(sort), part);
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
  const part = { limit: limit ?? EVERY, offset: offset ?? 0 };
  const [rows, total] = await Promise.all([listItemsPart(id, state ?? null, part), countItemsIn(id, state ?? null)]);
  return { data: rows.map((row) => itemView(row)), total };
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

/**
 * Requests the cancellation of an operation of the caller's. Throws AppError `not_found`, or `conflict` where it has
 * ended.
 */
export async function cancelOwn(actor: Actor, id: number): Promise<void> {
  await findOperation(actor, id);
  await cancelOperation(id);
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
 * exchanged. Throws AppError `not_found`, `conflict` where there is nothing to restore.
 */
export async function restorePlan(actor: Actor, id: number): Promise<OperationItemView<Message>[]> {
  const { kind, state } = await findOperation(actor, id);
  const { data } = await listItems(actor, id);
  const items = data.toReversed().flatMap((item) => {
    const acts = item.acts.filter(isTouched).toReversed();
    return acts.length === 0
      ? []
      : [
          {
            ...item,
            acts: acts.map(({ name, state, before, after }) => ({ name, state, before: after, after: before })),
          },
        ];
  });
  if (!isFinal(state) || !canRestore(kind) || items.length === 0) {
    throw new AppError('conflict', 'operation.nothing_to_restore');
  }
  return items;
}
