import { z } from 'zod';
import { cleanHostname, isHostname } from '../../shared/hostname.ts';
import { registryAhead } from '../../shared/registry-day.ts';
import type { Money, RegisteredDomain } from '../provider.ts';

/** A text or a number of an answer, as text: services write numbers as both. */
export const Text = z.union([z.string(), z.number()]).transform(String);

/** A decimal amount without a sign, such as `10.2800`. */
export const Amount = Text.pipe(z.string().regex(/^\d{1,9}(?:\.\d{1,4})?$/));

/** Something truthy of an answer: services write flags as 1, "1", true, "yes" and "true". */
export const Flag = z
  .union([z.boolean(), z.number(), z.string()])
  .transform((value) =>
    [true, 1, '1', 'true', 'yes'].includes(typeof value === 'string' ? value.toLowerCase() : value),
  );

/** Returns an amount with its currency, with two decimals, or with more where the service says more; rubles have had two codes. */
export function money(amount: string, currency: string): Money {
  const [whole = '0', fraction = ''] = amount.split('.');
  const said = fraction.replace(/0+$/, '').padEnd(2, '0');
  return { amount: `${whole}.${said}`, currency: currency === 'RUR' ? 'RUB' : currency };
}

/** Returns the minor units of a decimal amount, a fraction of one rounded up: a price is never taken for less. */
export function minorOf(amount: string): number {
  const [whole = '0', fraction = ''] = amount.split('.');
  const digits = fraction.padEnd(2, '0');
  const isMore = /[1-9]/.test(digits.slice(2));
  return Number(whole) * 100 + Number(digits.slice(0, 2)) + (isMore ? 1 : 0);
}

/** Writes minor units as a decimal amount. */
export const amountOf = (minor: number): string => (minor / 100).toFixed(2);

/**
 * Returns the time at which a registration ends whose last day is given as `YYYY-MM-DD` alone; null: no such day.
 * Names of .ru, .su and .рф end at midnight in Moscow, which is the evening before in UTC.
 */
export function endOfDay(day: string, domainName: string): string | null {
  const time = Date.parse(`${day}T00:00:00Z`);
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || Number.isNaN(time)) return null;
  return new Date(time - registryAhead(domainName)).toISOString();
}

/** Returns a name as the portfolio has it: ASCII, in lower case, without a dot at the end; null: it is no host name. */
export const nameIn = (text: string): string | null => (isHostname(text) ? cleanHostname(text) : null);

/** Returns the domains whose names are host names, each once: services list other things among them. */
export function domainsIn(
  rows: readonly { name: string; expires_at: (name: string) => string | null }[],
): RegisteredDomain[] {
  const domains = new Map<string, RegisteredDomain>();
  for (const { name, expires_at } of rows) {
    const domain_name = nameIn(name);
    if (domain_name !== null) domains.set(domain_name, { domain_name, expires_at: expires_at(domain_name) });
  }
  return [...domains.values()];
}
