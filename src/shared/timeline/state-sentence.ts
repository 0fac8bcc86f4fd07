import { healthOf } from '../portfolio/domain-state.ts';
import { daysBetween, dayOf, expiryDay, nearnessOf } from '../portfolio/expiry-day.ts';
import { DAY_MS } from '../time.ts';
import type { Key, Params } from '../i18n/index.ts';
import type { DomainPage } from './domain-page.ts';

/** A part of the sentence that tells the state of a domain. `since` is the parameter `ago` of the text, as an ISO time. */
export interface Clause {
  tone: 'bad' | 'doubtful' | 'plain';
  key: Key;
  params?: Params;
  since?: string;
}

type Facts = Pick<
  DomainPage,
  'domain' | 'blocked_since' | 'broken_since' | 'reserve_count' | 'ready_count' | 'is_moving'
>;

const withSince = (tone: Clause['tone'], since: string | null, keys: [dated: Key, undated: Key]): Clause =>
  since === null ? { tone, key: keys[1] } : { tone, key: keys[0], since };

function blockOf({ domain: { status, last_block_check_at }, blocked_since }: Facts): Clause {
  if (status === 'blocked')
    return withSince('bad', blocked_since, ['domain_page.blocked_since', 'domain_page.blocked']);
  return { tone: 'plain', key: last_block_check_at === null ? 'domain_page.not_listed' : 'domain_page.not_blocked' };
}

function healthClause({ domain, broken_since }: Facts, now: number): Clause {
  const { http_status_code: code, last_http_check_at: at } = domain;
  const health = healthOf(domain, now);
  if (health === 'unknown' || at === null) return { tone: 'plain', key: 'domain_page.unchecked' };
  // A good answer stays one however old it is, but here it is told as of then.
  if (health === 'ok') {
    return now - Date.parse(at) > DAY_MS
      ? { tone: 'doubtful', key: 'domain_page.answered', since: at }
      : { tone: 'plain', key: 'domain_page.answers' };
  }
  if (health === 'stale') return { tone: 'doubtful', key: 'domain_page.stale', since: at };
  if (code === null) return withSince('bad', broken_since, ['domain_page.silent_since', 'domain_page.silent']);
  const told = withSince('bad', broken_since, ['domain_page.wrong_since', 'domain_page.wrong']);
  return { ...told, params: { code: String(code) } };
}

function expiryOf({ domain: { domain_name, expired_at } }: Facts, now: number): Clause {
  if (expired_at === null) return { tone: 'plain', key: 'domain_page.no_expiry' };
  const day = expiryDay({ domain_name, expired_at });
  const today = dayOf(now);
  const n = daysBetween(today, day);
  const near = nearnessOf(day, today);
  if (near === 'past') return { tone: 'bad', key: 'domain_page.expired', params: { n: -n } };
  if (near === 'today') return { tone: 'bad', key: 'domain_page.ends_today' };
  return { tone: near === 'soon' ? 'doubtful' : 'plain', key: 'domain_page.ends_in', params: { n } };
}

function reservesOf({ domain, reserve_count, ready_count, is_moving }: Facts): Clause {
  const { type, project_id, project_name, status } = domain;
  if (project_id === null) return { tone: 'plain', key: 'domain_page.no_project' };
  if (type !== 'main') return { tone: 'plain', key: 'domain_page.reserve_of', params: { project: project_name ?? '' } };
  if (is_moving) return { tone: 'doubtful', key: 'domain_page.moving' };
  if (ready_count > 0) return { tone: 'plain', key: 'domain_page.reserves_ready', params: { n: ready_count } };
  const tone = status === 'blocked' ? 'bad' : 'doubtful';
  if (reserve_count === 0) return { tone, key: 'domain_page.no_reserves' };
  return { tone, key: 'domain_page.none_ready', params: { n: reserve_count } };
}

const WEIGHT = { bad: 0, doubtful: 1, plain: 2 } as const;

/**
 * Returns the state of a domain as sentences, each of clauses: first what is bad, then the rest, of which the doubtful stands in
 * front. Days are counted where the reader is.
 */
export function stateSentences(page: Facts, now: number): Clause[][] {
  const clauses = [blockOf(page), healthClause(page, now), expiryOf(page, now), reservesOf(page)].toSorted(
    (one, other) => WEIGHT[one.tone] - WEIGHT[other.tone],
  );
  const bad = clauses.filter(({ tone }) => tone === 'bad');
  return [bad, clauses.slice(bad.length)].filter((sentence) => sentence.length > 0);
}
