// A cancellation while an order is under way: the item says whether its name was bought, as the ledger does.
import { expect, test } from 'vitest';
import { hold, type FaultKind } from '../../../src/demo/cloudflare/faults.ts';
import { runOperation } from '../../../src/operations/engine.ts';
import { cancelOperation } from '../../../src/operations/queue.ts';
import { allow, charges, expectSound, itemsOf, ledger, order, queueBuying, shop, usePurchases } from './world.ts';

usePurchases();

const CREATE = '* /domain/create/**';
const orders = () => shop.requests.filter(({ path }) => path === '/domain/create').length;

/** Cancels a purchase once `when` holds, with this fault at a call, and answers what is held; returns its item. */
async function cancelled(name: string, call: string, when: () => Promise<boolean> | boolean, fault?: FaultKind) {
  const answer = hold();
  shop.faults.push({ ...(fault ?? answer.fault), call });
  await allow();
  const id = await queueBuying([order(name)]);
  const running = runOperation(id);
  await expect.poll(when, { interval: 10 }).toBe(true);
  await cancelOperation(id);
  answer.release();
  const { state } = await running;
  const [item] = await itemsOf(id);
  return { id, state, item };
}

test('a purchase whose answer comes after the cancellation is done', async () => {
  const { state, item } = await cancelled('paid.com', CREATE, async () => (await ledger())[0]?.state === 'sending');
  expect(state).toBe('succeeded');
  expect(item).toMatchObject({ state: 'done', error: null });
  expect(await ledger()).toMatchObject([{ state: 'committed' }]);
  expect([orders(), charges().length]).toEqual([1, 1]);
  await expectSound();
});

test('a purchase whose answer is lost, and whose end is not known at the cancellation, is left to the ledger and says so', async () => {
  const isLost = async (): Promise<boolean> => (await ledger())[0]?.state === 'unknown';
  const { state, item } = await cancelled('lost.com', CREATE, isLost, { kind: 'drop-before' });
  expect(state).toBe('failed');
  expect(item).toMatchObject({ state: 'failed', error_key: 'purchase.needs_person' });
  expect(await ledger()).toMatchObject([{ state: 'unknown' }]);
  expect(charges()).toEqual([]);
  await expectSound();
});

test('a purchase that a cancellation meets before its order is not sent, and holds no money', async () => {
  const { state, item } = await cancelled('early.com', '* /account/balance', async () => (await ledger()).length === 1);
  expect(state).toBe('cancelled');
  expect(item?.state).toBe('cancelled');
  expect(orders()).toBe(0);
  expect(charges()).toEqual([]);
  await expectSound();
});
