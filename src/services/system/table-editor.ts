import { z } from 'zod';
import { transaction } from '../../../db/index.ts';
import { MASK } from '../../shared/accounts/secrets.ts';
import { AppError, notFound, unknownReference } from '../../shared/errors.ts';
import { invalidInput } from '../../shared/invalid-input.ts';
import type { Key } from '../../shared/i18n/index.ts';
import { parseSort, type ListOf } from '../../shared/lists.ts';
import type {
  TableColumn,
  TableInfo,
  TableNames,
  TableQuery,
  TableRow,
  TableValue,
} from '../../shared/system/table-editor.ts';
import { Id } from '../../shared/text.ts';
import type { Actor } from '../access/scope.ts';
import { TABLE_EDITORS, type TableEditor } from './table-editors.ts';
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

function editorOf(name: string): TableEditor {
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

function viewOf(
  columns: readonly TableColumn[],
  row: { id: number } & Record<string, string | number | null>,
): TableRow {
  const values = columns.map((column): [string, TableValue] => {
    if (isSecret(column)) return [column.name, MASK];
    const value = row[column.name] ?? null;
    return [column.name, column.kind === 'json' && value !== null ? (JSON.parse(String(value)) as TableValue) : value];
  });
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

/**
 * Returns all rows of a table by id, secrets as the mask. Throws AppError `not_found` for a table that the editor does not have.
 */
export async function listRows(name: string, part: TableQuery): Promise<TableRow[]> {
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
  const rows = await listTableRows(selectionOf(editor, columns), { ...narrowed, order });
  return rows.map((row) => viewOf(columns, row));
}

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

async function findView(editor: TableEditor, id: number): Promise<TableRow | undefined> {
  const columns = listColumns(editor.table.name);
  const [row] = await listTableRows(selectionOf(editor, columns), { id } satisfies RowsPart);
  return row && viewOf(columns, row);
}

// A refusal does not repeat a megabyte of wrong names.
const MOST_REFUSED = 20;
const LONGEST_NAME = 100;

function refused(wrong: Iterable<readonly [string, string]>): AppError {
  const some = [...wrong].slice(0, MOST_REFUSED);
  const fields = Object.fromEntries(some.map(([name, key]) => [name.slice(0, LONGEST_NAME), key]));
  return new AppError('invalid', 'error.invalid', { fields: Object.keys(fields).join(', ') }, { fields });
}

const stale = (): AppError => new AppError('conflict', 'tables.stale', {}, { code: 'stale' });

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/**
 * Returns the fields to write: those that differ from what is there. Throws AppError `invalid` for columns that the table has not,
 * and for another value of one that can't be written; `conflict` for a row that was read before its last change.
 */
function changedFields(
  columns: readonly TableColumn[],
  given: Readonly<Record<string, unknown>>,
  before: TableRow | undefined,
): Record<string, unknown> {
  const wrong = new Map<string, Key>();
  const changed: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    const column = columns.find((one) => one.name === name);
    if (name === 'id') continue;
    if (!column) wrong.set(name, 'tables.unknown_column');
    else if (before ? isSame(value, before[name]) : value === undefined) continue;
    else if (before ? column.edits : column.adds) changed[name] = value;
    else if (before && name === 'updated_at' && z.iso.datetime().safeParse(value).success) throw stale();
    else if (before || !isEmpty(value)) wrong.set(name, 'tables.read_only');
  }
  if (wrong.size > 0) throw refused(wrong);
  return changed;
}

/** Parses fields by a shape. Nothing in a cell is an empty text where its field takes no null. */
function parse(shape: z.ZodObject, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const fields = Object.entries(given).map(([name, value]) => {
    const field = shape.shape[name];
    return [name, value === null && field instanceof z.ZodType && !field.safeParse(null).success ? '' : value];
  });
  const parsed = shape.safeParse(Object.fromEntries(fields));
  if (!parsed.success) {
    const { fields = {} } = invalidInput(parsed.error);
    // A wrong member of a list (`tags.3`) is shown at its column.
    throw refused(Object.entries(fields).map(([path, key]) => [path.split('.')[0] ?? path, key]));
  }
  return parsed.data;
}

function idOf(value: unknown): number {
  const id = Id.safeParse(value);
  if (!id.success) throw refused([['id', 'error.invalid_value']]);
  return id.data;
}

const notDone = (name: string, key: Key): AppError => new AppError('conflict', key, { table: name });

/**
 * Adds a row, or edits that of `id`, by the services of its noun, and returns it. What an edit does not name, or names as it is,
 * stays. Throws AppError `not_found` for a table; `refused` for an id that there is not; `invalid` for a column that the table has
 * not or that can't be written, and as its service; `conflict` where rows can't be added or edited here, and for an edit with an
 * `updated_at` from before the last change.
 */
export async function saveTableRow(
  actor: Actor,
  name: string,
  given: Readonly<Record<string, unknown>>,
): Promise<TableRow> {
  const editor = editorOf(name);
  const id = isEmpty(given['id']) ? null : idOf(given['id']);
  if (id !== null) {
    const edit = (): Promise<TableRow> => editTableRow(actor, editor, id, given);
    // Nobody else writes between the look at `updated_at` and the write. Others may call outside services, so not in a transaction.
    return editor.table.columns['updated_at'] ? transaction(edit) : edit();
  }
  const fields = changedFields(listColumns(name), given, undefined);
  if (!editor.add) throw notDone(name, 'tables.no_add');
  const made = await editor.add.run(actor, parse(editor.add.shape, fields));
  return requireView(editor, made.id);
}

async function editTableRow(
  actor: Actor,
  editor: TableEditor,
  id: number,
  given: Readonly<Record<string, unknown>>,
): Promise<TableRow> {
  const { name } = editor.table;
  const before = await findView(editor, id);
  if (!before) throw unknownReference('id');
  const fields = changedFields(listColumns(name), given, before);
  if (!editor.edit) throw notDone(name, 'tables.no_edit');
  const change = parse(editor.edit.shape.pick(picked(fields)), fields);
  if (Object.keys(fields).length > 0) await editor.edit.run(actor, id, change);
  return requireView(editor, id);
}

const picked = (fields: object): Record<string, true> =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, true]));

async function requireView(editor: TableEditor, id: number): Promise<TableRow> {
  const row = await findView(editor, id);
  if (!row) throw notFound();
  return row;
}

/**
 * Deletes a row by the service of its noun. Throws AppError `not_found`, and `conflict` where it is in use or rows can't be deleted
 * here.
 */
export async function deleteTableRow(actor: Actor, name: string, id: number): Promise<void> {
  const editor = editorOf(name);
  if (!(await findView(editor, id))) throw notFound();
  if (!editor.remove) throw notDone(name, 'tables.no_delete');
  await editor.remove(actor, id);
}
