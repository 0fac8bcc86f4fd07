import { useLayoutEffect, useState } from 'react';

// Pixels a millisecond: sixty rows a second, which nobody reads.
const HURRY = 2.5;
const CALM_MS = 120;

/** How fast a list is scrolled. */
export interface Pace {
  isHurried: () => boolean;
  /** Calls `told` once the list stands, at once where it is not hurried; returns how to forget it. */
  onCalm: (told: () => void) => () => void;
  /** Notes where the list is scrolled to, in pixels. */
  moved: (top: number) => void;
}

/** Returns the pace of a list that stands. */
export function newPace(): Pace {
  const waiting = new Set<() => void>();
  let [lastTop, lastAt] = [0, 0];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const calm = (): void => {
    timer = undefined;
    for (const told of waiting) told();
    waiting.clear();
  };
  return {
    isHurried: () => timer !== undefined,
    onCalm: (told) => {
      if (timer === undefined) told();
      else waiting.add(told);
      return () => void waiting.delete(told);
    },
    moved: (top) => {
      const at = performance.now();
      const isFast = Math.abs(top - lastTop) > HURRY * (at - lastAt);
      [lastTop, lastAt] = [top, at];
      if (!isFast) return;
      clearTimeout(timer);
      timer = setTimeout(calm, CALM_MS);
    },
  };
}

/** Whether a row is drawn whole: one that comes into sight in a hurry shows its name alone until the list stands. */
export function useWhole(pace: Pace | undefined): boolean {
  const [isWhole, setWhole] = useState(() => !pace?.isHurried());
  useLayoutEffect(() => (isWhole ? undefined : pace?.onCalm(() => setWhole(true))), [isWhole, pace]);
  return isWhole;
}
