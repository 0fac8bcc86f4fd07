// The database's own part of the ledger: what it refuses, whatever the code above it does.
import { expect, test } from 'vitest';
import { execute, transaction } from '../../../db/index.ts';
import { reservePurchase } from '../../../src/services/purchases/reserve.ts';
import { insertPurchase, type NewPurchase } from '../../../src/services/purchases/rows.ts';
import type { PurchaseState } from '../../../src/shared/purchases/states.ts';
import { allow, order, periods, registrar, usePurchases } from './world.ts';

usePurchases();

let references = 0;
const insert = (domain_name: string, state: PurchaseState, more: Partial<NewPurchase> = {}): Promise<unknown> => {
  const { offer: _offer, registrar_id: _registrar, ...columns } = order(domain_name);
  references += 1;
  const row = { registrar_id: registrar, registrar_type: 'porkbun.com', currency: 'USD', price: 19_900, cap: 50_000 };
  return transaction(() =>
    insertPurchase({
      ...columns,
      ...row,
      state,
      periods: '[]',
      day: '2026-11-22',
      reference: `${references}`,
      ...more,
    }),
  );
};

test.each(['awaiting_approval', 'reserved', 'sending', 'unknown', 'pending', 'committed'] as const)(
  'a second purchase of a name that is %s is no row',
  async (state) => {
    await insert('once.com', 'released');
    await insert('once.com', state);
    await expect(insert('once.com', 'reserved')).rejects.toThrow(/unique/i);
    await expect(insert('once.com', 'committed')).rejects.toThrow(/unique/i);
    await insert('once.com', 'released');
  },
);

test('a renewal of a name that is being bought or renewed is no row, and a date is paid for once', async () => {
  const renewal = { kind: 'renew', expires_before: '2027-01-01T00:00:00.000Z' } as const;
  await insert('once.com', 'committed', renewal);
  await expect(insert('once.com', 'committed', renewal)).rejects.toThrow(/unique/i);
  await insert('once.com', 'sending', { ...renewal, expires_before: '2028-01-01T00:00:00.000Z' });
  await expect(insert('once.com', 'reserved', renewal)).rejects.toThrow(/unique/i);
});

test('a price above the cap per name and two purchases of one reference are no rows', async () => {
  await expect(insert('dear.com', 'reserved', { cap: 19_899 })).rejects.toThrow(/check/i);
  await insert('a.com', 'reserved', { reference: 'same' });
  await expect(insert('b.com', 'reserved', { reference: 'same' })).rejects.toThrow(/unique/i);
});

test('a day holds and spends no cent above any cap, and never less than nothing', async () => {
  await allow('199.00');
  await reservePurchase(order('a.com'));
  expect((await periods())[0]).toMatchObject({ scope: 'all', cap: 19_900, reserved: 19_900 });
  const add = (column: string, sum: number): Promise<unknown> =>
    transaction(() => execute(`UPDATE budget_periods SET ${column} = ${column} + $sum WHERE scope = 'all'`, { sum }));
  await expect(add('reserved', 1)).rejects.toThrow(/check/i);
  await expect(add('spent', 1)).rejects.toThrow(/check/i);
  await expect(add('reserved', -19_901)).rejects.toThrow(/check/i);
  // A charge above its quote stands apart: it has happened.
  await add('beyond', 1);
});
