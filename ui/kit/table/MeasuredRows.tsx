import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { RowsProps, Window } from './DataTable.tsx';
import { DialogCards, PhoneRows, scrollerOf } from './PhoneRows.tsx';
import { Region } from './Region.tsx';
import { Table } from './Table.tsx';
import { usePages } from './useRows.ts';

/** Rows of a table that scroll in a box of their own. */
function BoxedRows<Row extends { id: number }>(props: RowsProps<Row>) {
  const { label, source, total, height, grid, density = 'regular' } = props;
  const region = useRef<HTMLDivElement>(null);
  // oxlint-disable-next-line react/incompatible-library -- the React Compiler, which this is about, is not used
  const virtualizer = useVirtualizer<HTMLDivElement, Element>({
    count: total,
    getScrollElement: () => region.current,
    estimateSize: () => 40,
    initialRect: { width: 0, height: 480 },
    overscan: 4,
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
    <Region region={region} label={label} total={total} height={height} density={density} more={grid?.section}>
      <Table {...props} view={view} />
    </Region>
  );
}

/**
 * The rows of a list whose heights differ, each of which is measured as it is drawn: cards, and tables with sentences. Cards
 * scroll with their page or their dialog.
 */
export function MeasuredRows<Row extends { id: number }>(props: RowsProps<Row>) {
  const place = useRef<HTMLDivElement>(null);
  const [isInDialog, setInDialog] = useState(false);
  useLayoutEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- only what is drawn can say where it stands
    setInDialog(scrollerOf(place.current) !== null);
  }, []);
  const Rows = props.isNarrow !== true ? BoxedRows : isInDialog ? DialogCards : PhoneRows;
  return (
    <div ref={place}>
      <Rows {...props} />
    </div>
  );
}
