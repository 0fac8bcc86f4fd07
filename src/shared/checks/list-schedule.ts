/** What decides whether the list is asked for again. Times are in milliseconds. */
export interface FetchFacts {
  /** When its source was last asked, by this process; null: not yet. */
  attempted_at: number | null;
  /** How often in a row that has failed. */
  failures: number;
  /** When the current list was last read or confirmed; null without one. */
  fetched_at: number | null;
  /** Its source says in a few bytes that nothing has changed. */
  conditional: boolean;
  /** A main domain is listed as blocked, and has not been seen so often enough to move by itself. */
  suspected: boolean;
}

const MINUTE_MS = 60_000;
const EVERY_MS = { short: 10 * MINUTE_MS, whole: 6 * 60 * MINUTE_MS };
const QUICK_RETRIES = 3;
// A turn of the schedule that comes a moment early must not be lost.
const SLACK_MS = 30_000;

/**
 * Whether the list is to be fetched, at a turn of the schedule: every ten minutes; every six hours where the source can only send
 * the whole, unless a block is suspected; at the next turn where a fetch has just failed.
 */
export function isFetchDue(facts: FetchFacts, now: number): boolean {
  const { attempted_at, failures, fetched_at, conditional, suspected } = facts;
  if (fetched_at === null && attempted_at === null) return true;
  if (failures > 0 && failures <= QUICK_RETRIES) return true;
  // A time that is still to come was noted before the clock was set back, and would put off every fetch until then.
  const past = [attempted_at, fetched_at].flatMap((at) => (at === null || at > now + SLACK_MS ? [] : [at]));
  // Of none it is -Infinity.
  const last = Math.max(...past);
  const isShort = suspected || conditional || fetched_at === null;
  return now - last >= (isShort ? EVERY_MS.short : EVERY_MS.whole) - SLACK_MS;
}

/** Which names are looked up once the list was asked for: `all` by a new list, the suspected ones by one that was confirmed. */
export function lookAfter(facts: {
  changed: boolean;
  confirmed: boolean;
  suspected: boolean;
}): 'all' | 'suspected' | null {
  if (facts.changed) return 'all';
  return facts.confirmed && facts.suspected ? 'suspected' : null;
}
