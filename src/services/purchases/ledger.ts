import { note } from '../../../db/audit.ts';
import { recordEvents, type NewEvent } from '../../../db/events.ts';
import { transaction } from '../../../db/index.ts';
import { findRow } from '../../../db/rows.ts';
import { endingOf, owner } from '../../operations/lease.ts';
import { findOperationRow } from '../../operations/rows.ts';
import { LostWork } from '../../operations/journal.ts';
import type { Money } from '../../providers/provider.ts';
import { registrars } from '../../shared/accounts/tables.ts';
import { AppError, notFound } from '../../shared/errors.ts';
import type { Key, Message } from '../../shared/i18n/index.ts';
import { toUnicode } from '../../shared/portfolio/domain-name.ts';
import { toDecimal, type Currency } from '../../shared/purchases/money.ts';
import type { Evidence } from '../../shared/purchases/purchases.ts';
import type { PurchaseRow } from '../../shared/purchases/tables.ts';
import { isNameTaken } from '../portfolio/rows.ts';
import { findCap } from './budget-rows.ts';
import { writeBoughtDomain } from './bought-domain.ts';
import { chargeOf, countCharge } from './charge.ts';
import { findProjectOwner } from './domain-rows.ts';
import { giveBack, hold, refusalOfSum } from './holds.ts';
import { firstLook } from './look-times.ts';
import { refusalOfNames, refusalOfPrice } from './reserve.ts';
import { findHolderOf, findPurchaseRow, updatePurchase } from './rows.ts';
import { budgetDay, readSettings, switchOff } from './settings.ts';

/** Returns a purchase. Throws `not_found`. */
export async function purchaseRow(id: number): Promise<PurchaseRow> {
  const row = await findPurchaseRow(id);
  if (!row) throw notFound();
  return row;
}

/** Returns the columns that add what was seen of a purchase. */
export function withEvidence({ evidence }: PurchaseRow, ...said: Message[]): Pick<PurchaseRow, 'evidence'> {
  const at = new Date().toISOString();
  const all = [...(JSON.parse(evidence) as Evidence[]), ...said.map((one) => ({ at, said: one }))];
  return { evidence: JSON.stringify(all) };
}

// A stop by a person is no failure.
const STOPPED = new Set<Key>(['purchase.cancelled', 'purchases.off']);

/** Returns what people are told of a change of a purchase. */
function eventsOf(before: PurchaseRow, { state, kind, error, domain_name, project_id }: PurchaseRow): NewEvent[] {
  if (state === before.state) return [];
  const about = { name: domain_name, project_id };
  if (state === 'unknown') return [{ kind: 'purchase_unknown', ...about }];
  if (state === 'committed' && kind === 'register') return [{ kind: 'reserve_bought', ...about }];
  const why = error === null ? undefined : (JSON.parse(error) as Message).key;
  return state === 'released' && why !== undefined && !STOPPED.has(why) ? [{ kind: 'purchase_failed', ...about }] : [];
}

/** Writes a change of a purchase with its audit. Only inside a transaction. */
export async function change(row: PurchaseRow, to: Partial<PurchaseRow>): Promise<PurchaseRow> {
  const { id, domain_name, state, order_id, charged } = row;
  const after = await updatePurchase(id, to);
  note({
    action: 'update',
    object: 'purchases',
    id,
    name: domain_name,
    before: { state, order_id, charged },
    after: { state: after.state, order_id: after.order_id, charged: after.charged, error: after.error },
  });
  await recordEvents(eventsOf(row, after));
  return after;
}

/** Ends a purchase for which nothing was charged, and gives its money back. Only inside a transaction. */
export async function release(row: PurchaseRow, why: Message, more: Partial<PurchaseRow> = {}): Promise<PurchaseRow> {
  await giveBack(row);
  return change(row, { ...more, state: 'released', error: JSON.stringify(why), look_at: null });
}

