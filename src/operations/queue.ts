import { createHash } from 'node:crypto';
import { execute, select, transaction } from '../../db/index.ts';
import { AppError } from '../shared/errors.ts';
import type { Message } from '../shared/i18n/index.ts';
import type { NewItem } from './flow.ts';
import { busy, hoursAgo, LEASE_END, NOW, operationRow, owner, refuseDisabled, RUNNING } from './lease.ts';

let wake: () => void = () => undefined;

const now = (): string => new Date().toISOString();

/** Sets the one listener, called when this process has queued work for any process, so that it does not wait for the next poll. */
export function onQueued(listener: () => void): void {
  wake = listener;
}

/**
 * A request for work. `subject` names the work: the same kind and subject run once at a time. `items` are stored with it. An
 * item belongs to one running operation, and so does each of `locks`: further names that no other operation may work on until
 * this one ends; a lock that ends in ` *` covers all names with that beginning. `idem_key` is the client's idempotency key.
 */
export interface Request {
  kind: string;
  subject: string;
  user_id: number | null;
  input: object;
  message: Message;
  items?: NewItem[];
  locks?: string[];
  idem_key?: string | undefined;
}

/** Returns the operation that the same kind, user and `idem_key` have started before, or null. */
export async function askedBefore({
  kind,
  user_id,
  idem_key,
}: Pick<Request, 'kind' | 'user_id' | 'idem_key'>): Promise<{ id: number; subject: string } | null> {
  const [asked] = await select<{ id: number; subject: string }>(
    'SELECT id, subject FROM operations WHERE kind = $kind AND idem_key = $key',
    { kind, key: keyOf({ user_id, idem_key }) },
  );
  return asked ?? null;
}

const hashOf = ({ kind, subject, input, items = [] }: Request): string =>
  createHash('sha256')
    .update(JSON.stringify([kind, subject, input, items]))
    .digest('base64url');

// Keys are kept apart by user: another user may have chosen the same one.
const keyOf = ({ user_id, idem_key }: Pick<Request, 'user_id' | 'idem_key'>): string | null =>
  idem_key === undefined ? null : `${user_id ?? ''}/${idem_key}`;

/**
 * Returns the operation that this very request has made, or one not ended with the same kind and subject; null if there is none.
 * Throws `conflict` if the key stands for another request, `busy` if the one not ended differs and the request has items.
 */
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

/** Throws `busy` if an operation that has not ended works on one of these names, or has locked it. */
export async function refuseHeld(names: string[]): Promise<void> {
  // Names hold no GLOB characters but a final star. Items are found by an index, those of a "name *" between "name " and "name!".
  const [held] = await select<{ id: number }>(
    `SELECT o.id FROM operations o CROSS JOIN json_each($names) wanted
     CROSS JOIN operation_items i ON i.operation_id = o.id AND i.item = wanted.value
     WHERE o.${RUNNING} AND i.state IN ('queued', 'intent')
     UNION ALL
     SELECT o.id FROM operations o CROSS JOIN json_each($open) wanted
     CROSS JOIN operation_items i ON i.operation_id = o.id AND i.item >= wanted.value || ' ' AND i.item < wanted.value || '!'
     WHERE o.${RUNNING} AND i.state IN ('queued', 'intent')
     UNION ALL
     SELECT o.id FROM operations o, json_each(o.locks) lock, json_each($names) wanted
     WHERE o.${RUNNING} AND (wanted.value = lock.value OR wanted.value GLOB lock.value OR lock.value GLOB wanted.value) LIMIT 1`,
    {
      names: JSON.stringify(names),
      open: JSON.stringify(names.filter((name) => name.endsWith(' *')).map((name) => name.slice(0, -2))),
    },
  );
  if (held) throw busy(held.id);
}

const namesOf = (items: readonly Pick<NewItem, 'item'>[]): string[] => items.map(({ item }) => item);

/**
 * Queues work and returns its id, or that of the same work if it is queued or running already (`started` false). With
 * `here` this process takes the lease at once and must call `runOperation` before the lease ends. Throws `busy` if another
 * operation holds one of the items or locks, or runs on the same subject with other items; `conflict` if `idem_key` stands for
 * another request; `refused` if the user is disabled.
 */
