import type { DomainView, UserDomain } from './domains.ts';

/** After this time the result of a check is out of date. */
const STALE_MS = 24 * 3_600_000;

export type Health = 'ok' | 'stale' | 'error' | 'unknown';

/**
 * Returns the state of a host, in the product's order: a code 200–299 is ok however old; else a check older than 24 hours is
 * stale; else a code, or the reason why there was none, is an error; else the state is unknown.
 */
export function healthOf(
  domain: Pick<UserDomain, 'http_status_code' | 'http_error' | 'last_http_check_at'>,
  now: number,
): Health {
  const { http_status_code: code, http_error, last_http_check_at } = domain;
  if (code !== null && code >= 200 && code <= 299) return 'ok';
  if (last_http_check_at !== null && now - Date.parse(last_http_check_at) > STALE_MS) return 'stale';
  return code !== null || http_error !== null ? 'error' : 'unknown';
}

export type Indexation = 'unknown' | 'full' | 'partial' | 'odd';

/**
 * Returns a domain's state in the search engines, in the product's order: no data; indexed by both; by one or neither after a
 * check; else `odd`, for example a result without a check.
 */
export function indexationOf(
  domain: Pick<DomainView, 'google_indexation' | 'yandex_indexation' | 'last_check_indexation'>,
): Indexation {
  const { google_indexation: google, yandex_indexation: yandex, last_check_indexation: at } = domain;
  if (google === null && yandex === null && at === null) return 'unknown';
  if (google && yandex) return 'full';
  return at === null ? 'odd' : 'partial';
}
