import { transaction } from '../../../db/index.ts';

// A slice grows or shrinks until its transaction takes about so long: other writers wait for one slice at most.
const HELD_MS = 25;
// Of fewer rows a commit takes no less: where the disk is slow a smaller slice would only make more of them, unless the work itself takes long.
const SMALLEST_SLICE = 20;
const LARGEST_SLICE = 2_000;
// The shortest pause between slices: writers of other processes retry at intervals of up to so long, and would miss a
// shorter gap.
const NAP_MS = 25;
// So many rows are looked for in one query.
const ROWS_A_LOOK = 20_000;

/**
 * Calls `work` with a slice size, at first `first`, until it returns fewer than that, each time in a transaction of its own, so that other
 * writers get their turn in between.
 */
export async function inSlices(work: (slice: number) => Promise<number>, first = SMALLEST_SLICE): Promise<void> {
  let slice = first;
  for (;;) {
    let [start, worked] = [0, 0];
    const found = await transaction(async () => {
      start = performance.now();
      const count = await work(slice);
      worked = performance.now() - start;
      return count;
    });
    // With the commit, which writes and syncs what was changed: that takes as long as the work, and varies more.
    const held = performance.now() - start;
    if (found < slice) return;
    const fitting = Math.floor(slice * Math.min(2, HELD_MS / held));
    const smallest = Math.min(SMALLEST_SLICE, Math.floor((slice * HELD_MS) / Math.max(worked, 1)));
    slice = Math.min(LARGEST_SLICE, Math.max(1, smallest, fitting));
    await new Promise((resolve) => setTimeout(resolve, Math.max(NAP_MS, held)));
  }
}

/** Calls `write` for all these ids, a part of them in a transaction. */
export async function idsInSlices(ids: number[], write: (ids: string) => Promise<unknown>): Promise<void> {
  const left = [...ids];
  if (left.length === 0) return;
  await inSlices(async (slice) => {
    const part = left.splice(0, slice);
    await write(JSON.stringify(part));
    return part.length;
  });
}

/**
 * Calls `write` for the rows that `find` finds, which gets the number of rows to look for. They are looked for outside of
 * transactions, because that may take long: `write` has to ask for their condition again.
 */
export async function rowsInSlices(
  find: (limit: number) => Promise<{ id: number }[]>,
  write: (ids: string) => Promise<unknown>,
): Promise<void> {
  for (;;) {
    const rows = await find(ROWS_A_LOOK);
    await idsInSlices(
      rows.map(({ id }) => id),
      write,
    );
    if (rows.length < ROWS_A_LOOK) return;
  }
}
