import { createHash } from 'node:crypto';
import { openBudget, type Budget } from './budget/budget.ts';
import { memoryLedger, sharedLedger } from './budget/ledger.ts';

/**
 * How often a service may be called: `calls` in any period of `seconds`, `atOnce` of them in flight. `shared`: the service counts, so
 * that the calls of all processes are counted together.
 */
export interface Pace {
  calls: number;
  seconds: number;
  atOnce: number;
  /** As that of `Limit`. */
  leastPauseMs?: number;
  shared?: true;
}

/** Runs calls to one service at its pace, in order. */
export interface Paced {
  /** Waits for its turn; an aborted call leaves the queue and throws the signal's reason. */
  run: <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;
  /** The service has refused: nothing is sent for so many seconds. */
  pause: (seconds: number) => void;
}

const own = memoryLedger();
const queues = new Map<string, Budget>();

const hashOf = (key: string): string => createHash('sha256').update(key).digest('base64url');

const serviceOf = (key: string): string => key.split(' ', 1)[0] ?? '';

/** Returns the one queue of a key in this process, such as a service with a login's name. The key must hold no secret. */
export function paceOf(key: string, pace: Pace): Paced {
  const known = queues.get(key);
  const queue =
    known ??
    openBudget({
      key: hashOf(key),
      service: serviceOf(key),
      limit: () => pace,
      atOnce: pace.atOnce,
      shares: { people: 1, others: 1 },
      patienceMs: Infinity,
      countsFrom: 'start',
      ledger: pace.shared ? sharedLedger : () => own,
    });
  if (!known) queues.set(key, queue);
  return {
    run: (work, signal) => queue.run(false, signal, work),
    pause: (seconds) => queue.pause(seconds),
  };
}

/** Returns how many calls to each service wait for their turn or are in flight, over all its queues. */
export function callsInQueues(): Map<string, number> {
  const sums = new Map<string, number>();
  for (const [key, queue] of queues) {
    const { waiting, inFlight } = queue.state();
    sums.set(serviceOf(key), (sums.get(serviceOf(key)) ?? 0) + waiting + inFlight);
  }
  return sums;
}
