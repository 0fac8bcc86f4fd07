import { isCurrency, toDecimal, toMinor, type Currency } from './money.ts';
import type { RenewalQuote } from './renewals.ts';

/** Sums up what can be renewed, by currency: `498.00 RUB + 14.98 USD`. */
export function sumsOf(quotes: readonly Pick<RenewalQuote, 'price' | 'currency' | 'refusal'>[]): string {
  const sums = new Map<Currency, number>();
  for (const { price, currency, refusal } of quotes) {
    if (refusal !== null || price === null || currency === null || !isCurrency(currency)) continue;
    sums.set(currency, (sums.get(currency) ?? 0) + (toMinor(price, currency) ?? 0));
  }
  return [...sums].map(([currency, minor]) => `${toDecimal(minor, currency)} ${currency}`).join(' + ');
}
