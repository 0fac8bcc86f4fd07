import { useEffect, useLayoutEffect, useState, type RefObject } from 'react';

/** The widths of the columns of a table, in pixels. */
export type Widths = readonly number[];

/**
 * Lets the browser lay a table out by its first rows, and keeps the widths of its columns from then on, so that no row
 * that is scrolled in moves them. They are found anew with another `layout` and where the list becomes wider or narrower;
 * until rows are here (`isReady`) and without a `region`, nothing is kept.
 */
export function useFrozen(
  table: RefObject<HTMLTableElement | null>,
  region: RefObject<HTMLElement | null> | undefined,
  { layout, isReady }: { layout: string; isReady: boolean },
): Widths | undefined {
  const [width, setWidth] = useState(0);
  const key = `${layout} ${width}`;
  const [kept, keep] = useState<{ key: string; widths: Widths }>();
  useEffect(() => {
    const list = region?.current;
    if (!list) return undefined;
    const sizes = new ResizeObserver(() => setWidth(list.clientWidth));
    sizes.observe(list);
    return () => sizes.disconnect();
  }, [region]);
  useLayoutEffect(() => {
    if (!region || !isReady || kept?.key === key) return;
    const cells = [...(table.current?.tHead?.rows[0]?.cells ?? [])];
    // oxlint-disable-next-line react/set-state-in-effect -- only what has been laid out can be measured
    keep({ key, widths: cells.map((cell) => cell.getBoundingClientRect().width) });
  }, [table, region, isReady, kept, key]);
  return kept?.key === key ? kept.widths : undefined;
}
