import { useVirtualizer, useWindowVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { Cards } from './Cards.tsx';
import type { RowsProps, Window as Drawn } from './DataTable.tsx';
import { Region } from './Region.tsx';
import { usePages } from './useRows.ts';

type Place = RefObject<HTMLDivElement | null>;

/** Returns the box in which the dialog around an element scrolls; null on a page. */
export const scrollerOf = (element: Element | null): HTMLElement | null =>
  element?.closest<HTMLElement>('.bp6-overlay-scroll-container') ?? null;

/** Follows how far below the top of the page, or of what scrolls its dialog, a list begins, in pixels: what stands above it may grow. */
function useTop(region: Place): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const box = scrollerOf(region.current);
    const follow = (): void => {
      const at = region.current?.getBoundingClientRect().top ?? 0;
      setTop(Math.round(box ? at - box.getBoundingClientRect().top + box.scrollTop : at + window.scrollY));
    };
    follow();
    const sizes = new ResizeObserver(follow);
    sizes.observe(region.current?.closest('.bp6-dialog') ?? document.body);
    const scrolls = box ?? window;
    scrolls.addEventListener('scroll', follow, { passive: true });
    return () => {
      sizes.disconnect();
      scrolls.removeEventListener('scroll', follow);
    };
  }, [region]);
  return top;
}

interface PlacedProps<Row extends { id: number }, Scrolls extends Element | Window> {
  rows: RowsProps<Row>;
  region: Place;
  virtualizer: Virtualizer<Scrolls, Element>;
  scrollMargin: number;
}

function Placed<Row extends { id: number }, Scrolls extends Element | Window>(props: PlacedProps<Row, Scrolls>) {
  const { rows, region, virtualizer, scrollMargin } = props;
  const { label, source, total } = rows;
  const items = virtualizer.getVirtualItems();
  const rowAt = usePages(source, {
    start: items[0]?.index ?? 0,
    end: items.at(-1)?.index ?? 0,
    total,
    isDown: virtualizer.scrollDirection !== 'backward',
  });
  const view: Drawn<Row> = {
    items,
    rowAt,
    total,
    before: Math.max(0, (items[0]?.start ?? scrollMargin) - scrollMargin),
    after: Math.max(0, virtualizer.getTotalSize() - ((items.at(-1)?.end ?? scrollMargin) - scrollMargin)),
    measure: virtualizer.measureElement,
  };
  return (
    <Region region={region} label={label} total={total} height="whole" more={undefined}>
      <Cards {...rows} view={view} />
    </Region>
  );
}

/** The rows of a list on a phone, as cards: the page scrolls, and no box in it. */
export function PhoneRows<Row extends { id: number }>(rows: RowsProps<Row>) {
  const region = useRef<HTMLDivElement>(null);
  const scrollMargin = useTop(region);
  // oxlint-disable-next-line react/incompatible-library -- the React Compiler, which this is about, is not used
  const virtualizer = useWindowVirtualizer<Element>({
    count: rows.total,
    estimateSize: () => 104,
    initialRect: { width: 0, height: 800 },
    overscan: 4,
    scrollMargin,
  });
  return <Placed rows={rows} region={region} virtualizer={virtualizer} scrollMargin={scrollMargin} />;
}

// As many cards of a dialog are all drawn.
const MOST_WHOLE = 100;

/** The same in a dialog, which scrolls in its own box. */
export function DialogCards<Row extends { id: number }>(rows: RowsProps<Row>) {
  const region = useRef<HTMLDivElement>(null);
  const scrollMargin = useTop(region);
  // oxlint-disable-next-line react/incompatible-library -- the React Compiler, which this is about, is not used
  const virtualizer = useVirtualizer<HTMLElement, Element>({
    count: rows.total,
    getScrollElement: () => scrollerOf(region.current),
    estimateSize: () => 160,
    initialRect: { width: 0, height: 800 },
    overscan: rows.total <= MOST_WHOLE ? rows.total : 2,
    scrollMargin,
  });
  return <Placed rows={rows} region={region} virtualizer={virtualizer} scrollMargin={scrollMargin} />;
}
