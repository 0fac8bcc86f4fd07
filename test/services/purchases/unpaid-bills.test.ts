// A bill that is open at reg.ru: an order whose answer was lost may be charged by it yet.
import { expect, test } from 'vitest';
import { runOperation } from '../../../src/operations/engine.ts';
import { setBudget } from '../../../src/services/purchases/budget.ts';
import { buy, charges, ledger, look, order, pass, periods, queueBuying, shop, usePurchases } from './world.ts';

usePurchases('reg.ru');

const MINUTE_MS = 60_000;
const price = { amount: '199.00', currency: 'RUB' };
const wanted = () => order('new.ru', { offer: { state: 'free', price } });
const allow = () =>
  setBudget({
    caps: (['all', 'name'] as const).map((scope) => ({ scope, scope_id: 0, currency: 'RUB', amount: '1000.00' })),
  });

test('an order that was not heard keeps its money while a bill of the account is open, and is released once none is', async () => {
  await allow();
  const account = shop.state.accounts[0]!;
  shop.faults.push({ kind: 'drop-before', call: 'POST /domain/create' });
  account.bills = ['5'];
  const stop = new AbortController();
  const running = runOperation(await queueBuying([wanted()]), { signal: stop.signal });
  await expect.poll(async () => (await ledger())[0]?.state).toBe('unknown');
  stop.abort();
  await running;
  for (let round = 0; round < 3; round += 1) {
    await pass(60 * MINUTE_MS);
    await look();
  }
  const [open] = await ledger();
  expect([open?.state, open?.evidence, (await periods())[0]?.reserved]).toEqual([
    'unknown',
    expect.stringContaining('purchase.unpaid_bills'),
    19_900,
  ]);
  account.bills = [];
  for (let round = 0; round < 4; round += 1) {
    await pass(9 * 60 * MINUTE_MS);
    await look();
  }
  expect([(await ledger())[0]?.state, (await periods())[0]?.reserved, charges()]).toEqual(['released', 0, []]);
});

test('an order that is found is taken whatever bills are open', async () => {
  await allow();
  shop.state.accounts[0]!.bills = ['5'];
  await buy(wanted());
  expect((await ledger())[0]).toMatchObject({ state: 'committed' });
});
