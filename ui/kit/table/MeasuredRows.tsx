import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Cards } from './Cards.tsx';
import type { RowsProps, Window } from './DataTable.tsx';
import { PhoneRows } from './PhoneRows.tsx';
import { Region } from './Region.tsx';
import { Table } from './Table.tsx';
import { usePages } from './useRows.ts';

// As many cards of a dialog are drawn without a box of their own.
const MOST_WHOLE = 100;

/** Rows that scroll in a box of their own. */
function BoxedRows<Row extends { id: number }>(props: RowsProps<Row>) {
  const { label, source, total, height, grid, density = 'regular', isNarrow = false } = props;
  const isWhole = isNarrow && total <= MOST_WHOLE;
  const region = useRef<HTMLDivElement>(null);
  // oxlint-disable-next-line react/incompatible-library -- the React Compiler, which this is about, is not used
  const virtualizer = useVirtualizer<HTMLDivElement, Element>({
    count: total,
    getScrollElement: () => region.current,
    estimateSize: () => (isNarrow ? 160 : 40),
    initialRect: { width: 0, height: 480 },
    overscan: isWhole ? total : isNarrow ? 2 : 4,
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
    <Region
      region={region}
      label={label}
      total={total}
      height={isWhole ? 'whole' : height}
      density={density}
      more={isNarrow ? undefined : grid?.section}
    >
      {isNarrow ? <Cards {...props} view={view} /> : <Table {...props} view={view} />}
    </Region>
  );
}

/**
 * The rows of a list whose heights differ, each of which is measured as it is drawn: cards, and tables with sentences. Cards
 * of a page scroll with it; a dialog scrolls by itself.
 */
export function MeasuredRows<Row extends { id: number }>(props: RowsProps<Row>) {
  const place = useRef<HTMLDivElement>(null);
  const [isInDialog, setInDialog] = useState(false);
  useLayoutEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- only what is drawn can say where it stands
    setInDialog(place.current?.closest('.bp6-overlay') !== null);
  }, []);
  return (
    <div ref={place}>
      {props.isNarrow === true && !isInDialog ? <PhoneRows {...props} /> : <BoxedRows {...props} />}
    </div>
  );
}
