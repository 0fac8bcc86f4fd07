// Another try of an operation, which a person asks for: what was released is ordered anew, at the price of now; what may be paid is not.
import { expect, test } from 'vitest';
import { interceptCrashPoints } from '../../../src/lib/crash-point.ts';
import { runOperation } from '../../../src/operations/engine.ts';
import { operationRow } from '../../../src/operations/lease.ts';
import { cancelOperation, requeue } from '../../../src/operations/queue.ts';
import { setBudget } from '../../../src/services/purchases/budget.ts';
import { resolvePurchase } from '../../../src/services/purchases/decisions.ts';
import {
  allow,
  boss,
  charges,
  expectSound,
  itemsOf,
  ledger,
  look,
  order,
  pass,
  periods,
  queueBuying,
  shop,
  usePurchases,
} from './world.ts';

usePurchases();

const CREATE = '* /domain/create/**';
const MINUTE_MS = 60_000;
const account = () => shop.state.accounts[0]!;
const states = async () => (await ledger()).map(({ state }) => state);
const orders = () => shop.requests.filter(({ path }) => path === '/domain/create').length;

/** Queues a purchase for which the account has no money, and runs it to its end. */
async function withoutMoney(name: string): Promise<number> {
  await allow();
  account().balance = 100;
  const id = await queueBuying([order(name)]);
  expect((await runOperation(id)).state).toBe('failed');
  account().balance = 500_000;
  return id;
}

async function tryAgain(id: number) {
  await requeue(id, true);
  return runOperation(id);
}

/** Runs a purchase whose order is lost on its way, until that is noted. */
async function lose(name: string): Promise<number> {
  await allow();
  shop.faults.push({ kind: 'drop-before', call: CREATE });
  const id = await queueBuying([order(name)]);
  const running = runOperation(id);
  await expect.poll(states).toEqual(['unknown']);
  await cancelOperation(id);
  await running;
  return id;
}

test('an order that was released before it was sent is bought once', async () => {
  const id = await withoutMoney('again.com');
  expect(await states()).toEqual(['released']);
  expect((await tryAgain(id)).state).toBe('succeeded');
  expect(await states()).toEqual(['released', 'committed']);
  expect(charges().map(({ name }) => name)).toEqual(['again.com']);
  expect((await periods())[0]).toMatchObject({ reserved: 0, spent: 19_900 });
  await expectSound();
});

test('an order that was a rehearsal stays one while no caps are set, and is bought by another try once they are', async () => {
  const id = await queueBuying([order('again.com')]);
  expect((await runOperation(id)).state).toBe('failed');
  expect((await tryAgain(id)).state).toBe('failed');
  expect((await itemsOf(id))[0]?.error_key).toBe('purchase.simulated');
  await allow();
  expect(charges()).toEqual([]);
  expect((await tryAgain(id)).state).toBe('succeeded');
  expect([await states(), charges()]).toMatchObject([['simulated', 'simulated', 'committed'], [{ name: 'again.com' }]]);
  expect((await periods())[0]).toMatchObject({ reserved: 0, spent: 19_900 });
  await expectSound();
});

test('a purchase that is tried again once the caps are gone is a rehearsal, and says so', async () => {
  const id = await withoutMoney('again.com');
  await setBudget({ caps: [{ scope: 'name', scope_id: 0, currency: 'USD', amount: null }] });
  expect((await tryAgain(id)).state).toBe('failed');
  expect((await itemsOf(id))[0]?.error_key).toBe('purchase.simulated');
  expect([await states(), charges()]).toEqual([['released', 'simulated'], []]);
});

