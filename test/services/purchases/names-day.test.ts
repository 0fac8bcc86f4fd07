// The number of names of a day counts on the day on which an order is sent, as its sums do.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { setBudget } from '../../../src/services/purchases/budget.ts';
import { approvePurchase } from '../../../src/services/purchases/decisions.ts';
import { beginSending } from '../../../src/services/purchases/ledger.ts';
import { reservePurchase } from '../../../src/services/purchases/reserve.ts';
import { allow, chief, ledger, order, periods, usePurchases } from './world.ts';

usePurchases();

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(Date.parse('2026-03-31T23:59:00.000Z'));
});
afterEach(() => vi.useRealTimers());

test('a name that is approved on the next day is not sent where that has its number of names, and its money comes back', async () => {
  await allow();
  await setBudget({
    names_day: 1,
    caps: [{ scope: 'approval', scope_id: 0, currency: 'USD', amount: '190.00' }],
  });
  const { id: late } = await reservePurchase(order('late.com'));
  vi.setSystemTime(Date.parse('2026-04-01T00:01:00.000Z'));
  const cheap = { state: 'free', price: { amount: '100.00', currency: 'USD' } } as const;
  const { id: early } = await reservePurchase(order('early.com', { offer: cheap }));
  await beginSending(early, null);
  await approvePurchase(chief, late);
  await expect(beginSending(late, null)).rejects.toMatchObject({ key: 'purchase.names_day' });
  expect((await ledger()).map(({ domain_name, state }) => [domain_name, state])).toEqual([
    ['late.com', 'released'],
    ['early.com', 'sending'],
  ]);
  const held = (await periods()).filter(({ scope }) => scope === 'all').map(({ day, reserved }) => [day, reserved]);
  expect(held).toEqual([
    ['2026-03-31', 0],
    ['2026-04-01', 10_000],
  ]);
});
