import { EXPIRING_DAYS, type DomainFilter } from '../shared/domains.ts';

const CHECKED = 'd.last_http_check_at IS NOT NULL';
const ANSWERS = 'd.http_status_code BETWEEN 200 AND 299';

/** The dashboard's filters as conditions. A domain that was never checked is neither active nor broken. */
export const FILTERS: Record<DomainFilter, string> = {
  all: '1',
  active: `d.status = 'available' AND ${CHECKED} AND ${ANSWERS}`,
  blocked: `d.status = 'blocked'`,
  broken: `${CHECKED} AND NOT COALESCE(${ANSWERS}, 0)`,
  // Compared by day, so that a name that ends today is due all day.
  expired: `d.expired_at < strftime('%Y-%m-%d', 'now', '+${EXPIRING_DAYS + 1} days')`,
};
