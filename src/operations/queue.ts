import { createHash } from 'node:crypto';
import { execute, select, transaction } from '../../db/index.ts';
import { AppError } from '../shared/errors.ts';
import type { Said } from '../shared/i18n/index.ts';
import type { NewItem } from './flow.ts';
import { busy, hoursAgo, LEASE_END, NOW, operationRow, owner, refuseDisabled, RUNNING } from './lease.ts';

let wake: () => void = () => undefined;

const now = (): string => new Date().toISOString();

/** Calls `listener` when work was queued in this process, so that it does not wait for the next look. */
export function onQueued(listener: () => void): void {
  wake = listener;
}

/**
 * What is asked for. `subject` names the work: the same kind and subject run once at a time. `items` are stored with it;
 * an item belongs to one running operation, and so does each of `locks`: further names that nobody else may work on until the
 * operation ends; one that ends in ` *` stands for all that begin so. `idem_key` is the client's name for the request.
 */
export interface Request {
  kind: string;
  subject: string;
  user_id: number | null;
  input: object;
  message: Said;
  items?: NewItem[];
  locks?: string[];
  idem_key?: string | undefined;
}

/** The operation that a client's request has started before, or null: asked again it changes nothing. */
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

// A client's key is its own: another user may have chosen the same.
const keyOf = ({ user_id, idem_key }: Pick<Request, 'user_id' | 'idem_key'>): string | null =>
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

/** Throws `busy` where another running operation works on one of these names, or has locked it. */
export async function refuseHeld(names: string[]): Promise<void> {
  // Names hold no signs of GLOB but the last star. Items are found by an index, those of an open name between "name " and "name!".
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
 * `here` the work is meant for this process, which then calls `runOperation`: no other one takes it while this lives.
 * Throws `busy` where another operation works on one of the items, or does the opposite, and `refused` where the user is disabled.
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
    const message: Said = { key: 'operation.not_begun' };
    const ended = await execute(
      `UPDATE operations SET state = 'cancelled', message = $message, finished_at = $now, lease_owner = NULL, lease_until = NULL
       WHERE id = $id AND state = 'queued' AND fence = 0 AND lease_owner IS NULL`,
      { id, message: JSON.stringify(message), now: now() },
    );
    if (ended > 0) await cancelItems(id);
  });
}

/** Ends work of a kind that nobody holds and that has not moved for so many hours, and says why. */
export async function endForgotten(kind: string, hours: number, message: Said): Promise<void> {
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
 * wait again. Throws `conflict` where nothing is left to do, `busy` where the same work, its restoring or one of its items is running, and
 * `refused` where its user is disabled.
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
    // An act that was begun stays begun: it is looked at before anything is done about it.
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
