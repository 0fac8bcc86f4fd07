import { crashPoint } from '../../lib/crash-point.ts';
import { patiently } from '../../operations/failure.ts';
import type { Act, Change } from '../../operations/flow.ts';
import { operationRow } from '../../operations/lease.ts';
import { Waiting } from '../../operations/waiting.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import type { Call, TakenOrder } from '../../providers/provider.ts';
import { AppError } from '../../shared/errors.ts';
import type { Message } from '../../shared/i18n/index.ts';
import { isCurrency, toDecimal, toMinor, type Currency } from '../../shared/purchases/money.ts';
import type { PurchaseRow } from '../../shared/purchases/tables.ts';
import { DAY_MS } from '../../shared/time.ts';
import { readBalance } from '../accounts/registrar-balance.ts';
import {
  beginSending,
  commitPurchase,
  markPending,
  markUnknown,
  putBack,
  refuse,
  refuseSent,
  releaseProven,
} from './ledger.ts';
import { LOOKED_UP_MS } from './look-times.ts';
import { lookUp, orderOf } from './look-up.ts';
import { reserveInTurn, type PurchaseOrder } from './reserve.ts';
import { findPurchaseOf, isTriedAgain } from './rows.ts';
import { asked, noteCharge, noTurn, type Shop } from './shop.ts';
import { balanceText, meaningOf } from './verdict.ts';

/** A purchase that an operation makes. */
export type OrderedPurchase = PurchaseOrder & { operation_id: number };

type Check = () => Promise<void>;

const SEND_MS = 90_000;
const STORE_MS = 60_000;
const QUOTE_MS = 10 * 60_000;
const APPROVAL_MS = { everyMs: 10_000, limitMs: DAY_MS };

const namedIn = ({ domain_name }: PurchaseRow | PurchaseOrder) => ({ name: domain_name });

const find = ({ operation_id, kind, domain_name }: OrderedPurchase): Promise<PurchaseRow | undefined> =>
  findPurchaseOf(operation_id, kind, domain_name);

/** Returns the error of an item whose purchase ended without a domain. */
function notBought(row: PurchaseRow): AppError {
  const { key, params } =
    row.error === null ? ({ key: 'purchase.released' } as Message) : (JSON.parse(row.error) as Message);
  return new AppError('refused', key, params, { code: 'not_bought' });
}

/** Whether a purchase was released, or a rehearsal, and its operation is tried again since: that orders anew, under the caps of then. */
const isPast = async (row: PurchaseRow | undefined): Promise<boolean> =>
  (row?.state === 'released' || row?.state === 'simulated') && (await isTriedAgain(row));

/** Holds the money and the name. */
const reserveAct = (order: OrderedPurchase): Act => ({
  name: 'reserve',
  class: 'set',
  isVoid: async () => isPast(await find(order)),
  look: async () => {
    const row = await find(order);
    if (row && !(await isPast(row))) return null;
    const { offer, years } = order;
    return {
      before: null,
      after: { price: offer.price, years },
      perform: () => reserveInTurn(order),
    };
  },
});

async function answered(row: PurchaseRow, taken: TakenOrder): Promise<PurchaseRow> {
  const how: Message = { key: 'purchase.answered', params: namedIn(row) };
  if (taken.state === 'pending') return markPending(row.id, taken.id);
  if (taken.state === 'rejected') return releaseProven(row.id, { key: 'purchase.rejected', params: namedIn(row) });
  const bought = await commitPurchase(row.id, { order_id: taken.id, charged: taken.charged, expires_at: null, how });
  const { registrar_id, charged, currency } = bought;
  if (registrar_id !== null && charged !== null) await noteCharge(registrar_id, charged, currency as Currency);
  return bought;
}

/**
 * Makes the one attempt. The order may wait for its turn: it is marked as being sent, and the switch is read, right before the request itself. An
 * answer that was not heard ends as `unknown`, and throws nothing: the next act looks it up.
 */
