/** Sums of money: whole numbers of the smallest unit inside, decimal texts at the edges. Never floats. */

/** Currencies that purchases know, by ISO 4217 code, with their number of decimals. */
const DECIMALS = { RUB: 2, USD: 2, EUR: 2 } as const;

export type Currency = keyof typeof DECIMALS;
export const CURRENCIES = Object.keys(DECIMALS) as Currency[];

/** Whether purchases know a currency. */
export const isCurrency = (code: string): code is Currency => Object.hasOwn(DECIMALS, code);

const LONGEST = 12;

/**
 * Returns the smallest units of a decimal amount such as `12.5`; a fraction of one counts as one, so that a price is never taken for
 * less. Null: it is no amount.
 */
export function toMinor(amount: string, currency: Currency): number | null {
  const found = /^(\d+)(?:\.(\d+))?$/.exec(amount);
  const [, whole = '', fraction = ''] = found ?? [];
  if (!found || whole.length > LONGEST || fraction.length > LONGEST) return null;
  const digits = DECIMALS[currency];
  const rest = fraction.slice(digits);
  return Number(whole + fraction.slice(0, digits).padEnd(digits, '0')) + (/[1-9]/.test(rest) ? 1 : 0);
}

/** Writes smallest units as a decimal amount. */
export function toDecimal(minor: number, currency: Currency): string {
  const digits = DECIMALS[currency];
  const text = String(Math.abs(minor)).padStart(digits + 1, '0');
  return `${minor < 0 ? '-' : ''}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}
