import { useEffect, useRef, type RefObject } from 'react';

/** Scrolls a line so that one of its parts stands in its middle; the page and the focus stay where they are. */
function toMiddle(line: Element, part: Element): void {
  const [outer, inner] = [line.getBoundingClientRect(), part.getBoundingClientRect()];
  line.scrollLeft += inner.left - outer.left - (outer.width - inner.width) / 2;
}

/** Brings the chosen tab into sight among its tabs, which scroll sideways on a phone. */
export function useTabInSight(tabs: string, chosen: string): void {
  useEffect(() => {
    const tab = document.getElementById(`bp6-tab-title_${tabs}_${chosen}`);
    if (tab?.parentElement) toMiddle(tab.parentElement, tab);
  }, [tabs, chosen]);
}

/**
 * Brings the pressed chip into sight among its chips, which scroll sideways on a phone. `known` is the number of chips that have their
 * count: they become wider by it.
 */
export function useChipInSight(chosen: string, known: number): RefObject<HTMLFieldSetElement | null> {
  const chips = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    const chip = chips.current?.querySelector('[aria-pressed="true"]');
    if (chips.current && chip) toMiddle(chips.current, chip);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another chip is pressed, or they are of another width
  }, [chosen, known]);
  return chips;
}
