import type { Engine } from '../engines.ts';
import type { IndexationSpanRow } from './tables.ts';

/** What an engine has said of a domain. */
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

/**
 * Returns the newest span after an answer, in place of the one before or after it. A domain falls out of the index with the second
 * answer that says so.
 */
export function spanAfter(
  current: IndexationSpanRow | undefined,
  { domain_id, engine, indexed }: IndexAnswer,
  now: string,
): IndexationSpanRow {
  const begun = { domain_id, engine, since: now, indexed: Number(indexed), last_checked_at: now, doubted_at: null };
  if (!current) return begun;
  if ((current.indexed === 1) === indexed) return { ...current, last_checked_at: now, doubted_at: null };
  if (indexed) return begun;
  if (current.doubted_at === null) return { ...current, doubted_at: now };
  const isConfirmed = Date.parse(now) - Date.parse(current.doubted_at) >= CONFIRMED_AFTER_MS;
  return isConfirmed ? begun : current;
}

/** Whether so many domains at once have left the index that the answers themselves are doubtful. */
export const isDoubtful = (indexed: number, gone: number): boolean => indexed >= 20 && gone * 2 > indexed;
