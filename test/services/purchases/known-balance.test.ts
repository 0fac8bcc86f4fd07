// The known balance of a registrar's account, in the list of registrars: read at every purchase and look, less the charges since.
import { expect, test } from 'vitest';
import { select } from '../../../db/index.ts';
import { runOperation } from '../../../src/operations/engine.ts';
import { allow, buy, look, order, pass, queueBuying, ledger, shop, usePurchases } from './world.ts';

usePurchases();

const known = () =>
  select<{ balance: string; balance_currency: string }>('SELECT balance, balance_currency FROM registrars');
const left = () => [{ balance: (shop.state.accounts[0]!.balance / 100).toFixed(2), balance_currency: 'USD' }];

test('the known balance of an account that has bought is that of its registrar, without another call', async () => {
  await allow();
  await buy(order('one.com'), order('two.com'));
  expect(await known()).toEqual(left());
  expect(shop.requests.filter(({ path }) => path.endsWith('/balance'))).toHaveLength(2);
});

test('a look for an order whose answer was lost notes the balance', async () => {
  await allow();
  shop.faults.push({ kind: 'act-then-drop', call: '* /domain/create/**' });
  const stop = new AbortController();
  const running = runOperation(await queueBuying([order('lost.com')]), { signal: stop.signal });
  await expect.poll(async () => (await ledger()).at(-1)?.state).toBe('unknown');
  stop.abort();
  await running;
  shop.state.accounts[0]!.balance += 5_000;
  await pass(60_000);
  await look();
  expect(await known()).toEqual(left());
});
