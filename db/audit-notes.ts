import { TABLES } from '../src/shared/tables.ts';
import { findActing } from './acting.ts';
import type { NewAuditRow } from './audit-chain.ts';
import type { Transaction } from './connection.ts';

/** A row of the audit while its transaction runs; `before` and `after` are not yet JSON. */
export interface PendingRow extends Omit<NewAuditRow, 'before' | 'after'> {
  before: object | null;
  after: object | null;
}

interface Pending {
  rows: PendingRow[];
  /** The audited tables that were written by statements, and those of which a note was made. */
  written: Set<string>;
  noted: Set<string>;
}

const AUDITED = new Set([...TABLES.values()].flatMap(({ name, writes }) => ('machine' in writes ? [] : [name])));

const WRITE = /\b(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM)\s+(\w+)/i;

// Statements whose text depends on their input must not fill the memory.
const MOST_KEPT = 2_000;
const targets = new Map<string, string | null>();

/** Returns the audited table that a statement writes; null: none. Memoized by its text. */
function auditedTarget(sql: string): string | null {
  const known = targets.get(sql);
  if (known !== undefined) return known;
  const name = WRITE.exec(sql)?.[1] ?? '';
  const target = AUDITED.has(name) ? name : null;
  if (targets.size >= MOST_KEPT) targets.clear();
  targets.set(sql, target);
  return target;
}

const transactions = new WeakMap<Transaction, Pending>();

/** Returns what is to be audited of a transaction. */
export function pendingOf(transaction: Transaction): Pending {
  const found = transactions.get(transaction);
  if (found) return found;
  const made: Pending = { rows: [], written: new Set(), noted: new Set() };
  transactions.set(transaction, made);
  return made;
}

const READ = /^\s*SELECT\b/i;

/**
 * Remembers that a statement has changed (or returned) rows of an audited table: its transaction does not commit without a
 * note of it. Reads need none.
 */
export function requireNote(transaction: Transaction, sql: string, rows: number): void {
  if (rows === 0 || READ.test(sql)) return;
  const target = auditedTarget(sql);
  // A test may fill the tables without any decision.
  if (target !== null && findActing()?.door.name !== 'test') pendingOf(transaction).written.add(target);
}

const jsonOf = (value: object | null): string | null => (value === null ? null : JSON.stringify(value));

/**
 * Returns what a transaction adds to the audit. Throws where it has written an audited table without a note: that is a bug, and
 * the transaction must not commit.
 */
export function rowsToAudit(transaction: Transaction): NewAuditRow[] {
  const pending = transactions.get(transaction);
  if (!pending) return [];
  const { rows, written, noted } = pending;
  const missing = [...written].filter((table) => !noted.has(table));
  if (missing.length > 0) throw new Error(`a write to ${missing.join(', ')} is not audited`);
  return rows.map(({ before, after, ...row }) => Object.assign(row, { before: jsonOf(before), after: jsonOf(after) }));
}
