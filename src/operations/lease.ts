import { randomUUID } from 'node:crypto';
import type { OperationRow } from '../shared/operations/tables.ts';
import { recordEvents } from '../../db/events.ts';
import { transaction } from '../../db/index.ts';
import { AppError, notFound } from '../shared/errors.ts';
import type { Key, Message } from '../shared/i18n/index.ts';
import { isFinal, PROGRAM } from '../shared/operations.ts';
import { endEvents, noteEnd } from './audit.ts';
import type { Flow } from './flow.ts';
import {
  findDisabledLogin,
  findEnding,
  findNextQueued,
  findOperationRow,
  takeLease,
  updateHeld,
  WAITS,
  type Claim,
  type KnownKind,
  type NextQueued,
  type Room,
  type Wait,
} from './rows.ts';
import { findHold, stopAllOf, type Hold } from './unheld-rows.ts';

/**
 * Id of this process run as the holder of leases. Random, because containers may share a host name and a process number: a
 * dead holder is recognised by the end of its lease alone.
 */
export const owner = randomUUID();

/** A time so many hours ago, ISO in UTC. */
export const hoursAgo = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();

/** Returns what is in the way of somebody who wants what an operation works on. */
function whyBusy(hold: Hold | undefined): Key {
  if (hold && isFinal(hold.state)) return 'operation.ended';
  if (!hold || hold.is_free === 1) return 'operation.busy';
  return hold.lease_owner === owner ? 'operation.busy_here' : 'operation.busy_elsewhere';
}

/** Makes the AppError `busy` that names the operation in the way, and says whether it runs, waits or stops. */
export async function busyWith(id: number): Promise<AppError> {
  const hold = await findHold(id);
  const isStopping = hold !== undefined && !isFinal(hold.state) && (await endingOf(id)) !== null;
  return new AppError('busy', isStopping ? 'operation.stopping' : whyBusy(hold), { id, program: PROGRAM });
}

/** Thrown where work could not be claimed: another process has been faster, it waits for a person, or it has ended. Nothing of it has run here. */
export class NotClaimed extends AppError {
  constructor(id: number, hold: Hold | undefined) {
    super('busy', whyBusy(hold), { id, program: PROGRAM });
  }
}

/** Returns the stored row. Throws `not_found`. */
export async function operationRow(id: number): Promise<OperationRow> {
  const row = await findOperationRow(id);
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
  const row = await findEnding(id);
  if (row?.disabled === 1) return 'user_disabled';
  return row?.cancelled === 1 ? 'cancelled' : null;
}

/** Returns the message for work in the name of a disabled user; null if the user is active or there is none. */
export async function messageForDisabled(user_id: number | null): Promise<Message | null> {
  const login = await findDisabledLogin(user_id);
  return login === undefined ? null : { key: 'operation.user_disabled', params: { login } };
}

/** Throws `refused` (code `user_disabled`) if the user is disabled: no work is queued in his name. */
export async function refuseDisabled(user_id: number | null): Promise<void> {
  const refusal = await messageForDisabled(user_id);
  if (refusal) throw new AppError('refused', refusal.key, refusal.params, { code: 'user_disabled' });
}

/** Kinds of work by name, as `Flow` declares them. `forgottenHours`: work unchanged for longer is not resumed. */
export type Kinds = ReadonlyMap<string, { urgent?: true; slow?: true; forgottenHours?: number }>;

type KindOf = Kinds extends ReadonlyMap<string, infer Kind> ? Kind : never;

/** The room in which work of a kind runs. */
export const roomOf = ({ urgent, slow }: KindOf): Room => (urgent ? 'urgent' : slow ? 'slow' : 'usual');

const knownOf = (kinds: Kinds): KnownKind[] =>
  [...kinds].map(([kind, flow]) => ({
    kind,
    room: roomOf(flow),
    since: flow.forgottenHours === undefined ? '' : hoursAgo(flow.forgottenHours),
  }));

/**
 * Returns the oldest work for one of the rooms that nobody holds, urgent and cancelled work first, or null. Work of a kind that is not in `kinds` is left to a
 * process that knows it; `but` is work that this process is about to claim.
 */
export const nextQueued = async (
  kinds: Kinds,
  rooms: readonly Wait[],
  but: Iterable<number>,
): Promise<NextQueued | null> => (await findNextQueued(knownOf(kinds), rooms, { but: [...but] })) ?? null;

/** Returns work that nobody holds; `foreign` for a kind that is not in `kinds`, null for what is held or over. */
export async function findQueued(kinds: Kinds, id: number): Promise<NextQueued | 'foreign' | null> {
  const own = await findNextQueued(knownOf(kinds), WAITS, { id });
  if (own) return own;
  const row = await findOperationRow(id);
  const isKnown = (kind: string): boolean => kinds.has(kind);
  if (!row || isFinal(row.state)) return null;
  return isKnown(row.kind) && (row.restored_kind === null || isKnown(row.restored_kind)) ? null : 'foreign';
}

/**
 * Takes the lease and raises the fence, which refuses later commits of an earlier holder. `isOurs` is false where this process has begun
 * the work already, so that its own lease keeps it away as well. Throws NotClaimed (`busy`) if held, ended, or stopped by a person and not
 * claimed by one; `not_found`.
 */
export async function claim(id: number, how: Claim): Promise<OperationRow> {
  return transaction(async () => {
    const taken = await takeLease(id, owner, how);
    const row = await operationRow(id);
    if (taken === 0) throw new NotClaimed(id, await findHold(id));
    return row;
  });
}

/**
 * Puts back all that this process holds, for a person to go on with: it was stopped, and what it has queued for itself must not run out of
 * its lease into other hands.
 */
export const leaveToPerson = (): Promise<number> => transaction(() => stopAllOf(owner));

/**
 * Writes the row under its fence and renews the lease; with `final` releases it. Returns whether the work is still ours
 * (`held`) and whether it is to end early (`cancel`). `tells` is that of the flow.
 */
export async function save(
  operation: OperationRow,
  final: boolean,
  tells?: Flow['tells'],
): Promise<{ held: boolean; cancel: boolean }> {
  return transaction(async () => {
    const changed = await updateHeld(operation, final ? null : owner);
    if (changed > 0 && final) {
      noteEnd(operation);
      const told = isFinal(operation.state) ? ((await tells?.(operation)) ?? null) : null;
      await recordEvents(told ?? endEvents(operation));
    }
    return { held: changed > 0, cancel: (await endingOf(operation.id)) !== null };
  });
}
