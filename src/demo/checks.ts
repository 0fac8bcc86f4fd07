import { daysFrom, type domainAt } from './domains.ts';

type Row = Record<string, unknown>;
type Domain = ReturnType<typeof domainAt>;

const HISTORY_DAYS = 30;
/** Approximate limit of rows of history: a large portfolio has fewer days. */
const MOST_DAYS = 60_000;
const CHECKS_A_DAY = 24;
/** A host that is down now has been down for so many days. */
const DAYS_DOWN = 2;

const isDown = ({ http_status_code, http_error }: Domain): boolean =>
  http_error !== null || (http_status_code !== null && http_status_code !== 200);

/** Number of days of history; fewer for a large portfolio. */
const daysOf = (domains: readonly Domain[]): number =>
  Math.max(1, Math.min(HISTORY_DAYS, Math.floor(MOST_DAYS / domains.length)));

/** Domains with at least one check. */
const checkedOf = (domains: readonly Domain[]): Domain[] => domains.filter(({ last_http_check_at: at }) => at !== null);

/** The history of checks: since when each site has its present state, and one blocklist check for each blocked name. */
export function checkRows(domains: readonly Domain[], now: Date): Row[] {
  const days = daysOf(domains);
  const rows: Row[] = [];
  for (const domain of checkedOf(domains)) {
    const { id, http_status_code, http_error, last_http_check_at } = domain;
    const last = last_http_check_at ?? now.toISOString();
    const begins = daysFrom(new Date(last), -days);
    const fell = daysFrom(new Date(last), -Math.min(days, DAYS_DOWN));
    const stretch = { domain_id: id, kind: 'http', detail: null };
    const up = { ...stretch, verdict: '200', http_status_code: 200, ms: 40 + ((id * 13) % 400) };
    if (!isDown(domain)) {
      rows.push({ ...up, since: begins, checked_at: last, repeats: CHECKS_A_DAY * days });
    } else {
      const repeats = CHECKS_A_DAY * (days - DAYS_DOWN);
      if (repeats > 0) rows.push({ ...up, since: begins, checked_at: fell, repeats });
      const verdict = String(http_error ?? http_status_code);
      rows.push({
        ...stretch,
        verdict,
        http_status_code,
        ms: 80,
        since: fell,
        checked_at: last,
        repeats: CHECKS_A_DAY,
      });
    }
  }
  const checked_at = daysFrom(now, -1);
  const found = { kind: 'blocklist', verdict: 'blocked', http_status_code: null, ms: null };
  for (const { id, domain_name, status } of domains) {
    const times = { since: null, checked_at, repeats: 1 };
    if (status === 'blocked') rows.push({ ...found, ...times, domain_id: id, detail: domain_name });
  }
  return rows;
}

/** Figures of each checked domain by day. */
export function dayRows(domains: readonly Domain[], now: Date): Row[] {
  const days = Array.from({ length: daysOf(domains) }, (_, index) => index + 1);
  return checkedOf(domains).flatMap((domain) =>
    days.map((day) => {
      const median_ms = 40 + ((domain.id * 13 + day * 7) % 400);
      const answers = !isDown(domain) || day > DAYS_DOWN;
      return {
        domain_id: domain.id,
        day: daysFrom(now, -day).slice(0, 10),
        checks: CHECKS_A_DAY,
        up: answers ? CHECKS_A_DAY : 0,
        median_ms: answers ? median_ms : null,
        worst_ms: answers ? median_ms * 3 : null,
      };
    }),
  );
}
