import { setTimeout as sleep } from 'node:timers/promises';
import type { ProviderError } from '../providers/provider-error.ts';
import type { OperationItemRow } from '../shared/operations.ts';
import type { Patience } from './flow.ts';

// So many failures in a row are the service's and not the items': the lane waits before it goes on.
const BREAKER = 5;
const RATE_PAUSE_MS = 60_000;

/** How a try ended, for the lane: the service worked, it did not, or that is not known. */
export type Outcome = 'worked' | 'failed' | 'unknown';

/** The items of one outside account: which is next, and how long all of them wait. */
export interface Lane {
  /**
   * The next item, once it is due or there is a `hurry`; null when none is left or `signal` has fired. Every item taken
   * is settled.
   */
  next: (signal: AbortSignal, hurry: () => boolean) => Promise<OperationItemRow | null>;
  /** Ends a try. A few failures in a row pause the whole lane. */
  settle: (outcome: Outcome) => void;
  /** Puts an item back, due after `ms`. Before its `settle`. */
  again: (row: OperationItemRow, ms: number) => void;
  /** Nothing of this lane goes out for so long. */
  pause: (ms: number) => void;
  /** Takes all that waits out of the lane. */
  drain: () => OperationItemRow[];
}

/** Half to all of the doubled pause: tries of many items do not come back in step. */
const jittered = (ms: number): number => ms * (0.5 + Math.random() / 2);

/** How long until the next try after `attempt` of them. */
export const pauseAfter = (attempt: number, { firstPauseMs, longestPauseMs }: Patience): number =>
  jittered(Math.min(longestPauseMs, firstPauseMs * 2 ** (attempt - 1)));

/** How long a refusal for being too many lasts. */
export const ratePause = (error: ProviderError): number =>
  error.retryAfter === undefined ? RATE_PAUSE_MS : error.retryAfter * 1000;

/** Waits, or until the work is to stop. */
export async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}

/** Makes a lane of the items that are left; one with `not_before` is not due before it. */
export function laneOf(rows: OperationItemRow[], patience: Patience): Lane {
  const due = new Map<OperationItemRow, number>();
  for (const row of rows) due.set(row, row.not_before ? Date.parse(row.not_before) : 0);
  let underWay = 0;
  let failures = 0;
  let pausedUntil = 0;

  const soonest = (): [OperationItemRow, number] | undefined => {
    let best: [OperationItemRow, number] | undefined;
    for (const entry of due) {
      if (entry[1] <= Date.now()) return entry;
      if (!best || entry[1] < best[1]) best = entry;
    }
    return best;
  };
  const pause = (ms: number): void => {
    pausedUntil = Math.max(pausedUntil, Date.now() + ms);
  };
  return {
    next: async (signal, hurry) => {
      while (!signal.aborted) {
        const found = soonest();
        // An item under way may come back.
        if (!found && underWay === 0) return null;
        const wait = found ? Math.max(found[1], pausedUntil) - Date.now() : 20;
        if (found && (wait <= 0 || hurry())) {
          due.delete(found[0]);
          underWay += 1;
          return found[0];
        }
        await rest(Math.min(wait, 1000), signal);
      }
      return null;
    },
    again: (row, ms) => void due.set(row, Date.now() + ms),
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
