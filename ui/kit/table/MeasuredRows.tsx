import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { Cards } from './Cards.tsx';
import type { RowsProps, Window } from './DataTable.tsx';
import { Region } from './Region.tsx';
import { Table } from './Table.tsx';
import { usePages } from './useRows.ts';

/** The rows of a list whose heights differ, each of which is measured as it is drawn: cards, and tables with sentences. */
export function MeasuredRows<Row extends { id: number }>(props: RowsProps<Row>) {
  const { label, source, total, height, grid, isNarrow = false } = props;
  const region = useRef<HTMLDivElement>(null);
  // oxlint-disable-next-line react/incompatible-library -- the React Compiler, which this is about, is not used
  const virtualizer = useVirtualizer<HTMLDivElement, Element>({
    count: total,
    getScrollElement: () => region.current,
    estimateSize: () => (isNarrow ? 160 : 40),
    initialRect: { width: 0, height: 480 },
    overscan: isNarrow ? 2 : 4,
  });
  const list = JSON.stringify(source.key);
  useEffect(() => {
    region.current?.scrollTo(0, 0);
  }, [list]);
  useEffect(() => grid?.settle({ region, toRow: (row) => virtualizer.scrollToIndex(row) }));
  const items = virtualizer.getVirtualItems();
  const rowAt = usePages(source, {
    start: items[0]?.index ?? 0,
    end: items.at(-1)?.index ?? 0,
    total,
    isDown: virtualizer.scrollDirection !== 'backward',
  });
  const view: Window<Row> = {
    items,
    rowAt,
    total,
    before: items[0]?.start ?? 0,
    after: virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0),
    measure: virtualizer.measureElement,
  };
  return (
    <Region region={region} label={label} total={total} height={height} more={isNarrow ? undefined : grid?.section}>
      {isNarrow ? <Cards {...props} view={view} /> : <Table {...props} view={view} />}
    </Region>
  );
}
