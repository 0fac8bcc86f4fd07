import { setTimeout as sleep } from 'node:timers/promises';
import type { OperationItemRow } from '../shared/operations/tables.ts';
import type { ProviderError } from '../providers/provider-error.ts';
import type { Patience } from './flow.ts';
import { waitOf } from './waiting.ts';

/** After so many failures in a row the service is at fault, not the items: the lane pauses, and a plan ends. */
export const BREAKER = 5;
const RATE_PAUSE_MS = 60_000;

/** End of a try as the lane counts it: the service worked, it failed, or that is not known. */
export type Outcome = 'worked' | 'failed' | 'unknown';

/** Queue of the items of one outside account, which can be paused as a whole. */
export interface ItemQueue {
  /**
   * Resolves with the next item once it is due, or soon while `hurry()` is true, which ignores pauses; with null when none is
   * left or `signal` has fired. Call `settle` for every item taken.
   */
  next: (signal: AbortSignal, hurry: () => boolean) => Promise<OperationItemRow | null>;
  /** Ends a try. Five failures in a row pause the whole lane. */
  settle: (outcome: Outcome) => void;
  /** Puts an item back, due after `ms`. Call before its `settle`: else `next` may find the lane empty and end. */
  again: (row: OperationItemRow, ms: number) => void;
  /** Holds back all items of the lane for `ms`. */
  pause: (ms: number) => void;
  /** Removes and returns all waiting items. */
  drain: () => OperationItemRow[];
}

/** Half to all of a pause, at random: retries of many items do not come in step. */
const jittered = (ms: number): number => ms * (0.5 + Math.random() / 2);

/** Returns the pause in ms after `attempt` failed tries, with jitter. */
export const pauseAfter = (attempt: number, { firstPauseMs, longestPauseMs }: Patience): number =>
  jittered(Math.min(longestPauseMs, firstPauseMs * 2 ** (attempt - 1)));

/** Returns the pause in ms after a rate limit: what the service asks for, or a minute. */
export const ratePause = (error: ProviderError): number =>
  error.retryAfter === undefined ? RATE_PAUSE_MS : error.retryAfter * 1000;

/** Waits for `ms` or until `signal` fires; never rejects. */
export async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}

/**
 * Returns the ms until an item is due. The clock may have been set back since that was stored: an item waits for its noted
 * pause at most, and a retry for the longest one.
 */
function dueIn(row: OperationItemRow, { longestPauseMs }: Patience): number {
  const ms = row.not_before === null ? 0 : Date.parse(row.not_before) - Date.now();
  return Math.min(ms, waitOf(row)?.pauseMs ?? longestPauseMs);
}

/** Makes a lane of the given items; one with `not_before` is not due before it. Its times are those of a clock that nobody sets. */
export function itemQueueOf(rows: OperationItemRow[], patience: Patience): ItemQueue {
  const due = new Map<OperationItemRow, number>();
  for (const row of rows) due.set(row, performance.now() + dueIn(row, patience));
  let underWay = 0;
  let failures = 0;
  let pausedUntil = 0;

  const soonest = (): [OperationItemRow, number] | undefined => {
    let best: [OperationItemRow, number] | undefined;
    for (const entry of due) {
      if (entry[1] <= performance.now()) return entry;
      if (!best || entry[1] < best[1]) best = entry;
    }
    return best;
  };
  const pause = (ms: number): void => {
    pausedUntil = Math.max(pausedUntil, performance.now() + ms);
  };
  return {
    next: async (signal, hurry) => {
      while (!signal.aborted) {
        const found = soonest();
        // An item under way may come back.
        if (!found && underWay === 0) return null;
        const wait = found ? Math.max(found[1], pausedUntil) - performance.now() : 20;
        if (found && (wait <= 0 || hurry())) {
          due.delete(found[0]);
          underWay += 1;
          return found[0];
        }
        await rest(Math.min(wait, 1000), signal);
      }
      return null;
    },
    again: (row, ms) => void due.set(row, performance.now() + ms),
    pause,
    settle: (outcome) => {
      underWay -= 1;
      if (outcome === 'worked') failures = 0;
      if (outcome === 'failed') failures += 1;
      if (failures >= BREAKER && outcome === 'failed') pause(pauseAfter(failures - BREAKER + 1, patience));
    },
    drain: () => {
      const left = [...due.keys()];
      due.clear();
      return left;
    },
  };
}