/** Returns why a reserved purchase must not be sent now; null: it may be. */
async function refusalOf(row: PurchaseRow): Promise<Message | null> {
  const settings = await readSettings();
  if (settings.state === 'off') return { key: 'purchases.off' };
  if (row.operation_id !== null && (await endingOf(row.operation_id)) !== null) return { key: 'purchase.cancelled' };
  const registrar = row.registrar_id === null ? undefined : await findRow(registrars, row.registrar_id);
  if (!registrar) return { key: 'purchase.registrar_gone' };
  if (row.project_id !== null && (await findProjectOwner(row.project_id)) === null) {
    return { key: 'purchase.project_gone' };
  }
  // It may have waited a day for its approval.
  if (row.kind === 'register' && (await isNameTaken(row.domain_name, 0))) {
    return { key: 'domain.taken', params: { name: toUnicode(row.domain_name) } };
  }
  const currency = row.currency as Currency;
  const all = await findCap({ scope: 'all', scope_id: 0, currency });
  const cap = await findCap({ scope: 'name', scope_id: 0, currency });
  if (all === null || cap === null) return { key: 'purchase.caps_gone', params: { name: row.domain_name } };
  if (row.price <= cap) return refusalOfPrice(row.domain_name, { currency, price: row.price }, registrar);
  const sums = { price: toDecimal(row.price, currency), cap: toDecimal(cap, currency), currency };
  return { key: 'purchase.cap_name', params: { ...sums, name: row.domain_name } };
}

/** Moves what a purchase holds to the day on which it is sent, so that no day spends above its cap, or buys more names than it may. */
async function toToday(row: PurchaseRow): Promise<{ day: string; periods: string } | Message> {
  const settings = await readSettings();
  const day = await budgetDay(settings);
  if (day === row.day) return { day, periods: row.periods };
  const sum = { currency: row.currency as Currency, price: row.price, day };
  const refusal =
    (await refusalOfSum(row, sum)) ?? (row.kind === 'register' ? await refusalOfNames(row, settings, day) : null);
  if (refusal) return refusal;
  const periods = await hold(row, sum);
  await giveBack(row);
  return { day, periods };
}

/** Throws LostWork where another process has taken the operation of a purchase over. */
async function requireOurs({ operation_id }: PurchaseRow): Promise<void> {
  if (operation_id === null) return;
  const operation = await findOperationRow(operation_id);
  if (operation?.lease_owner !== owner) throw new LostWork(`operation ${operation_id} was taken over`);
}

/**
 * Marks a reserved purchase as being sent: the caller makes its one attempt right after. The switch, the operation and its holder, the
 * project and the day are read in the same transaction. A purchase that must not be sent is released; then it throws AppError `refused`.
 */
export async function beginSending(id: number, balance: string | null): Promise<PurchaseRow> {
  const begun = await transaction(async () => {
    const row = await purchaseRow(id);
    await requireOurs(row);
    if (row.state !== 'reserved') throw new AppError('conflict', 'purchase.not_reserved', { name: row.domain_name });
    const refusal = await refusalOf(row);
    const today = refusal ?? (await toToday(row));
    if ('key' in today) {
      await release(row, today);
      return today;
    }
    const sent_at = new Date().toISOString();
    return change(row, { ...today, state: 'sending', sent_at, balance_before: balance });
  });
  if ('key' in begun) throw new AppError('refused', begun.key, begun.params, { code: 'not_sent' });
  return begun;
}

/** Puts a purchase back whose order was begun by the caller and certainly not processed by the service: it may be sent again. */
export const putBack = (id: number): Promise<PurchaseRow> =>
  transaction(async () => {
    const row = await purchaseRow(id);
    return row.state === 'sending' ? change(row, { state: 'reserved', sent_at: null }) : row;
  });

/**
 * Releases a purchase that is not sent after all. A purchase that another process has begun to send stays as it is, as does one whose end
 * is proven.
 */
export const refuse = (id: number, why: Message): Promise<PurchaseRow> =>
  transaction(async () => {
    const row = await purchaseRow(id);
    return ['awaiting_approval', 'reserved'].includes(row.state) ? release(row, why) : row;
  });

