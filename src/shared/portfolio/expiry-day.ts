import { registryAhead } from '../registry-day.ts';
import { DAY_MS } from '../time.ts';

/** A registration that ends within so many days is listed as expiring. */
export const EXPIRING_DAYS = 30;

/**
 * Returns the calendar day (`2027-02-14`) on which a registration ends, as its registry counts: the same for every reader,
 * wherever they are.
 */
export function expiryDay({ domain_name, expired_at }: { domain_name: string; expired_at: string }): string {
  return new Date(Date.parse(expired_at) + registryAhead(domain_name)).toISOString().slice(0, 10);
}

/**
 * Returns the day on which a registration ends that is paid for some years more. The 29th of February becomes the 28th: a
 * promise is not later than what the registry writes.
 */
export function dayAfterYears(day: string, years: number): string {
  const year = String(Number(day.slice(0, 4)) + years);
  const next = `${year}${day.slice(4)}`;
  return Number.isNaN(Date.parse(next)) || new Date(next).toISOString().slice(0, 10) !== next ? `${year}-02-28` : next;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** Returns the calendar day of a time where the reader is. */
export function dayOf(time: number): string {
  const date = new Date(time);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Returns the days from one calendar day to another; negative where the other is earlier. */
export const daysBetween = (day: string, other: string): number =>
  Math.round((Date.parse(other) - Date.parse(day)) / DAY_MS);

/** Returns the calendar day that is so many days after another. */
export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

/** How near an expiry is, by day: over, today, within thirty days, or later. */
export type Nearness = 'past' | 'today' | 'soon' | 'later';

/** Returns how near a day of expiry is to a reader's today. */
export function nearnessOf(day: string, today: string): Nearness {
  const left = daysBetween(today, day);
  if (left < 0) return 'past';
  if (left === 0) return 'today';
  return left <= EXPIRING_DAYS ? 'soon' : 'later';
}
