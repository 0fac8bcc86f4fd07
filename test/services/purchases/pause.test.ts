// The pause between purchases that begin by themselves: each waits for it, and is made at the price of then.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runOperation } from '../../../src/operations/engine.ts';
import { allow, buy, charges, itemsOf, ledger, order, queueBuying, shop, usePurchases } from './world.ts';

usePurchases();

const MINUTE_MS = 60_000;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-03-31T12:00:00.000Z') });
});
afterEach(() => vi.useRealTimers());

const BY_ITSELF = { asked_by: 'automation' } as const;

/** Buys one name, and queues another one, which waits; returns its operation. */
async function waiting(): Promise<number> {
  await allow();
  await buy(order('one.com', BY_ITSELF));
  const second = await queueBuying([order('two.com', BY_ITSELF)]);
  const stop = new AbortController();
  const running = runOperation(second, { signal: stop.signal });
  await expect.poll(async () => (await itemsOf(second))[0]?.waiting).toContain('purchase.pause');
  stop.abort();
  await running;
  return second;
}

test('a purchase that begins by itself within ten minutes of another one waits, and is made then', async () => {
  const second = await waiting();
  expect(charges().map(({ name }) => name)).toEqual(['one.com']);
  vi.setSystemTime(Date.now() + 10 * MINUTE_MS);
  expect(await runOperation(second)).toMatchObject({ state: 'succeeded' });
  expect(charges().map(({ name }) => name)).toEqual(['one.com', 'two.com']);
});

test('a price that was raised while a purchase waited for the pause is refused, with nothing sent', async () => {
  const second = await waiting();
  vi.setSystemTime(Date.now() + 10 * MINUTE_MS);
  shop.state.prices['com'] = { register: 25_000, renew: 25_000 };
  expect(await runOperation(second)).toMatchObject({ state: 'failed' });
  expect((await ledger()).at(-1)).toMatchObject({ state: 'released', error: expect.stringContaining('price_changed') });
  expect(shop.requests.filter(({ path }) => path.includes('create'))).toHaveLength(1);
});
