import { z } from 'zod';
import { transaction } from '../../../db/index.ts';
import { AppError, notFound, unknownReference } from '../../shared/errors.ts';
import { invalidInput } from '../../shared/invalid-input.ts';
import type { Key } from '../../shared/i18n/index.ts';
import type { TableColumn, TableRow } from '../../shared/system/table-editor.ts';
import { Id } from '../../shared/text.ts';
import type { Actor } from '../access/scope.ts';
import type { TableEditor } from './table-editors.ts';
import { editorOf, findView, listColumns } from './table-views.ts';

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
  const values = Object.fromEntries(fields);
  const parsed = shape.safeParse(values);
  if (!parsed.success) {
    const { fields = {} } = invalidInput(parsed.error, values);
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

const isCells = (was: unknown): was is Record<string, unknown> =>
  typeof was === 'object' && was !== null && !Array.isArray(was);

/** Throws AppError `conflict` unless columns hold what they are said to, and `invalid` for one that the table has not. */
function refuseChanged(columns: readonly TableColumn[], was: unknown, row: TableRow): void {
  if (!isCells(was)) throw refused([['was', 'error.invalid_value']]);
  const unknown = Object.keys(was).filter((name) => !columns.some((column) => column.name === name));
  if (unknown.length > 0) throw refused(unknown.map((name) => [name, 'tables.unknown_column']));
  if (Object.entries(was).some(([name, value]) => !isSame(value, row[name]))) throw stale();
}

const notDone = (name: string, key: Key): AppError => new AppError('conflict', key, { table: name });

/** Does what looks at a row and writes it: nobody else writes between, but where the service calls outside. */
export const atOnce = <T>({ isOutside }: TableEditor, work: () => Promise<T>): Promise<T> =>
  isOutside ? work() : transaction(work);

/**
 * Adds a row, or edits that of `id`, by the services of its noun, and returns it. Columns that an edit does not name, or names as they
 * are, stay. Throws AppError `not_found` for a table; `refused` for an id that there is not; `invalid` for a column that the table has
 * not or that can't be written, and as its service; `conflict` where rows can't be added or edited here, and for an edit with an
 * `updated_at` from before the last change, or of a row whose columns hold something else than `was` names.
 */
export async function saveTableRow(
  actor: Actor,
  name: string,
  given: Readonly<Record<string, unknown>>,
): Promise<TableRow> {
  const editor = editorOf(name);
  const id = isEmpty(given['id']) ? null : idOf(given['id']);
  if (id !== null) return atOnce(editor, () => editTableRow(actor, editor, id, given));
  const fields = changedFields(listColumns(name), given, undefined);
  if (!editor.add) throw notDone(name, 'tables.no_add');
  const made = await editor.add.run(actor, parse(editor.add.shape, fields));
  return requireView(editor, made.id);
}

async function editTableRow(
  actor: Actor,
  editor: TableEditor,
  id: number,
  { was = {}, ...given }: Readonly<Record<string, unknown>>,
): Promise<TableRow> {
  const { name } = editor.table;
  const before = await findView(editor, id);
  if (!before) throw unknownReference('id');
  const columns = listColumns(name);
  refuseChanged(columns, was, before);
  const fields = changedFields(columns, given, before);
  if (!editor.edit) throw notDone(name, 'tables.no_edit');
  const change = parse(editor.edit.shape.pick(picked(fields)), fields);
  if (Object.keys(fields).length > 0) await editor.edit.run(actor, id, change);
  return requireView(editor, id);
}

const picked = (fields: object): Record<string, true> =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, true]));

/** Returns a row of a table as it is shown. Throws AppError `not_found`. */
export async function requireView(editor: TableEditor, id: number): Promise<TableRow> {
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
