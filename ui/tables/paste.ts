import type { Key } from '../../src/shared/i18n/index.ts';
import type { TableColumn, TableRow, TableValue } from '../../src/shared/system/table-editor.ts';
import { isIds, meantBy, textOf } from './fields.ts';

/** A cell that a paste would change. */
export interface CellChange {
  column: string;
  before: string;
  after: string;
}

/** A row that a paste would change, as it was read. */
export interface RowChange {
  row: TableRow;
  values: Record<string, TableValue>;
  cells: CellChange[];
}

/** Pasted cells that are not written, by their column and the reason; `column` is '' beside and below the table. */
export interface Refusal {
  column: string;
  reason: Key;
  cells: number;
}

/** The effect of a paste; `same` is the number of cells that have their value already. */
export interface PastePlan {
  changes: RowChange[];
  refused: Refusal[];
  same: number;
}

/** The ids of a table's rows by the names that only one row has. */
export type Choices = Readonly<Record<string, ReadonlyMap<string, number>>>;

/** Returns the id that a text names: `7`, `#7`, or the name of one row. */
function idOf(text: string, names: ReadonlyMap<string, number> | undefined): number | undefined {
  const [, digits] = /^#?(\d{1,15})$/.exec(text) ?? [];
  return names?.get(text) ?? (digits === undefined ? undefined : Number(digits));
}

/** Returns the row or rows that a text names; undefined where it names none. */
function referenceOf(column: TableColumn, text: string, choices: Choices): TableValue | undefined {
  const names = choices[column.references ?? ''];
  if (!isIds(column)) return text === '' ? null : idOf(text, names);
  const parts = text.split(',').flatMap((part) => part.trim() || []);
  const ids = parts.map((part) => idOf(part, names));
  return ids.every((id) => id !== undefined) ? ids : undefined;
}

/** Returns a day as a Russian spreadsheet writes it, `31.12.2026`, in the form of the API; other texts as they are. */
const dayOf = (text: string): string => text.trim().replace(/^(\d\d)\.(\d\d)\.(\d{4})$/, '$3-$2-$1');

/** Returns the value that a pasted text means for a column, or why there is none. */
function valueOf(column: TableColumn, text: string, choices: Choices): { value: TableValue } | { reason: Key } {
  if (column.kind === 'secret') return { reason: 'tables.paste_secret' };
  if (!column.edits) return { reason: 'tables.read_only' };
  if (column.references !== null) {
    const value = referenceOf(column, text.trim(), choices);
    return value === undefined ? { reason: 'tables.paste_reference' } : { value };
  }
  if (column.options && !column.options.includes(text) && !(text === '' && column.nullable)) {
    return { reason: 'tables.paste_option' };
  }
  const value = meantBy(column, column.kind === 'time' ? dayOf(text) : text);
  return column.kind === 'integer' && typeof value === 'string' ? { reason: 'tables.paste_number' } : { value };
}

/**
 * Returns what pasted cells would change in rows, from the first column of `columns` on; an undefined column can't be written.
 * Nothing is written that the table has no cell for.
 */
export function planPaste(
  cells: readonly (readonly string[])[],
  rows: readonly TableRow[],
  columns: readonly (TableColumn | undefined)[],
  choices: Choices,
): PastePlan {
  const refused = new Map<string, Refusal>();
  const changes: RowChange[] = [];
  let same = 0;
  const refuse = (column: string, reason: Key): void => {
    const key = `${column} ${reason}`;
    const known = refused.get(key) ?? { column, reason, cells: 0 };
    refused.set(key, { ...known, cells: known.cells + 1 });
  };
  for (const [index, texts] of cells.entries()) {
    const row = rows[index];
    const change: RowChange | undefined = row && { row, values: {}, cells: [] };
    for (const [at, text] of texts.entries()) {
      const column = columns[at];
      if (!row || !change || !column) {
        refuse('', row ? 'tables.paste_beside' : 'tables.paste_below');
        continue;
      }
      const meant = valueOf(column, text, choices);
      const before = textOf(column, row[column.name]);
      const after = 'value' in meant ? textOf(column, meant.value) : text;
      if (before === after) same += 1;
      else if ('reason' in meant) refuse(column.name, meant.reason);
      else {
        change.values[column.name] = meant.value;
        change.cells.push({ column: column.name, before, after });
      }
    }
    if (change && change.cells.length > 0) changes.push(change);
  }
  return { changes, refused: [...refused.values()], same };
}
