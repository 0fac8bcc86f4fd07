import { randomBytes } from 'node:crypto';
import { note } from '../../../db/audit.ts';
import { transaction } from '../../../db/index.ts';
import { findRow } from '../../../db/rows.ts';
import type { Availability } from '../../providers/provider.ts';
import { Waiting } from '../../operations/waiting.ts';
import { factsOf, isRegistrarType } from '../../shared/accounts/registrar-types.ts';
import { registrars, type RegistrarRow } from '../../shared/accounts/tables.ts';
import { AppError, unknownReference } from '../../shared/errors.ts';
import type { Key, Message, Params } from '../../shared/i18n/index.ts';
import { isCurrency, toDecimal, toMinor, type Currency } from '../../shared/purchases/money.ts';
import type { PurchaseRow } from '../../shared/purchases/tables.ts';
import { DAY_MS } from '../../shared/time.ts';
import { takenName } from '../portfolio/domains.ts';
import { isNameTaken } from '../portfolio/rows.ts';
import { findCap } from './budget-rows.ts';
import { findProjectOwner } from './domain-rows.ts';
import { hold, refusalOfSum } from './holds.ts';
import { countNames, findHolderOf, findLastAutomatic, insertPurchase } from './rows.ts';
import { budgetDay, readSettings, type BudgetSettings } from './settings.ts';

/** A purchase to make. `offer` is what the registrar has just quoted, for all `years`; the price of a renewal is `free`. */
export interface PurchaseOrder extends Pick<
  PurchaseRow,
  | 'kind'
  | 'domain_name'
  | 'project_id'
  | 'user_id'
  | 'asker_id'
  | 'asked_by'
  | 'operation_id'
  | 'years'
  | 'expires_before'
> {
  registrar_id: number;
  offer: Pick<Availability, 'state' | 'price'>;
}

interface Price {
  currency: Currency;
  price: number;
}

const refused = (key: Key, params: Params = {}, code = 'refused'): AppError =>
  new AppError('refused', key, params, { code });

/** Returns why a price is not paid to a registrar; null: it may be. */
export function refusalOfPrice(
  name: string,
  { currency, price }: Price,
  { highest_price }: Pick<RegistrarRow, 'highest_price'>,
): Message | null {
  if (price === 0) return { key: 'purchase.no_price', params: { name } };
  const highest = highest_price === null || highest_price === '' ? null : toMinor(highest_price, currency);
  if (highest === null || price <= highest) return null;
  const sums = { price: toDecimal(price, currency), highest: highest_price ?? '', currency };
  return { key: 'purchase.above_registrar', params: { ...sums, name } };
}

/** Returns the price of an offer. Throws AppError `refused` for a name that isn't free, and for a price that can't be compared. */
function priceOf({ kind, domain_name, offer }: PurchaseOrder, registrar: RegistrarRow): Price {
  const { type } = registrar;
  const named = { name: domain_name };
  if (offer.state === 'premium') throw refused('purchase.premium', named);
  if (offer.state !== 'free') throw refused('purchase.not_free', named);
  if (!isRegistrarType(type) || (kind === 'register' && !factsOf(type).sells)) {
    throw refused('registrar.sells_nothing');
  }
  const { amount = '', currency = '' } = offer.price ?? {};
  if (!isCurrency(currency) || currency !== factsOf(type).currency) {
    throw refused('purchase.currency', { ...named, currency: currency || '–' });
  }
  const price = toMinor(amount, currency);
  if (price === null) throw refused('purchase.no_price', named);
  const refusal = refusalOfPrice(domain_name, { currency, price }, registrar);
  if (refusal) throw refused(refusal.key, refusal.params);
  return { currency, price };
}

/** Returns the text of why a name that this purchase has can't be paid for; its values are the name and the purchase's id. */
export function heldBy({ kind, state }: Pick<PurchaseRow, 'kind' | 'state'>): Key {
  if (state !== 'committed') return 'purchase.held';
  return kind === 'renew' ? 'purchase.renewed_before' : 'purchase.bought_before';
}

async function refuseHeldName(order: PurchaseOrder): Promise<void> {
  const { kind, domain_name } = order;
  if (kind === 'register' && (await isNameTaken(domain_name, 0))) throw takenName(domain_name);
  const holder = await findHolderOf(order);
  if (holder) throw new AppError('conflict', heldBy(holder), { name: domain_name, id: holder.id });
}

/** Returns why a day takes no more names; null: it does. */
export async function refusalOfNames(
  { project_id }: Pick<PurchaseOrder, 'project_id'>,
  { names_day, names_project }: Pick<BudgetSettings, 'names_day' | 'names_project'>,
  day: string,
): Promise<Message | null> {
  if ((await countNames(day, null)) >= names_day) return { key: 'purchase.names_day', params: { n: names_day } };
  const isFull = project_id !== null && (await countNames(day, project_id)) >= names_project;
  return isFull ? { key: 'purchase.names_project', params: { n: names_project } } : null;
}

