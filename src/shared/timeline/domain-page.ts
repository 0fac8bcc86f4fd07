import type { DomainDetail, DomainView } from '../portfolio/domains.ts';
import { EXPIRING_DAYS } from '../portfolio/expiry-day.ts';
import { healthOf } from '../portfolio/domain-state.ts';
import { DAY_MS } from '../time.ts';

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

/** Readiness of a reserve by its stored facts: `ready`, or the obstacle. A move looks at much more. */
export type ReserveState = 'ready' | 'blocked' | 'expiring' | 'broken' | 'refused' | 'unserved' | 'unchecked';

/** A reserve as the page of a main domain shows it. */
export type ReserveView = ReserveFacts & { state: ReserveState };

/**
 * Returns whether a reserve could be taken, by what was last seen of it. `fault`: its CDN account's key is refused, or visitors get
 * nothing from it by https, or a warning of their browser.
 */
export function reserveStateOf(reserve: ReserveFacts, now: number, fault: 'refused' | 'unserved' | null): ReserveState {
  if (reserve.status !== 'available') return 'blocked';
  if (reserve.expired_at !== null && Date.parse(reserve.expired_at) <= now + EXPIRING_DAYS * DAY_MS) return 'expiring';
  const health = healthOf(reserve, now);
  if (health === 'error') return 'broken';
  if (health !== 'ok') return 'unchecked';
  return fault ?? 'ready';
}

/** Orders reserves as a move prefers them: ready ones first, then those that move by themselves, then the latest expiry. */
export const byReadiness = (one: ReserveView, other: ReserveView): number =>
  Number(other.state === 'ready') - Number(one.state === 'ready') ||
  Number(other.transfer_type === 'auto') - Number(one.transfer_type === 'auto') ||
  Date.parse(other.expired_at ?? '1970-01-01') - Date.parse(one.expired_at ?? '1970-01-01') ||
  one.id - other.id;

/** The page of a domain. `reserves` are those of its project that a main domain could move to, the best first, `MOST_RESERVES` at most. */
export interface DomainPage {
  domain: DomainDetail;
  /** Since when it is blocked, as far as its checks are kept; null: it is not, or nobody knows. */
  blocked_since: string | null;
  /** Since when its site does not answer as it should, in the same way. */
  broken_since: string | null;
  reserves: ReserveView[];
  reserve_count: number;
  ready_count: number;
  /** The operation that moves it now, if the reader may open that; null: none. */
  moving: number | null;
  /** It is being moved now, whoever has begun that. */
  is_moving: boolean;
}

/** The most reserves that a page lists. */
export const MOST_RESERVES = 8;
