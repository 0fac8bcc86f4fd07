// A cancellation while an order is under way: the item says whether its name was bought, as the ledger does.
import { expect, test } from 'vitest';
import { runOperation } from '../../../src/operations/engine.ts';
import { cancelOperation } from '../../../src/operations/queue.ts';
import { allow, charges, expectSound, itemsOf, ledger, order, queueBuying, shop, usePurchases } from './world.ts';

usePurchases();

const CREATE = '* /domain/create/**';
const orders = () => shop.requests.filter(({ path }) => path === '/domain/create').length;

/** Cancels a purchase once `when` holds; returns its item. */
async function cancelled(name: string, when: () => Promise<boolean> | boolean) {
  await allow();
  const id = await queueBuying([order(name)]);
  const running = runOperation(id);
  await expect.poll(when, { interval: 10 }).toBe(true);
  await cancelOperation(id);
  const { state } = await running;
  const [item] = await itemsOf(id);
  return { id, state, item };
}

test('a purchase whose answer comes after the cancellation is done', async () => {
  shop.faults.push({ kind: 'delay', ms: 1500, call: CREATE });
  const { state, item } = await cancelled('paid.com', async () => (await ledger())[0]?.state === 'sending');
  expect(state).toBe('succeeded');
  expect(item).toMatchObject({ state: 'done', error: null });
  expect(await ledger()).toMatchObject([{ state: 'committed' }]);
  expect([orders(), charges().length]).toEqual([1, 1]);
  await expectSound();
});

test('a purchase whose answer is lost, and whose end is not known at the cancellation, is left to the ledger and says so', async () => {
  shop.faults.push({ kind: 'drop-before', call: CREATE });
  const { state, item } = await cancelled('lost.com', async () => (await ledger())[0]?.state === 'unknown');
  expect(state).toBe('failed');
  expect(item).toMatchObject({ state: 'failed', error_key: 'purchase.needs_person' });
  expect(await ledger()).toMatchObject([{ state: 'unknown' }]);
  expect(charges()).toEqual([]);
  await expectSound();
});

test('a purchase that a cancellation meets before its order is not sent, and holds no money', async () => {
  shop.faults.push({ kind: 'delay', ms: 1500, call: '* /account/balance' });
  const { state, item } = await cancelled('early.com', async () => (await ledger()).length === 1);
  expect(state).toBe('cancelled');
  expect(item?.state).toBe('cancelled');
  expect(orders()).toBe(0);
  expect(charges()).toEqual([]);
  await expectSound();
});