test('of two people who ask for another try at once one is refused, and it is bought once', async () => {
  const id = await withoutMoney('again.com');
  const asked = await Promise.allSettled([requeue(id, true), requeue(id, true)]);
  expect(asked.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect((await runOperation(id)).state).toBe('succeeded');
  expect([await states(), charges()]).toMatchObject([['released', 'committed'], [{ name: 'again.com' }]]);
});

test.each(['before-sending', 'sending', 'answered', 'settled'])(
  'another try that is stopped at %s and goes on has one charge',
  async (at) => {
    const id = await withoutMoney('again.com');
    await requeue(id, true);
    const stop = new AbortController();
    const passed: string[] = [];
    interceptCrashPoints((point) => {
      passed.push(point);
      if (point === `purchase:${at}`) stop.abort();
    });
    await runOperation(id, { signal: stop.signal });
    interceptCrashPoints();
    expect(passed).toContain(`purchase:${at}`);
    const { state } = await operationRow(id);
    if (state === 'queued') await runOperation(id);
    expect(charges().map(({ name }) => name)).toEqual(['again.com']);
    expect(await states()).toEqual(['released', 'committed']);
    await expectSound();
  },
);

test('one try orders once: a second refusal ends it, with its own reason', async () => {
  const id = await withoutMoney('again.com');
  account().balance = 200;
  expect((await tryAgain(id)).state).toBe('failed');
  expect(await states()).toEqual(['released', 'released']);
  expect((await itemsOf(id))[0]?.error).toContain('2.00 USD');
  expect((await periods())[0]).toMatchObject({ reserved: 0, spent: 0 });
});

test('the caps of now hold for it', async () => {
  const id = await withoutMoney('again.com');
  await allow('100.00', '100.00');
  expect((await tryAgain(id)).state).toBe('failed');
  expect((await itemsOf(id))[0]?.error_key).toBe('purchase.cap_name');
  expect(await states()).toEqual(['released']);
});

test('a price that has risen since it was shown is not paid', async () => {
  const id = await withoutMoney('again.com');
  shop.state.prices['com'] = { register: 20_000, renew: 24_900 };
  expect((await tryAgain(id)).state).toBe('failed');
  expect((await itemsOf(id))[0]?.error_key).toBe('purchase.price_changed');
  expect(charges()).toEqual([]);
});

test('an order whose end is not known is not sent again', async () => {
  const id = await lose('lost.com');
  await requeue(id, true);
  const stop = new AbortController();
  const running = runOperation(id, { signal: stop.signal });
  await expect.poll(async () => (await itemsOf(id))[0]?.waiting).toContain('purchase.waits_proof');
  stop.abort();
  await running;
  expect([await states(), orders()]).toEqual([['unknown'], 1]);
});

test('an order that has proven unpaid is sent again by another try, and not by a run that goes on', async () => {
  await allow();
  shop.faults.push({ kind: 'drop-before', call: CREATE });
  const id = await queueBuying([order('lost.com')]);
  const stop = new AbortController();
  const running = runOperation(id, { signal: stop.signal });
  await expect.poll(states).toEqual(['unknown']);
  stop.abort();
  await running;
  for (const minutes of [1, 1, 10, 50]) {
    await pass(minutes * MINUTE_MS);
    await look();
  }
  expect(await states()).toEqual(['released']);
  expect((await runOperation(id)).state).toBe('failed');
  expect([await states(), charges()]).toEqual([['released'], []]);
  expect((await tryAgain(id)).state).toBe('succeeded');
  expect([await states(), charges().length]).toEqual([['released', 'committed'], 1]);
  await expectSound();
});

test('a name that was bought after all, against a person’s word, is not ordered a second time', async () => {
  await allow();
  shop.faults.push({ kind: 'act-then-drop', call: CREATE });
  const id = await queueBuying([order('lost.com')]);
  const running = runOperation(id);
  await expect.poll(states).toEqual(['unknown']);
  await cancelOperation(id);
  await running;
  const [row] = await ledger();
  await resolvePurchase(boss, row?.id ?? 0, false);
  expect((await tryAgain(id)).state).toBe('failed');
  expect((await itemsOf(id))[0]?.error_key).toBe('purchase.not_free');
  expect(charges()).toHaveLength(1);
});
