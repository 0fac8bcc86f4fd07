import { createHash, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { execute, select, transaction } from '../../db/index.ts';
import { AppError, notFound } from '../shared/errors.ts';
import type { Said } from '../shared/i18n/index.ts';
import type { OperationRow } from '../shared/operations.ts';
import type { NewItem } from './flow.ts';

// A process that died is taken for dead after this; one that lives says so three times as often.
const LEASE_MS = 30_000;

const RUNNING = `state IN ('queued', 'running')`;
// host/pid/run: a holder on this host whose process is gone is dead at once.
const owner = `${hostname()}/${process.pid}/${randomUUID()}`;
let wake: () => void = () => undefined;

const now = (): string => new Date().toISOString();
const leaseEnd = (): string => new Date(Date.now() + LEASE_MS).toISOString();

/** Calls `listener` when work was queued in this process, so that it does not wait for the next look. */
export function onQueued(listener: () => void): void {
  wake = listener;
}

/**
 * What is asked for. `subject` names the work: the same kind and subject run once at a time. `items` are stored with it;
 * an item belongs to one running operation. `idem_key` is the client's name for the request.
 */
export interface Request {
  kind: string;
  subject: string;
  user_id: number | null;
  input: object;
  message: Said;
  items?: NewItem[];
  idem_key?: string | undefined;
}

const hashOf = ({ kind, subject, input, items = [] }: Request): string =>
  createHash('sha256')
    .update(JSON.stringify([kind, subject, input, items]))
    .digest('base64url');

// A client's key is its own: another user may have chosen the same.
const keyOf = ({ user_id, idem_key }: Request): string | null =>
  idem_key === undefined ? null : `${user_id ?? ''}/${idem_key}`;

/** The operation that this very request has made, or that does the same right now. Throws `conflict` where it differs. */
async function findSame(request: Request, hash: string): Promise<number | null> {
  const { kind, subject } = request;
  const [asked] = await select<{ id: number; request_hash: string }>(
    'SELECT id, request_hash FROM operations WHERE kind = $kind AND idem_key = $key',
    { kind, key: keyOf(request) },
  );
  if (asked && asked.request_hash !== hash) throw new AppError('conflict', 'operation.key_reused');
  if (asked) return asked.id;
  const [running] = await select<{ id: number; request_hash: string | null }>(
    `SELECT id, request_hash FROM operations WHERE kind = $kind AND subject = $subject AND ${RUNNING}`,
    { kind, subject },
  );
  if (!running) return null;
  if (request.items && running.request_hash !== hash) throw busy(running.id);
  return running.id;
}

const busy = (id: number): AppError => new AppError('busy', 'operation.busy', { id });

async function refuseHeldItems(items: NewItem[]): Promise<void> {
  const [held] = await select<{ id: number }>(
    `SELECT o.id FROM json_each($items) wanted
     JOIN operation_items i ON i.item = wanted.value AND i.state IN ('queued', 'intent')
     JOIN operations o ON o.id = i.operation_id AND o.${RUNNING} LIMIT 1`,
    { items: JSON.stringify(items.map(({ item }) => item)) },
  );
  if (held) throw busy(held.id);
}

/**
 * Queues work and returns its id, or that of the same work if it is queued or running already (`started` false). With
 * `here` the work is meant for this process, which then calls `runOperation`: no other one takes it while this lives.
 * Throws `busy` where another operation works on one of the items, or does the opposite.
 */
export async function enqueue(request: Request, here = false): Promise<{ id: number; started: boolean }> {
  const hash = hashOf(request);
  const result = await transaction(async () => {
    const same = await findSame(request, hash);
    if (same !== null) return { id: same, started: false };
    await refuseHeldItems(request.items ?? []);
    await execute(
      `INSERT INTO operations (kind, subject, user_id, input, state, total, steps, message, lease_owner, lease_until,
         created_at, changed_at, idem_key, request_hash)
       VALUES ($kind, $subject, $user, $input, 'queued', $total, '[]', $message, $owner, $until, $now, $now, $key, $hash)`,
      {
        kind: request.kind,
        subject: request.subject,
        user: request.user_id,
        input: JSON.stringify(request.input),
        total: request.items?.length ?? 0,
        message: JSON.stringify(request.message),
        owner: here ? owner : null,
        until: here ? leaseEnd() : null,
        now: now(),
        key: keyOf(request),
        hash,
      },
    );
    const [row] = await select<{ id: number }>('SELECT last_insert_rowid() AS id');
    const id = row?.id ?? 0;
    await execute(
      `INSERT INTO operation_items (operation_id, item, lane, data, state, acts, changed_at)
       SELECT $id, value ->> 'item', value ->> 'lane', value -> 'data', 'queued', '[]', $now FROM json_each($items)`,
      { id, items: JSON.stringify(request.items ?? []), now: now() },
    );
    return { id, started: true };
  });
  if (!here) wake();
  return result;
}

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

/** The oldest work that nobody holds, or null. */
export async function nextQueued(): Promise<number | null> {
  await freeTheDead();
  const [row] = await select<{ id: number }>(
    `SELECT id FROM operations WHERE ${RUNNING} AND (lease_until IS NULL OR lease_until < $now) ORDER BY id LIMIT 1`,
    { now: now() },
  );
  return row?.id ?? null;
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

/**
 * Asks that work be given up: what is under way ends, what was not begun is left. Work that nobody has begun ends at
 * once. Throws `conflict` where it has ended already.
 */
export async function cancelOperation(id: number): Promise<void> {
  await transaction(async () => {
    const asked = await execute(
      `UPDATE operations SET cancel_requested = 1, changed_at = $now WHERE id = $id AND ${RUNNING}`,
      { id, now: now() },
    );
    if (asked === 0) throw new AppError('conflict', 'operation.ended');
    const message: Said = { key: 'operation.cancelled' };
    const ended = await execute(
      `UPDATE operations SET state = 'cancelled', message = $message, finished_at = $now, lease_owner = NULL, lease_until = NULL
       WHERE id = $id AND state = 'queued' AND fence = 0 AND lease_owner IS NULL`,
      { id, message: JSON.stringify(message), now: now() },
    );
    if (ended > 0) await cancelItems(id);
  });
}

/** What was not begun will not be; what was begun and has no clear end is for a person. Only inside a transaction. */
export async function cancelItems(id: number): Promise<void> {
  const unclear: Said = { key: 'operation.unclear' };
  await execute(
    `UPDATE operation_items SET state = iif(state = 'queued', 'cancelled', 'failed'),
       error = iif(state = 'queued', NULL, $unclear), changed_at = $now
     WHERE operation_id = $id AND state IN ('queued', 'intent')`,
    { id, unclear: JSON.stringify(unclear), now: now() },
  );
}

/**
 * Puts what failed or was left of an ended operation back into the queue; what was done stays so. Returns how many items
 * wait again. Throws `conflict` where nothing is left to do, `busy` where the same work or one of its items is running.
 */
export async function requeue(id: number, here = false): Promise<number> {
  const count = await transaction(async () => {
    const { kind, subject } = await operationRow(id);
    const left = await select<NewItem>(
      `SELECT item, lane FROM operation_items WHERE operation_id = $id AND state IN ('failed', 'cancelled', 'intent', 'queued')`,
      { id },
    );
    const [running] = await select<{ id: number }>(
      `SELECT id FROM operations WHERE kind = $kind AND subject = $subject AND ${RUNNING}`,
      { kind, subject },
    );
    if (running) throw busy(running.id);
    if (left.length === 0) throw new AppError('conflict', 'operation.nothing_left');
    await refuseHeldItems(left);
    // An act that was begun stays begun: it is looked at before anything is done about it.
    await execute(
      `UPDATE operation_items SET error = NULL, attempt = 0, not_before = NULL, changed_at = $now,
         state = CASE WHEN instr(acts, '"state":"intent"') > 0 THEN 'intent' ELSE 'queued' END
       WHERE operation_id = $id AND state IN ('failed', 'cancelled', 'intent', 'queued')`,
      { id, now: now() },
    );
    await execute(
      `UPDATE operations SET state = 'queued', steps = '[]', finished_at = NULL, cancel_requested = 0, changed_at = $now,
         lease_owner = $owner, lease_until = $until WHERE id = $id`,
      { id, now: now(), owner: here ? owner : null, until: here ? leaseEnd() : null },
    );
    return left.length;
  });
  if (!here) wake();
  return count;
}
