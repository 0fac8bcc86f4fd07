import type { HealthError } from '../../shared/checks/health.ts';
import { before, HOUR_MS, MINUTE_MS, PAST_DAYS, pick, STORIED, type Domain } from './time.ts';

/** A time in which a domain did not answer; `until` null: it lasts. `server`: the whole server was away. */
export interface Outage {
  domain: Domain;
  from: number;
  until: number | null;
  status: number | null;
  error: HealthError | null;
  server: number | null;
}

// Outages of servers with all their sites, `ago` days before now.
const SERVERS_AWAY = [
  { server: 3, ago: 61.4, minutes: 240 },
  { server: 1, ago: 40.2, minutes: 55 },
  { server: 3, ago: 26.3, minutes: 95 },
  { server: 5, ago: 8.6, minutes: 40 },
  { server: 2, ago: 0.22, minutes: 35 },
];
// One domain of so many was away by itself, and the answers that it gave then.
const ALONE_EVERY = 6;
const ANSWERS = [
  { status: 502, error: null },
  { status: 503, error: null },
  { status: null, error: 'timeout' },
  { status: 504, error: null },
] as const;

/** Whether a domain does not answer by its row. */
export const isDown = ({ http_status_code, http_error }: Domain): boolean =>
  http_error !== null || (http_status_code !== null && http_status_code !== 200);

/** Returns the outage that lasts; undefined: the domain answers. */
function present(domain: Domain): Outage | undefined {
  const { id, http_status_code: status, http_error: error, last_http_check_at: last } = domain;
  if (!isDown(domain) || last === null) return undefined;
  const from = Date.parse(last) - (4 + pick(300, id)) * HOUR_MS;
  return { domain, from, until: null, status, error, server: null };
}

function past(domain: Domain, now: Date): Outage[] {
  const { id, server_id } = domain;
  const away = SERVERS_AWAY.filter(({ server }) => server === server_id).map(({ server, ago, minutes }): Outage => ({
    domain,
    from: before(now, ago),
    until: before(now, ago) + minutes * MINUTE_MS,
    status: 521,
    error: null,
    server,
  }));
  if (pick(ALONE_EVERY, id, 1) !== 0) return away;
  const from = before(now, 0.4 + pick((PAST_DAYS - 2) * 10, id, 2) / 10);
  const until = Math.min(from + (12 + pick(400, id, 3)) * MINUTE_MS, now.getTime() - HOUR_MS);
  return [...away, { domain, from, until, ...(ANSWERS[pick(ANSWERS.length, id, 4)] ?? ANSWERS[0]), server: null }];
}

/** Returns the outages of the domains within the past, in the order of their begin; those of one domain do not touch. */
export function outagesOf(domains: readonly Domain[], now: Date): Outage[] {
  const all = domains.flatMap((domain, index) => {
    const { created_at, last_http_check_at: last } = domain;
    if (last === null) return [];
    const lasting = present(domain);
    const ended = index < STORIED ? past(domain, now) : [];
    const end = lasting?.from ?? Date.parse(last);
    const kept: Outage[] = [];
    for (const one of ended.toSorted((a, b) => a.from - b.from)) {
      const { until = null } = kept.at(-1) ?? {};
      const isApart = until === null || one.from > until + 2 * HOUR_MS;
      const isWithin = (one.until ?? 0) < end - HOUR_MS / 2 && one.from > Date.parse(created_at);
      if (isApart && isWithin) kept.push(one);
    }
    return lasting ? [...kept, lasting] : kept;
  });
  return all.toSorted((one, other) => one.from - other.from);
}
