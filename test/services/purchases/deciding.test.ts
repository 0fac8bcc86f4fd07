// Two people who decide about one order at once, and orders whose registrar cannot be opened.
import { describe, expect, test } from 'vitest';
import { execute, transaction } from '../../../db/index.ts';
import { createAccount, updateAccount } from '../../../src/services/accounts/accounts.ts';
import { cancelOwn } from '../../../src/services/operations/operations.ts';
import { readBudget, setBudget } from '../../../src/services/purchases/budget.ts';
import { approvePurchase, resolvePurchase } from '../../../src/services/purchases/decisions.ts';
import { beginSending, markUnknown } from '../../../src/services/purchases/ledger.ts';
import { reservePurchase } from '../../../src/services/purchases/reserve.ts';
import { settlePurchases } from '../../../src/services/purchases/sweep.ts';
import { registrarKind } from '../../../src/shared/accounts/registrars.ts';
import { LOGIN } from '../../support/registrars/shops.ts';
import { allow, boss, chief, ledger, order, pass, periods, queueBuying, registrar, usePurchases } from './world.ts';

usePurchases();

const SAID = { key: 'purchase.slow' } as const;
const sums = async () => {
  const { reserved, spent, beyond } = (await periods()).find(({ scope }) => scope === 'all')!;
  return [reserved, spent, beyond];
};
const ends = async (work: Promise<unknown>[]): Promise<string[]> =>
  (await Promise.allSettled(work)).map((end) => (end.status === 'fulfilled' ? 'done' : String(end.reason.key)));

/** Leaves an order whose end is not known. */
async function unknown(name: string, registrar_id = registrar): Promise<number> {
  const { id } = await reservePurchase(order(name, { registrar_id }));
  await beginSending(id, null);
  await markUnknown(id, SAID);
  return id;
}

describe('two people at once', () => {
  test('approve and decline: it is declined, and an approval that came too late is told', async () => {
    await allow();
    await setBudget({ caps: [{ scope: 'approval', scope_id: 0, currency: 'USD', amount: '100.00' }] });
    for (let round = 0; round < 6; round += 1) {
      const { id } = await reservePurchase(order(`n${round}.com`));
      const acts = [() => approvePurchase(chief, id), () => resolvePurchase(boss, id, false)];
      const [first, second] = round % 2 ? acts : acts.toReversed();
      const told = await ends([first!(), second!()]);
      expect(told).toEqual(round % 2 ? ['done', 'done'] : ['done', 'purchase.not_awaiting']);
      expect([(await ledger()).at(-1)?.state, await sums()]).toEqual(['released', [0, 0, 0]]);
    }
  });

  test('say of one order that it was bought and that it was not: the first counts, the second is told', async () => {
    await allow();
    let spent = 0;
    for (let round = 0; round < 6; round += 1) {
      const isBought = round % 2 === 0;
      const id = await unknown(`n${round}.com`);
      const told = await ends([resolvePurchase(boss, id, isBought), resolvePurchase(chief, id, !isBought)]);
      expect(told).toEqual(['done', 'purchase.not_open']);
      expect((await ledger()).at(-1)).toMatchObject({
        state: isBought ? 'committed' : 'released',
        resolver_id: boss.id,
      });
      spent += isBought ? 19_900 : 0;
      expect([await sums(), (await readBudget()).state]).toEqual([[0, spent, 0], 'on']);
    }
  });
});

test('an order whose registrar cannot be opened says why, and those of other registrars are looked up', async () => {
  await allow();
  const { login, password } = LOGIN;
  const input = { name: 'Other', type: 'porkbun.com', login, password } as const;
  const { id: broken } = await createAccount(boss, registrarKind, input, 'masked');
  const [first, second] = [await unknown('one.com', broken), await unknown('two.com')];
  await transaction(() => execute(`UPDATE registrars SET password = 'damaged' WHERE id = $broken`, { broken }));
  await pass(60_000);
  await settlePurchases(new AbortController().signal);
  const [one, two] = [first, second].map((id) => async () => (await ledger()).find((row) => row.id === id)!);
  expect(await one!()).toMatchObject({ state: 'unknown', looks: 1, look_at: expect.any(String) });
  expect((JSON.parse((await one!()).evidence) as unknown[]).length).toBeGreaterThan(1);
  expect(await two!()).toMatchObject({ looks: 1 });
});

describe('a purchase that waits for its approval', () => {
  const approvalAbove = (amount: string) =>
    setBudget({ caps: [{ scope: 'approval', scope_id: 0, currency: 'USD', amount }] });

  test('and began by itself is not approved by the admin who pays for it', async () => {
    await allow();
    await approvalAbove('100.00');
    const byItself = { asked_by: 'automation', asker_id: null, user_id: boss.id } as const;
    const { id } = await reservePurchase(order('new.com', byItself));
    await expect(approvePurchase(boss, id)).rejects.toMatchObject({ key: 'purchase.own_approval' });
    expect(await approvePurchase(chief, id)).toMatchObject({ state: 'reserved', approver_id: chief.id });
  });

  test('and whose operation was cancelled is not approved', async () => {
    await allow();
    await approvalAbove('100.00');
    const operation_id = await queueBuying([order('new.com')]);
    const { id } = await reservePurchase(order('new.com', { operation_id }));
    await cancelOwn(boss, operation_id);
    await expect(approvePurchase(chief, id)).rejects.toMatchObject({ key: 'purchase.cancelled' });
    expect((await ledger())[0]?.state).toBe('awaiting_approval');
  });

  test('is not sent above the highest price that its registrar has by then', async () => {
    await allow();
    const { id } = await reservePurchase(order('new.com'));
    await updateAccount(boss, registrarKind, registrar, { highest_price: '50.00' }, 'masked');
    await expect(beginSending(id, null)).rejects.toMatchObject({ key: 'purchase.above_registrar' });
    expect([(await ledger())[0]?.state, await sums()]).toEqual(['released', [0, 0, 0]]);
  });
});

test('a purchase of a clock that was ahead holds the next one by itself no longer than the pause', async () => {
  await allow();
  const byItself = { asked_by: 'automation' } as const;
  await reservePurchase(order('one.com', byItself));
  await pass(-365 * 24 * 3_600_000);
  await expect(reservePurchase(order('two.com', byItself))).rejects.toMatchObject({ retryAfter: 600 });
  await setBudget({ pause_minutes: 0 });
  expect(await reservePurchase(order('two.com', byItself))).toMatchObject({ state: 'reserved' });
});
