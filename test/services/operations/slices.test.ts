// Work in slices: how many rows one has, by how long its transaction held the writer.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { afterCommit } from '../../../db/index.ts';
import { idsInSlices, inSlices } from '../../../src/services/operations/slices.ts';
import { startDatabase } from '../../support/database.ts';

let database: Awaited<ReturnType<typeof startDatabase>>;
beforeAll(async () => {
  database = await startDatabase();
});
afterAll(() => database.close());

const LONG_MS = 60;

/** Keeps this process from going on, as a slow disk does. */
function block(): void {
  const end = performance.now() + LONG_MS;
  while (performance.now() < end);
}

/** Works in slices five times, and returns their sizes. */
async function sizesOf(work: () => void): Promise<number[]> {
  const sizes: number[] = [];
  await inSlices(async (slice) => {
    sizes.push(slice);
    work();
    return sizes.length < 5 ? slice : 0;
  });
  return sizes;
}

test('slices whose commits take long do not grow, and have no fewer rows than the first', async () => {
  expect(await sizesOf(() => afterCommit(block))).toEqual([20, 20, 20, 20, 20]);
});

test('slices whose work takes long shrink down to one row', async () => {
  const sizes = await sizesOf(block);
  expect(sizes).toEqual(sizes.toSorted((one, other) => other - one));
  expect(sizes.at(-1)).toBe(1);
});

test('every id is written once', async () => {
  const written: number[] = [];
  const ids = Array.from({ length: 100 }, (_, index) => index);
  await idsInSlices(ids, async (some) => void written.push(...(JSON.parse(some) as number[])));
  expect(written).toEqual(ids);
});
