import { EXPIRING_DAYS, type DomainFilter } from '../../shared/portfolio/domains.ts';
import { DAY_MS } from '../../shared/time.ts';

const CHECKED = 'd.last_http_check_at IS NOT NULL';
const ANSWERS = 'd.http_status_code BETWEEN 200 AND 299';

/** Returns the first UTC day that is too late to be due, by this process's clock, which a frozen demo sets. */
const firstDayAfter = (days: number): string => new Date(Date.now() + (days + 1) * DAY_MS).toISOString().slice(0, 10);

/**
 * Returns the dashboard's filters as SQL conditions, as of now. A domain that was never checked is neither active nor
 * broken.
 */
export const filters = (): Record<DomainFilter, string> => ({
  all: '1=1',
  active: `d.status = 'available' AND ${CHECKED} AND ${ANSWERS}`,
  blocked: `d.status = 'blocked'`,
  broken: `${CHECKED} AND NOT COALESCE(${ANSWERS}, 1=0)`,
  // Compared by day, so that a name that ends today is due all day.
  expired: `d.expired_at < '${firstDayAfter(EXPIRING_DAYS)}'`,
});
