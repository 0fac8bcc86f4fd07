/** Facts that decide whether the list is fetched. Times are in milliseconds since the epoch. */
export interface FetchFacts {
  /** When this process last asked the source; null: not yet. */
  attempted_at: number | null;
  /** Number of failed fetches in a row. */
  failures: number;
  /** When the current list was last read or confirmed; null without one. */
  fetched_at: number | null;
  /** Its source can answer in a few bytes that nothing has changed. */
  conditional: boolean;
  /** A main domain is listed as blocked, but not seen so often enough yet for an automatic transfer. */
  suspected: boolean;
}

const MINUTE_MS = 60_000;
const EVERY_MS = { short: 10 * MINUTE_MS, whole: 6 * 60 * MINUTE_MS };
const QUICK_RETRIES = 3;
// Tolerance for a turn of the schedule that comes a moment early.
const SLACK_MS = 30_000;

/**
 * Whether to fetch the list at a turn of the schedule: every ten minutes; every six hours if the source can only send the whole
 * list, unless a block is suspected; at every turn after one to three failures in a row.
 */
export function isFetchDue(facts: FetchFacts, now: number): boolean {
  const { attempted_at, failures, fetched_at, conditional, suspected } = facts;
  if (fetched_at === null && attempted_at === null) return true;
  if (failures > 0 && failures <= QUICK_RETRIES) return true;
  // A time in the future was noted before the clock was set back: it would put off every fetch until then.
  const past = [attempted_at, fetched_at].flatMap((at) => (at === null || at > now + SLACK_MS ? [] : [at]));
  // -Infinity if there is none: then a fetch is due.
  const last = Math.max(...past);
  const isShort = suspected || conditional || fetched_at === null;
  return now - last >= (isShort ? EVERY_MS.short : EVERY_MS.whole) - SLACK_MS;
}

/** Returns the names to look up after a fetch: `all` if the list changed, `suspected` if it was confirmed and a block is suspected. */
export function lookAfter(facts: {
  changed: boolean;
  confirmed: boolean;
  suspected: boolean;
}): 'all' | 'suspected' | null {
  if (facts.changed) return 'all';
  return facts.confirmed && facts.suspected ? 'suspected' : null;
}
