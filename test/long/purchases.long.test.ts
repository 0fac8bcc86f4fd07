// 100,000 random schedules of purchases, a fifth of them with a second process. `PURCHASE_SCHEDULES` sets another number.
import { expect, test } from 'vitest';
import { nothing, play } from '../services/purchases/rounds.ts';
import { usePurchases } from '../services/purchases/world.ts';

usePurchases('reg.ru');

const WANTED = Number(process.env['PURCHASE_SCHEDULES'] ?? 100_000);
const SIZE = 200;

test('every charge is in the ledger once, under every cap', { timeout: 12 * 3_600_000 }, async () => {
  const first = Date.now() % 1_000_000_000;
  const played = nothing();
  for (let seed = first; played.schedules < WANTED; seed += 10) {
    await play({ seed, size: SIZE, ...(seed % 50 === first % 50 && { beside: true as const }) }, played);
    if (played.schedules % 10_000 === 0) console.log(played);
  }
  console.log(`from seed ${first}`, played);
  expect(played.crashes).toBeGreaterThan(WANTED / 4);
  expect(played.charges).toBeGreaterThan(WANTED / 10);
});
