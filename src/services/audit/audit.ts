import { FIRST_HASH, hashOf } from '../../../db/audit-chain.ts';
import type { AuditEntry, AuditFault, AuditSelection, AuditVerdict, KnownRow } from '../../shared/audit/audit.ts';
import type { AuditRow } from '../../shared/audit/tables.ts';
import { writeCsv } from '../../shared/csv.ts';
import { AppError, notFound } from '../../shared/errors.ts';
import { isAdmin, type Actor } from '../access/scope.ts';
import {
  countAuditRows,
  findAnchor,
  findAuditRow,
  findHead,
  findLastPrune,
  findRowAt,
  listAuditRows,
  listRowsAfter,
  type Anchor,
} from './rows.ts';

// A file of so many rows is some twenty megabytes.
const MOST_EXPORTED = 20_000;

// A slice is in memory at a time, however long the audit is.
const SLICE = 2_000;

function requireAdmin(actor: Actor): void {
  if (!isAdmin(actor)) throw new AppError('forbidden', 'error.forbidden');
}

const parsed = (text: string | null): unknown => (text === null ? null : JSON.parse(text));

const toEntry = (row: AuditRow): AuditEntry => ({
  ...row,
  object_ids: parsed(row.object_ids) as number[] | null,
  before: parsed(row.before),
  after: parsed(row.after),
});

/** Returns a part of the audit, the newest rows first, and the number of all that are selected. Throws AppError `forbidden`. */
export async function listAudit(
  actor: Actor,
  selection: AuditSelection,
  part: { limit: number; offset: number },
): Promise<{ data: AuditEntry[]; total: number }> {
  requireAdmin(actor);
  const rows = await listAuditRows(selection, part);
  return { data: rows.map(toEntry), total: await countAuditRows(selection) };
}

/** Returns a row. Throws AppError `forbidden`, `not_found`. */
export async function findAuditEntry(actor: Actor, id: number): Promise<AuditEntry> {
  requireAdmin(actor);
  const row = await findAuditRow(id);
  if (!row) throw notFound();
  return toEntry(row);
}

/** Returns a row about what the actor has done, of anybody where the actor is an administrator; undefined: there is none. */
export async function findOwnEntry(actor: Actor, id: number): Promise<AuditEntry | undefined> {
  const row = await findAuditRow(id);
  return row && (isAdmin(actor) || row.user_id === actor.id) ? toEntry(row) : undefined;
}

const EXPORTED = [
  'id',
  'at',
  'login',
  'door',
  'call',
  'address',
  'operation_id',
  'action',
  'object',
  'object_id',
  'object_ids',
  'object_name',
  'before',
  'after',
  'outcome',
  'hash',
] as const satisfies (keyof AuditRow)[];

/** A part of the audit as a text. `total` rows are selected, of which the newest `rows` are in it. */
export interface AuditExport {
  text: string;
  rows: number;
  total: number;
}

/**
 * Returns the selected rows, the newest first, as CSV that a Russian Excel opens as a table, or as JSON lines; 20,000 at most. Throws
 * AppError `forbidden`.
 */
export async function exportAudit(
  actor: Actor,
  selection: AuditSelection,
  format: 'csv' | 'ndjson',
): Promise<AuditExport> {
  requireAdmin(actor);
  const rows = await listAuditRows(selection, { limit: MOST_EXPORTED, offset: 0 });
  const cells = rows.map((row) => EXPORTED.map((name) => String(row[name] ?? '')));
  const text =
    format === 'csv'
      ? writeCsv([[...EXPORTED], ...cells], { delimiter: ';', bom: true })
      : rows.map((row) => `${JSON.stringify(toEntry(row))}\n`).join('');
  return { text, rows: rows.length, total: await countAuditRows(selection) };
}

/** Reads the chain from its anchor until a row does not fit. */
async function walk(anchor: Anchor, known: KnownRow | undefined): Promise<AuditVerdict> {
  const verdict: AuditVerdict = { rows: 0, last_id: anchor.last_id, last_hash: anchor.hash, fault: null };
  for (;;) {
    const rows = await listRowsAfter(verdict.last_id, SLICE);
    for (const row of rows) {
      if (row.id !== verdict.last_id + 1) return { ...verdict, fault: { id: verdict.last_id + 1, kind: 'missing' } };
      const isOther = row.id === known?.id && row.hash !== known.hash;
      if (isOther || row.hash !== hashOf(verdict.last_hash, row))
        return { ...verdict, fault: { id: row.id, kind: 'changed' } };
      verdict.rows += 1;
      verdict.last_id = row.id;
      verdict.last_hash = row.hash;
    }
    if (rows.length < SLICE) return verdict;
  }
}

/**
 * Returns the fault of an anchor: rows that went without an audited decision are missing, and the hash of the last one has to be that
 * of the decision. While a deletion goes on, the row that it ends with is still there.
 */
async function faultOf(anchor: Anchor, known: KnownRow | undefined): Promise<AuditVerdict['fault']> {
  const { last_id, hash } = anchor;
  if (last_id === 0) return null;
  const decided = JSON.parse((await findLastPrune())?.after ?? '{"last_id":0,"hash":""}') as Anchor;
  if (decided.last_id < last_id) return { id: decided.last_id + 1, kind: 'missing' };
  const stored = decided.last_id === last_id ? hash : (await findRowAt(decided.last_id))?.hash;
  const isOther = known?.id === last_id && known.hash !== hash;
  return stored !== decided.hash || isOther ? { id: decided.last_id, kind: 'changed' } : null;
}

/**
 * Verifies the whole chain: that no row was changed, is missing, or was added by other hands, and that a `known` row is
 * still what it was. Others may write meanwhile. Throws AppError `forbidden`.
 */
export async function verifyAudit(actor: Actor, known?: KnownRow): Promise<AuditVerdict> {
  requireAdmin(actor);
  const before = await findHead();
  const anchor = await findAnchor();
  const walked = await walk(anchor, known);
  // Rows may have gone while it was read.
  const isMoved = (await findAnchor()).last_id !== anchor.last_id;
  if (isMoved) return verifyAudit(actor, known);
  const verdict = { ...walked, fault: walked.fault ?? (await faultOf(anchor, known)) };
  if (verdict.fault) return verdict;
  const { last_id, last_hash } = verdict;
  const broken = (id: number, kind: AuditFault): AuditVerdict => ({ ...verdict, fault: { id, kind } });
  if (last_id < Math.max(before?.last_id ?? 0, known?.id ?? 0)) return broken(last_id + 1, 'missing');
  // Rows are committed with their head: it knows whatever the walk has seen.
  const after = await findHead();
  const headId = after?.last_id ?? 0;
  if (last_id > headId) return broken(headId + 1, 'extra');
  return last_id === headId && last_hash !== (after?.hash ?? FIRST_HASH) ? broken(last_id, 'changed') : verdict;
}
