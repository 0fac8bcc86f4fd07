import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { Cards } from './Cards.tsx';
import type { RowsProps, Window } from './DataTable.tsx';
import { Region } from './Region.tsx';
import { usePages } from './useRows.ts';

/** Follows how far below the top of the page a list begins, in pixels: what stands above it may grow. */
function useTop(region: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const follow = (): void => {
      const at = region.current?.getBoundingClientRect().top ?? 0;
      setTop(Math.round(at + window.scrollY));
    };
    follow();
    const sizes = new ResizeObserver(follow);
    sizes.observe(document.body);
    window.addEventListener('scroll', follow, { passive: true });
    return () => {
      sizes.disconnect();
      window.removeEventListener('scroll', follow);
    };
  }, [region]);
  return top;
}

/** The rows of a list on a phone, as cards: the page scrolls, and no box in it. */
export function PhoneRows<Row extends { id: number }>(props: RowsProps<Row>) {
  const { label, source, total } = props;
  const region = useRef<HTMLDivElement>(null);
  const scrollMargin = useTop(region);
  // oxlint-disable-next-line react/incompatible-library -- the React Compiler, which this is about, is not used
  const virtualizer = useWindowVirtualizer<Element>({
    count: total,
    estimateSize: () => 104,
    initialRect: { width: 0, height: 800 },
    overscan: 4,
    scrollMargin,
  });
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
    before: Math.max(0, (items[0]?.start ?? scrollMargin) - scrollMargin),
    after: Math.max(0, virtualizer.getTotalSize() - ((items.at(-1)?.end ?? scrollMargin) - scrollMargin)),
    measure: virtualizer.measureElement,
  };
  return (
    <Region region={region} label={label} total={total} height="whole" more={undefined}>
      <Cards {...props} view={view} />
    </Region>
  );
}
