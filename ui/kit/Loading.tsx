import { useEffect, useState } from 'react';

/** Stands, unseen, where a part of the interface is still loaded: the page is busy until it is there. */
export const Loading = () => <span hidden aria-busy="true" />;

/** The class of an element that is hidden but keeps its place: a list in it measures itself before it is shown. */
export const UNSEEN = 'unseen';
/** The class of an element whose height is not known yet: its following siblings are hidden but keep their place. */
export const AWAITED = 'awaited';

// Longer than an answer usually takes.
const PATIENCE_MS = 3_000;

/**
 * Returns whether the parts below one that is being loaded stay hidden, because they would move when it comes: while `isLoading`,
 * three seconds at most after the first drawing.
 */
export function useAwaited(isLoading: boolean): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return isLoading && !isLate;
}
