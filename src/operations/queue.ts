import { createHash } from 'node:crypto';
import { findActing } from '../../db/acting.ts';
import { recordEvents } from '../../db/events.ts';
import { transaction } from '../../db/index.ts';
import { currentTrace } from '../lib/tracing/spans.ts';
import { AppError } from '../shared/errors.ts';
import type { Message } from '../shared/i18n/index.ts';
import { isFinal } from '../shared/operations.ts';
import type { OperationRow } from '../shared/operations/tables.ts';
import type { NewItem, Use } from './flow.ts';
import { announce } from './delivery.ts';
import { failureEvent, noteAsked, noteEnd, noteStart } from './audit.ts';
import { busyWith, endingOf, hoursAgo, operationRow, owner, refuseDisabled } from './lease.ts';
import { endItems, insertItems, listLeftLocks, requeueItems } from './item-rows.ts';
import { findHolder, insertLocks, insertUses, listHeldLocks, listLocks } from './lock-rows.ts';
import { hasStepLeft } from './notes.ts';
import { findHold, releaseStopped } from './unheld-rows.ts';
import { lockOf, meets, storedLock, type Lock } from './locks.ts';
import {
  endForgottenRows,
  endNotBegun,
  findOperationRow,
  findRequested,
  findRunning,
  hasForgotten,
  insertOperation,
  requestCancellation,
  requeueOperation,
  type Requested,
} from './rows.ts';

/**
 * A request for work. `subject` names the work: the same kind and subject run once at a time. `items` are stored with it. An
 * item's lock belongs to one running operation, and so does each of `locks`, which no other operation may have until this one ends.
 * `uses` are accounts that it works with besides those of its items. `idem_key` is the client's idempotency key.
 */
export interface Request {
  kind: string;
  subject: string;
  user_id: number | null;
  input: object;
  message: Message;
  items?: NewItem[];
  locks?: Lock[];
  uses?: Use[];
  /** Without it a person has asked. */
  asked_by?: OperationRow['asked_by'];
  /** It costs nothing and changes nothing outside: though nobody asks, it goes on with the same work that a person has stopped. */
  isFree?: boolean;
  /** For a restore: the kind of the operation that it restores. */
  restored_kind?: string;
  idem_key?: string | undefined;
}

/** Returns the operation that the same kind, user and `idem_key` have started before, or null. */
export async function askedBefore({
  kind,
  user_id,
  idem_key,
}: Pick<Request, 'kind' | 'user_id' | 'idem_key'>): Promise<{ id: number; subject: string } | null> {
  const asked = await findRequested(kind, keyOf({ user_id, idem_key }));
  return asked ?? null;
}

// The items of a restore are what its operation has left: they become fewer as it goes on.
const hashOf = ({ kind, subject, input, items = [], restored_kind }: Request): string => {
  const asked = restored_kind === undefined ? items.map(({ item, lane, data }) => ({ item, lane, data })) : [];
  return createHash('sha256')
    .update(JSON.stringify([kind, subject, input, asked]))
    .digest('base64url');
};

// Keys are kept apart by user: another user may have chosen the same one.
const keyOf = ({ user_id, idem_key }: Pick<Request, 'user_id' | 'idem_key'>): string | null =>
  idem_key === undefined ? null : `${user_id ?? ''}/${idem_key}`;

/**
 * Returns the operation of a kind and a subject that has not ended; undefined: there is none. Throws `busy` if it is stopping: it does no
 * more of what is asked for.
 */
export async function findSameWork(kind: string, subject: string): Promise<Requested | undefined> {
  const running = await findRunning(kind, subject);
  if (running && (await endingOf(running.id)) !== null) throw await busyWith(running.id);
  return running;
}

/**
 * Returns the operation that this very request has made, or one not ended with the same kind and subject; null if there is none.
 * Throws `conflict` if the key stands for another request, `busy` if the one not ended differs and the request has items, or if it is stopping and a
 * person asks.
 */
async function findSame(request: Request, hash: string): Promise<number | null> {
  const { kind, subject } = request;
  const asked = await findRequested(kind, keyOf(request));
  if (asked && asked.request_hash !== hash) throw new AppError('conflict', 'operation.key_reused');
  if (asked) return asked.id;
  const isByPerson = (request.asked_by ?? 'person') === 'person';
  const running = await (isByPerson ? findSameWork : findRunning)(kind, subject);
  if (!running) return null;
  if (request.items && running.request_hash !== hash) throw await busyWith(running.id);
  return running.id;
}

/** Throws `busy` if an operation that has not ended has one of these locks, or one that covers it. */
export async function refuseHeld(locks: readonly Lock[]): Promise<void> {
  const holder = await findHolder(locks.map(storedLock));
  if (holder !== undefined) throw await busyWith(holder);
}

/**
 * Returns a function that says whether an operation that has not ended has one of these locks, or one that covers it: what `refuseHeld`
 * asks, for many. Only inside the transaction in which it is asked.
 */
export async function heldNow(): Promise<(locks: readonly Lock[]) => boolean> {
  const parts = new Map<string, Set<string>>();
  for (const { kind, name, part } of await listHeldLocks()) {
    const known = parts.get(`${kind} ${name}`);
    if (known) known.add(part);
    else parts.set(`${kind} ${name}`, new Set([part]));
  }
  return (locks) =>
    locks.some(({ kind, name, part = '' }) =>
      [...(parts.get(`${kind} ${name}`) ?? [])].some((held) => meets(held, part)),
    );
}

