import { type DomainFilter } from '../../shared/portfolio/domains.ts';
import { EXPIRING_DAYS, dayAfter } from '../../shared/portfolio/expiry-day.ts';
import { MOSCOW_HOURS, MOSCOW_ZONES } from '../../shared/registry-day.ts';
import { DAY_MS } from '../../shared/time.ts';

const CHECKED = 'd.last_http_check_at IS NOT NULL';
const ANSWERS = 'd.http_status_code BETWEEN 200 AND 299';

/** Returns the first day that is too late to be due where the clock is so many hours ahead of UTC; by this process's clock, which a frozen demo sets. */
const firstDayAfter = (days: number, ahead: number): string =>
  new Date(Date.now() + (days + 1) * DAY_MS + ahead * 3_600_000).toISOString().slice(0, 10);

/** The condition that the day of a domain's registry begins at midnight in Moscow. */
export const IN_MOSCOW = `(${MOSCOW_ZONES.map((zone) => `d.domain_name LIKE '%.${zone}'`).join(' OR ')})`;

/**
 * Returns the condition that a registration ends before a day, as its registry counts; `moscowDay` is that of names whose day begins
 * in Moscow. The days become a part of the SQL.
 */
export function endsBefore(day: string, moscowDay = day): string {
  const inMoscow = `${dayAfter(moscowDay, -1)}T${24 - MOSCOW_HOURS}`;
  // The zone is looked at only for what ends between the two.
  return inMoscow < day
    ? `(d.expired_at < '${day}' AND (d.expired_at < '${inMoscow}' OR NOT ${IN_MOSCOW}))`
    : `(d.expired_at < '${inMoscow}' AND (d.expired_at < '${day}' OR ${IN_MOSCOW}))`;
}

/**
 * Returns the dashboard's filters as SQL conditions, as of now. A domain that was never checked is neither active nor
 * broken.
 */
export const filters = (): Record<DomainFilter, string> => ({
  all: '1=1',
  active: `d.status = 'available' AND ${CHECKED} AND ${ANSWERS}`,
  blocked: `d.status = 'blocked'`,
  broken: `${CHECKED} AND NOT COALESCE(${ANSWERS}, 1=0)`,
  // Compared by day, so that a name that ends today is due all day; in the evening of UTC it is tomorrow in Moscow.
  expired: endsBefore(firstDayAfter(EXPIRING_DAYS, 0), firstDayAfter(EXPIRING_DAYS, MOSCOW_HOURS)),
});
