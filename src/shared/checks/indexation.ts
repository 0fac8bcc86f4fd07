import type { Engine } from '../engines.ts';
import type { IndexationSpanRow } from './tables.ts';

/** An engine's verdict on a domain: whether it is in the index. */
export interface IndexAnswer {
  domain_id: number;
  engine: Engine;
  indexed: boolean;
}

/** A stretch of time in which an engine had a domain in its index, or had not. */
export interface IndexSpan {
  indexed: boolean;
  since: string;
  last_checked_at: string;
  /** Since when the opposite is said, unconfirmed; null: it is not. */
  doubted_at: string | null;
}

// An answer that a domain is gone is confirmed by one that comes as much later at least.
const CONFIRMED_AFTER_MS = 3_600_000;
// Where most domains are gone at once, so long: a fault of the service is over by then, and what is true comes out.
const MASS_CONFIRMED_AFTER_MS = 48 * 3_600_000;

/**
 * Returns the newest span after an answer, in place of the one before or after it. A domain falls out of the index with the second
 * answer that says so; `isMass`: with one that comes two days later. An answer that it is there proves it: its address was found.
 */
export function spanAfter(
  current: IndexationSpanRow | undefined,
  { domain_id, engine, indexed }: IndexAnswer,
  now: string,
  isMass = false,
): IndexationSpanRow {
  const begun = { domain_id, engine, since: now, indexed: Number(indexed), last_checked_at: now, doubted_at: null };
  if (!current) return begun;
  if ((current.indexed === 1) === indexed) return { ...current, last_checked_at: now, doubted_at: null };
  if (indexed) return begun;
  if (current.doubted_at === null) return { ...current, doubted_at: now };
  const after = isMass ? MASS_CONFIRMED_AFTER_MS : CONFIRMED_AFTER_MS;
  const isConfirmed = Date.parse(now) - Date.parse(current.doubted_at) >= after;
  return isConfirmed ? begun : current;
}

/** Whether so many domains of those that were asked about, and were indexed, are gone at once that the answers are doubtful. */
export const isDoubtful = (asked: number, gone: number): boolean => asked >= 20 && gone * 2 > asked;
