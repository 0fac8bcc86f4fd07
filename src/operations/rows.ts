import { execute, select } from '../../db/index.ts';
import type { OperationRow } from '../shared/operations/tables.ts';

// A holder that has not renewed its lease for this long counts as dead; a live one renews it every two seconds.
const LEASE_MS = 30_000;

/** Condition for operations that have not ended. */
export const RUNNING = `state IN ('queued', 'running')`;

// Leases go by the clock of the database.
export const NOW = `strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`;
/** The end of a lease that begins now. */
export const LEASE_END = `strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+${LEASE_MS / 1000} seconds')`;

/** Condition for operations that nobody holds. */
export const FREE = `(lease_until IS NULL OR lease_until < ${NOW})`;

/** Condition for operations that a process goes on with by itself: no person has stopped them, or they are only to be ended. */
const GOES_ON = `(stopped = 0 OR cancel_requested = 1 OR user_id IN (SELECT id FROM users WHERE active = 0))`;

const leaseEnd = (owner: string | null): string => (owner === null ? 'NULL' : LEASE_END);

const now = (): string => new Date().toISOString();

/** Returns an operation; undefined: there is none. */
export async function findOperationRow(id: number): Promise<OperationRow | undefined> {
  const [row] = await select<OperationRow>('SELECT * FROM operations WHERE id = $id', { id });
  return row;
}

/** The id of an operation, and the hash of the request that it was made by. */
export type Requested = Pick<OperationRow, 'id' | 'subject' | 'request_hash'>;

/** Returns the operation of a kind with an idempotency key; undefined: there is none. */
export async function findRequested(kind: string, idem_key: string | null): Promise<Requested | undefined> {
  const [row] = await select<Requested>(
    'SELECT id, subject, request_hash FROM operations WHERE kind = $kind AND idem_key = $idem_key',
    { kind, idem_key },
  );
  return row;
}

/** Returns the operation of a kind and a subject that has not ended; undefined: there is none. */
export async function findRunning(kind: string, subject: string): Promise<Requested | undefined> {
  const [row] = await select<Requested>(
    `SELECT id, subject, request_hash FROM operations WHERE kind = $kind AND subject = $subject AND ${RUNNING}`,
    { kind, subject },
  );
  return row;
}

/** Whether an operation of a kind and one of these subjects has an item with an act that has come to anything, given back since or not. */
export async function hasBegunItem(kind: string, subjects: readonly string[]): Promise<boolean> {
  const [row] = await select(
    `SELECT 1 FROM operations o CROSS JOIN operation_items i
     WHERE i.operation_id = o.id AND o.kind = $kind AND i.acts <> '[]' AND o.subject IN (SELECT value FROM json_each($subjects)) LIMIT 1`,
    { kind, subjects: JSON.stringify(subjects) },
  );
  return row !== undefined;
}

/** The columns of a new operation; its times and its state are set by `insertOperation`. */
export type NewOperation = Pick<
  OperationRow,
  | 'kind'
  | 'subject'
  | 'user_id'
  | 'input'
  | 'total'
  | 'message'
  | 'lease_owner'
  | 'idem_key'
  | 'request_hash'
  | 'asked_by'
  | 'restored_kind'
  | 'request_id'
  | 'trace'
>;

/** Inserts a queued operation and returns its id. With a `lease_owner` its lease begins. */
export async function insertOperation(values: NewOperation): Promise<number> {
  const [row] = await select<{ id: number }>(
    `INSERT INTO operations (kind, subject, user_id, input, state, total, steps, message, lease_owner, lease_until,
       created_at, changed_at, idem_key, request_hash, asked_by, restored_kind, request_id, trace)
     VALUES ($kind, $subject, $user_id, $input, 'queued', $total, '[]', $message, $lease_owner,
       ${leaseEnd(values.lease_owner)}, $now, $now, $idem_key, $request_hash, $asked_by, $restored_kind, $request_id, $trace)
     RETURNING id`,
    { ...values, now: now() },
  );
  return row?.id ?? 0;
}

