import type { DomainView } from '../portfolio/domains.ts';

/** Stored facts of a domain that the page of another domain or of a project shows. */
export type ReserveFacts = Pick<
  DomainView,
  | 'id'
  | 'domain_name'
  | 'unicode_name'
  | 'transfer_type'
  | 'status'
  | 'http_status_code'
  | 'http_error'
  | 'last_http_check_at'
  | 'expired_at'
>;

/**
 * Readiness of a reserve by what is stored: `ready`, or the obstacle. `busy`: a move has taken it. `unplaced`: it has no CDN account, so no zone that is known. `refused`:
 * its account's key is refused. `unserved`: visitors get nothing from it by https, or a warning of their browser. A move looks at much more.
 */
export type ReserveState =
  | 'ready'
  | 'blocked'
  | 'expiring'
  | 'busy'
  | 'broken'
  | 'unplaced'
  | 'refused'
  | 'unserved'
  | 'unchecked';

/** A reserve as the page of a main domain shows it. */
export type ReserveView = ReserveFacts & { state: ReserveState };

/** Orders reserves as a move prefers them: ready ones first, then those that move by themselves, then the latest expiry. */
export const byReadiness = (one: ReserveView, other: ReserveView): number =>
  Number(other.state === 'ready') - Number(one.state === 'ready') ||
  Number(other.transfer_type === 'auto') - Number(one.transfer_type === 'auto') ||
  Date.parse(other.expired_at ?? '1970-01-01') - Date.parse(one.expired_at ?? '1970-01-01') ||
  one.id - other.id;
