import { useEffect, useState } from 'react';

/** Stands, unseen, where a part of the interface is still loaded: the page is busy until it is there. */
export const Loading = () => <span hidden aria-busy="true" />;

/** The class of what keeps its place unseen: a list in it measures itself before it is seen. */
export const UNSEEN = 'unseen';
/** The class of what has no known height yet: its following siblings keep their place unseen. */
export const AWAITED = 'awaited';

// Longer than an answer takes; what stands below it must not move when it comes.
const PATIENCE_MS = 3_000;

/**
 * Whether what stands below something that is loaded is not seen yet, because it would move: as long as it is loaded, three seconds
 * at most.
 */
export function useAwaited(isLoading: boolean): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return isLoading && !isLate;
}