/** Requests the cancellation of an operation that has not ended. Returns the number of operations: 1 or 0. */
export const requestCancellation = (id: number): Promise<number> =>
  execute(`UPDATE operations SET cancel_requested = 1, changed_at = $now WHERE id = $id AND ${RUNNING}`, {
    id,
    now: now(),
  });

/** Ends an operation that no process has ever begun. Returns the number of operations: 1 or 0. */
export const endNotBegun = (id: number, state: 'succeeded' | 'cancelled', message: string): Promise<number> =>
  execute(
    `UPDATE operations SET state = $state, message = $message, finished_at = $now, lease_owner = NULL, lease_until = NULL
     WHERE id = $id AND state = 'queued' AND fence = 0 AND lease_owner IS NULL`,
    { id, state, message, now: now() },
  );

const FORGOTTEN = `kind = $kind AND ${RUNNING} AND changed_at < $since AND ${FREE}`;

/** Whether `endForgottenRows` would end an operation. */
export const hasForgotten = async (kind: string, since: string): Promise<boolean> =>
  (await select(`SELECT 1 FROM operations WHERE ${FORGOTTEN} LIMIT 1`, { kind, since })).length > 0;

/** Ends as cancelled every operation of a kind that nobody holds and that has not changed since, and returns them. Raises their fences. */
export const endForgottenRows = (kind: string, since: string, message: string): Promise<OperationRow[]> =>
  select(
    `UPDATE operations SET state = 'cancelled', message = $message, finished_at = $now, changed_at = $now,
       lease_owner = NULL, lease_until = NULL, fence = fence + 1 WHERE ${FORGOTTEN} RETURNING *`,
    { kind, since, message, now: now() },
  );

/** Puts an operation back into the queue, for the request that asks for it now. With an `owner` its lease begins. */
export async function requeueOperation(
  id: number,
  owner: string | null,
  asked: Pick<OperationRow, 'request_id' | 'trace'>,
): Promise<void> {
  await execute(
    `UPDATE operations SET state = 'queued', steps = '[]', finished_at = NULL, cancel_requested = 0, stopped = 0, changed_at = $now,
       tries = tries + 1, request_id = COALESCE($request_id, request_id), trace = COALESCE($trace, trace),
       lease_owner = $owner, lease_until = ${leaseEnd(owner)} WHERE id = $id`,
    { id, now: now(), owner, ...asked },
  );
}

/** Returns whether an operation's cancellation was requested, and whether its user is disabled; undefined: there is none. */
export async function findEnding(id: number): Promise<{ cancelled: 0 | 1; disabled: 0 | 1 } | undefined> {
  const [row] = await select<{ cancelled: 0 | 1; disabled: 0 | 1 }>(
    `SELECT o.cancel_requested AS cancelled,
       CASE WHEN EXISTS (SELECT 1 FROM users u WHERE u.id = o.user_id AND u.active = 0) THEN 1 ELSE 0 END AS disabled
     FROM operations o WHERE o.id = $id`,
    { id },
  );
  return row;
}

/** Returns the login of a user; undefined: there is none. */
export async function findLogin(id: number): Promise<string | undefined> {
  const [user] = await select<{ login: string }>('SELECT login FROM users WHERE id = $id', { id });
  return user?.login;
}

/** Returns the login of a user who is disabled; undefined: the user is active, or there is none. */
export async function findDisabledLogin(user_id: number | null): Promise<string | undefined> {
  const [user] = await select<{ login: string }>('SELECT login FROM users WHERE id = $user_id AND active = 0', {
    user_id,
  });
  return user?.login;
}

/** A class of work with a concurrency limit of its own: work waits only for work of the same room. */
export const ROOMS = ['urgent', 'usual', 'slow'] as const;
export type Room = (typeof ROOMS)[number];

/** Where work waits for a place: cancelled work, which is only to be ended, waits for no other. */
export const WAITS = [...ROOMS, 'ending'] as const;
export type Wait = (typeof WAITS)[number];

const WAIT = `CASE WHEN o.cancel_requested = 1 THEN 'ending' ELSE k.value ->> 'room' END`;

