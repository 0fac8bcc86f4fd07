// A service that allows so many calls an hour: the order's turn does not come.
import { expect, test } from 'vitest';
import { messageFor } from '../../../src/operations/failure.ts';
import { purchaseActs } from '../../../src/services/purchases/acts.ts';
import { setBudget } from '../../../src/services/purchases/budget.ts';
import { insertOperations, shopAt } from './schedules.ts';
import { ann, charges, ledger, order, registrar, shop, usePurchases } from './world.ts';

usePurchases('reg.ru');

test('a registrar whose turn does not come fails the try as a service does, and nothing is sent', async () => {
  const cap = { scope_id: 0, currency: 'RUB', amount: '500.00' } as const;
  await setBudget({
    caps: [
      { scope: 'all', ...cap },
      { scope: 'name', ...cap },
    ],
  });
  const [operation_id = 0] = await insertOperations(1, 1, ann.id);
  const opened = shopAt(registrar, shop.url);
  const slow = {
    ...opened,
    // The first call takes the hour's only turn; a later one waits as long as this.
    call: () => ({
      url: `${shop.url}/./`,
      pace: { calls: 1, seconds: 3_600, atOnce: 1 },
      signal: AbortSignal.timeout(50),
    }),
  };
  await slow.registrar.readBalance?.(slow.login, slow.call());
  const offer = { state: 'free', price: { amount: '199.00', currency: 'RUB' } } as const;
  const acts = purchaseActs({ ...order('turn.ru', { offer }), operation_id }, slow);
  const [reserve, send] = acts;
  await (await reserve?.look(false))?.perform();
  const failure: unknown = await send?.look(false).catch((error: unknown) => error);
  expect(messageFor(failure)?.key).toBe('provider.unavailable');
  expect(charges()).toEqual([]);
  expect((await ledger()).map(({ state }) => state)).toEqual(['reserved']);
});
