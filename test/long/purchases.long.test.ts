// 100,000 random schedules of purchases, a fifth of them with a second process. `PURCHASE_SCHEDULES` sets another number.
import { expect, test } from 'vitest';
import { nothing, play } from '../services/purchases/rounds.ts';
import { PACE } from '../services/purchases/schedules.ts';
import { usePurchases } from '../services/purchases/world.ts';

usePurchases('reg.ru', { registrarPace: PACE });

const WANTED = Number(process.env['PURCHASE_SCHEDULES'] ?? 100_000);
const SIZE = 200;
// A database holds this many: all are bought on one day, and no day of the product has more than its caps allow.
const BLOCK = Math.min(5000, WANTED);
const first = Date.now() % 1_000_000_000;
const blocks = Array.from({ length: Math.ceil(WANTED / BLOCK) }, (_, index) => index * BLOCK);
const played = nothing();

test.each(blocks)(
  'every charge is in the ledger once, under every cap: from %i on',
  { timeout: 3_600_000 },
  async (from) => {
    const [crashes, charges] = [played.crashes, played.charges];
    const start = first + (from / SIZE) * 10;
    for (let round = 0; round < BLOCK / SIZE; round += 1) {
      const beside = round % 5 === 0 ? { beside: true as const } : {};
      await play({ seed: start + round * 10, size: SIZE, ...beside }, played);
    }
    console.log(`from seed ${start}`, played);
    expect(played.crashes - crashes).toBeGreaterThan(BLOCK / 4);
    expect(played.charges - charges).toBeGreaterThan(BLOCK / 10);
  },
);
