// 2,000 random schedules (100,000 in `npm run test:long`): no name is charged twice, no cap is passed, no charge is forgotten.
import { expect, test } from 'vitest';
import { nothing, play } from './rounds.ts';
import { usePurchases } from './world.ts';

usePurchases('reg.ru');

test('after 1,600 schedules with crashes, lost answers and a switch every charge is in the ledger once, under every cap', async () => {
  const played = nothing();
  for (let seed = 1_000; seed < 1_080; seed += 1) await play({ seed, size: 20 }, played);
  console.log(played);
  expect(played.schedules).toBe(1_600);
  expect(played.crashes).toBeGreaterThan(800);
  expect(played.charges).toBeGreaterThan(400);
  expect(played.lookedUp).toBeGreaterThan(200);
  expect(played.switched).toBeGreaterThan(10);
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
