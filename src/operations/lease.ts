import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { execute, select, transaction } from '../../db/index.ts';
import { AppError, notFound } from '../shared/errors.ts';
import type { OperationRow } from '../shared/operations.ts';

// A process that died is taken for dead after this; one that lives says so three times as often.
const LEASE_MS = 30_000;

/** The condition for work that has not ended. */
export const RUNNING = `state IN ('queued', 'running')`;

/** This run of this process, as a holder: host/pid/run. One on this host whose process is gone is dead at once. */
export const owner = `${hostname()}/${process.pid}/${randomUUID()}`;

const now = (): string => new Date().toISOString();

/** Until when work that is taken now is held. */
export const leaseEnd = (): string => new Date(Date.now() + LEASE_MS).toISOString();

/** The refusal of what another operation has in its hands. */
export const busy = (id: number): AppError => new AppError('busy', 'operation.busy', { id });

/** The stored row. Throws `not_found`. */
export async function operationRow(id: number): Promise<OperationRow> {
  const [row] = await select<OperationRow>('SELECT * FROM operations WHERE id = $id', { id });
  if (!row) throw notFound();
  return row;
}

function isDead(holder: string): boolean {
  const [host, pid] = holder.split('/');
  if (holder === owner || host !== hostname()) return false;
  // The number is ours and the run is not: who had it before us in this place is gone.
  if (Number(pid) === process.pid) return true;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** Takes the lease from processes of this host that are gone, so that their work goes on now and not in half a minute. */
async function freeTheDead(): Promise<void> {
  const holders = await select<{ lease_owner: string }>(
    `SELECT DISTINCT lease_owner FROM operations WHERE ${RUNNING} AND lease_owner IS NOT NULL AND lease_until >= $now`,
    { now: now() },
  );
  const dead = holders.map(({ lease_owner }) => lease_owner).filter(isDead);
  if (dead.length === 0) return;
  await transaction(() =>
    execute(
      `UPDATE operations SET lease_until = NULL
       WHERE ${RUNNING} AND lease_owner IN (SELECT value FROM json_each($dead))`,
      { dead: JSON.stringify(dead) },
    ),
  );
}

/** The oldest work that nobody holds, or null: what is urgent first, where both are asked for. */
export async function nextQueued(
  urgentKinds: string[],
  asked: { urgent: boolean; usual: boolean },
): Promise<{ id: number; urgent: boolean } | null> {
  await freeTheDead();
  const [row] = await select<{ id: number; urgent: 0 | 1 }>(
    `SELECT id, kind IN (SELECT value FROM json_each($kinds)) AS urgent FROM operations
     WHERE ${RUNNING} AND (lease_until IS NULL OR lease_until < $now) AND iif(urgent, $urgent, $usual)
     ORDER BY urgent DESC, id LIMIT 1`,
    { now: now(), kinds: JSON.stringify(urgentKinds), urgent: Number(asked.urgent), usual: Number(asked.usual) },
  );
  return row ? { id: row.id, urgent: row.urgent === 1 } : null;
}

/** Takes the work over: from then on commits of an earlier holder are refused by the fence. Throws `busy`. */
export async function claim(id: number): Promise<OperationRow> {
  await freeTheDead();
  return transaction(async () => {
    const taken = await execute(
      `UPDATE operations SET state = 'running', lease_owner = $owner, lease_until = $until, fence = fence + 1, changed_at = $now
       WHERE id = $id AND ${RUNNING} AND (lease_until IS NULL OR lease_until < $now OR lease_owner = $owner)`,
      { id, owner, until: leaseEnd(), now: now() },
    );
    const row = await operationRow(id);
    if (taken === 0) throw busy(id);
    return row;
  });
}

/**
 * Writes what changed under the fence; with `final` it lets go of the work. Tells whether the work is still ours
 * (`held`) and whether somebody asked to cancel it.
 */
export async function save(operation: OperationRow, final: boolean): Promise<{ held: boolean; cancel: boolean }> {
  return transaction(async () => {
    const changed = await execute(
      `UPDATE operations SET state = $state, total = $total, done = $done, failed = $failed, steps = $steps, message = $message,
         held = $held, lease_owner = $owner, lease_until = $until, finished_at = $finished, changed_at = $now
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
        owner: final ? null : owner,
        until: final ? null : leaseEnd(),
        finished: operation.finished_at,
        now: now(),
      },
    );
    const { cancel_requested } = await operationRow(operation.id);
    return { held: changed > 0, cancel: cancel_requested === 1 };
  });
}
