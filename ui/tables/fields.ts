import type { TableColumn, TableRow, TableValue } from '../../src/shared/system/table-editor.ts';

/** The values of a form: texts, and lists of ids. */
export type FormValues = Record<string, string | number[]>;

/** Whether a column is a list of other rows. */
export const isIds = ({ kind, references }: TableColumn): boolean => kind === 'json' && references !== null;

/** Returns a value as a field shows it. */
function shownOf(column: TableColumn, value: TableValue | undefined): string | number[] {
  if (isIds(column)) return Array.isArray(value) ? value.map(Number) : [];
  if (Array.isArray(value)) return value.join(', ');
  return value === null || value === undefined || typeof value === 'object' ? '' : String(value);
}

/** Returns a value as the text of a cell that is typed and copied. */
export function textOf(column: TableColumn, value: TableValue | undefined): string {
  if (Array.isArray(value)) return value.map((one) => (typeof one === 'object' ? (one.name ?? '') : one)).join(', ');
  return String(shownOf(column, value));
}

/** Returns the values of a form for a row; for a new one null. */
export const valuesOf = (columns: readonly TableColumn[], row: TableRow | null): FormValues =>
  Object.fromEntries(columns.map((column) => [column.name, shownOf(column, row?.[column.name])]));

/** Returns what a field means for its column. A number that is none is left for the server to refuse. */
export function meantBy({ kind, references }: TableColumn, value: string | number[]): TableValue {
  if (typeof value !== 'string') return value;
  if (kind === 'json') {
    return value
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean);
  }
  if (kind !== 'integer' && references === null) return value;
  if (value.trim() === '') return null;
  return Number.isFinite(Number(value)) ? Number(value) : value;
}

/** Returns the body of a call: of a new row what was filled in, of another one what was changed. */
export function bodyOf(
  columns: readonly TableColumn[],
  values: FormValues,
  row: TableRow | null,
): Record<string, TableValue> {
  const before = valuesOf(columns, row);
  const given = columns.flatMap((column): [string, TableValue][] => {
    const value = values[column.name] ?? '';
    const isSame = JSON.stringify(value) === JSON.stringify(before[column.name]);
    // A new group has no accounts, which is said.
    if (isSame && !(row === null && isIds(column))) return [];
    return [[column.name, meantBy(column, value)]];
  });
  return Object.fromEntries(given);
}

/** Returns columns of a row. */
export const pick = (row: TableRow | null, columns: readonly string[]): Record<string, TableValue> =>
  Object.fromEntries(columns.map((name) => [name, row?.[name] ?? null]));