/** Throws AppError `refused` where a day has its number of names, and `too_many` where the last automatic purchase is too young. */
async function refuseMany(order: PurchaseOrder, settings: BudgetSettings, day: string): Promise<void> {
  if (order.kind === 'renew') return;
  const refusal = await refusalOfNames(order, settings, day);
  if (refusal) throw refused(refusal.key, refusal.params, 'budget');
  const { pause_minutes } = settings;
  const last = order.asked_by === 'automation' ? await findLastAutomatic() : null;
  const pause = pause_minutes * 60_000;
  // No longer than the pause, where the clock was ahead at the last one.
  const left = last === null ? 0 : Math.min(pause, Date.parse(last) + pause - Date.now());
  if (left > 0) {
    const retryAfter = Math.ceil(left / 1000);
    throw new AppError('too_many', 'purchase.pause', { n: pause_minutes }, { code: 'purchase_pause', retryAfter });
  }
}

/** Throws AppError `refused` while purchases are off. */
function refuseOff({ state }: BudgetSettings): void {
  if (state === 'off') throw refused('purchases.off', {}, 'purchases_off');
}

/** Returns why a price is above the cap of one name; null: it is not. */
function refusalOfCap(name: string, { currency, price }: Price, cap: number): Message | null {
  if (price <= cap) return null;
  return {
    key: 'purchase.cap_name',
    params: { price: toDecimal(price, currency), cap: toDecimal(cap, currency), currency, name },
  };
}

/** Returns why the budget of a day has no room for a name that a person wants to buy; null: it has, or nothing is paid as no cap is set. */
export async function refusalOfBudget(
  order: Pick<PurchaseOrder, 'domain_name' | 'registrar_id' | 'project_id' | 'user_id'>,
  price: Price,
  day: string,
): Promise<Message | null> {
  const { currency } = price;
  const all = await findCap({ scope: 'all', scope_id: 0, currency });
  const cap = await findCap({ scope: 'name', scope_id: 0, currency });
  if (all === null || cap === null) return null;
  return (
    refusalOfCap(order.domain_name, price, cap) ??
    (await refusalOfNames(order, await readSettings(), day)) ??
    refusalOfSum(order, { ...price, day })
  );
}

function noteNew(row: PurchaseRow): PurchaseRow {
  const { id, domain_name, kind, state, registrar_id, project_id, price, currency } = row;
  note({
    action: 'create',
    object: 'purchases',
    id,
    name: domain_name,
    after: { kind, state, registrar_id, project_id, price: toDecimal(price, currency as Currency), currency },
  });
  return row;
}

/**
 * Holds the money and the name of a purchase, under every cap, in one transaction with its audit: `reserved`, or `awaiting_approval` above
 * the sum from which two admins decide. Without a cap for all and one per name, in its currency, it is `simulated`: nothing is held.
 * Throws AppError `refused`, `conflict` and `too_many`.
 */
export async function reservePurchase(order: PurchaseOrder): Promise<PurchaseRow> {
  return transaction(async () => {
    const registrar = await findRow(registrars, order.registrar_id);
    if (!registrar) throw unknownReference('registrar_id');
    const { currency, price } = priceOf(order, registrar);
    const settings = await readSettings();
    refuseOff(settings);
    if (order.project_id !== null && (await findProjectOwner(order.project_id)) === null) {
      throw unknownReference('project_id');
    }
    await refuseHeldName(order);
    const { offer: _offer, ...columns } = order;
    const row = {
      ...columns,
      registrar_type: registrar.type,
      currency,
      price,
      reference: randomBytes(16).toString('hex'),
    };
    const all = await findCap({ scope: 'all', scope_id: 0, currency });
    const cap = await findCap({ scope: 'name', scope_id: 0, currency });
    const day = await budgetDay(settings);
    if (all === null || cap === null) {
      return noteNew(await insertPurchase({ ...row, state: 'simulated', cap: null, periods: '[]', day }));
    }
    const refusal = refusalOfCap(order.domain_name, { currency, price }, cap);
    if (refusal) throw refused(refusal.key, refusal.params, 'budget');
    await refuseMany(order, settings, day);
    const periods = await hold(order, { currency, price, day });
    const approval = await findCap({ scope: 'approval', scope_id: 0, currency });
    const state = approval !== null && price > approval ? 'awaiting_approval' : 'reserved';
    return noteNew(await insertPurchase({ ...row, state, cap, periods, day }));
  });
}

/** Reserves a purchase. Throws Waiting where it begins by itself too soon after another one that did. */
export async function reserveInTurn(order: PurchaseOrder): Promise<void> {
  try {
    await reservePurchase(order);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'purchase_pause') throw error;
    const { key, params, retryAfter = 1 } = error;
    throw new Waiting(() => ({ key, params }), { everyMs: retryAfter * 1000, limitMs: DAY_MS }, { cause: error });
  }
}
