import { transaction } from '../../../db/index.ts';
import { config } from '../../lib/config.ts';
import { messageFor } from '../../operations/failure.ts';
import type { DomainOrder, RegisteredDomain } from '../../providers/provider.ts';
import { lookUpName } from '../../providers/registry.ts';
import { toDecimal, type Currency } from '../../shared/purchases/money.ts';
import type { Message } from '../../shared/i18n/index.ts';
import type { PurchaseRow } from '../../shared/purchases/tables.ts';
import { commitPurchase, markPending, purchaseRow, releaseProven, withEvidence } from './ledger.ts';
import { nextLook } from './look-times.ts';
import { claimLook, updateLook } from './rows.ts';
import type { Shop } from './shop.ts';
import { verdictOf, type Seen } from './verdict.ts';

const LOOK_MS = 60_000;

/** Returns the order of a purchase, as it is sent. */
export const orderOf = ({ domain_name, years, reference, price, currency }: PurchaseRow): DomainOrder => ({
  domain_name,
  years,
  reference,
  price: { amount: toDecimal(price, currency as Currency), currency },
});

/** Returns an answer; undefined where there is none, which is noted as said. A bug is thrown. */
async function ask<T>(seen: Seen, work: (() => Promise<T>) | undefined): Promise<T | undefined> {
  if (!work) return undefined;
  try {
    return await work();
  } catch (error) {
    const why = error instanceof DOMException ? ({ key: 'purchase.slow' } as const) : messageFor(error);
    if (!why) throw error;
    seen.said.push(why);
    return undefined;
  }
}

/** Reads a domain of the account: by itself, and in the complete list where it is not found so. */
async function readOwn(
  { registrar, login, call }: Shop,
  name: string,
  signal: AbortSignal,
): Promise<RegisteredDomain | null | undefined> {
  const found = await registrar.readDomain?.(login, name, call(signal));
  if (found || !registrar.listDomains) return found;
  const list = await registrar.listDomains(login, call(signal));
  return list.find(({ domain_name }) => domain_name === name) ?? null;
}

/** Whether a name can still be registered, by its registrar or its registry. */
async function readFree({ registrar, login, call }: Shop, name: string, signal: AbortSignal): Promise<boolean> {
  if (!registrar.checkNames) {
    const { registry, allowPrivate } = config();
    return (await lookUpName(name, { ...registry, allowPrivate, signal })).state === 'free';
  }
  const [checked] = await registrar.checkNames(login, [name], call(signal));
  return checked?.domain_name === name && checked.state === 'free';
}

/** Reads what an account tells of an order. Nothing is written, nothing is bought. */
async function lookOutside(row: PurchaseRow, shop: Shop, signal: AbortSignal): Promise<Seen> {
  const { registrar, login, call } = shop;
  const seen: Seen = { said: [] };
  // Services find an order by its name as well: of a renewal that is the domain itself, which proves nothing.
  const isTold = row.kind === 'register' || row.order_id !== null;
  const readOrder = isTold ? registrar.readOrder : undefined;
  const order = await ask(seen, readOrder && (() => readOrder(login, orderOf(row), row.order_id, call(signal))));
  if (order !== undefined) seen.order = order;
  const domain = await ask(seen, () => readOwn(shop, row.domain_name, signal));
  if (domain !== undefined) seen.domain = domain;
  if (row.kind === 'register' && domain === null && !order) {
    const isFree = await ask(seen, () => readFree(shop, row.domain_name, signal));
    if (isFree !== undefined) seen.isFree = isFree;
  }
  const { readBalance } = registrar;
  const balance = await ask(seen, readBalance && (() => readBalance(login, call(signal))));
  if (balance) seen.balance = `${balance.amount} ${balance.currency}`;
  return seen;
}

/** Notes a look that has proven nothing. */
async function noteLook(row: PurchaseRow, seen: Seen, absent_at: string | null): Promise<void> {
  const { balance_before: before } = row;
  const moved = { before: before ?? '', after: seen.balance ?? '' };
  const said = seen.balance !== undefined && before !== null && seen.balance !== before;
  const { evidence } = withEvidence(
    row,
    ...seen.said,
    ...(said ? [{ key: 'purchase.balance', params: moved } as const] : []),
  );
  await transaction(() => updateLook(row.id, { absent_at, evidence }));
}

/** Notes that an order could not be looked up, and why; it is tried at the next time as after any look. */
export async function noteNoLook(id: number, why: Message): Promise<void> {
  await transaction(async () => {
    const row = await purchaseRow(id);
    if ((await claimLook(id, row.looks, nextLook(row.sent_at ?? row.changed_at, row.looks))) === 0) return;
    await updateLook(id, { absent_at: row.absent_at, ...withEvidence(row, why) });
  });
}

/**
 * Looks an order up whose end is open, unless another process does, and ends it where that is proven. Its money stays held until then.
 * Throws no failure of the service: it is noted.
 */
export async function lookUp(id: number, shop: Shop): Promise<PurchaseRow> {
  const row = await purchaseRow(id);
  const next = nextLook(row.sent_at ?? row.changed_at, row.looks);
  if ((await transaction(() => claimLook(id, row.looks, next))) === 0) return purchaseRow(id);
  const seen = await lookOutside(row, shop, AbortSignal.timeout(LOOK_MS));
  const verdict = verdictOf(row, seen, Date.now());
  if (verdict.is === 'bought') {
    const { order, expires_at } = verdict;
    const how = { key: 'purchase.found', params: { name: row.domain_name } } as const;
    return commitPurchase(id, { order_id: order?.id ?? null, charged: order?.charged ?? null, expires_at, how });
  }
  if (verdict.is === 'not_bought') return releaseProven(id, verdict.how);
  if (verdict.is === 'pending') await markPending(id, verdict.order.id);
  else await noteLook(row, seen, verdict.absent_at);
  return purchaseRow(id);
}
