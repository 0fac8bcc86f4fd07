import type { Money } from '../../providers/provider.ts';
import type { Message } from '../../shared/i18n/index.ts';
import { isCurrency, toDecimal, toMinor, type Currency } from '../../shared/purchases/money.ts';
import type { PurchaseRow } from '../../shared/purchases/tables.ts';
import { spend, spendAnew, spendElsewhere } from './holds.ts';

/** What was charged for a purchase, and what is wrong with that. */
export interface Charge {
  /** Smallest units of the purchase's currency; null: the charge was no sum of it. */
  minor: number | null;
  /** The charge where it was a sum of another currency that caps know. */
  elsewhere: { currency: Currency; minor: number } | null;
  wrong: Message | null;
}

/** Compares a charge with its quote. What a service does not tell was the quote. */
export function chargeOf(row: PurchaseRow, charged: Money | null): Charge {
  if (charged === null) return { minor: row.price, elsewhere: null, wrong: null };
  const { amount, currency: code } = charged;
  const currency = row.currency as Currency;
  const minor = isCurrency(code) ? toMinor(amount, code) : null;
  const told = {
    name: row.domain_name,
    charged: `${amount} ${code}`,
    price: `${toDecimal(row.price, currency)} ${currency}`,
  };
  if (minor === null || code !== currency) {
    const elsewhere = minor !== null && isCurrency(code) ? { currency: code, minor } : null;
    return { minor: null, elsewhere, wrong: { key: 'purchase.other_currency', params: told } };
  }
  return { minor, elsewhere: null, wrong: minor > row.price ? { key: 'purchase.above_quote', params: told } : null };
}

/**
 * Counts a charge under the caps of its day. One that can't be told in the quote's currency counts there as the quote, so that its money is not
 * spent again, and in its own currency as what it is. `isLate`: the held sum was given back before. Only inside a transaction.
 */
export async function countCharge(row: PurchaseRow, { minor, elsewhere }: Charge, isLate: boolean): Promise<void> {
  await (isLate ? spendAnew : spend)(row, minor ?? row.price);
  if (elsewhere) await spendElsewhere(row, elsewhere);
}
