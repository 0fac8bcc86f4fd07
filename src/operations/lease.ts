import { randomUUID } from 'node:crypto';
import type { OperationRow } from '../shared/operations/tables.ts';
import { execute, select, transaction } from '../../db/index.ts';
import { AppError, notFound } from '../shared/errors.ts';
import type { Message } from '../shared/i18n/index.ts';

// A holder that has not renewed its lease for this long counts as dead; a live one renews it every two seconds.
const LEASE_MS = 30_000;

/** SQL condition for operations that have not ended. */
export const RUNNING = `state IN ('queued', 'running')`;

/**
 * Id of this process run as the holder of leases. Random, because containers may share a host name and a process number: a
 * dead holder is recognised by the end of its lease alone.
 */
export const owner = randomUUID();

/** SQL for now, and for the end of a lease that is taken now. Leases go by the clock of the database. */
export const NOW = `strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`;
export const LEASE_END = `strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+${LEASE_MS / 1000} seconds')`;

/** A time so many hours ago, ISO in UTC. */
export const hoursAgo = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();

/** Makes the AppError `busy` that names the operation in the way. */
export const busy = (id: number): AppError => new AppError('busy', 'operation.busy', { id });

/** Returns the stored row. Throws `not_found`. */
export async function operationRow(id: number): Promise<OperationRow> {
  const [row] = await select<OperationRow>('SELECT * FROM operations WHERE id = $id', { id });
  if (!row) throw notFound();
  return row;
}

/** Reason to end work before all of it is done; null: it goes on. */
export type Ending = 'cancelled' | 'user_disabled' | null;

/**
 * Returns why an operation is to end early: it was cancelled, or its user is disabled, in whose name no work goes on. Called
 * inside a transaction, the answer still holds at its commit.
 */
export async function endingOf(id: number): Promise<Ending> {
  const [row] = await select<{ cancelled: 0 | 1; disabled: 0 | 1 }>(
    `SELECT o.cancel_requested AS cancelled, EXISTS (SELECT 1 FROM users u WHERE u.id = o.user_id AND u.active = 0) AS disabled
     FROM operations o WHERE o.id = $id`,
    { id },
  );
  if (row?.disabled === 1) return 'user_disabled';
  return row?.cancelled === 1 ? 'cancelled' : null;
}

/** Returns the message for work in the name of a disabled user; null if the user is active or there is none. */
export async function messageForDisabled(user_id: number | null): Promise<Message | null> {
  const [user] = await select<{ login: string }>('SELECT login FROM users WHERE id = $user_id AND active = 0', {
    user_id,
  });
  return user ? { key: 'operation.user_disabled', params: { login: user.login } } : null;
}

/** Throws `refused` (code `user_disabled`) if the user is disabled: no work is queued in his name. */
export async function refuseDisabled(user_id: number | null): Promise<void> {
  const said = await messageForDisabled(user_id);
  if (said) throw new AppError('refused', said.key, said.params, { code: 'user_disabled' });
}

/** Kinds of work by name. `urgent`: does not wait behind other work. `forgottenHours`: work unchanged for longer is not resumed. */
export type Kinds = ReadonlyMap<string, { urgent?: true; forgottenHours?: number }>;

/**
 * Returns the oldest work that nobody holds, urgent work first, or null. Work of a kind that is not in `kinds` is left to a
 * process that knows it.
 */
export async function nextQueued(
  kinds: Kinds,
  asked: { urgent: boolean; usual: boolean },
): Promise<{ id: number; urgent: boolean } | null> {
  const known = [...kinds].map(([kind, { urgent, forgottenHours }]) => ({
    kind,
    urgent: urgent ? 1 : 0,
    since: forgottenHours === undefined ? '' : hoursAgo(forgottenHours),
  }));
  const [row] = await select<{ id: number; urgent: 0 | 1 }>(
    `SELECT o.id, k.value ->> 'urgent' AS urgent FROM operations o JOIN json_each($kinds) k ON k.value ->> 'kind' = o.kind
     WHERE o.${RUNNING} AND (o.lease_until IS NULL OR o.lease_until < ${NOW}) AND iif(urgent, $urgent, $usual)
       AND o.changed_at >= k.value ->> 'since'
       AND (o.kind <> 'restore' OR o.input ->> 'kind' IN (SELECT value ->> 'kind' FROM json_each($kinds)))
     ORDER BY urgent DESC, o.id LIMIT 1`,
    { kinds: JSON.stringify(known), urgent: Number(asked.urgent), usual: Number(asked.usual) },
  );
  return row ? { id: row.id, urgent: row.urgent === 1 } : null;
}

/** Takes the lease and raises the fence, which refuses later commits of an earlier holder. Throws `busy` if held or ended, `not_found`. */
export async function claim(id: number): Promise<OperationRow> {
  return transaction(async () => {
    const taken = await execute(
      `UPDATE operations SET state = 'running', lease_owner = $owner, lease_until = ${LEASE_END}, fence = fence + 1,
         changed_at = ${NOW}
       WHERE id = $id AND ${RUNNING} AND (lease_until IS NULL OR lease_until < ${NOW} OR lease_owner = $owner)`,
      { id, owner },
    );
    const row = await operationRow(id);
    if (taken === 0) throw busy(id);
    return row;
  });
}

/**
 * Writes the row under its fence and renews the lease; with `final` releases it. Returns whether the work is still ours
 * (`held`) and whether it is to end early (`cancel`).
 */
export async function save(operation: OperationRow, final: boolean): Promise<{ held: boolean; cancel: boolean }> {
  return transaction(async () => {
    const changed = await execute(
      `UPDATE operations SET state = $state, total = $total, done = $done, failed = $failed, steps = $steps, message = $message,
         held = $held, waits_until = $waits, lease_owner = $owner, lease_until = iif($owner IS NULL, NULL, ${LEASE_END}), finished_at = $finished,
         changed_at = ${NOW}
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
        waits: operation.waits_until,
        owner: final ? null : owner,
        finished: operation.finished_at,
      },
    );
    return { held: changed > 0, cancel: (await endingOf(operation.id)) !== null };
  });
}
