import { expiryDay } from '../../shared/portfolio/expiry-day.ts';

/** Returns what shows the time of an expiry as its registry's day; `field` has the name of the domain. */
export const dayIn =
  (field: string) =>
  (value: unknown, row: Record<string, unknown>): string =>
    typeof value === 'string' ? expiryDay({ domain_name: String(row[field]), expired_at: value }) : '';
