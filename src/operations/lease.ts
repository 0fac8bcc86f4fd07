import { randomUUID } from 'node:crypto';
import { execute, select, transaction } from '../../db/index.ts';
import { AppError, notFound } from '../shared/errors.ts';
import type { Said } from '../shared/i18n/index.ts';
import type { OperationRow } from '../shared/operations.ts';

// A process that died is taken for dead after this; one that lives says so every two seconds.
const LEASE_MS = 30_000;

/** The condition for work that has not ended. */
export const RUNNING = `state IN ('queued', 'running')`;

/**
 * This run of this process, as a holder. It says nothing of where that is: containers may share a host name and a process
 * number, so a holder that is gone is known by its time alone.
 */
export const owner = randomUUID();

/** Now, and the end of a lease that is taken now, by the clock with which leases are compared: that of the database. */
export const NOW = `strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`;
export const LEASE_END = `strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+${LEASE_MS / 1000} seconds')`;

/** A time so many hours ago, ISO in UTC. */
export const hoursAgo = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();

/** The refusal of what another operation has in its hands. */
export const busy = (id: number): AppError => new AppError('busy', 'operation.busy', { id });

/** The stored row. Throws `not_found`. */
export async function operationRow(id: number): Promise<OperationRow> {
  const [row] = await select<OperationRow>('SELECT * FROM operations WHERE id = $id', { id });
  if (!row) throw notFound();
  return row;
}

/** Why work is to end before all of it is done; null: it is to go on. */
export type Ending = 'cancelled' | 'user_disabled' | null;

/**
 * Whether an operation is to be given up: somebody has cancelled it, or its user may not sign in any more, in whose name nothing
 * goes on. Asked inside the transaction of a commit, it says how things stand at that commit.
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

/** What is said of work, and to whoever asks for some, in the name of a user who is disabled; null where he is not. */
export async function saidOfDisabled(user_id: number | null): Promise<Said | null> {
  const [user] = await select<{ login: string }>('SELECT login FROM users WHERE id = $user_id AND active = 0', {
    user_id,
  });
  return user ? { key: 'operation.user_disabled', params: { login: user.login } } : null;
}

/** Throws `refused` where a user is disabled: no work is queued in his name. */
export async function refuseDisabled(user_id: number | null): Promise<void> {
  const said = await saidOfDisabled(user_id);
  if (said) throw new AppError('refused', said.key, said.params, { code: 'user_disabled' });
}

/** Kinds of work by name: whether they wait behind no other, and after how many hours interrupted work is forgotten. */
export type Kinds = ReadonlyMap<string, { urgent?: true; forgottenHours?: number }>;

/**
 * The oldest work that nobody holds, or null: what is urgent first, where both are asked for. Work of other `kinds` is left to a
 * process that knows them.
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

/** Takes the work over: from then on commits of an earlier holder are refused by the fence. Throws `busy`. */
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
 * Writes what changed under the fence; with `final` it lets go of the work. Tells whether the work is still ours
 * (`held`) and whether it is to be given up.
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
