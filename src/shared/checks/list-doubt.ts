import type { DoubtfulList } from './blocklist.ts';

/** A part of the portfolio that is larger than this, and so many names at least, turning blocked at once is no chance. */
const WAVE = { share: 0.2, least: 5 } as const;

/** Whether so many names at once are more likely a broken or poisoned list than the truth. */
export const isSuspicious = (newlyBlocked: number, total: number): boolean =>
  newlyBlocked >= WAVE.least && newlyBlocked > total * WAVE.share;

/** A list that was taken over, as later ones are measured by it. Times are ISO 8601 in UTC. */
export interface TakenList {
  list_version: string;
  /** How many names it had. */
  total: number;
  taken_at: string;
  /** A person has accepted it or gone back to it: the lists before it measure nothing any more. */
  judged?: true;
}

/** `given_back`: a person has gone back from that list, or from one as long as it, to the one before it. */
export type Doubt = Pick<DoubtfulList, 'reason' | 'found' | 'expected'>;

/** Both guards measure against what stood so long ago, because lists that each change a little add up. */
export const MEASURED_MS = 7 * 86_400_000;

/**
 * Whether a list is too short beside the longest one of the last seven days, or too long beside the one that stood seven days ago
 * (or the first one since a person judged), and is not as long as one that has been taken over since; null where it is not.
 * `taken` is in the order of taking.
 */
export function doubtOf(total: number, taken: readonly TakenList[], now: number): Doubt | null {
  const judged = taken.findLastIndex((list) => list.judged);
  const stood = taken.findLastIndex(({ taken_at }) => Date.parse(taken_at) <= now - MEASURED_MS);
  const totals = taken.slice(Math.max(0, judged, stood)).map((list) => list.total);
  const [first] = totals;
  if (first === undefined) return null;
  const longest = Math.max(...totals);
  // A list that has grown within the week may be cut to less than a fifth below the first, and lacks much more.
  if (total < Math.min(...totals) && isSuspicious(longest - total, longest)) {
    return { reason: 'shrunk', found: total, expected: longest };
  }
  const isGrown = total > longest && isSuspicious(total - first, first);
  return isGrown ? { reason: 'grown', found: total, expected: first } : null;
}

// How much the length of a list changes from day to day, as a share.
const SAME_LENGTH = 0.05;

/** Whether a list is nearly as long as one of those that a person went back from: it may be the same with a few changes. */
export const isAsLong = (total: number, refused: readonly number[]): boolean =>
  refused.some((one) => Math.abs(total - one) <= one * SAME_LENGTH);

/** The verdict_baselines table: a domain's status before the first change since `since`. */
export interface VerdictBaselineRow {
  id: number;
  domain_id: number;
  status: 'available' | 'blocked';
  since: string;
}

/** How a portfolio stands by a result, beside how it stood seven days ago, in numbers of domains. */
export interface MassChange {
  total: number;
  blocked_before: number;
  /** Blocked now, and not then; and of these, by this result. */
  blocked: number;
  blocked_now: number;
  freed: number;
  freed_now: number;
}

/**
 * Whether a result would block too large a part of a portfolio, or free too large a part of what was blocked, within seven
 * days; null where it would not, or adds nothing to what was taken over before.
 */
export function massOf(change: MassChange): { change: 'blocked' | 'freed'; count: number; total: number } | null {
  const { total, blocked_before, blocked, blocked_now, freed, freed_now } = change;
  if (blocked_now > 0 && isSuspicious(blocked, total)) return { change: 'blocked', count: blocked, total };
  if (freed_now > 0 && isSuspicious(freed, blocked_before))
    return { change: 'freed', count: freed, total: blocked_before };
  return null;
}
