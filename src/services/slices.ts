import { transaction } from '../../db/index.ts';

// A slice grows or shrinks until it takes about so long: other writers wait for one slice at most.
const SLICE_MS = 25;
const LARGEST_SLICE = 2_000;

/**
 * Calls work that changes at most so many rows until it changes fewer, each time in a transaction of its own, so that
 * whoever else writes comes in between.
 */
export async function inSlices(work: (slice: number) => Promise<number>): Promise<void> {
  let slice = 20;
  for (;;) {
    let took = 0;
    const changed = await transaction(async () => {
      const start = performance.now();
      const count = await work(slice);
      took = performance.now() - start;
      return count;
    });
    if (changed < slice) return;
    slice = took > SLICE_MS ? Math.max(1, Math.floor(slice / 2)) : Math.min(LARGEST_SLICE, slice * 2);
    // Writers of other processes come back after a pause, and would not meet a gap that is shorter.
    await new Promise((resolve) => setTimeout(resolve, took));
  }
}