/** Releases a purchase whose order was begun by the caller and refused by the service. */
export const refuseSent = (id: number, why: Message): Promise<PurchaseRow> =>
  transaction(async () => {
    const row = await purchaseRow(id);
    return row.state === 'sending' ? release(row, why) : row;
  });

/** Notes that the answer to a purchase was not heard: from now on its order is looked up. */
export const markUnknown = (id: number, why: Message): Promise<PurchaseRow> =>
  transaction(async () => {
    const row = await purchaseRow(id);
    if (row.state !== 'sending') return row;
    const look_at = firstLook(row.sent_at ?? row.changed_at);
    return change(row, { state: 'unknown', look_at, error: JSON.stringify(why), ...withEvidence(row, why) });
  });

/** Notes that an order was taken and the registry has not done it yet. */
export const markPending = (id: number, orderId: string): Promise<PurchaseRow> =>
  transaction(async () => {
    const row = await purchaseRow(id);
    if (!['sending', 'unknown', 'pending'].includes(row.state)) return row;
    const look_at = row.look_at ?? firstLook(row.sent_at ?? row.changed_at);
    if (row.state === 'pending' && row.order_id === orderId) return row;
    return change(row, { state: 'pending', order_id: orderId, look_at, absent_at: null });
  });

/** The proof that a purchase was paid. */
export interface Bought {
  order_id: string | null;
  charged: Money | null;
  /** The account's balance after it; absent: not read. */
  balance?: Money | null;
  expires_at: string | null;
  how: Message;
  resolver_id?: number | null;
}

/**
 * Ends a purchase as paid: the money is spent, and the domain is written, in one transaction. A charge above the quote or in another currency is
 * recorded and switches purchases off; the latter leaves `charged` null, as does a balance that has fallen by more, and a person has to see it. A proof that comes after a release counts all
 * the same, and switches them off, too.
 */
export const commitPurchase = (id: number, bought: Bought): Promise<PurchaseRow> =>
  transaction(async () => {
    const row = await purchaseRow(id);
    if (row.state === 'committed' || row.state === 'simulated') return row;
    const charge = await chargeOf(row, bought.charged, bought.balance ?? null);
    const isLate = row.state === 'released';
    const late: Message = { key: 'purchase.late_proof', params: { name: row.domain_name } };
    await countCharge(row, charge, isLate);
    const alarm = charge.wrong ?? (isLate ? late : null);
    if (alarm) await switchOff(alarm);
    const domain_id = await writeBoughtDomain(row, bought.expires_at);
    const holder = isLate ? await findHolderOf(row) : undefined;
    const resolved =
      bought.resolver_id === undefined ? {} : { resolver_id: bought.resolver_id, resolved_at: nowText() };
    return change(row, {
      // Another purchase has the name meanwhile: both are told of by the alarm, and this one's charge stands in its columns.
      ...(holder === undefined && { state: 'committed' as const }),
      ...resolved,
      order_id: bought.order_id ?? row.order_id,
      charged: charge.minor,
      domain_id,
      look_at: null,
      error: alarm && JSON.stringify(alarm),
      ...withEvidence(row, ...(alarm ? [bought.how, alarm] : [bought.how])),
    });
  });

const nowText = (): string => new Date().toISOString();

/** Ends a purchase whose order has proven to have charged nothing. */
export const releaseProven = (id: number, how: Message, resolver_id?: number | null): Promise<PurchaseRow> =>
  transaction(async () => {
    const row = await purchaseRow(id);
    if (!['sending', 'unknown', 'pending'].includes(row.state)) return row;
    const resolved = resolver_id === undefined ? {} : { resolver_id, resolved_at: nowText() };
    return release(row, how, { ...withEvidence(row, how), ...resolved });
  });

/** Notes that a person has seen a charge that is no sum of the quote's currency: it needs nobody any more. */
export const acknowledgeCharge = (id: number, how: Message, resolver_id: number | null): Promise<PurchaseRow> =>
  transaction(async () => {
    const row = await purchaseRow(id);
    return change(row, { resolver_id, resolved_at: nowText(), ...withEvidence(row, how) });
  });
