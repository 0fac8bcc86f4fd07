import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

// Two halves of 4 MB: with smaller ones, what is about to end is taken for what stays, and looked through again and again.
const YOUNG_BYTES = 8 * 2 ** 20;
const LOOK_EVERY_MS = 10;

/**
 * From now on V8 keeps the heap of this process near to what is in use, for some more CPU: it would let it grow to several times
 * that. For commands that make much which lives for a moment, not for a server.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=60');
  const timer = setInterval(() => {
    const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
    if ((young?.space_size ?? 0) < YOUNG_BYTES) return;
    // The limit of the young part is read at the start of a process alone; from here on it does not grow.
    setFlagsFromString('--semi-space-growth-factor=1');
    clearInterval(timer);
  }, LOOK_EVERY_MS);
  timer.unref();
}
