import { isCurrency, toDecimal, toMinor, type Currency } from './money.ts';
import type { RenewalQuote } from './renewals.ts';

/** The most domains that are renewed at once. */
export const MOST_RENEWED = 50;

/** A decimal amount with its currency. */
export interface Sum {
  amount: string;
  currency: string;
}

/** Sums up what can be renewed, by currency. */
export function sumsOf(quotes: readonly Pick<RenewalQuote, 'price' | 'currency' | 'refusal'>[]): Sum[] {
  const sums = new Map<Currency, number>();
  for (const { price, currency, refusal } of quotes) {
    if (refusal !== null || price === null || currency === null || !isCurrency(currency)) continue;
    sums.set(currency, (sums.get(currency) ?? 0) + (toMinor(price, currency) ?? 0));
  }
  return [...sums].map(([currency, minor]) => ({ amount: toDecimal(minor, currency), currency }));
}
