import { isDeepStrictEqual } from 'node:util';
import { transaction } from '../../../db/index.ts';
import type { Flow, ItemWork } from '../../operations/flow.ts';
import { listItemRows } from '../../operations/item-rows.ts';
import { countItems, itemFlow } from '../../operations/items.ts';
import { planItems, type Plan } from '../../operations/plan.ts';
import { parseSort, type ListOf, type Paging } from '../../shared/lists.ts';
import { AppError } from '../../shared/errors.ts';
import type { Message } from '../../shared/i18n/index.ts';
import type { Readiness, TransferHistoryEntry, TransferInput } from '../../shared/transfers/transfer-plan.ts';
import { findDomain, refersToDomain } from '../portfolio/domain-lists.ts';
import { refuseMoving } from '../operations/moving.ts';
import type { Actor } from '../access/scope.ts';
import { moveBack, movesOf, NO_RETURN } from './acts.ts';
import { refuseBlocked, refuseForeignZones, refuseRoles, refuseUnfit } from './check.ts';
import { sparesReserve } from './blame.ts';
import { openMove, type MoveLane } from './lane.ts';
import { refusePlace } from './swap.ts';
import { countHistory, listHistory, listMovesOf } from './rows.ts';
import {
  findStarted,
  isDeclined,
  itemOfMove,
  foundBy,
  queueTransfers,
  readMove,
  type Move,
  type TransferItem,
} from './queue.ts';
import { readinessOf } from './readiness.ts';
import { tellTransfer } from './tells.ts';

/** The planned acts of a transfer, its warnings, and how ready the reserve is. */
export interface TransferPlan extends Plan {
  readiness: Readiness;
  warnings: Message[];
}

const moveWork: ItemWork<MoveLane, TransferItem> = {
  open: (_lane, items, signal) => openMove(items, signal),
  close: (lane) => lane.close(),
  acts: movesOf,
  rollback: { until: NO_RETURN, undo: moveBack },
  locks: ({ data }) => (isDeclined(data) ? [] : foundBy(data)),
  keeps: 'transfer.changed_since',
};

/** Returns the move of a request. Throws AppError `refused` or `conflict` where it is not possible. */
async function moveAsked(actor: Actor, input: TransferInput): Promise<Move> {
  const { sourceDomainId, targetDomainId, force, confirm_site } = input;
  const source = await refersToDomain(actor, sourceDomainId, 'sourceDomainId');
  const target = await refersToDomain(actor, targetDomainId, 'targetDomainId');
  refuseRoles(source, target);
  const pair = { source_id: source.id, target_id: target.id };
  const move = await readMove(pair, { action: 'explicit', force, confirm_site });
  refuseUnfit(move);
  await refuseForeignZones(actor, move);
  await refusePlace(actor, move);
  return move;
}

async function planMove(actor: Actor, move: Move): Promise<Plan & { noted: Message[] }> {
  const noted: Message[] = [];
  const look: Pick<ItemWork<MoveLane, TransferItem>, 'open' | 'close' | 'acts'> = {
    ...moveWork,
    open: (_lane, items, signal) => openMove(items, signal, noted),
  };
  return { ...(await planItems(look, [itemOfMove(move)], {}, actor.id)), noted };
}

/**
 * Returns what `startTransfer` would do; changes nothing. Throws AppError `refused` and `conflict` for a pair that
 * can't be moved.
 */
export async function planTransfer(actor: Actor, input: TransferInput): Promise<TransferPlan> {
  const move = await moveAsked(actor, input);
  // A plan of domains that are being moved would not hold.
  const planIfStill = async () => {
    await refuseMoving([move.source.name, move.target.name]);
    return planMove(actor, move);
  };
  const [{ noted, ...plan }, { readiness, warnings }] = await Promise.all([
    planIfStill().catch((error: unknown) => {
      // The readiness is returned even where the plan fails.
      if (!(error instanceof AppError)) throw error;
      const failed = [{ item: itemOfMove(move).item, error: { key: error.key, params: error.params } }];
      return { acts: [], failed, unchanged: 0, hash: '', noted: [] as Message[] };
    }),
    readinessOf(actor, move),
  ]);
  return { ...plan, readiness, warnings: [...warnings, ...noted] };
}

const subjectOf = ({ sourceDomainId, targetDomainId }: TransferInput): string => `${sourceDomainId} ${targetDomainId}`;

/**
 * Returns the transfer that was started by this key before, or that is running with this pair; null: none. Throws AppError
 * `refused` for a domain that is not the caller's, `conflict` where the key was used for another pair.
 */
export async function findTransfer(actor: Actor, input: TransferInput, idem_key?: string): Promise<number | null> {
  await refersToDomain(actor, input.sourceDomainId, 'sourceDomainId');
  await refersToDomain(actor, input.targetDomainId, 'targetDomainId');
  return findStarted(actor, subjectOf(input), idem_key);
}

/**
 * Queues the moving of a site from a main domain to a reserve of its project; returns the same transfer instead where
 * it is running already. Throws AppError `refused` for a domain that is not the caller's; `conflict` where the two
 * can't change roles, the reserve is blocked and `force` is not given, or `plan` no longer holds; `busy` where another
 * operation works on one of them.
 */
