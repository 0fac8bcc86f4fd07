import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import type { RowsProps, Window } from './DataTable.tsx';
import { Region } from './Region.tsx';
import { Table } from './Table.tsx';
import { usePages } from './useRows.ts';

/** Pixels, as `--row-height` of tokens.css. */
const ROW = 40;
const HEAD = 32;
// Rows that are drawn before and after those in sight, and by how many the window moves on at once.
const SPARE = 4;
const STEP = 2;

interface Range {
  start: number;
  end: number;
  isDown: boolean;
}

/** Returns the rows to draw where a list is scrolled to. */
function rangeAt({ scrollTop, clientHeight }: { scrollTop: number; clientHeight: number }, before: Range): Range {
  const first = Math.floor(Math.floor(scrollTop / ROW) / STEP) * STEP;
  const start = Math.max(0, first - SPARE);
  const end = first + Math.ceil(clientHeight / ROW) + STEP + SPARE;
  if (start === before.start && end === before.end) return before;
  return { start, end, isDown: start >= before.start };
}

/** Follows the scrolling of a list whose rows are of one height. */
function useRange(region: RefObject<HTMLDivElement | null>): Range {
  const [range, setRange] = useState<Range>({ start: 0, end: 24, isDown: true });
  useLayoutEffect(() => {
    const list = region.current;
    if (!list) return undefined;
    const follow = (): void => setRange((before) => rangeAt(list, before));
    follow();
    list.addEventListener('scroll', follow, { passive: true });
    const sizes = new ResizeObserver(follow);
    sizes.observe(list);
    return () => {
      list.removeEventListener('scroll', follow);
      sizes.disconnect();
    };
  }, [region]);
  return range;
}

/** Scrolls a list no further than a row needs to be in sight. */
function showRow(list: HTMLElement | null, row: number): void {
  if (!list) return;
  const top = row * ROW;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + ROW + HEAD > list.scrollTop + list.clientHeight) list.scrollTop = top + ROW + HEAD - list.clientHeight;
}

/** The rows of a list that are all of one height: which of them are in sight is counted, nothing is measured. */
export function FixedRows<Row extends { id: number }>(props: RowsProps<Row>) {
  const { label, source, total, height, grid } = props;
  const region = useRef<HTMLDivElement>(null);
  const range = useRange(region);
  const list = JSON.stringify(source.key);
  useEffect(() => {
    region.current?.scrollTo(0, 0);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another list begins at its top
  }, [list]);
  useEffect(() => grid?.settle({ region, toRow: (row) => showRow(region.current, row) }));
  const end = Math.min(total, range.end);
  const start = Math.min(range.start, end);
  const rowAt = usePages(source, { start, end: Math.max(start, end - 1), total, isDown: range.isDown });
  const view: Window<Row> = {
    items: Array.from({ length: end - start }, (_, place) => ({ index: start + place })),
    rowAt,
    total,
    before: start * ROW,
    after: (total - end) * ROW,
  };
  return (
    <Region region={region} label={label} total={total} height={height} more={grid?.section}>
      <Table {...props} view={view} region={region} />
    </Region>
  );
}
