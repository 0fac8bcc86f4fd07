import { useSyncExternalStore } from 'react';

const MINUTE_MS = 60_000;

const minuteNow = (): number => Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;

function watch(watcher: () => void): () => void {
  const timer = setInterval(watcher, MINUTE_MS);
  return () => clearInterval(timer);
}

/** The time in milliseconds, to the minute: what shows an age is drawn again as it grows. */
export const useNow = (): number => useSyncExternalStore(watch, minuteNow);
