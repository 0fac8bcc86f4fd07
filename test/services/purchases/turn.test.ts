// A process whose turn to send an order does not come, or that another one has overtaken.
import { beforeEach, describe, expect, test } from 'vitest';
import { messageFor } from '../../../src/operations/failure.ts';
import { ProviderError } from '../../../src/providers/provider-error.ts';
import { purchaseActs } from '../../../src/services/purchases/acts.ts';
import { setBudget } from '../../../src/services/purchases/budget.ts';
import { beginSending, refuse } from '../../../src/services/purchases/ledger.ts';
import { AppError } from '../../../src/shared/errors.ts';
import type { Shop } from '../../../src/services/purchases/shop.ts';
import { claim, insertOperations, shopAt } from './schedules.ts';
import { ann, charges, ledger, order, periods, registrar, shop, usePurchases } from './world.ts';

usePurchases('reg.ru');

beforeEach(async () => {
  const cap = { scope_id: 0, currency: 'RUB', amount: '500.00' } as const;
  await setBudget({
    caps: [
      { scope: 'all', ...cap },
      { scope: 'name', ...cap },
    ],
  });
});

/** Holds a name and returns the act that sends its order to a shop. */
async function reserved(opened: Shop) {
  const [operation_id = 0] = await insertOperations(1, 1, ann.id);
  await claim({ operation: operation_id });
  const offer = { state: 'free', price: { amount: '199.00', currency: 'RUB' } } as const;
  const [reserve, send] = purchaseActs({ ...order('turn.ru', { offer }), operation_id }, opened);
  await (await reserve?.look(false))?.perform();
  return send!;
}

const states = async (): Promise<string[]> => (await ledger()).map(({ state }) => state);
const held = async (): Promise<number | undefined> => (await periods())[0]?.reserved;

test('a registrar whose turn does not come fails the try as a service does, and nothing is sent', async () => {
  // The first call takes the hour's only turn; a later one waits as long as this.
  const pace = { calls: 1, seconds: 3_600, atOnce: 1 };
  const first = { url: `${shop.url}/./.`, pace };
  const call: Shop['call'] = () => ({ ...first, signal: AbortSignal.timeout(50) });
  const slow = { ...shopAt(registrar, shop.url), call };
  await slow.registrar.readBalance?.(slow.login, first);
  const send = await reserved(slow);
  const failure: unknown = await send.look(false).catch((error: unknown) => error);
  expect(messageFor(failure)?.key).toBe('provider.unavailable');
  expect(charges()).toEqual([]);
  expect(await states()).toEqual(['reserved']);
});

describe('an order that another process has begun to send meanwhile', () => {
  const begin = async (): Promise<void> => void (await beginSending(1, null));

  test.each([
    ['whose turn does not come', () => new DOMException('too long', 'TimeoutError')],
    ['that the service refuses before its order', () => new ProviderError('refused', 'no such profile')],
    ['that does not reach the service', () => new ProviderError('unavailable', 'refused', { unsent: true })],
  ])('is neither released nor sent again by one %s', async (_which, failure) => {
    const opened = shopAt(registrar, shop.url);
    const register = async (): Promise<never> => {
      await begin();
      throw failure();
    };
    const send = await reserved({ ...opened, registrar: { ...opened.registrar, register } });
    const change = await send.look(false);
    await expect(change?.perform()).rejects.toThrow(ProviderError);
    expect([await states(), await held()]).toEqual([['sending'], 19_900]);
  });

  test('is not released by one that finds too little money', async () => {
    const opened = shopAt(registrar, shop.url);
    const readBalance = async () => {
      await begin();
      return { amount: '1.00', currency: 'RUB' };
    };
    const send = await reserved({ ...opened, registrar: { ...opened.registrar, readBalance } });
    await expect(send.look(false)).rejects.toThrow(AppError);
    expect([await states(), await held()]).toEqual([['sending'], 19_900]);
  });

  test('is not released by a person who declines it', async () => {
    await reserved(shopAt(registrar, shop.url));
    await begin();
    await refuse(1, { key: 'purchase.abandoned', params: { name: 'turn.ru' } });
    expect([await states(), await held()]).toEqual([['sending'], 19_900]);
  });
});
