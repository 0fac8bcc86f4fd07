import { useSyncExternalStore } from 'react';

const MINUTE_MS = 60_000;

const minuteNow = (): number => Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;

// One timer for all: every cell of a list watches.
const watchers = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function tell(): void {
  for (const watcher of watchers) watcher();
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  timer ??= setInterval(tell, MINUTE_MS);
  return () => {
    watchers.delete(watcher);
    if (watchers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Returns the time in milliseconds, to the minute; ages re-render as it changes. */
export const useNow = (): number => useSyncExternalStore(watch, minuteNow);
