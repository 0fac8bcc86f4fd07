// 2,000 random schedules (100,000 in `npm run test:long`): no name is charged twice, no cap is passed, no charge is forgotten.
import { expect, test } from 'vitest';
import { nothing, play } from './rounds.ts';
import { PACE } from './schedules.ts';
import { usePurchases } from './world.ts';

usePurchases('reg.ru', { registrarPace: PACE });

const sixteenHundred = nothing();

// In four parts: each is far from the limit of a test on a busy machine.
test.each([1_000, 1_020, 1_040, 1_060])(
  'after 400 schedules from %i with crashes, lost answers and a switch every charge is in the ledger once, under every cap',
  async (first) => {
    const before = sixteenHundred.schedules;
    for (let seed = first; seed < first + 20; seed += 1) await play({ seed, size: 20 }, sixteenHundred);
    expect(sixteenHundred.schedules - before).toBe(400);
  },
);

test('these 1,600 schedules have met crashes, charges, look-ups and switches', () => {
  console.log(sixteenHundred);
  expect(sixteenHundred.schedules).toBe(1_600);
  expect(sixteenHundred.crashes).toBeGreaterThan(800);
  expect(sixteenHundred.charges).toBeGreaterThan(400);
  expect(sixteenHundred.lookedUp).toBeGreaterThan(200);
  expect(sixteenHundred.switched).toBeGreaterThan(10);
});

test('so it is after 200 schedules on which two processes work at once', async () => {
  const played = nothing();
  for (let seed = 2_000; seed < 2_004; seed += 1) await play({ seed, size: 50, beside: true }, played);
  console.log(played);
  expect(played.schedules).toBe(200);
  expect(played.crashes).toBeGreaterThan(100);
});

const POINTS = ['before-sending', 'sending', 'answered', 'failed', 'settled'];

test('so it is after 200 schedules beside a process that is killed on the way', async () => {
  const played = nothing();
  for (let run = 0; run < 20; run += 1) {
    const point = `purchase:${POINTS[run % POINTS.length]}#${1 + Math.floor(run / POINTS.length)}`;
    await play({ seed: 3_000 + run, size: 10, beside: point }, played);
  }
  console.log(played);
  expect(played.schedules).toBe(200);
  expect(played.crashes).toBeGreaterThan(100);
});
