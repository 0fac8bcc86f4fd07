import type { Money } from '../../providers/provider.ts';
import type { Message } from '../../shared/i18n/index.ts';
import { isCurrency, toDecimal, toMinor, type Currency } from '../../shared/purchases/money.ts';
import type { PurchaseRow } from '../../shared/purchases/tables.ts';
import { spend, spendAnew, spendElsewhere } from './holds.ts';
import { hasOrdersBeside } from './rows.ts';

/** The charge of a purchase, and its fault. */
export interface Charge {
  /** Smallest units of the purchase's currency; null: the charge was no sum of it, or is not known. */
  minor: number | null;
  /** The sum that counts under the caps of that currency. */
  counted: number;
  /** The charge where it was a sum of another currency that caps know. */
  elsewhere: { currency: Currency; minor: number } | null;
  wrong: Message | null;
}

const minorOf = ({ amount, currency }: Money): number | null =>
  isCurrency(currency) ? toMinor(amount, currency) : null;

const toldOf = ({ domain_name: name, price, currency }: PurchaseRow, charged: Money) => ({
  name,
  charged: `${charged.amount} ${charged.currency}`,
  price: `${toDecimal(price, currency as Currency)} ${currency}`,
});

/**
 * Returns by how much the balance has fallen since before the order, in smallest units of its currency; null where that can't be told, or another
 * order of this kind of registrar may have its part in it: two of our accounts may be the same there.
 */
async function fallOf(row: PurchaseRow, balance: Money): Promise<number | null> {
  const [amount = '', currency = ''] = (row.balance_before ?? '').split(' ');
  if (currency !== row.currency || balance.currency !== currency) return null;
  const [before, after] = [minorOf({ amount, currency }), minorOf(balance)];
  if (before === null || after === null || (await hasOrdersBeside(row))) return null;
  return before - after;
}

/**
 * Compares a charge with its quote. An unknown charge (null) is the quote, unless the balance, read afterwards, has fallen by more: then
 * that fall counts under the caps, and a person has to see it.
 */
export async function chargeOf(row: PurchaseRow, charged: Money | null, balance: Money | null): Promise<Charge> {
  const { price } = row;
  const currency = row.currency as Currency;
  if (charged === null) {
    const fall = balance && (await fallOf(row, balance));
    if (fall === null || fall <= price) return { minor: price, counted: price, elsewhere: null, wrong: null };
    const params = toldOf(row, { amount: toDecimal(fall, currency), currency });
    return { minor: null, counted: fall, elsewhere: null, wrong: { key: 'purchase.balance_fell', params } };
  }
  const minor = minorOf(charged);
  const params = toldOf(row, charged);
  if (minor === null || charged.currency !== currency) {
    const elsewhere = minor !== null && isCurrency(charged.currency) ? { currency: charged.currency, minor } : null;
    return { minor: null, counted: price, elsewhere, wrong: { key: 'purchase.other_currency', params } };
  }
  const wrong: Message | null = minor > price ? { key: 'purchase.above_quote', params } : null;
  return { minor, counted: minor, elsewhere: null, wrong };
}

/**
 * Counts a charge under the caps of its day. One in another currency than the quote counts there as the quote, so that its money is not spent again,
 * and in its own currency as what it is. `isLate`: the held sum was given back before. Only inside a transaction.
 */
export async function countCharge(row: PurchaseRow, { counted, elsewhere }: Charge, isLate: boolean): Promise<void> {
  await (isLate ? spendAnew : spend)(row, counted);
  if (elsewhere) await spendElsewhere(row, elsewhere);
}
