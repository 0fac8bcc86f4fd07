import { useSyncExternalStore } from 'react';

const watchers = new Set<() => void>();
let live = false;

/** Sets whether the event stream is connected; while it is not, running operations are polled. */
export function setLive(next: boolean): void {
  live = next;
  for (const watcher of watchers) watcher();
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

export const useIsLive = (): boolean => useSyncExternalStore(watch, () => live);
