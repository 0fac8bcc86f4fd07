import type { Key } from '../../src/shared/i18n/index.ts';
import { nearnessOf } from '../../src/shared/portfolio/expiry-day.ts';

/** Returns the address of the list of domains whose registration ends from a day to another; null: no bound. */
export function domainsEnding(from: string | null, to: string | null): string {
  const query = new URLSearchParams({
    ...(from !== null && { expires_from: from }),
    ...(to !== null && { expires_to: to }),
    sort: 'expired_at',
  });
  return `/sites?${query}`;
}

/** Returns how a day looks and the text that says it: red where it is today or past, amber within thirty days. */
export function lookOf(day: string, today: string): { look: string; text: Key } {
  const near = nearnessOf(day, today);
  if (near === 'later') return { look: 'expiry-later', text: 'calendar.day' };
  if (near === 'soon') return { look: 'expiry-soon', text: 'calendar.day_soon' };
  return { look: 'expiry-over', text: 'calendar.day_over' };
}
