// 100,000 random schedules of purchases, a fifth of them with a second process. `PURCHASE_SCHEDULES` sets another number.
import { expect, test } from 'vitest';
import { play } from '../services/purchases/rounds.ts';
import { usePurchases } from '../services/purchases/world.ts';

usePurchases('reg.ru');

const WANTED = Number(process.env['PURCHASE_SCHEDULES'] ?? 100_000);
const SIZE = 200;

test('every charge is in the ledger once, under every cap', { timeout: 12 * 3_600_000 }, async () => {
  const first = Date.now() % 1_000_000_000;
  let [played, crashes] = [0, 0];
  for (let seed = first; played < WANTED; seed += 10) {
    crashes += await play({ seed, size: SIZE, ...(seed % 50 === first % 50 && { beside: true as const }) });
    played += SIZE;
  }
  console.log(`${played} schedules from seed ${first}, ${crashes} crashes`);
  expect(crashes).toBeGreaterThan(played / 10);
});
