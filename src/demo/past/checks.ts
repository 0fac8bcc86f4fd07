import { DAY_MS } from '../../shared/time.ts';
import type { Block } from './blocks.ts';
import type { Outage } from './outages.ts';
import { before, HOUR_MS, iso, PAST_DAYS, type Domain, type Row } from './time.ts';

/** Approximate limit of rows of history: a large portfolio has fewer days. */
const MOST_DAYS = 60_000;
const CHECKS_A_DAY = 24;
const BLOCK_CHECKS_A_DAY = 4;
// Days on which a server, or all of them (0), answered slowly.
const SLOW = [
  { server: 3, ago: 27, days: 3, by: 2.6 },
  { server: 0, ago: 47, days: 2, by: 1.7 },
  { server: 1, ago: 12, days: 4, by: 3.1 },
];

/** Number of days of history; fewer for a large portfolio. */
const daysOf = (domains: readonly Domain[]): number =>
  Math.max(1, Math.min(PAST_DAYS, Math.floor(MOST_DAYS / domains.length)));

/** Domains with at least one check. */
const checkedOf = (domains: readonly Domain[]): Domain[] => domains.filter(({ last_http_check_at: at }) => at !== null);

const byDomain = <One extends { domain: Domain }>(all: readonly One[]): Map<number, One[]> => {
  const map = new Map<number, One[]>();
  for (const one of all) map.set(one.domain.id, [...(map.get(one.domain.id) ?? []), one]);
  return map;
};

const baseOf = ({ id }: Domain): number => 40 + ((id * 13) % 400);

/** Rows of a domain's HTTP checks: it answers, but for its outages. */
function httpRows(domain: Domain, outages: readonly Outage[], begins: number, now: Date): Row[] {
  const { id: domain_id, last_http_check_at } = domain;
  const last = last_http_check_at === null ? now.getTime() : Date.parse(last_http_check_at);
  const row = (values: Row, since: number, until: number): Row => ({
    domain_id,
    kind: 'http',
    detail: null,
    ...values,
    since: iso(since),
    checked_at: iso(until),
    repeats: Math.max(1, Math.round((until - since) / HOUR_MS)),
  });
  const up = { verdict: '200', http_status_code: 200, ms: baseOf(domain) };
  const rows: Row[] = [];
  let at: number | null = begins;
  for (const { from, until, status, error } of outages) {
    if (at !== null && from > at) rows.push(row(up, at, from - HOUR_MS / 2));
    const down = { verdict: String(error ?? status), http_status_code: status, ms: error === null ? 80 : null };
    rows.push(row(down, Math.max(from, begins), until ?? last));
    at = until;
  }
  if (at !== null) rows.push(row(up, at, last));
  return rows;
}

/**
 * Rows of a domain's look-ups in the blocklist. The row of one that is blocked names no list, so that automatic transfer waits for two
 * more looks.
 */
function listRows(domain: Domain, blocks: readonly Block[], begins: number): Row[] {
  const last = Date.parse(domain.last_block_check_at);
  const row = (verdict: 'available' | 'blocked', since: number, until: number): Row => ({
    domain_id: domain.id,
    kind: 'blocklist',
    verdict,
    http_status_code: null,
    ms: null,
    detail: verdict === 'blocked' ? domain.domain_name : null,
    since: iso(since),
    checked_at: iso(until),
    repeats: Math.max(1, Math.round(((until - since) / DAY_MS) * BLOCK_CHECKS_A_DAY)),
  });
  const rows: Row[] = [];
  let at: number | null = begins;
  for (const { from, until } of blocks) {
    if (at !== null && from > at) rows.push(row('available', at, from - HOUR_MS));
    rows.push(row('blocked', Math.max(from, begins), until ?? last));
    at = until;
  }
  if (at !== null) rows.push(row('available', at, last));
  return rows;
}

/** The history of checks: the answers of each site and its look-ups in the blocklist, as stretches. */
export function checkRows(
  domains: readonly Domain[],
  { outages, blocks }: { outages: readonly Outage[]; blocks: readonly Block[] },
  now: Date,
): Row[] {
  const days = daysOf(domains);
  const down = byDomain(outages);
  const listed = byDomain(blocks);
  const beginOf = ({ created_at }: Domain): number => Math.max(before(now, days), Date.parse(created_at));
  return [
    ...checkedOf(domains).flatMap((domain) =>
      httpRows(
        domain,
        (down.get(domain.id) ?? []).filter(({ until }) => (until ?? Infinity) > beginOf(domain)),
        beginOf(domain),
        now,
      ),
    ),
    ...domains.flatMap((domain) => listRows(domain, listed.get(domain.id) ?? [], beginOf(domain))),
  ];
}

/** Returns by how much a server's answers took longer on a day. */
const slowOn = (server_id: number, ago: number): number =>
  SLOW.reduce(
    (by, slow) =>
      (slow.server === 0 || slow.server === server_id) && ago <= slow.ago && ago > slow.ago - slow.days
        ? by * slow.by
        : by,
    1,
  );

/** Figures of each checked domain by day. */
export function dayRows(domains: readonly Domain[], outages: readonly Outage[], now: Date): Row[] {
  const days = daysOf(domains);
  const down = byDomain(outages);
  const today = Math.floor(now.getTime() / DAY_MS);
  return checkedOf(domains).flatMap((domain) => {
    const own = down.get(domain.id) ?? [];
    const begins = Date.parse(domain.created_at);
    const ends = Date.parse(domain.last_http_check_at ?? '');
    return Array.from({ length: days }, (_, index) => index + 1).flatMap((ago) => {
      const from = (today - ago) * DAY_MS;
      const to = from + DAY_MS;
      if (to <= begins || from > ends) return [];
      const away = own.reduce(
        (sum, one) => sum + Math.max(0, Math.min(one.until ?? to, to) - Math.max(one.from, from)),
        0,
      );
      const up = CHECKS_A_DAY - Math.min(CHECKS_A_DAY, Math.ceil(away / HOUR_MS));
      const wave = 1 + 0.12 * Math.sin((ago * 2 * Math.PI) / 7 + domain.id);
      const median_ms =
        Math.round(baseOf(domain) * wave * slowOn(domain.server_id, ago)) + ((domain.id * 7 + ago * 11) % 23);
      return [
        {
          domain_id: domain.id,
          day: iso(from).slice(0, 10),
          checks: CHECKS_A_DAY,
          up,
          median_ms: up === 0 ? null : median_ms,
          worst_ms: up === 0 ? null : median_ms * 3,
        },
      ];
    });
  });
}

/** The outages that last, as the program knows them. */
export const outageRows = (outages: readonly Outage[]): Row[] =>
  outages
    .filter(({ until }) => until === null)
    .map(({ domain, from }) => ({
      domain_id: domain.id,
      state: 'down',
      since: iso(from),
      looked_at: domain.last_http_check_at,
    }));
