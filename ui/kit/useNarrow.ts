import { useSyncExternalStore } from 'react';

/** Makes a hook that tells whether the window is at most so many pixels wide. */
function below(pixels: number): () => boolean {
  const media = window.matchMedia(`(max-width: ${pixels}px)`);
  const watch = (watcher: () => void): (() => void) => {
    media.addEventListener('change', watcher);
    return () => media.removeEventListener('change', watcher);
  };
  return () => useSyncExternalStore(watch, () => media.matches);
}

/** Returns whether the window is narrower than 600 px: cards replace tables. */
export const useNarrow = below(599);

/** Returns whether the groups of the menu have no room beside each other: one menu replaces them, as at 200 % zoom. */
export const useNarrowMenu = below(959);
