import { useSyncExternalStore } from 'react';

const watchers = new Set<() => void>();
let live = false;

/** Whether the server tells what happens: while it does not, what runs is asked for again and again. */
export function setLive(next: boolean): void {
  live = next;
  for (const watcher of watchers) watcher();
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

export const useIsLive = (): boolean => useSyncExternalStore(watch, () => live);
