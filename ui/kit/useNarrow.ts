import { useEffect, useSyncExternalStore } from 'react';

const narrow = window.matchMedia('(max-width: 599px)');

function watch(watcher: () => void): () => void {
  narrow.addEventListener('change', watcher);
  return () => narrow.removeEventListener('change', watcher);
}

/** Returns whether the window is narrower than 600 px: cards replace tables, one menu replaces groups. */
export const useNarrow = (): boolean => useSyncExternalStore(watch, () => narrow.matches);

/** Brings the chosen tab into the middle of its tabs, which scroll sideways on a phone; the page stays where it is. */
export function useTabInSight(tabs: string, chosen: string): void {
  useEffect(() => {
    const tab = document.getElementById(`bp6-tab-title_${tabs}_${chosen}`);
    const list = tab?.parentElement;
    if (tab && list) list.scrollLeft = tab.offsetLeft - (list.clientWidth - tab.offsetWidth) / 2;
  }, [tabs, chosen]);
}
