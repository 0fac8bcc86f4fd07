// Events and notices of purchases, and of the accounts behind them.
import { expect, test } from 'vitest';
import { executeUnaudited, transaction } from '../../../db/index.ts';
import { insertRow } from '../../../db/rows.ts';
import { flowOf, registerFlows } from '../../../src/operations/engine.ts';
import { findAccount, testAccount } from '../../../src/services/accounts/accounts.ts';
import { changeBalance, readBalance } from '../../../src/services/accounts/registrar-balance.ts';
import {
  listSearchAccounts,
  noteAccountError,
  storeSearchBalance,
} from '../../../src/services/accounts/search-accounts.ts';
import { storeSecret } from '../../../src/services/accounts/team.ts';
import { readBudget } from '../../../src/services/purchases/budget.ts';
import { markUnknown, refuse } from '../../../src/services/purchases/ledger.ts';
import { reservePurchase } from '../../../src/services/purchases/reserve.ts';
import { tellPurchases } from '../../../src/services/purchases/holds.ts';
import { renewalFlow } from '../../../src/services/purchases/renewals.ts';
import { openShop } from '../../../src/services/purchases/shop.ts';
import { reserveFlow } from '../../../src/services/purchases/reserve-flow.ts';
import { registrarKind } from '../../../src/shared/accounts/registrars.ts';
import { xmlriverAccounts } from '../../../src/shared/accounts/tables.ts';
import { allow, boss, buy, ledger, order, registrar, shop, usePurchases } from '../purchases/world.ts';
import { noticed, recorded } from './recorded.ts';

usePurchases();

test('a bought reserve is told, and so is an order that nobody knows the end of', async () => {
  await allow();
  await buy(order('new.com'));
  expect(await recorded('reserve_bought')).toEqual(['reserve_bought new.com']);
  const held = await reservePurchase(order('lost.com'));
  await transaction(() =>
    executeUnaudited('check', `UPDATE purchases SET state = 'sending' WHERE id = $id`, { id: held.id }),
  );
  await markUnknown(held.id, { key: 'operation.unclear' });
  expect(await noticed()).toEqual(['info reserve_bought 1', 'critical purchase_unknown 1']);
});

test('a purchase that was refused is told, one that a person has stopped is not', async () => {
  await allow();
  await refuse((await reservePurchase(order('a.com'))).id, { key: 'purchase.cancelled' });
  await refuse((await reservePurchase(order('b.com'))).id, { key: 'purchase.registrar_gone' });
  expect(await recorded()).toEqual(['purchase_failed b.com']);
  expect((await ledger()).map(({ state }) => state)).toEqual(['released', 'released']);
});

test('a run that a cap has stopped is told once, by its project, and not as failed work', async () => {
  await allow('100.00', '500.00');
  expect((await readBudget()).simulates).toBe(false);
  registerFlows([{ ...flowOf('test_buy'), tells: tellPurchases }]);
  expect([reserveFlow.tells, renewalFlow.tells]).toEqual([tellPurchases, tellPurchases]);
  for (const name of ['one.com', 'two.com']) expect((await buy(order(name))).state).toBe('failed');
  expect(await recorded()).toEqual(['cap_reached One', 'cap_reached One']);
  expect(await noticed()).toEqual(['warning cap_reached 1']);
});

test('an account whose login comes to be refused is told once, and again after it has worked', async () => {
  const test = () => testAccount(boss, registrarKind, registrar);
  const [account] = shop.state.accounts;
  expect((await test()).code).toBe(null);
  const { password } = account!;
  account!.password = 'changed at the registrar';
  for (let turn = 0; turn < 3; turn += 1) expect((await test()).code).toBe('provider_credentials');
  expect(await recorded()).toEqual(['account_refused Pork']);
  account!.password = password;
  expect((await test()).code).toBe(null);
  expect(await recorded()).toHaveLength(1);
  account!.password = 'changed again';
  await test();
  expect(await recorded()).toHaveLength(2);
  expect(await noticed()).toEqual(['critical account_refused 1']);
});

test('a registrar that refuses running work is told once, by the work or by a test, until it has worked again', async () => {
  const [account] = shop.state.accounts;
  const { password } = account!;
  const ask = async () => {
    const opened = await openShop(registrar);
    return readBalance(opened, opened.call());
  };
  const error = async () => (await findAccount(boss, registrarKind, registrar, 'masked')).check_error?.key ?? null;
  account!.password = 'changed at the registrar';
  for (let turn = 0; turn < 3; turn += 1) await expect(ask()).rejects.toMatchObject({ kind: 'credentials' });
  expect((await testAccount(boss, registrarKind, registrar)).code).toBe('provider_credentials');
  expect([await error(), await recorded()]).toEqual(['provider.credentials', ['account_refused Pork']]);
  account!.password = password;
  await ask();
  expect(await error()).toBe(null);
  account!.password = 'changed again';
  await expect(ask()).rejects.toMatchObject({ kind: 'credentials' });
  expect(await recorded()).toHaveLength(2);
});

test('a service that is away refuses no account', async () => {
  shop.faults.push({ kind: 'status', status: 503, times: 100 });
  expect((await testAccount(boss, registrarKind, registrar)).code).toBe('provider_unavailable');
  expect(await recorded()).toEqual([]);
});

test('money that comes below the mark is told once, and once more when none is left', async () => {
  const have = (amount: string) => changeBalance(registrar, () => ({ amount, currency: 'USD' }));
  for (const amount of ['100.00', '20.00', '19.99', '18.00', '0.00', '0.00', '50.00', '5.00']) await have(amount);
  expect(await recorded()).toEqual(['balance_low Pork', 'account_empty Pork', 'balance_low Pork']);
});

test('a search source that running work finds refused or out of money is told once for each', async () => {
  await transaction(async () => {
    const fields = { name: 'River', login: '1', key: '', user_id: boss.id, created_at: '2026-01-01T00:00:00.000Z' };
    await storeSecret('xmlriver_accounts', await insertRow(xmlriverAccounts, fields), 'key');
  });
  const [account] = await listSearchAccounts('xmlriver');
  const params = { name: 'River' };
  for (let turn = 0; turn < 3; turn += 1) {
    await noteAccountError(account!, { reason: 'no_money' }, { key: 'positions.no_money', params });
  }
  await noteAccountError(account!, { reason: undefined }, { key: 'positions.account_refused', params });
  expect(await recorded()).toEqual(['account_empty River', 'account_refused River']);
  await storeSearchBalance(account!, { amount: '5000.00', currency: 'RUB' });
  await storeSearchBalance(account!, { amount: '0', currency: 'RUB' });
  expect(await recorded()).toHaveLength(3);
});
