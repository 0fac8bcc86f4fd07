import { useSyncExternalStore } from 'react';

const narrow = window.matchMedia('(max-width: 599px)');

function watch(watcher: () => void): () => void {
  narrow.addEventListener('change', watcher);
  return () => narrow.removeEventListener('change', watcher);
}

/** Returns whether the window is narrower than 600 px: cards replace tables, one menu replaces groups. */
export const useNarrow = (): boolean => useSyncExternalStore(watch, () => narrow.matches);
