import { useSyncExternalStore } from 'react';

type Watch = (watcher: () => void) => () => void;

function media(query: string): { watch: Watch; matches: () => boolean } {
  const list = window.matchMedia(query);
  return {
    watch: (watcher) => {
      list.addEventListener('change', watcher);
      return () => list.removeEventListener('change', watcher);
    },
    matches: () => list.matches,
  };
}

const narrow = media('(max-width: 599px)');
const middling = media('(max-width: 899px)');

/** Returns whether the window is narrower than 600 px: cards replace tables, one menu replaces groups. */
export const useNarrow = (): boolean => useSyncExternalStore(narrow.watch, narrow.matches);

/** Returns whether the window is narrower than 900 px, as one of 1280 px is at 200 %. */
export const useMiddling = (): boolean => useSyncExternalStore(middling.watch, middling.matches);
