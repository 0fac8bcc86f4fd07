// Caps over the change of the day, and when caps, projects and prices change while money is held.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { select } from '../../../db/index.ts';
import { deleteProject } from '../../../src/services/portfolio/projects.ts';
import { approvePurchase, resolvePurchase } from '../../../src/services/purchases/decisions.ts';
import { readBudget, setBudget } from '../../../src/services/purchases/budget.ts';
import { beginSending, commitPurchase, markUnknown, releaseProven } from '../../../src/services/purchases/ledger.ts';
import { findPurchase } from '../../../src/services/purchases/purchases.ts';
import { reservePurchase } from '../../../src/services/purchases/reserve.ts';
import type { Money } from '../../../src/providers/provider.ts';
import { allow, ann, boss, chief, ledger, order, periods, project, usePurchases } from './world.ts';

usePurchases();

const EVENING = Date.parse('2026-03-31T23:59:00.000Z');
const MORNING = Date.parse('2026-04-01T00:01:00.000Z');
const PRICE = 19_900;
const SAID = { key: 'purchase.slow' } as const;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(EVENING);
});
afterEach(() => vi.useRealTimers());

/** The sums of all purchases by day: held, spent, beyond. */
const days = async (): Promise<Record<string, number[]>> =>
  Object.fromEntries(
    (await periods())
      .filter(({ scope }) => scope === 'all')
      .map(({ day, reserved, spent, beyond }) => [day, [reserved, spent, beyond]]),
  );
const paid = (id: number, charged: Money | null = null) =>
  commitPurchase(id, { order_id: '1', charged, expires_at: null, how: SAID });
const capAll = (amount: string | null) => setBudget({ caps: [{ scope: 'all', scope_id: 0, currency: 'USD', amount }] });
const state = async (): Promise<string | undefined> => (await ledger()).at(-1)?.state;

describe('an order that was reserved before midnight', () => {
  test('and is sent after it counts on the day on which it is sent', async () => {
    await allow('200.00', '200.00');
    const { id } = await reservePurchase(order('late.com'));
    expect(await days()).toEqual({ '2026-03-31': [PRICE, 0, 0] });
    vi.setSystemTime(MORNING);
    await beginSending(id, null);
    expect(await days()).toEqual({ '2026-03-31': [0, 0, 0], '2026-04-01': [PRICE, 0, 0] });
    await paid(id);
    expect(await days()).toEqual({ '2026-03-31': [0, 0, 0], '2026-04-01': [0, PRICE, 0] });
    await expect(reservePurchase(order('more.com'))).rejects.toMatchObject({ key: 'purchase.cap_all' });
  });

  test('is not sent where the new day has no room for it', async () => {
    await allow('200.00', '200.00');
    const { id } = await reservePurchase(order('late.com'));
    vi.setSystemTime(MORNING);
    await reservePurchase(order('early.com'));
    await expect(beginSending(id, null)).rejects.toMatchObject({ key: 'purchase.cap_all' });
    expect(await days()).toEqual({ '2026-03-31': [0, 0, 0], '2026-04-01': [PRICE, 0, 0] });
    expect((await ledger()).map((row) => row.state)).toEqual(['released', 'reserved']);
  });

  test.each([
    ['paid', [0, PRICE, 0], (id: number) => paid(id)],
    ['proven to be unpaid', [0, 0, 0], (id: number) => releaseProven(id, SAID)],
    ['declared unpaid by a person', [0, 0, 0], (id: number) => resolvePurchase(boss, id, false)],
  ])('and sent, counts there when it is %s after it', async (_how, sums, end) => {
    await allow('200.00', '200.00');
    const { id } = await reservePurchase(order('late.com'));
    await beginSending(id, null);
    await markUnknown(id, SAID);
    vi.setSystemTime(MORNING);
    await reservePurchase(order('early.com'));
    await end(id);
    expect(await days()).toEqual({ '2026-03-31': sums, '2026-04-01': [PRICE, 0, 0] });
  });

  test('waits for approval over it, and counts on the day on which it is sent', async () => {
    await allow('200.00', '200.00');
    await setBudget({ caps: [{ scope: 'approval', scope_id: 0, currency: 'USD', amount: '100.00' }] });
    const { id } = await reservePurchase(order('late.com'));
    vi.setSystemTime(MORNING);
    await approvePurchase(chief, id);
    await beginSending(id, null);
    expect(await days()).toEqual({ '2026-03-31': [0, 0, 0], '2026-04-01': [PRICE, 0, 0] });
  });
});