async function send(row: PurchaseRow, balance: string | null, { registrar, login, call }: Shop): Promise<void> {
  const method = row.kind === 'register' ? registrar.register : registrar.renew;
  if (!method) return giveUp(row, { key: 'registrar.sells_nothing' });
  let isSent = false;
  const beforePaying = async (): Promise<void> => {
    crashPoint('purchase:before-sending');
    await beginSending(row.id, balance);
    isSent = true;
    crashPoint('purchase:sending');
  };
  // A disk that stays full ends this process's part: the order is looked up then.
  const store = <T>(work: () => Promise<T>): Promise<T> => patiently(work, AbortSignal.timeout(STORE_MS));
  try {
    const taken = await method(login, orderOf(row), { ...call(AbortSignal.timeout(SEND_MS)), beforePaying });
    crashPoint('purchase:answered');
    await store(() => answered(row, taken));
  } catch (error) {
    if (!(error instanceof ProviderError) && !(error instanceof DOMException)) throw error;
    const { proven, why } = meaningOf(error, isSent, row);
    crashPoint('purchase:failed');
    if (proven === null) return void (await store(() => markUnknown(row.id, why)));
    // Not sent by this process: another one may be sending the order, which `refuse` leaves alone.
    if (proven === 'refused') await store(() => (isSent ? refuseSent : refuse)(row.id, why));
    else if (isSent) await store(() => putBack(row.id));
    if (!(error instanceof ProviderError)) throw noTurn(error);
    throw error.reason === 'price' ? new AppError('refused', why.key, why.params, { code: 'not_bought' }) : error;
  }
}

/** Ends a reserved purchase that must not be sent after all. */
async function giveUp(row: PurchaseRow, why: Message): Promise<never> {
  await refuse(row.id, why);
  throw new AppError('refused', why.key, why.params, { code: 'not_bought' });
}

/** Gives up where the registrar shows another date for a renewal than it did when it was quoted: somebody has paid for it elsewhere. */
async function checkDate(row: PurchaseRow, { registrar, login }: Shop, options: Call): Promise<void> {
  const domain = await asked(registrar.readDomain?.(login, row.domain_name, options));
  if (domain?.expires_at === row.expires_before) return;
  await giveUp(row, { key: 'renewal.date_moved', params: namedIn(row) });
}

/** Whether the quote of a purchase is young: that of an operation that has waited, or is tried again, may be of long ago. */
async function hasYoungQuote({ created_at, operation_id }: PurchaseRow): Promise<boolean> {
  const operation = operation_id === null ? null : await operationRow(operation_id);
  const times = [created_at, ...(operation ? [operation.created_at] : [])];
  return (operation?.tries ?? 0) === 0 && times.every((time) => Date.now() - Date.parse(time) < QUOTE_MS);
}

/** Asks for the price again where the quote is old, and gives up where it is higher, the name is gone, or it was renewed meanwhile. */
async function requote(row: PurchaseRow, shop: Shop): Promise<void> {
  if (await hasYoungQuote(row)) return;
  const { registrar, login, call } = shop;
  const options = call(AbortSignal.timeout(SEND_MS));
  const isNew = row.kind === 'register';
  if (!isNew) await checkDate(row, shop, options);
  const [checked] = (await asked(isNew ? registrar.checkNames?.(login, [row.domain_name], options) : undefined)) ?? [];
  if (checked && checked.state !== 'free') await giveUp(row, { key: 'purchase.not_free', params: namedIn(row) });
  const price = isNew ? checked?.price : await asked(registrar.readRenewalPrice?.(login, row.domain_name, options));
  const minor = price && isCurrency(price.currency) ? toMinor(price.amount, price.currency) : null;
  if (minor === null || price?.currency !== row.currency || minor * row.years <= row.price) return;
  const told = { ...namedIn(row), price: `${price.amount} ${price.currency}` };
  await giveUp(row, { key: 'purchase.price_changed', params: told });
}

/** Reads the balance, and gives up where it is too small; null where the service does not tell it. */
async function readMoney(row: PurchaseRow, shop: Shop): Promise<string | null> {
  const balance = await asked(readBalance(shop, shop.call(AbortSignal.timeout(SEND_MS))));
  if (!balance) return null;
  const minor = isCurrency(balance.currency) ? toMinor(balance.amount, balance.currency) : null;
  if (minor !== null && balance.currency === row.currency && minor < row.price) {
    const told = { ...namedIn(row), balance: balanceText(balance) };
    await giveUp(row, { key: 'purchase.no_money', params: told });
  }
  return balanceText(balance);
}

