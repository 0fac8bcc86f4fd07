import { useEffect, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react';
import type { Density } from '../../../src/shared/access/list-views.ts';
import type { RowsProps, Window } from './DataTable.tsx';
import { fitColumns, useWidth } from './fit.ts';
import { ListFoot } from './ListFoot.tsx';
import { newPace, type Pace } from './pace.ts';
import { Region } from './Region.tsx';
import { Table } from './Table.tsx';
import { usePages } from './useRows.ts';

/** Pixels, as `--row-height` of tokens.css and of table.css. */
const ROWS: Record<Density, number> = { regular: 40, compact: 32 };
const HEAD = 32;
// Rows that are drawn before and after those in sight, and by how many the window moves on at once.
const SPARE = 2;
const STEP = 2;

interface Range {
  start: number;
  end: number;
  isDown: boolean;
}

/** Returns the rows to draw where a list is scrolled to. */
function rangeAt(row: number, { scrollTop, clientHeight }: HTMLElement, before: Range): Range {
  const first = Math.floor(Math.floor(scrollTop / row) / STEP) * STEP;
  const start = Math.max(0, first - SPARE);
  const end = first + Math.ceil(clientHeight / row) + STEP + SPARE;
  if (start === before.start && end === before.end) return before;
  return { start, end, isDown: start >= before.start };
}

/** Follows the scrolling of a list whose rows are of one height. */
function useRange(region: RefObject<HTMLDivElement | null>, row: number, pace: Pace): Range {
  const [range, setRange] = useState<Range>({ start: 0, end: 24, isDown: true });
  useLayoutEffect(() => {
    const list = region.current;
    if (!list) return undefined;
    const follow = (): void => setRange((before) => rangeAt(row, list, before));
    const scrolled = (): void => {
      pace.moved(list.scrollTop);
      follow();
    };
    follow();
    list.addEventListener('scroll', scrolled, { passive: true });
    const sizes = new ResizeObserver(follow);
    sizes.observe(list);
    return () => {
      list.removeEventListener('scroll', scrolled);
      sizes.disconnect();
    };
  }, [region, row, pace]);
  return range;
}

/** Scrolls a list no further than a row needs to be in sight. */
function showRow(list: HTMLElement | null, index: number, row: number): void {
  if (!list) return;
  const top = index * row;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + row + HEAD > list.scrollTop + list.clientHeight) list.scrollTop = top + row + HEAD - list.clientHeight;
}

/** The rows of a list that are all of one height: which of them are in sight is counted, nothing is measured. */
export function FixedRows<Row extends { id: number }>(props: RowsProps<Row>) {
  const { label, source, total, height, grid, columns, among, density = 'regular' } = props;
  const row = ROWS[density];
  const hasBoxes = props.selection !== undefined;
  const region = useRef<HTMLDivElement>(null);
  const box = { region, row, head: HEAD };
  const [pace] = useState(newPace);
  const range = useRange(region, row, pace);
  const width = useWidth(region);
  const fitted = useMemo(() => fitColumns(columns, width, { among, hasBoxes }), [columns, width, among, hasBoxes]);
  const list = JSON.stringify(source.key);
  useEffect(() => {
    region.current?.scrollTo(0, 0);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another list begins at its top
  }, [list]);
  useEffect(() => grid?.settle({ region, toRow: (index) => showRow(region.current, index, row) }));
  const end = Math.min(total, range.end);
  const start = Math.min(range.start, end);
  const rowAt = usePages(source, { start, end: Math.max(start, end - 1), total, isDown: range.isDown });
  const view: Window<Row> = {
    items: Array.from({ length: end - start }, (_, place) => ({ index: start + place })),
    rowAt,
    total,
    before: start * row,
    after: (total - end) * row,
    pace,
    box,
  };
  return (
    <>
      <Region region={region} label={label} total={total} height={height} density={density} more={grid?.section}>
        <Table {...props} view={view} region={region} fitted={fitted} />
      </Region>
      <ListFoot box={box} total={total} source={source} label={label} isMain={height === 'page'} />
    </>
  );
}