test('a clock that is set back opens no day a second time', async () => {
  vi.setSystemTime(MORNING);
  await allow('200.00', '200.00');
  await reservePurchase(order('one.com'));
  vi.setSystemTime(EVENING);
  await expect(reservePurchase(order('two.com'))).rejects.toMatchObject({ key: 'purchase.cap_all' });
  expect(Object.keys(await days())).toEqual(['2026-04-01']);
  expect((await readBudget()).day).toBe('2026-04-01');
});

describe('a cap', () => {
  test('that is lowered below what is held lets that end, and nothing more begin', async () => {
    await allow('400.00', '200.00');
    const { id } = await reservePurchase(order('one.com'));
    const { warnings, caps } = await capAll('100.00');
    expect(warnings.map(({ key }) => key)).toEqual(['budget.below_spent']);
    expect(caps.find(({ scope }) => scope === 'all')).toMatchObject({ amount: '100.00', used: '199.00', left: '0.00' });
    await expect(reservePurchase(order('two.com'))).rejects.toMatchObject({ key: 'purchase.cap_all' });
    await beginSending(id, null);
    await paid(id);
    expect(await days()).toEqual({ '2026-03-31': [0, PRICE, 0] });
  });

  test('that was lowered does not let what is given back be spent again', async () => {
    await allow('400.00', '200.00');
    const { id } = await reservePurchase(order('one.com'));
    await reservePurchase(order('two.com'));
    await capAll('100.00');
    await resolvePurchase(boss, id, false);
    await expect(reservePurchase(order('three.com'))).rejects.toMatchObject({ key: 'purchase.cap_all' });
    expect((await readBudget()).caps.find(({ scope }) => scope === 'all')).toMatchObject({ left: '0.00' });
  });

  test('that is lowered below what is held counts from the next day on', async () => {
    await allow('400.00', '200.00');
    const { id } = await reservePurchase(order('one.com'));
    await capAll('100.00');
    vi.setSystemTime(MORNING);
    await expect(beginSending(id, null)).rejects.toMatchObject({ key: 'purchase.cap_all' });
    expect(await state()).toBe('released');
    expect(await days()).toEqual({ '2026-03-31': [0, 0, 0] });
  });

  test.each([
    ['for all', 'all'],
    ['per name', 'name'],
  ] as const)(
    '%s that is removed while an order is held stops it: without caps nothing is bought',
    async (_which, scope) => {
      await allow('400.00', '200.00');
      const { id } = await reservePurchase(order('one.com'));
      await setBudget({ caps: [{ scope, scope_id: 0, currency: 'USD', amount: null }] });
      await expect(beginSending(id, null)).rejects.toMatchObject({ key: 'purchase.caps_gone' });
      expect([await state(), (await days())['2026-03-31']]).toEqual(['released', [0, 0, 0]]);
    },
  );

  test('per name that is lowered while an order is held stops it', async () => {
    await allow('400.00', '200.00');
    const { id } = await reservePurchase(order('one.com'));
    await setBudget({ caps: [{ scope: 'name', scope_id: 0, currency: 'USD', amount: '198.99' }] });
    await expect(beginSending(id, null)).rejects.toMatchObject({ key: 'purchase.cap_name' });
    expect(await state()).toBe('released');
  });

  test('that two admins set at once is one of the two, in the budget and in the sums of the day', async () => {
    await allow('400.00', '200.00');
    await reservePurchase(order('one.com'));
    for (let round = 0; round < 10; round += 1) {
      const amounts = [`${300 + round}.00`, `${500 + round}.00`];
      await Promise.all(amounts.map((amount) => capAll(amount)));
      const cap = (await readBudget()).caps.find(({ scope }) => scope === 'all')!;
      expect(amounts).toContain(cap.amount);
      const period = (await periods()).find(({ scope }) => scope === 'all')!;
      expect(period.cap).toBe(Number(cap.amount) * 100);
    }
  });

  test('and an order at the same moment: the order is held under the one or refused by the other', async () => {
    await allow('400.00', '200.00');
    for (let round = 0; round < 10; round += 1) {
      const [held] = await Promise.allSettled([
        reservePurchase(order(`n${round}.com`)),
        capAll(round % 2 ? '400.00' : '0.00'),
      ]);
      const above = (await periods()).filter(({ reserved, spent, cap }) => cap !== null && reserved + spent > cap);
      expect(above).toEqual([]);
      if (held.status === 'fulfilled') await resolvePurchase(boss, held.value.id, false);
      await capAll('400.00');
    }
  });
});