export async function startTransfer(
  actor: Actor,
  input: TransferInput,
  { idem_key, here = false }: { idem_key?: string | undefined; here?: boolean } = {},
): Promise<{ id: number; started: boolean }> {
  const asked = await findTransfer(actor, input, idem_key);
  if (asked !== null) return { id: asked, started: false };
  const move = await moveAsked(actor, input);
  if (!input.force) await refuseBlocked(move.target.name);
  if (input.plan !== undefined && (await planMove(actor, move)).hash !== input.plan) {
    throw new AppError('conflict', 'operation.plan_stale', {}, { code: 'plan_stale' });
  }
  return transaction(async () => {
    // The domains may have been renamed, deleted or moved while they were looked at, the last by this very request.
    const same = await findTransfer(actor, input, idem_key);
    if (same !== null) return { id: same, started: false };
    refuseOther(input, move, await moveAsked(actor, input));
    const params = { source: move.source.name, target: move.target.name };
    return queueTransfers(actor, [{ source_id: move.source.id, target_id: move.target.id }], [], {
      action: 'explicit',
      subject: subjectOf(input),
      message: { key: 'transfer.moving', params },
      here,
      force: input.force,
      confirm_site: input.confirm_site,
      ...(idem_key !== undefined && { idem_key }),
    });
  });
}

/** Throws AppError `conflict` where a move is not the one any more that was looked at: of other names, or other than its plan. */
function refuseOther({ plan }: TransferInput, seen: Move, now: Move): void {
  const names = ({ source, target }: Move): string[] => [source.name, target.name];
  const isSame = plan === undefined ? isDeepStrictEqual(names(seen), names(now)) : isDeepStrictEqual(seen, now);
  if (!isSame) throw new AppError('conflict', 'operation.plan_stale', {}, { code: 'plan_stale' });
}

let turnedBack: () => void = () => undefined;

/** Calls `listener` once an automatic transfer of this process has ended without having moved: the next reserve may be ready. */
export function onTurnedBack(listener: () => void): void {
  turnedBack = listener;
}

let moved: () => void = () => undefined;

/** Calls `listener` once a transfer of this process has ended and has moved: its project has a reserve less. */
export function onMoved(listener: () => void): void {
  moved = listener;
}

// The operation's end is written after `finished` returns.
const ENDED_MS = 1_000;

/** Returns the final message of a transfer. */
async function finished(id: number): Promise<Message> {
  const { failed, cancelled } = await countItems(id);
  const rows = await listItemRows(id);
  const moves = await listMovesOf(id);
  const [only] = rows;
  // Only an automatic transfer can have no items.
  if (!only) return { key: 'auto_transfer.nothing_blocked' };
  if (rows.length > 1) {
    return { key: 'transfer.done_many', params: { moved: moves.length, failed: rows.length - moves.length } };
  }
  const data = JSON.parse(only.data) as TransferItem;
  if (isDeclined(data)) return { key: 'transfer.not_one', params: { source: only.lock_name } };
  const params = { source: data.source.name, target: data.target.name };
  const isOpen = failed + cancelled > 0;
  const [row] = moves;
  if (row && isOpen) return { key: 'transfer.done_open', params };
  if (row) return row.warning === null ? { key: 'transfer.done', params } : (JSON.parse(row.warning) as Message);
  if (only.error_key === 'transfer.main_free') return JSON.parse(only.error ?? '') as Message;
  const isHalf = only.error_key === 'operation.not_taken_back';
  return { key: isHalf ? 'transfer.half' : 'transfer.not_moved', params };
}

/** Returns the final message of a cancelled transfer, by what has happened and not by what was asked. */
async function cancelled(id: number): Promise<Message> {
  const message = await finished(id);
  if (message.key === 'transfer.done_many') return { ...message, key: 'transfer.cancelled_many' };
  if (message.key !== 'transfer.not_moved') return message;
  const isUntouched = (await listItemRows(id)).some(
    (item) => item.state === 'cancelled' || item.error_key === 'operation.not_begun',
  );
  return { ...message, key: isUntouched ? 'transfer.cancelled_early' : 'transfer.cancelled' };
}

/**
 * The flow of transfers. A failure before visitors are forwarded rolls the transfer back; from then on it only goes
 * forward.
 */
export const transferFlow: Flow = {
  ...itemFlow('transfer', moveWork),
  finished: async ({ id, asked_by }) => {
    const message = await finished(id);
    const isTurnedBack = asked_by === 'automation' && message.key === 'transfer.not_moved';
    // Where no reserve was at fault, the retry waits for the next run: at once it would fail again.
    if (isTurnedBack && !(await listItemRows(id)).every(sparesReserve))
      setTimeout(() => turnedBack(), ENDED_MS).unref();
    else if ((await listMovesOf(id)).length > 0) setTimeout(() => moved(), ENDED_MS).unref();
    return message;
  },
  cancelled: ({ id }) => cancelled(id),
  tells: tellTransfer,
  urgent: true,
};

const SORTS = ['id', 'main_domain_name', 'transfer_domain_name', 'action', 'created_at'] as const;

/**
 * Returns the moves that a domain of the caller's took part in, newest first unless `sort` says otherwise; `total` is
 * there where a paging option is given. Throws AppError `not_found`, `invalid` for an unknown `sort`.
 */
export async function transferHistory(
  actor: Actor,
  id: number,
  { limit, offset, search, sort }: Paging = {},
): Promise<ListOf<TransferHistoryEntry<Message>>> {
  await findDomain(actor, id);
  const found = search?.toLowerCase() || null;
  const part = { ...parseSort(sort ?? '-id', SORTS), limit: limit ?? Number.MAX_SAFE_INTEGER, offset: offset ?? 0 };
  const rows = await listHistory(id, { search: found, ...part });
  const data = rows.map((row) =>
    Object.assign(row, { warning: row.warning === null ? null : (JSON.parse(row.warning) as Message) }),
  );
  if ([limit, offset, search, sort].every((value) => value === undefined)) return { data };
  return { data, total: await countHistory(id, found) };
}
