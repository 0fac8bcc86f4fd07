import { useSyncExternalStore } from 'react';

const narrow = window.matchMedia('(max-width: 599px)');

function watch(watcher: () => void): () => void {
  narrow.addEventListener('change', watcher);
  return () => narrow.removeEventListener('change', watcher);
}

/** Whether the window is narrower than 600 px: cards in place of tables, one menu in place of groups. */
export const useNarrow = (): boolean => useSyncExternalStore(watch, () => narrow.matches);
