import type { AuditAction, AuditOutcome } from '../src/shared/audit/audit.ts';
import type { Column, Table } from '../src/shared/table.ts';
import { currentActing } from './acting.ts';
import { pendingOf, type PendingRow } from './audit-notes.ts';
import { current } from './index.ts';

/**
 * A decision to be audited. `object` is a table, `id` a row of it, or `ids` many; `before` and `after` must hold no secrets.
 * `covers` names further tables that the statements of this decision write.
 */
export interface Note {
  action: AuditAction;
  object: string;
  id?: number | null;
  ids?: readonly number[];
  name?: string | null;
  before?: object;
  after?: object;
  outcome?: AuditOutcome;
  covers?: readonly string[];
}

// Longer texts, such as pages, are cut: the audit says that they changed, not what they are.
const LONGEST = 1_000;

// Neither JSON in SQLite nor a text of PostgreSQL can hold these.
const storable = (text: string): string => text.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '\ufffd');

/** Returns a value as the audit stores it: long texts are cut. */
export const shownValue = (value: unknown): unknown =>
  typeof value === 'string'
    ? storable(value.length > LONGEST ? `${value.slice(0, LONGEST)}… (${value.length})` : value)
    : value;

const shownOf = (values: object): object =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, shownValue(value)]));

/** Adds to the row of the same object in this transaction, so that one decision is one row. */
function merge(rows: PendingRow[], row: PendingRow): boolean {
  const same = rows.find(
    ({ object, object_id, action }) =>
      object === row.object && object_id === row.object_id && (action === 'create' || action === row.action),
  );
  if (!same || row.action !== 'update' || row.object_id === null) return false;
  if (same.action === 'update') same.before = { ...row.before, ...same.before };
  same.after = { ...same.after, ...row.after };
  return true;
}

/**
 * Audits a decision in the running transaction, as that of who acts. Statements on audited tables need it: without it
 * their transaction does not commit. Throws outside `transaction` and outside `acting`.
 */
export function note({ action, object, id = null, ids, name = null, outcome = 'done', ...rest }: Note): void {
  const transaction = current();
  if (!transaction) throw new Error('note() outside a transaction');
  const { user, door } = currentActing();
  const { rows, noted } = pendingOf(transaction);
  for (const table of [object, ...(rest.covers ?? [])]) noted.add(table);
  const row: PendingRow = {
    at: new Date().toISOString(),
    user_id: user.id,
    login: storable(user.login),
    door: door.name,
    call: door.call,
    address: door.address === undefined ? null : storable(door.address),
    operation_id: door.operation_id ?? null,
    action,
    object,
    object_id: id,
    object_ids: ids ? JSON.stringify(ids) : null,
    object_name: name === null ? null : storable(name),
    before: rest.before ? shownOf(rest.before) : null,
    after: rest.after ? shownOf(rest.after) : null,
    outcome,
  };
  if (!merge(rows, row)) rows.push(row);
}

/** Returns a value as the audit may show it: of secrets and hashes only that they changed, of bytes how many. */
function told({ kind }: Column<unknown>, value: unknown): unknown {
  if (kind === 'secret' || kind === 'hash') return 'changed';
  return kind === 'bytes' && value !== null ? `${(value as Uint8Array).length} bytes` : value;
}

const UNTOLD = new Set(['id', 'created_at', 'updated_at']);

type Cells = Record<string, unknown>;

/** Returns those of the values that the audit tells of a table's row. */
function tellable({ columns, writes }: Table, values: Cells): [string, Column<unknown>, unknown][] {
  return Object.entries(values).flatMap(([name, value]) => {
    const column = columns[name];
    const isLeft = UNTOLD.has(name) || 'machine' in writes || writes.leaves.includes(name);
    return column && !isLeft ? [[name, column, value] as [string, Column<unknown>, unknown]] : [];
  });
}

const cellsOf = (table: Table, values: Cells): Cells =>
  Object.fromEntries(tellable(table, values).map(([name, column, value]) => [name, told(column, value)]));

const nameOf = ({ writes }: Table, row: Cells): string | null => {
  const name = 'machine' in writes || writes.name === null ? null : row[writes.name];
  return typeof name === 'string' ? name : null;
};

/** Whether the writes of a table are audited. */
export const isAudited = ({ writes }: Table): boolean => !('machine' in writes);

/** Audits a row that was inserted. */
export function noteInsert(table: Table, id: number, values: Cells): void {
  if (!isAudited(table)) return;
  note({ action: 'create', object: table.name, id, name: nameOf(table, values), after: cellsOf(table, values) });
}

const actionOf = (changed: Cells): AuditAction =>
  'deleted_at' in changed ? (changed['deleted_at'] === null ? 'restore' : 'delete') : 'update';

/** Audits the change of a row; nothing where no column that is told changes. */
export function noteUpdate(table: Table, id: number, before: Cells, values: Cells): void {
  const changed = tellable(table, values).filter(([name, , value]) => before[name] !== value);
  if (!isAudited(table) || changed.length === 0) return;
  const after = Object.fromEntries(changed.map(([name, column, value]) => [name, told(column, value)]));
  const former = changed.filter(([, { kind }]) => kind !== 'secret' && kind !== 'hash');
  note({
    action: actionOf(after),
    object: table.name,
    id,
    name: nameOf(table, { ...before, ...values }),
    before: Object.fromEntries(former.map(([name, column]) => [name, told(column, before[name])])),
    after,
  });
}

/** Audits a row that was deleted. */
export function noteDelete(table: Table, id: number, before: Cells): void {
  if (!isAudited(table)) return;
  const open = Object.fromEntries(
    tellable(table, before).flatMap(([name, column, value]) =>
      column.kind === 'secret' || column.kind === 'hash' ? [] : [[name, told(column, value)]],
    ),
  );
  note({ action: 'delete', object: table.name, id, name: nameOf(table, before), before: open });
}
