import { useSyncExternalStore } from 'react';

const MINUTE_MS = 60_000;

const minuteNow = (): number => Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;

function watch(watcher: () => void): () => void {
  const timer = setInterval(watcher, MINUTE_MS);
  return () => clearInterval(timer);
}

/** Returns the time in milliseconds, to the minute; ages re-render as it changes. */
export const useNow = (): number => useSyncExternalStore(watch, minuteNow);
