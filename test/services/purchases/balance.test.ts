// The charge of an order whose answer was lost and whose service tells no sum, by the balance, where nothing else was bought meanwhile.
import { beforeEach, expect, test } from 'vitest';
import { runOperation } from '../../../src/operations/engine.ts';
import { readBudget } from '../../../src/services/purchases/budget.ts';
import { findPurchase } from '../../../src/services/purchases/purchases.ts';
import { allow, boss, buy, ledger, look, order, pass, periods, queueBuying, shop, usePurchases } from './world.ts';

usePurchases();

const PRICE = 19_900;
const sums = async () => {
  const { reserved, spent, beyond } = (await periods()).find(({ scope }) => scope === 'all')!;
  return [reserved, spent, beyond];
};

beforeEach(async () => {
  await allow();
  shop.faults.push({ kind: 'act-then-drop', call: '* /domain/create/**' });
});

/** Orders a name whose answer is lost. */
async function lose(): Promise<void> {
  const stop = new AbortController();
  const running = runOperation(await queueBuying([order('lost.com')]), { signal: stop.signal });
  await expect.poll(async () => (await ledger()).at(-1)?.state).toBe('unknown');
  stop.abort();
  await running;
}

async function found(): Promise<void> {
  await pass(60_000);
  await look();
}

const drain = (minor: number): void => {
  shop.state.accounts[0]!.balance -= minor;
};

test('a balance that fell by more than the quote counts, switches purchases off, and needs a person', async () => {
  await lose();
  drain(5_100);
  await found();
  const params = { name: 'lost.com', charged: '250.00 USD', price: '199.00 USD' };
  const reason = { key: 'purchase.balance_fell', params };
  expect(await findPurchase(boss, 1)).toMatchObject({
    state: 'committed',
    charged: null,
    needs_person: true,
    error: reason,
  });
  expect(await sums()).toEqual([0, PRICE, 5_100]);
  expect(await readBudget()).toMatchObject({ state: 'off', reason });
});

test.each([
  ['by the quote', 0],
  ['by less, because somebody paid in', -5_100],
])('a balance that fell %s leaves the quote as what was charged', async (_how, more) => {
  await lose();
  drain(more);
  await found();
  expect((await ledger())[0]).toMatchObject({ state: 'committed', charged: PRICE, error: null });
  expect([await sums(), (await readBudget()).state]).toEqual([[0, PRICE, 0], 'on']);
});

test('a balance tells nothing where another order was sent meanwhile, or has no known end', async () => {
  await lose();
  await buy(order('beside.com'));
  await found();
  expect((await ledger()).map(({ state, charged, error }) => [state, charged, error])).toEqual([
    ['committed', PRICE, null],
    ['committed', PRICE, null],
  ]);
  expect([await sums(), (await readBudget()).state]).toEqual([[0, 2 * PRICE, 0], 'on']);
});
