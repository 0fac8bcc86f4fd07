// A run that buys a reserve, killed at every moment of every act that follows its purchase.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ACTS, startRuns, WHEN, type Runs } from '../services/purchases/reserve-kill.ts';

let runs: Runs;
beforeAll(async () => {
  runs = await startRuns();
});
afterAll(() => runs.close());

test.each(ACTS.flatMap((act) => WHEN.map((when) => `${act}:${when}`)))('killed at %s it is finished', async (point) => {
  await runs.play(point);
  expect(await runs.charged()).toBe(1);
});
