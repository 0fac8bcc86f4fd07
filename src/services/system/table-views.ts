import { z } from 'zod';
import { MASK } from '../../shared/accounts/secrets.ts';
import { notFound } from '../../shared/errors.ts';
import { parseSort, type ListOf } from '../../shared/lists.ts';
import type {
  TableColumn,
  TableInfo,
  TableNames,
  TableQuery,
  TableRow,
  TableValue,
} from '../../shared/system/table-editor.ts';
import { TABLE_EDITORS, type TableEditor } from './table-editors.ts';
import { jsonOfParts, type JsonText } from '../portfolio/json.ts';
import {
  countTableRows,
  listRowNames,
  listTableRows,
  madeColumns,
  type RowsPart,
  type TableSelection,
} from './table-rows.ts';

/** Returns the tables that an administrator may look at and edit, by name. */
export const listTables = (): TableInfo[] =>
  [...TABLE_EDITORS.values()]
    .map(({ table: { name }, add, edit, remove }) => ({
      name,
      adds: add !== undefined,
      edits: edit !== undefined,
      deletes: remove !== undefined,
    }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));

/** Returns how the editor has a table. Throws AppError `not_found` for one that it does not have. */
export function editorOf(name: string): TableEditor {
  const editor = TABLE_EDITORS.get(name);
  if (!editor) throw notFound();
  return editor;
}

/** Returns the values of a field that takes few; null for any other. */
function optionsOf(shape: z.ZodObject | undefined, name: string): string[] | null {
  let field: unknown = shape?.shape[name];
  while (field instanceof z.ZodOptional || field instanceof z.ZodDefault || field instanceof z.ZodNullable) {
    field = field.unwrap();
  }
  return field instanceof z.ZodEnum ? field.options.map(String) : null;
}

const shown = (table: string | undefined): string | null =>
  table !== undefined && TABLE_EDITORS.has(table) ? table : null;

/** Returns the columns of a table. Throws AppError `not_found` for one that the editor does not have. */
export function listColumns(name: string): TableColumn[] {
  const { table, hides, add, edit } = editorOf(name);
  const own = Object.entries(table.columns)
    .filter(([column]) => !hides.includes(column))
    .map(([column, { kind, nullable, references }]) => ({
      name: column,
      kind,
      nullable,
      references: shown(references?.table),
    }));
  const made = madeColumns(table).map(({ column, references }) => ({
    name: column,
    kind: 'json' as const,
    nullable: false,
    references,
  }));
  return [...own, ...made].map((column) =>
    Object.assign(column, {
      adds: add !== undefined && column.name in add.shape.shape,
      edits: edit !== undefined && column.name in edit.shape.shape,
      options: optionsOf(edit?.shape ?? add?.shape, column.name),
    }),
  );
}

const isSecret = ({ kind }: TableColumn): boolean => kind === 'secret';
const isPlain = ({ kind }: TableColumn): boolean => kind !== 'secret' && kind !== 'json';

function selectionOf({ table }: TableEditor, columns: readonly TableColumn[]): TableSelection {
  return {
    table,
    columns: columns.filter((column) => !isSecret(column)).map(({ name }) => name),
    searched: columns.filter(isPlain).map(({ name }) => name),
  };
}

function valueOf({ kind }: TableColumn, value: string | number | null): TableValue {
  if (value === null) return null;
  if (kind === 'json') return JSON.parse(String(value)) as TableValue;
  return kind === 'flag' ? value === 1 : value;
}

/** A row as the API has it: flags as true and false, secrets as the mask. */
function viewOf(
  columns: readonly TableColumn[],
  row: { id: number } & Record<string, string | number | null>,
): TableRow {
  const values = columns.map((column): [string, TableValue] => [
    column.name,
    isSecret(column) ? MASK : valueOf(column, row[column.name] ?? null),
  ]);
  return { ...Object.fromEntries(values), id: row.id };
}

/** Returns the names of the rows that some rows refer to. */
async function namesOf(columns: readonly TableColumn[], rows: readonly TableRow[]): Promise<TableNames> {
  const ids = new Map<string, Set<number>>();
  for (const { name, references } of columns) {
    if (references === null) continue;
    const known = ids.get(references) ?? new Set();
    ids.set(references, known);
    for (const row of rows) for (const id of [row[name]].flat()) if (typeof id === 'number') known.add(id);
  }
  const named = [...ids].map(async ([table, wanted]) => {
    const found = await listRowNames(editorOf(table).table, [...wanted]);
    return [table, Object.fromEntries(found.map(({ id, name }) => [id, name]))];
  });
  return Object.fromEntries(await Promise.all(named)) as TableNames;
}

/** Rows of a table, how many there are, and the names of those that they refer to. */
export type TablePart = Required<ListOf<TableRow>> & { names: TableNames };

/** Returns the rows of a part of a table, secrets as the mask; those after an id. Throws as `readPart`. */
export async function listRows(name: string, part: TableQuery, after?: number): Promise<TableRow[]> {
  const editor = editorOf(name);
  const columns = listColumns(name);
  const { sort, ...narrowed } = part;
  const order =
    sort === undefined
      ? undefined
      : parseSort(
          sort,
          columns.filter(isPlain).map((column) => column.name),
        );
  const rows = await listTableRows(selectionOf(editor, columns), { ...narrowed, order, after });
  return rows.map((row) => viewOf(columns, row));
}

// So many rows are read and written at once; whatever else waits has its turn in between.
const ROWS_AT_ONCE = 2_000;

async function* rowParts(name: string, part: TableQuery): AsyncGenerator<TableRow[]> {
  // In another order than that of the ids nothing tells where the next rows begin.
  if (part.sort !== undefined || part.offset !== undefined) {
    yield await listRows(name, part);
    return;
  }
  const atOnce = { ...part, limit: ROWS_AT_ONCE };
  let rows = await listRows(name, atOnce);
  yield rows;
  while (rows.length === ROWS_AT_ONCE) {
    rows = await listRows(name, atOnce, rows.at(-1)?.id);
    yield rows;
  }
}

/**
 * Returns all rows of a table by id, secrets as the mask. Throws AppError `not_found` for a table that the editor does not have.
 */
export const listAllRows = (name: string, part: TableQuery): Promise<JsonText<TableRow[]>> =>
  jsonOfParts(rowParts(name, part));

/**
 * Returns a part of a table's rows. Secrets are the mask, and are neither searched nor sorted by. Throws AppError `not_found` for a
 * table, `invalid` for an order that there is not.
 */
export async function readPart(name: string, part: TableQuery): Promise<TablePart> {
  const data = await listRows(name, part);
  const columns = listColumns(name);
  const [total, names] = await Promise.all([
    countTableRows(selectionOf(editorOf(name), columns), part),
    namesOf(columns, data),
  ]);
  return { data, total, names };
}

/** Returns a row of a table as it is shown; undefined: there is none. */
export async function findView(editor: TableEditor, id: number): Promise<TableRow | undefined> {
  const columns = listColumns(editor.table.name);
  const [row] = await listTableRows(selectionOf(editor, columns), { id } satisfies RowsPart);
  return row && viewOf(columns, row);
}