const requestId = (): string | null => findActing()?.door.request_id ?? null;

/** Returns what a request and its items use, each account once. */
function usesOf({ uses = [], items = [] }: Request): Use[] {
  const all = [...uses, ...items.flatMap((item) => item.uses ?? [])];
  return [...new Map(all.map((use) => [`${use.kind} ${use.id}`, use])).values()];
}

/**
 * Queues work and returns its id, or that of the same work if it is queued or running already (`started` false). With
 * `here` this process takes the lease at once and must call `runOperation` before the lease ends. Throws `busy` if another
 * operation holds one of the items or locks, runs on the same subject with other items, or is the same and stopping; `conflict` if `idem_key` stands for
 * another request; `refused` if the user is disabled.
 */
export async function enqueue(request: Request, here = false): Promise<{ id: number; started: boolean }> {
  const hash = hashOf(request);
  return transaction(async () => {
    const same = await findSame(request, hash);
    if (same !== null) {
      const isAskedFor = request.isFree === true || (!here && (request.asked_by ?? 'person') === 'person');
      if (isAskedFor) await goOn(same);
      return { id: same, started: false };
    }
    await refuseDisabled(request.user_id);
    const { items = [], locks = [], asked_by = 'person', restored_kind = null } = request;
    await refuseHeld([...items.map(lockOf), ...locks]);
    const id = await insertOperation({
      kind: request.kind,
      subject: request.subject,
      user_id: request.user_id,
      input: JSON.stringify(request.input),
      total: items.length,
      message: JSON.stringify(request.message),
      lease_owner: here ? owner : null,
      idem_key: keyOf(request),
      request_hash: hash,
      asked_by,
      restored_kind,
      request_id: requestId(),
      trace: currentTrace(),
    });
    await insertItems(id, items);
    if (locks.length > 0) await insertLocks(id, locks.map(storedLock));
    const uses = usesOf(request);
    if (uses.length > 0) await insertUses(id, uses);
    noteStart({ ...request, id }, items.length);
    if (!here) announce(id);
    return { id, started: true };
  });
}

/**
 * Requests the cancellation of work: acts under way end, no further ones begin. Work that no process has begun ends at
 * once. Throws `conflict` if it has ended already.
 */
export async function cancelOperation(id: number): Promise<void> {
  await transaction(async () => {
    if ((await requestCancellation(id)) === 0) throw new AppError('conflict', 'operation.ended');
    noteAsked('cancel', await operationRow(id));
    const message: Message = { key: 'operation.not_begun' };
    const ended = await endNotBegun(id, 'cancelled', JSON.stringify(message));
    if (ended > 0) {
      await cancelItems(id);
      noteEnd(await operationRow(id));
    }
  });
}

/** Ends as cancelled, with `message`, all work of a kind that nobody holds and that has not changed for so many hours. */
export async function endForgotten(kind: string, hours: number, message: Message): Promise<void> {
  const since = hoursAgo(hours);
  if (!(await hasForgotten(kind, since))) return;
  await transaction(async () => {
    const forgotten = await endForgottenRows(kind, since, JSON.stringify(message));
    for (const ended of forgotten) noteEnd(ended);
    await recordEvents(forgotten.map(failureEvent));
  });
}

/** Ends queued items as cancelled, and begun ones as failed with an unclear end. Call inside a transaction. */
export async function cancelItems(id: number): Promise<void> {
  const unclear: Message = { key: 'operation.unclear' };
  await endItems(id, unclear);
}

/** Lets every process go on with work that a person has stopped; false: nobody has, or it is held. Call inside a transaction. */
async function goOn(id: number): Promise<boolean> {
  if ((await releaseStopped(id, { request_id: requestId(), trace: currentTrace() })) === 0) return false;
  noteAsked('retry', await operationRow(id));
  announce(id);
  return true;
}

/**
 * Puts an ended operation with its failed and unfinished items, or its failed steps, back into the queue; done items stay. Work that a
 * person has stopped goes on. Returns how many items wait again. Throws `conflict` if nothing is left to do, `busy` if the same work, its restore, what it restores or one of its items is running,
 * `refused` if its user is disabled.
 */
export async function requeue(id: number, here = false): Promise<number> {
  return transaction(async () => {
    const { kind, subject, user_id, steps, restored_kind } = await operationRow(id);
    await refuseDisabled(user_id);
    const left = await listLeftLocks(id);
    if (!here && (await goOn(id))) return left.length;
    const hold = await findHold(id);
    // Its end is not stored yet.
    if (hold && isFinal(hold.state) && hold.is_free === 0) throw await busyWith(id);
    const running = (await findRunning(kind, subject)) ?? (await findRunning('restore', String(id)));
    if (running) throw await busyWith(running.id);
    const restored = restored_kind === null ? undefined : await findOperationRow(Number(subject));
    if (restored && !isFinal(restored.state)) throw await busyWith(restored.id);
    if (left.length === 0 && !hasStepLeft(steps)) throw new AppError('conflict', 'operation.nothing_left');
    await refuseHeld([...left, ...(await listLocks(id))]);
    await requeueItems(id);
    await requeueOperation(id, here ? owner : null, { request_id: requestId(), trace: currentTrace() });
    noteAsked('retry', { id, kind, subject });
    if (!here) announce(id);
    return left.length;
  });
}
