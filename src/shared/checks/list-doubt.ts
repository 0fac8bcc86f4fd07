import type { DoubtfulList } from './blocklist.ts';
import { DAY_MS } from '../time.ts';

/** A change at once of more than this share, and of at least so many names, is suspicious. */
const WAVE = { share: 0.2, least: 5 } as const;

/** Whether a change of so many names out of `total` is more likely due to a broken or poisoned list than true. */
export const isSuspicious = (newlyBlocked: number, total: number): boolean =>
  newlyBlocked >= WAVE.least && newlyBlocked > total * WAVE.share;

/** An accepted list, with which later ones are compared. Times are ISO 8601 in UTC. */
export interface TakenList {
  list_version: string;
  /** Number of its names. */
  total: number;
  /** Of these, the ones that block; ledgers of earlier versions don't tell. */
  blocking?: number;
  taken_at: string;
  /** A person has accepted it or gone back to it: earlier lists are no longer compared with. */
  judged?: true;
}

/** Why a list is doubtful. `given_back`: a person has rolled back that list, or one of nearly its length. */
export type Doubt = Pick<DoubtfulList, 'reason' | 'found' | 'expected'>;

/** Both guards compare with the state so long ago, because many small changes add up. */
export const MEASURED_MS = 7 * DAY_MS;

/**
 * Compares the length of a list, which is the number of names that it blocks, with the lists of the last seven days: from the one
 * in force seven days ago, or the last one that a person judged. `shrunk`: shorter than all of them, and by far than the longest;
 * `grown`: longer than all, and by far than the first; null: neither. `taken` is in the order of taking.
 */
export function doubtOf(blocking: number, taken: readonly TakenList[], now: number): Doubt | null {
  const judged = taken.findLastIndex((list) => list.judged);
  const stood = taken.findLastIndex(({ taken_at }) => Date.parse(taken_at) <= now - MEASURED_MS);
  const lengths = taken.slice(Math.max(0, judged, stood)).map((list) => list.blocking ?? list.total);
  const [first] = lengths;
  if (first === undefined) return null;
  const longest = Math.max(...lengths);
  // Compared with the longest: after growth within the week, a list little shorter than the first lacks far more names.
  if (blocking < Math.min(...lengths) && isSuspicious(longest - blocking, longest)) {
    return { reason: 'shrunk', found: blocking, expected: longest };
  }
  const isGrown = blocking > longest && isSuspicious(blocking - first, first);
  return isGrown ? { reason: 'grown', found: blocking, expected: first } : null;
}

// Share by which the length of a list may change from day to day.
const SAME_LENGTH = 0.05;

/** Whether a list is nearly as long as one that a person has rolled back: it may be the same with a few changes. */
export const isAsLong = (blocking: number, refused: readonly number[]): boolean =>
  refused.some((one) => Math.abs(blocking - one) <= one * SAME_LENGTH);

/** The portfolio after a result, compared with the seven days before, in numbers of domains. */
export interface MassChange {
  total: number;
  /** Blocked seven days ago; `_since`: at any time from then on. */
  blocked_before: number;
  blocked_since: number;
  /** Blocked after the result, and not seven days ago; `_now`: of these, changed by this result. */
  blocked: number;
  blocked_now: number;
  /** Of `blocked_before` and of `blocked_since`, free after the result; `_now`: freed by this result. */
  freed: number;
  freed_since: number;
  freed_now: number;
}

/** A change that is too large: `count` of `total` domains. For `freed`, `total` are those that were blocked before, or since. */
export interface Mass {
  change: 'blocked' | 'freed';
  count: number;
  total: number;
}

/**
 * Tells if a result would, within seven days, block too large a part of a portfolio, or free too large a part of its blocked
 * domains; null if it does neither, or adds nothing to earlier changes. Freed are counted in two ways: of what was blocked seven days
 * ago, which no names that were blocked meanwhile dilute, and of what was blocked at any time since, such as a wave of yesterday; not of
 * the latter where a person has gone back to the list (`isRestored`): that wave is why.
 */
export function massOf(change: MassChange, isRestored = false): Mass | null {
  const { total, blocked_before, blocked_since, blocked, blocked_now, freed, freed_since, freed_now } = change;
  if (blocked_now > 0 && isSuspicious(blocked, total)) return { change: 'blocked', count: blocked, total };
  if (freed_now > 0 && isSuspicious(freed, blocked_before))
    return { change: 'freed', count: freed, total: blocked_before };
  if (freed_now > 0 && !isRestored && isSuspicious(freed_since, blocked_since))
    return { change: 'freed', count: freed_since, total: blocked_since };
  return null;
}