export async function enqueue(request: Request, here = false): Promise<{ id: number; started: boolean }> {
  const hash = hashOf(request);
  const result = await transaction(async () => {
    const same = await findSame(request, hash);
    if (same !== null) return { id: same, started: false };
    await refuseDisabled(request.user_id);
    const locks = request.locks ?? [];
    await refuseHeld([...namesOf(request.items ?? []), ...locks]);
    await execute(
      `INSERT INTO operations (kind, subject, user_id, input, state, total, steps, message, lease_owner, lease_until,
         created_at, changed_at, idem_key, request_hash, locks)
       VALUES ($kind, $subject, $user, $input, 'queued', $total, '[]', $message, $owner,
         iif($owner IS NULL, NULL, ${LEASE_END}), $now, $now, $key, $hash, $locks)`,
      {
        kind: request.kind,
        subject: request.subject,
        user: request.user_id,
        input: JSON.stringify(request.input),
        total: request.items?.length ?? 0,
        message: JSON.stringify(request.message),
        owner: here ? owner : null,
        now: now(),
        key: keyOf(request),
        hash,
        locks: JSON.stringify(locks),
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

/**
 * Requests the cancellation of work: acts under way end, no further ones begin. Work that no process has begun ends at
 * once. Throws `conflict` if it has ended already.
 */
export async function cancelOperation(id: number): Promise<void> {
  await transaction(async () => {
    const asked = await execute(
      `UPDATE operations SET cancel_requested = 1, changed_at = $now WHERE id = $id AND ${RUNNING}`,
      { id, now: now() },
    );
    if (asked === 0) throw new AppError('conflict', 'operation.ended');
    const message: Message = { key: 'operation.not_begun' };
    const ended = await execute(
      `UPDATE operations SET state = 'cancelled', message = $message, finished_at = $now, lease_owner = NULL, lease_until = NULL
       WHERE id = $id AND state = 'queued' AND fence = 0 AND lease_owner IS NULL`,
      { id, message: JSON.stringify(message), now: now() },
    );
    if (ended > 0) await cancelItems(id);
  });
}

/** Ends as cancelled, with `message`, all work of a kind that nobody holds and that has not changed for so many hours. */
export async function endForgotten(kind: string, hours: number, message: Message): Promise<void> {
  const where = `kind = $kind AND ${RUNNING} AND changed_at < $since AND (lease_until IS NULL OR lease_until < ${NOW})`;
  const bind = { kind, since: hoursAgo(hours) };
  if ((await select(`SELECT 1 FROM operations WHERE ${where} LIMIT 1`, bind)).length === 0) return;
  await transaction(() =>
    execute(
      `UPDATE operations SET state = 'cancelled', message = $message, finished_at = $now, changed_at = $now,
         lease_owner = NULL, lease_until = NULL, fence = fence + 1 WHERE ${where}`,
      { ...bind, message: JSON.stringify(message), now: now() },
    ),
  );
}

/** Ends queued items as cancelled, and begun ones as failed with an unclear end. Call inside a transaction. */
export async function cancelItems(id: number): Promise<void> {
  const unclear: Message = { key: 'operation.unclear' };
  await execute(
    `UPDATE operation_items SET state = iif(state = 'queued', 'cancelled', 'failed'),
       error = iif(state = 'queued', NULL, $unclear), changed_at = $now
     WHERE operation_id = $id AND state IN ('queued', 'intent')`,
    { id, unclear: JSON.stringify(unclear), now: now() },
  );
}

/**
 * Puts the failed and unfinished items of an ended operation back into the queue; done items stay. Returns how many items
 * wait again. Throws `conflict` if nothing is left to do, `busy` if the same work, its restore or one of its items is running,
 * `refused` if its user is disabled.
 */
export async function requeue(id: number, here = false): Promise<number> {
  const count = await transaction(async () => {
    const { kind, subject, locks, user_id } = await operationRow(id);
    await refuseDisabled(user_id);
    const left = await select<NewItem>(
      `SELECT item, lane FROM operation_items WHERE operation_id = $id AND state IN ('failed', 'cancelled', 'intent', 'queued')`,
      { id },
    );
    const [running] = await select<{ id: number }>(
      `SELECT id FROM operations WHERE ${RUNNING}
         AND ((kind = $kind AND subject = $subject) OR (kind = 'restore' AND subject = CAST($id AS TEXT)))`,
      { kind, subject, id },
    );
    if (running) throw busy(running.id);
    if (left.length === 0) throw new AppError('conflict', 'operation.nothing_left');
    await refuseHeld([...namesOf(left), ...(JSON.parse(locks) as string[])]);
    // An intent is kept: the act is looked at before it is performed again.
    await execute(
      `UPDATE operation_items SET error = NULL, attempt = 0, not_before = NULL, changed_at = $now,
         state = CASE WHEN instr(acts, '"state":"intent"') > 0 THEN 'intent' ELSE 'queued' END
       WHERE operation_id = $id AND state IN ('failed', 'cancelled', 'intent', 'queued')`,
      { id, now: now() },
    );
    await execute(
      `UPDATE operations SET state = 'queued', steps = '[]', finished_at = NULL, cancel_requested = 0, changed_at = $now,
         lease_owner = $owner, lease_until = iif($owner IS NULL, NULL, ${LEASE_END}) WHERE id = $id`,
      { id, now: now(), owner: here ? owner : null },
    );
    return left.length;
  });
  if (!here) wake();
  return count;
}
