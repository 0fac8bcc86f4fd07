import type { Column } from '../table/DataTable.tsx';

/** The name stays first and the acts stay last; a card's lines are not chosen. */
const isHeld = <Row>({ id, card, only }: Column<Row>): boolean =>
  card === 'title' || id === 'actions' || only === 'card';

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
  const at = (id: string): number => ids.indexOf(id);
  const placed = (column: Column<Row>): Column<Row> =>
    at(column.id) < 0 ? { ...column, only: 'card' } : { ...column, priority: at(column.id) + 1 };
  const chosen = choosable(columns)
    .map(placed)
    .toSorted((one, other) => at(one.id) - at(other.id));
  const first = columns.filter((column) => isHeld(column) && column.id !== 'actions');
  const last = columns.filter(({ id }) => id === 'actions');
  return [...first, ...chosen, ...last];
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
