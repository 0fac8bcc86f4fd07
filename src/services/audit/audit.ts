import { FIRST_HASH, hashOf } from '../../../db/audit-chain.ts';
import type { AuditEntry, AuditFault, AuditSelection, AuditVerdict, KnownRow } from '../../shared/audit/audit.ts';
import type { AuditRow } from '../../shared/audit/tables.ts';
import { AppError } from '../../shared/errors.ts';
import { isAdmin, type Actor } from '../access/scope.ts';
import { countAuditRows, findHead, listAuditRows, listRowsAfter } from './rows.ts';

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

/** Reads the chain from the beginning until a row does not fit. */
async function walk(known: KnownRow | undefined): Promise<AuditVerdict> {
  const verdict: AuditVerdict = { rows: 0, last_id: 0, last_hash: FIRST_HASH, fault: null };
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
 * Verifies the whole chain: that no row was changed, is missing, or was added by other hands, and that a `known` row is
 * still what it was. Others may write meanwhile. Throws AppError `forbidden`.
 */
export async function verifyAudit(actor: Actor, known?: KnownRow): Promise<AuditVerdict> {
  requireAdmin(actor);
  const before = await findHead();
  const verdict = await walk(known);
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