/** A kind of work that a process knows. Work that has not changed since `since` is not resumed; '': any is. */
export interface KnownKind {
  kind: string;
  room: Room;
  since: string;
}

/** Work that nobody holds. */
export type NextQueued = Pick<OperationRow, 'id' | 'request_id'> & { room: Wait };

/**
 * Returns the oldest work of the kinds, for one of the rooms, that nobody holds, urgent and cancelled work first, and none of `but`, or `id` alone; undefined:
 * there is none.
 */
export async function findNextQueued(
  kinds: readonly KnownKind[],
  rooms: readonly Wait[],
  { id = null, but = [] }: { id?: number | null; but?: readonly number[] } = {},
): Promise<NextQueued | undefined> {
  const [row] = await select<NextQueued>(
    `SELECT o.id, ${WAIT} AS room, o.request_id FROM operations o JOIN json_each($kinds) k ON k.value ->> 'kind' = o.kind
     WHERE ($id IS NULL OR o.id = $id) AND o.id NOT IN (SELECT CAST(value AS INTEGER) FROM json_each($but)) AND o.${RUNNING} AND ${FREE} AND ${GOES_ON} AND ${WAIT} IN (SELECT value FROM json_each($rooms))
       AND o.changed_at >= k.value ->> 'since'
       AND (o.restored_kind IS NULL OR o.restored_kind IN (SELECT value ->> 'kind' FROM json_each($kinds)))
     ORDER BY CASE WHEN ${WAIT} IN ('urgent', 'ending') THEN 0 ELSE 1 END, o.id LIMIT 1`,
    { id, but: JSON.stringify(but), kinds: JSON.stringify(kinds), rooms: JSON.stringify(rooms) },
  );
  return row;
}

/** How an operation is claimed. `isOurs`: the owner may hold it already, since it was queued; `byPerson`: a person goes on with it. */
export interface Claim {
  isOurs: boolean;
  byPerson: boolean;
}

/**
 * Takes the lease of an operation that has not ended and that nobody holds, and raises its fence above all others. Work that a person has
 * stopped is taken by a person alone, unless it is only to be ended. Returns 1 or 0.
 */
export const takeLease = (id: number, owner: string, { isOurs, byPerson }: Claim): Promise<number> =>
  execute(
    `UPDATE operations SET state = 'running', lease_owner = $owner, lease_until = ${LEASE_END},
       fence = (SELECT max(fence) + 1 FROM operations), stopped = 0, changed_at = ${NOW}
     WHERE id = $id AND ${RUNNING} AND (${FREE}${isOurs ? ' OR lease_owner = $owner' : ''})${byPerson ? '' : ` AND ${GOES_ON}`}`,
    { id, owner },
  );

/** Writes an operation under its fence and renews its lease, or ends it where `owner` is null. Returns 1, or 0 where the fence has moved on. */
export const updateHeld = (operation: OperationRow, owner: string | null): Promise<number> =>
  execute(
    `UPDATE operations SET state = $state, total = $total, done = $done, failed = $failed, steps = $steps, message = $message,
       held = $held, waits_until = $waits_until, lease_owner = $owner, lease_until = ${leaseEnd(owner)},
       finished_at = $finished_at, stopped = $stopped, changed_at = ${NOW}
     WHERE id = $id AND fence = $fence`,
    {
      id: operation.id,
      fence: operation.fence,
      state: operation.state,
      total: operation.total,
      done: operation.done,
      failed: operation.failed,
      steps: operation.steps,
      message: operation.message,
      held: operation.held,
      waits_until: operation.waits_until,
      owner,
      finished_at: operation.finished_at,
      stopped: operation.stopped,
    },
  );

/** Notes that what is seen of an operation has changed, though it has ended. */
export const touchOperation = (id: number): Promise<number> =>
  execute('UPDATE operations SET changed_at = $now WHERE id = $id', { id, now: now() });

/** Whether an operation's fence is still this one. */
export const isHeld = async ({ id, fence }: Pick<OperationRow, 'id' | 'fence'>): Promise<boolean> =>
  (await select('SELECT 1 FROM operations WHERE id = $id AND fence = $fence', { id, fence })).length > 0;
