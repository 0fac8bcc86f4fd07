import { transaction } from '../../../db/index.ts';
import { messageFor } from '../../operations/failure.ts';
import type { Message } from '../../shared/i18n/index.ts';
import { markUnknown, purchaseRow, refuse } from './ledger.ts';
import { leaveToPerson, postponeLook, tryLookUp } from './look-up.ts';
import { isLeft, listDue, listLeft } from './rows.ts';
import { openShop, type Shop } from './shop.ts';

// Longer than a process may take from the end of its operation's lease to the end of its call.
const LEFT_MS = 3 * 60_000;
const LOOKS_A_RUN = 50;

/** Ends purchases that no operation works on any more: releases those that were not sent; the others are looked up from now on. */
async function endLeft(): Promise<void> {
  const before = new Date(Date.now() - LEFT_MS).toISOString();
  for (const { id } of await listLeft(before)) {
    await transaction(async () => {
      // Somebody may have tried its operation again meanwhile.
      if (!(await isLeft(id, before))) return;
      const { state, domain_name } = await purchaseRow(id);
      const params = { name: domain_name };
      if (state === 'sending') await markUnknown(id, { key: 'purchase.unheard', params });
      else await refuse(id, { key: 'purchase.abandoned', params });
    });
  }
}

/** Opens an account, or returns why it can't be: those of other registrars are looked up all the same. */
async function openOr(registrar_id: number): Promise<Shop | Message> {
  try {
    return await openShop(registrar_id);
  } catch (error) {
    const why = messageFor(error);
    if (!why) throw error;
    return why;
  }
}

/**
 * Brings purchases to their end that wait for nobody's operation: releases what was never sent, and looks orders up whose end is open. Returns
 * after the current look-up once `ending` has fired.
 */
export async function settlePurchases(ending: AbortSignal): Promise<void> {
  await endLeft();
  const shops = new Map<number, Shop | Message>();
  for (const { id } of await listDue(new Date().toISOString(), LOOKS_A_RUN)) {
    if (ending.aborted) return;
    const { registrar_id } = await purchaseRow(id);
    if (registrar_id === null) {
      await leaveToPerson(id, { key: 'purchase.registrar_gone' });
      continue;
    }
    const shop = shops.get(registrar_id) ?? (await openOr(registrar_id));
    if ('key' in shop) await postponeLook(id, shop);
    // A wrong login costs one call, however many orders there are.
    shops.set(registrar_id, 'key' in shop ? shop : ((await tryLookUp(id, shop)) ?? shop));
  }
}
