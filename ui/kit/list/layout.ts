import { writeCsv } from '../../../src/shared/csv.ts';
import type { Column } from '../table/DataTable.tsx';

/** The name stays in its place and the acts stay last; what is in one form only is not chosen. */
const isHeld = <Row>({ id, card, only }: Column<Row>): boolean =>
  card === 'title' || id === 'actions' || only !== undefined;

/** Returns the columns that a person may choose and order. */
export const choosable = <Row>(columns: readonly Column<Row>[]): Column<Row>[] =>
  columns.filter((column) => !isHeld(column));

/** Returns the ids of an address (`project.rkn`) that are columns, each once; undefined: there are none. */
export function idsOf<Row>(text: string, columns: readonly Column<Row>[]): string[] | undefined {
  const known = new Set(choosable(columns).map(({ id }) => id));
  const ids = [...new Set(text.split('.'))].filter((id) => known.has(id));
  return ids.length > 0 ? ids : undefined;
}

/**
 * Returns the columns as a person has chosen them. The further left a chosen column stands, the longer it has room. On cards
 * all stay.
 */
export function laidOut<Row>(
  columns: readonly Column<Row>[],
  ids: readonly string[] | undefined,
): readonly Column<Row>[] {
  if (!ids) return columns;
  const free = choosable(columns);
  const place = (column: Column<Row>): Column<Row> => ({ ...column, priority: ids.indexOf(column.id) + 1 });
  const hide = (column: Column<Row>): Column<Row> => ({ ...column, only: 'card' });
  const all = ids.flatMap((id) => free.filter((column) => column.id === id)).map(place);
  const others = free.filter(({ id }) => !ids.includes(id)).map(hide);
  const isLast = ({ id }: Column<Row>): boolean => id === 'actions';
  // From left to right, so that each stands where it does among all columns, or after the last of fewer.
  for (const [at, column] of columns.entries()) if (isHeld(column) && !isLast(column)) all.splice(at, 0, column);
  return [...all, ...others, ...columns.filter(isLast)];
}

/** Moves an item of a list by a place; at either end it stays. */
export function moved(ids: readonly string[], id: string, by: 1 | -1): string[] {
  const from = ids.indexOf(id);
  const to = from + by;
  if (from < 0 || to < 0 || to >= ids.length) return [...ids];
  return ids.toSpliced(from, 1).toSpliced(to, 0, id);
}

/** Returns the part of an address's query that shows a list as it is: the fields of its view, in a fixed order. */
export function queryOfView(search: string, fields: readonly string[]): string {
  const given = new URLSearchParams(search);
  const kept = fields.flatMap((name) => {
    const value = given.get(name);
    return value === null ? [] : [[name, value]];
  });
  return new URLSearchParams(kept).toString();
}

const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** Returns rows as a file that a Russian Excel opens as a table: the `fields` of the columns that a table has, in their order. */
export function csvOf<Row extends object>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  const names = columns.filter(({ only }) => only !== 'card').flatMap(({ fields = [] }) => fields);
  const cells = rows.map((row) => names.map((name) => textOf((row as Record<string, unknown>)[name])));
  return writeCsv([names, ...cells], { delimiter: ';', bom: true });
}
