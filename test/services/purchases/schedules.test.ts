// 2,000 random schedules, a half on each database (100,000 in `npm run test:long`): no name is charged twice, no cap is passed, no charge is forgotten.
import { expect, test } from 'vitest';
import { inTurns } from '../../support/vitest/turns.ts';
import { nothing, play } from './rounds.ts';
import { PACE } from './schedules.ts';
import { usePurchases } from './world.ts';

usePurchases('reg.ru', { registrarPace: PACE });

const alone = nothing();
// In parts: each is far from the limit of a test on a busy machine.
const PARTS = inTurns([1_000, 1_020, 1_040, 1_060]);

test.each(PARTS)(
  'after 400 schedules from %i with crashes, lost answers and a switch every charge is in the ledger once, under every cap',
  async (first) => {
    const before = alone.schedules;
    for (let seed = first; seed < first + 20; seed += 1) await play({ seed, size: 20 }, alone);
    expect(alone.schedules - before).toBe(400);
  },
);

test('these schedules have met crashes, charges, look-ups and switches', () => {
  console.log(alone);
  expect(alone.schedules).toBe(400 * PARTS.length);
  expect(alone.crashes).toBeGreaterThan(200 * PARTS.length);
  expect(alone.charges).toBeGreaterThan(100 * PARTS.length);
  expect(alone.lookedUp).toBeGreaterThan(50 * PARTS.length);
  expect(alone.switched).toBeGreaterThan(2.5 * PARTS.length);
});

test('so it is after schedules on which two processes work at once', async () => {
  const played = nothing();
  const seeds = inTurns([2_000, 2_001, 2_002, 2_003]);
  for (const seed of seeds) await play({ seed, size: 50, beside: true }, played);
  console.log(played);
  expect(played.schedules).toBe(50 * seeds.length);
  expect(played.crashes).toBeGreaterThan(25 * seeds.length);
});

const POINTS = ['before-sending', 'sending', 'answered', 'failed', 'settled'];

test('so it is after schedules beside a process that is killed on the way', async () => {
  const played = nothing();
  const runs = inTurns(Array.from({ length: 20 }, (_, index) => index));
  for (const run of runs) {
    const point = `purchase:${POINTS[run % POINTS.length]}#${1 + Math.floor(run / POINTS.length)}`;
    await play({ seed: 3_000 + run, size: 10, beside: point }, played);
  }
  console.log(played);
  expect(played.schedules).toBe(10 * runs.length);
  expect(played.crashes).toBeGreaterThan(5 * runs.length);
});