describe('where the project is deleted meanwhile', () => {
  test('an order that is held is not sent, and its money comes back', async () => {
    await allow();
    const { id } = await reservePurchase(order('one.com'));
    await deleteProject(ann, project);
    await expect(beginSending(id, null)).rejects.toMatchObject({ key: 'purchase.project_gone' });
    expect([await state(), (await days())['2026-03-31']]).toEqual(['released', [0, 0, 0]]);
  });

  test('an order that was sent ends as it was: paid, counted, and its domain is its user’s', async () => {
    await allow();
    const { id } = await reservePurchase(order('one.com'));
    await beginSending(id, null);
    await deleteProject(ann, project);
    await markUnknown(id, SAID);
    await paid(id);
    expect([await state(), (await days())['2026-03-31']]).toEqual(['committed', [0, PRICE, 0]]);
    expect(await select('SELECT domain_name, project_id, user_id FROM domains')).toEqual([
      { domain_name: 'one.com', project_id: null, user_id: ann.id },
    ]);
    expect((await periods()).find(({ scope }) => scope === 'project')).toMatchObject({ reserved: 0, spent: PRICE });
  });
});

describe('a charge', () => {
  test.each([
    ['above the quote', { amount: '250.00', currency: 'USD' }, 25_000, [0, PRICE, 5_100], 'purchase.above_quote'],
    ['in another currency', { amount: '199.00', currency: 'XAU' }, null, [0, PRICE, 0], 'purchase.other_currency'],
    ['that is no number', { amount: '19,9.0', currency: 'USD' }, null, [0, PRICE, 0], 'purchase.other_currency'],
    ['that is negative', { amount: '-1.00', currency: 'USD' }, null, [0, PRICE, 0], 'purchase.other_currency'],
  ])('%s is in the ledger, and switches purchases off', async (_which, charged, stored, sums, reason) => {
    await allow();
    const { id } = await reservePurchase(order('one.com'));
    await beginSending(id, null);
    await paid(id, charged);
    expect((await ledger())[0]).toMatchObject({ state: 'committed', charged: stored });
    expect(await days()).toEqual({ '2026-03-31': sums });
    expect(await readBudget()).toMatchObject({ state: 'off', reason: { key: reason } });
  });

  test('in another currency counts under the caps of both, and needs a person until one has seen it', async () => {
    await allow();
    await setBudget({ caps: [{ scope: 'all', scope_id: 0, currency: 'EUR', amount: '1000.00' }] });
    const { id } = await reservePurchase(order('one.com'));
    await beginSending(id, null);
    await paid(id, { amount: '250.00', currency: 'EUR' });
    const told = { charged: '250.00 EUR', price: '199.00 USD' };
    const error = { key: 'purchase.other_currency', params: told };
    expect(await findPurchase(ann, id)).toMatchObject({ state: 'committed', charged: null, needs_person: true, error });
    const used = (await readBudget()).caps.flatMap(({ scope, ...cap }) => (scope === 'all' ? [cap] : []));
    expect(used.map(({ currency, ...cap }) => [currency, cap.used])).toEqual([
      ['EUR', '250.00'],
      ['USD', '199.00'],
    ]);
    await expect(resolvePurchase(boss, id, false)).rejects.toMatchObject({ key: 'purchase.not_open' });
    await resolvePurchase(boss, id, true);
    const seen = { charged: null, needs_person: false, resolver_login: boss.login, error };
    expect(await findPurchase(ann, id)).toMatchObject(seen);
    await expect(resolvePurchase(chief, id, true)).rejects.toMatchObject({ key: 'purchase.not_open' });
  });

  test('below the quote is counted as charged, and gives the rest back', async () => {
    await allow();
    const { id } = await reservePurchase(order('one.com'));
    await beginSending(id, null);
    await paid(id, { amount: '150.00', currency: 'USD' });
    expect((await ledger())[0]).toMatchObject({ state: 'committed', charged: 15_000 });
    expect(await days()).toEqual({ '2026-03-31': [0, 15_000, 0] });
    expect((await readBudget()).state).toBe('on');
  });
});