const waitForApproval = ({ domain_name }: PurchaseRow): Waiting =>
  new Waiting((until) => ({ key: 'purchase.waits_approval', params: { name: domain_name, until } }), APPROVAL_MS);

/** Asks whether a reserved purchase is still wanted, and gives up with the reason where it is not. */
async function checkWanted(row: PurchaseRow, check: Check): Promise<void> {
  try {
    await check();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await giveUp(row, { key: error.key, params: error.params });
  }
}

/** Sends the order, once. Found begun it was sent, or may have been: it is looked up, and never sent again. */
const sendAct = (order: OrderedPurchase, shop: Shop, check: Check): Act => {
  const changeTo = (row: PurchaseRow | undefined, perform: Change['perform']): Change => ({
    before: null,
    after: {
      years: order.years,
      price: row ? `${toDecimal(row.price, row.currency as Currency)} ${row.currency}` : order.offer.price,
    },
    perform,
  });
  return {
    name: 'send',
    class: 'unsafe',
    isRecorded: true,
    look: async (isOver) => {
      const row = await find(order);
      if (row?.state === 'awaiting_approval') {
        if (!isOver) throw waitForApproval(row);
        return giveUp(row, { key: 'purchase.not_approved', params: namedIn(row) });
      }
      if (row?.state === 'sending') await markUnknown(row.id, { key: 'purchase.unheard', params: namedIn(row) });
      if (row && row.state !== 'reserved') return null;
      if (row) await checkWanted(row, check);
      if (row) await requote(row, shop);
      const balance = row ? await readMoney(row, shop) : null;
      return changeTo(row, async () => {
        if (!row) throw new AppError('conflict', 'purchase.not_reserved', namedIn(order));
        await send(row, balance, shop);
        crashPoint('purchase:settled');
      });
    },
  };
};

/** Waits until the end of an order is proven. Throws where the name was not bought, or a person has to say. */
const resolveAct = (order: OrderedPurchase, shop: Shop): Act => ({
  name: 'resolve',
  class: 'read',
  tellsEnd: true,
  look: async (isOver) => {
    let row = await find(order);
    // A plan looks before anything is reserved.
    if (!row || row.state === 'committed') return null;
    if (row.state === 'sending') row = await markUnknown(row.id, { key: 'purchase.unheard', params: namedIn(row) });
    if (row.look_at !== null && Date.parse(row.look_at) <= Date.now()) row = await lookUp(row.id, shop);
    if (row.state === 'committed') return null;
    if (row.state === 'simulated') {
      throw new AppError('refused', 'purchase.simulated', namedIn(row), { code: 'simulated' });
    }
    if (row.state !== 'unknown' && row.state !== 'pending') throw notBought(row);
    const key = row.state === 'pending' ? 'purchase.waits_registry' : 'purchase.waits_proof';
    const { id, domain_name } = row;
    if (isOver || row.look_at === null) {
      throw new AppError('conflict', 'purchase.needs_person', { name: domain_name, id }, { code: 'purchase_open' });
    }
    const everyMs = Math.max(1_000, Date.parse(row.look_at) - Date.now());
    throw new Waiting((until) => ({ key, params: { name: domain_name, until } }), { everyMs, limitMs: LOOKED_UP_MS });
  },
});

/**
 * Returns the acts that buy or renew a name: its money is held, the order is sent once, and its end is proven. Acts behind them run for a domain
 * that is paid for and in the portfolio alone: `resolve` ends the item of any other, with the code `simulated` where no cap is set. `check`
 * throws AppError where the purchase is not wanted any more: it is asked before the order is sent, which may be a day after the money was held.
 */
export const purchaseActs = (order: OrderedPurchase, shop: Shop, check: Check = async () => undefined): Act[] => [
  reserveAct(order),
  sendAct(order, shop, check),
  resolveAct(order, shop),
];
