import { transaction } from '../../../db/index.ts';
import { config } from '../../lib/config.ts';
import { messageFor } from '../../operations/failure.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import type { DomainOrder, RegisteredDomain } from '../../providers/provider.ts';
import { findRegistry, zoneOf } from '../../providers/registry.ts';
import { readBalance } from '../accounts/registrar-balance.ts';
import { askInTurn } from '../checks/registry-turns.ts';
import { toDecimal, type Currency } from '../../shared/purchases/money.ts';
import type { Message } from '../../shared/i18n/index.ts';
import type { PurchaseRow } from '../../shared/purchases/tables.ts';
import { commitPurchase, markPending, purchaseRow, releaseProven, withEvidence } from './ledger.ts';
import { nextLook } from './look-times.ts';
import { claimLook, updateLook } from './rows.ts';
import type { Shop } from './shop.ts';
import { balanceText, verdictOf, type Seen } from './verdict.ts';

const LOOK_MS = 60_000;

/** Returns the order of a purchase, as it is sent. */
export const orderOf = ({ domain_name, years, reference, price, currency }: PurchaseRow): DomainOrder => ({
  domain_name,
  years,
  reference,
  price: { amount: toDecimal(price, currency as Currency), currency },
});

/** The result of a look. `refusal`: the login is wrong, and nothing more was asked. */
type Look = Seen & { refusal?: Message };

/** Returns an answer; undefined where there is none, which is noted as said. A bug is thrown. */
async function ask<T>(seen: Look, work: (() => Promise<T>) | undefined): Promise<T | undefined> {
  if (!work || seen.refusal) return undefined;
  try {
    return await work();
  } catch (error) {
    const why = error instanceof DOMException ? ({ key: 'purchase.slow' } as const) : messageFor(error);
    if (!why) throw error;
    seen.said.push(why);
    if (error instanceof ProviderError && error.kind === 'credentials') seen.refusal = why;
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
    const asked = await findRegistry(zoneOf(name), { ...registry, allowPrivate, signal });
    return (await askInTurn(asked, name, { left: 1, signal })).state === 'free';
  }
  const [checked] = await registrar.checkNames(login, [name], call(signal));
  return checked?.domain_name === name && checked.state === 'free';
}

/** Reads what an account tells of an order. Nothing is written, nothing is bought. */
async function lookOutside(row: PurchaseRow, shop: Shop, signal: AbortSignal): Promise<Look> {
  const { registrar, login, call } = shop;
  const seen: Look = { said: [] };
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
  // A registration that is there needs no other proof.
  const hasUnpaidBills = row.kind === 'register' && (domain || order) ? undefined : registrar.hasUnpaidBills;
  const hasBills = await ask(seen, hasUnpaidBills && (() => hasUnpaidBills(login, call(signal))));
  if (hasBills) seen.said.push({ key: 'purchase.unpaid_bills' });
  if (!hasUnpaidBills || hasBills === false) seen.isAllPaid = true;
  const balance = await ask(seen, registrar.readBalance && (() => readBalance(shop, call(signal))));
  if (balance) seen.balance = balance;
  return seen;
}

/** Notes a look that has proven nothing. */
async function noteLook(row: PurchaseRow, seen: Seen, absent_at: string | null): Promise<void> {
  const { balance_before: before } = row;
  const after = seen.balance && balanceText(seen.balance);
  const moved = { before: before ?? '', after: after ?? '' };
  const said = after !== undefined && before !== null && after !== before;
  const { evidence } = withEvidence(
    row,
    ...seen.said,
    ...(said ? [{ key: 'purchase.balance', params: moved } as const] : []),
  );
  await transaction(() => updateLook(row.id, { absent_at, evidence }));
}

async function noteNoLook(id: number, why: Message, nextOf: (row: PurchaseRow) => string | null): Promise<void> {
  await transaction(async () => {
    const row = await purchaseRow(id);
    if ((await claimLook(id, row.looks, nextOf(row))) === 0) return;
    await updateLook(id, { absent_at: row.absent_at, ...withEvidence(row, why) });
  });
}

const nextOf = ({ sent_at, changed_at, looks }: PurchaseRow): string | null => nextLook(sent_at ?? changed_at, looks);

/** Notes that an order could not be looked up, and why; it is tried at the next time as after any look. */
export const postponeLook = (id: number, why: Message): Promise<void> => noteNoLook(id, why, nextOf);

/** Leaves an order that can't be looked up any more to a person, and notes why. */
export const leaveToPerson = (id: number, why: Message): Promise<void> => noteNoLook(id, why, () => null);

/**
 * Looks an order up whose end is open, unless another process does, and ends it where that is proven. Its money stays held until then.
 * Returns why the account lets nobody in; null: it does. Throws no failure of the service: it is noted.
 */
export async function tryLookUp(id: number, shop: Shop): Promise<Message | null> {
  const row = await purchaseRow(id);
  if ((await transaction(() => claimLook(id, row.looks, nextOf(row)))) === 0) return null;
  const seen = await lookOutside(row, shop, AbortSignal.timeout(LOOK_MS));
  await settle(row, seen);
  return seen.refusal ?? null;
}

/** Ends an order as a look has proven, or notes what it has seen. */
async function settle(row: PurchaseRow, seen: Seen): Promise<void> {
  const { id, domain_name: name } = row;
  const verdict = verdictOf(row, seen, Date.now());
  if (verdict.is === 'bought') {
    const { order, expires_at } = verdict;
    const how = { key: 'purchase.found', params: { name } } as const;
    const { id: order_id = null, charged = null } = order ?? {};
    await commitPurchase(id, { order_id, charged, balance: seen.balance ?? null, expires_at, how });
  } else if (verdict.is === 'not_bought') await releaseProven(id, verdict.how);
  else if (verdict.is === 'pending') await markPending(id, verdict.order.id);
  else await noteLook(row, seen, verdict.absent_at);
}

/** Looks an order up as `tryLookUp` does, and returns it. */
export async function lookUp(id: number, shop: Shop): Promise<PurchaseRow> {
  await tryLookUp(id, shop);
  return purchaseRow(id);
}
