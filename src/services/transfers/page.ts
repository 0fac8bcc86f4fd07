import { redactValue } from '../../lib/redact.ts';
import { AppError, notFound } from '../../shared/errors.ts';
import type { Key, Message } from '../../shared/i18n/index.ts';
import type { StoredAct, StoredWait } from '../../shared/operations.ts';
import type { OperationItemRow } from '../../shared/operations/tables.ts';
import type { DomainDetail } from '../../shared/portfolio/domains.ts';
import { toUnicode } from '../../shared/portfolio/domain-name.ts';
import {
  MOST_MOVES,
  type MoveName,
  type MoveQuestion,
  type MoveSide,
  type MoveView,
  type TransferPage,
} from '../../shared/transfers/transfer-page.ts';
import type { Actor } from '../access/scope.ts';
import { findOperation } from '../operations/operations.ts';
import { viewOf } from '../operations/operation-views.ts';
import { countItemsIn } from '../operations/rows.ts';
import { findDomain } from '../portfolio/domain-lists.ts';
import { findMoved, findMoveRow, listMoveNames, type MoveNameRow } from './page-rows.ts';
import { isDeclined, type TransferItem } from './queue.ts';

/** Returns the caller's domain with this id, as long as it has the name; null: it is gone, renamed, or another's by now. */
async function domainOf(actor: Actor, { id, name }: { id: number; name: string }): Promise<DomainDetail | null> {
  try {
    const domain = await findDomain(actor, id);
    return domain.domain_name === name ? domain : null;
  } catch (error) {
    if (error instanceof AppError && error.kind === 'not_found') return null;
    throw error;
  }
}

const sideOf = async (actor: Actor, side: { id: number; name: string }): Promise<MoveSide> => ({
  id: side.id,
  domain_name: side.name,
  unicode_name: toUnicode(side.name),
  domain: await domainOf(actor, side),
});

/** Returns the transfer of a caller's. Throws AppError `not_found`, for other work as well. */
async function findTransferRow(actor: Actor, id: number) {
  const row = await findOperation(actor, id);
  if (row.kind !== 'transfer') throw notFound();
  return row;
}

/** A move of a caller's transfer: its row, its data, and the names, whoever they belong to now. */
export interface FoundMove {
  row: OperationItemRow;
  data: TransferItem;
  source: { id: number; name: string };
  target: { id: number; name: string } | null;
}

function moveOf(row: OperationItemRow): FoundMove {
  const data = JSON.parse(row.data) as TransferItem;
  return isDeclined(data)
    ? { row, data, source: { id: data.source_id, name: row.lock_name }, target: null }
    : { row, data, source: data.source, target: data.target };
}

/** Returns a move of the caller's transfer, the first one without a number. Throws AppError `not_found`. */
export async function findMove(actor: Actor, id: number, move: number | undefined): Promise<FoundMove> {
  await findTransferRow(actor, id);
  const row = await findMoveRow(id, move ?? null);
  if (!row) throw notFound();
  return moveOf(row);
}

function nameOf({ id, state, data: json, lock_name }: MoveNameRow): MoveName {
  const data = JSON.parse(json) as TransferItem;
  return { id, source: toUnicode(lock_name), target: isDeclined(data) ? null : toUnicode(data.target.name), state };
}

// The images of whole zones are for whoever looks them up in the operation.
const shownAct = ({ before, after, ...act }: StoredAct): StoredAct =>
  act.name === 'snapshot' ? act : { ...act, ...(redactValue({ before, after }) as object) };

const HALF: ReadonlySet<string | null> = new Set<Key>(['operation.not_taken_back', 'operation.unclear']);
const TO_CONFIRM: ReadonlySet<string | null> = new Set<Key>([
  'transfer.site_unclear',
  'transfer.site_sends_back',
  'transfer.site_different',
  'transfer.site_changed',
  'transfer.target_blocked',
  'transfer.dns_many',
]);

/** Returns why an ended move needs somebody; null: it does not, or the two have other roles by now. */
function questionOf(
  { state, error_key }: OperationItemRow,
  { has_moved, source, target, warning }: Pick<MoveView, 'has_moved' | 'source' | 'target'> & { warning: unknown },
): MoveQuestion | null {
  if (has_moved) {
    if (target?.domain?.type !== 'main') return null;
    return state === 'failed' || state === 'cancelled' ? 'open' : warning === null ? null : 'unseen';
  }
  if (state !== 'failed' || source.domain?.type !== 'main' || error_key === 'transfer.main_free') return null;
  if (HALF.has(error_key)) return 'half';
  return TO_CONFIRM.has(error_key) ? 'confirm' : 'choose';
}

async function readMove(actor: Actor, found: FoundMove): Promise<MoveView<Message>> {
  const { row, data, source, target } = found;
  const moved = await findMoved(row.operation_id, source.name);
  const warning = moved?.warning ? (JSON.parse(moved.warning) as Message) : null;
  const declined = isDeclined(data) ? data.declined : null;
  const sides = { source: await sideOf(actor, source), target: target && (await sideOf(actor, target)) };
  const has_moved = moved !== undefined;
  const isUnderWay = row.state === 'queued' || row.state === 'intent';
  return {
    id: row.id,
    state: row.state,
    error: row.error ? (JSON.parse(row.error) as Message) : row.state === 'failed' ? declined : null,
    acts: (JSON.parse(row.acts) as StoredAct[]).map(shownAct),
    waits: isUnderWay && row.waiting !== null ? (JSON.parse(row.waiting) as StoredWait).said : null,
    ...sides,
    question: questionOf(row, { ...sides, has_moved, warning }),
    has_moved,
    warning,
    redirect_seen_at: moved?.redirect_seen_at ?? null,
  };
}

/**
 * Returns the page of the caller's transfer, running or ended, with one of its moves: the first one without a number. Throws
 * AppError `not_found`.
 */
export async function readTransferPage(actor: Actor, id: number, move?: number): Promise<TransferPage<Message>> {
  const operation = await viewOf(await findTransferRow(actor, id));
  const [rows, move_count] = await Promise.all([listMoveNames(id, MOST_MOVES), countItemsIn(id, null)]);
  const row = await findMoveRow(id, move ?? null);
  if (!row && move !== undefined) throw notFound();
  return { operation, moves: rows.map(nameOf), move_count, move: row ? await readMove(actor, moveOf(row)) : null };
}
