// 2,000 random schedules (100,000 in `npm run test:long`): no name is charged twice, no cap is passed, no charge is forgotten.
import { expect, test } from 'vitest';
import { play } from './rounds.ts';
import { usePurchases } from './world.ts';

usePurchases('reg.ru');

const SIZE = 20;

test('after 1,600 schedules with crashes, lost answers and a switch every charge is in the ledger once, under every cap', async () => {
  let crashes = 0;
  for (let seed = 1_000; seed < 1_080; seed += 1) crashes += await play({ seed, size: SIZE });
  console.log(`1,600 schedules, ${crashes} crashes`);
  expect(crashes).toBeGreaterThan(200);
});

test('so it is after 200 schedules on which two processes work at once', async () => {
  let crashes = 0;
  for (let seed = 2_000; seed < 2_004; seed += 1) crashes += await play({ seed, size: 50, beside: true });
  console.log(`200 schedules of two processes, ${crashes} crashes`);
  expect(crashes).toBeGreaterThan(50);
});

const POINTS = ['before-sending', 'sending', 'answered', 'failed', 'settled'];

test('so it is after 200 schedules beside a process that is killed on the way', async () => {
  let kills = 0;
  for (let run = 0; run < 20; run += 1) {
    const point = `purchase:${POINTS[run % POINTS.length]}#${1 + Math.floor(run / POINTS.length)}`;
    kills += (await play({ seed: 3_000 + run, size: 10, beside: point })) > 0 ? 1 : 0;
  }
  console.log(`200 schedules, ${kills} of 20 processes killed or workers crashed`);
  expect(kills).toBeGreaterThan(10);
});
