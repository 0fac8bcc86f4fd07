import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

// Two semi-spaces of 4 MB: with smaller ones, objects about to die are promoted, and scanned again and again.
const YOUNG_BYTES = 8 * 2 ** 20;
const LOOK_EVERY_MS = 10;

/**
 * Makes V8 keep the heap of this process close to what is in use, for some more CPU; by default it grows to several times that.
 * For commands that create many short-lived objects, not for a server.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=60');
  const timer = setInterval(() => {
    const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
    if ((young?.space_size ?? 0) < YOUNG_BYTES) return;
    // V8 reads the limit of the new space only at start; this flag stops its growth from now on.
    setFlagsFromString('--semi-space-growth-factor=1');
    clearInterval(timer);
  }, LOOK_EVERY_MS);
  timer.unref();
}
