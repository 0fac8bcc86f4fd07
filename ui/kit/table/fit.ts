import { useLayoutEffect, useState, type RefObject } from 'react';
import type { Column } from './DataTable.tsx';

// Pixels: the column of the boxes, and what a scrollbar may take.
const BOX = 40;
const BAR = 16;

/** The columns that have room, with their widths in pixels; the last one has none, and takes the rest. */
export interface Fitted<Row> {
  columns: readonly Column<Row>[];
  widths: readonly (number | undefined)[];
  /** The columns that have no room. */
  left: readonly Column<Row>[];
}

/** The columns whose grid a list shares with others, and whether boxes stand before its rows. */
interface Frame<Row> {
  among?: readonly Column<Row>[] | undefined;
  hasBoxes: boolean;
}

type Sized<Row> = Column<Row> & { width: number };

const isSized = <Row>(column: Column<Row>): column is Sized<Row> => column.width !== undefined;

const sumOf = (columns: readonly Sized<never>[]): number => columns.reduce((sum, { width }) => sum + width, 0);

/** Returns the columns that have room: of those that may go, the one with the highest `priority` goes first. */
function roomFor<Row>(columns: readonly Sized<Row>[], room: number): readonly Sized<Row>[] {
  if (sumOf(columns) <= room) return columns;
  const last = Math.max(...columns.map(({ priority = 0 }) => priority));
  if (last === 0) return columns;
  const gone = columns.findLast(({ priority = 0 }) => priority === last);
  return roomFor(
    columns.filter((column) => column !== gone),
    room,
  );
}

/** Returns the columns with what they lack of the room taken from those that may shrink. */
function squeezed<Row>(columns: readonly Sized<Row>[], room: number): readonly Sized<Row>[] {
  let over = sumOf(columns) - room;
  return columns.map((column) => {
    const given = Math.max(0, Math.min(over, column.width - (column.least ?? column.width)));
    over -= given;
    return given === 0 ? column : { ...column, width: column.width - given };
  });
}

/**
 * Lays the columns of a list out in a width, in pixels: nothing is measured, and what has no room is left out, not cut. Lists
 * with the same `among` have the same edges. Undefined where a column has no width of its own.
 */
export function fitColumns<Row>(
  columns: readonly Column<Row>[],
  width: number,
  { among = columns, hasBoxes }: Frame<Row>,
): Fitted<Row> | undefined {
  const all = among.filter(({ only }) => only !== 'card').filter(isSized);
  if (all.length < among.filter(({ only }) => only !== 'card').length || all.length === 0) return undefined;
  // In a shared grid the boxes take their room from the name, so that no edge moves.
  const isShared = among !== columns;
  const room = width - BAR - (hasBoxes && !isShared ? BOX : 0);
  const kept = squeezed(roomFor(all, room), room);
  const rest = Math.max(0, room - sumOf(kept));
  const shares = kept.reduce((sum, { grow = 0 }) => sum + grow, 0);
  const keptWidths = new Map(kept.map(({ id, width }) => [id, width]));
  const widthOf = ({ id, width, grow = 0, card }: Sized<Row>): number =>
    (keptWidths.get(id) ?? width) +
    (shares > 0 ? Math.floor((rest * grow) / shares) : 0) -
    (hasBoxes && isShared && card === 'title' ? BOX : 0);
  const own = columns.filter(({ only }) => only !== 'card').filter(isSized);
  const shown = own.filter(({ id }) => keptWidths.has(id));
  const widths = shown.slice(0, -1).map(widthOf);
  // Where even those that always have room have none, the list scrolls sideways.
  const last = sumOf(kept) > room ? shown.at(-1)?.width : undefined;
  return {
    columns: shown,
    widths: [...(hasBoxes ? [BOX] : []), ...widths, last],
    left: own.filter(({ id }) => !keptWidths.has(id)),
  };
}

/** Returns the width of a list with its scrollbar, in pixels; 0 until it is there. */
export function useWidth(list: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return undefined;
    const follow = (): void => setWidth(element.offsetWidth);
    follow();
    const sizes = new ResizeObserver(follow);
    sizes.observe(element);
    return () => sizes.disconnect();
  }, [list]);
  return width;
}
