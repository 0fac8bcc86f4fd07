import { shownValue } from '../../../db/audit.ts';
import { transaction } from '../../../db/index.ts';
import type { AuditEntry } from '../../shared/audit/audit.ts';
import { AppError } from '../../shared/errors.ts';
import type { TableColumn, TableRow } from '../../shared/system/table-editor.ts';
import { findAuditEntry } from '../audit/audit.ts';
import type { Actor } from '../access/scope.ts';
import { giveManyBack, isBulk } from './bulk-back.ts';
import { canGiveSettingsBack, giveSettingsBack, valuesOf, type Values } from './settings-back.ts';
import { atOnce, requireView, saveTableRow } from './table-editor.ts';
import { TABLE_EDITORS } from './table-editors.ts';
import { editorOf, listColumns } from './table-views.ts';

/** Returns the columns of a change that can be written by the noun's own service. Secrets are not in the audit, so they stay. */
function columnsOf({ object, before }: AuditEntry): TableColumn[] {
  const former = valuesOf(before);
  return listColumns(object).filter(({ name, edits, kind }) => edits && kind !== 'secret' && name in former);
}

/** Returns the column of a change that was set because others were. */
function followingOf({ object, before }: AuditEntry): TableColumn[] {
  const { follows } = editorOf(object);
  return listColumns(object).filter(({ name }) => name === follows?.column && name in valuesOf(before));
}

/**
 * Whether a change can be given back: settings, an edit or a deletion of many domains, or an edit of one row by a person, of a noun whose
 * service takes edits. A change by an operation can't: it has changed things outside as well, and is given back as an operation. Nor can a
 * change of the host: its secret would have to be typed.
 */
export function canGiveBack(entry: AuditEntry): boolean {
  if (canGiveSettingsBack(entry) || isBulk(entry)) return true;
  const { action, object, object_id, operation_id } = entry;
  if (action !== 'update' || object_id === null || operation_id !== null) return false;
  const editor = TABLE_EDITORS.get(object);
  if (!editor?.edit) return false;
  const columns = columnsOf(entry);
  return columns.length > 0 && !columns.some(({ name }) => editor.withSecret?.includes(name));
}

/** The ids of a list have no order of their own. */
const ordered = ({ references }: TableColumn, value: unknown): unknown =>
  references !== null && Array.isArray(value) ? value.toSorted((one: number, other: number) => one - other) : value;

// The audit has cells as they are stored, long texts cut, and the ids of a group as a list.
const cellOf = (column: TableColumn, value: unknown): unknown =>
  typeof value === 'object' && value !== null ? shownValue(JSON.stringify(ordered(column, value))) : value;

const valueOf = ({ kind }: TableColumn, cell: unknown): unknown =>
  kind === 'json' && typeof cell === 'string' ? (JSON.parse(cell) as unknown) : cell;

const isCut = (cell: unknown): boolean => typeof cell === 'string' && cell.length > 1_000 && /… \(\d+\)$/.test(cell);

const refused = (key: 'log.not_given_back' | 'log.cut', code: string): AppError =>
  new AppError('conflict', key, {}, { code });

/**
 * Gives a row of a table the values back that it had before a change, by its noun's own service, with its rules and its audit. Throws
 * AppError `forbidden`, `not_found`; `conflict` where a change can't be given back, and (`stale`) where the row has changed since; and
 * as the service.
 */
export async function giveBack(actor: Actor, id: number): Promise<Values> {
  const entry = await findAuditEntry(actor, id);
  if (!canGiveBack(entry)) throw refused('log.not_given_back', 'not_given_back');
  if (canGiveSettingsBack(entry)) return transaction(() => giveSettingsBack(actor, entry));
  if (isBulk(entry)) return { ...(await transaction(() => giveManyBack(actor, entry))) };
  const { object, object_id, after } = entry;
  const columns = columnsOf(entry);
  const former = valuesOf(entry.before);
  if (columns.some(({ name }) => isCut(former[name]))) throw refused('log.cut', 'not_given_back');
  const editor = editorOf(object);
  const write = async (): Promise<TableRow> => {
    const now = await requireView(editor, object_id ?? 0);
    const made = valuesOf(after);
    const isStale = [...columns, ...followingOf(entry)].some(
      (column) => cellOf(column, shownValue(now[column.name])) !== cellOf(column, made[column.name]),
    );
    if (isStale) throw new AppError('conflict', 'tables.stale', {}, { code: 'stale' });
    const values = columns.map((column) => [column.name, valueOf(column, former[column.name])]);
    await saveTableRow(actor, object, { ...Object.fromEntries(values), id: object_id });
    await editor.follows?.giveBack(now.id, former);
    return requireView(editor, now.id);
  };
  return atOnce(editor, write);
}
