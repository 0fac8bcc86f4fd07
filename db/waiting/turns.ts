import pLimit from 'p-limit';
import { isMeasured, measure } from '../../src/lib/measures.ts';
import type { Patience, Wait } from './patience.ts';

/**
 * Runs work when it is its turn. Concurrent transactions starve each other: waiters occupy, in SQLite's busy handler, the thread pool
 * that the holder of the lock needs for its commit. So a process has one writer at a time.
 */
export const writing = pLimit(1);

// One try for the lock takes a second: after more, another process keeps it.
const STUCK_MS = 1_500;

// Since when the writer has waited for another process's lock; it stays when a transaction gives up, until one has begun.
let since: number | undefined;

/** Returns for how long no transaction of this process could begin, because another process has the lock; 0: nothing is known of it. */
export const writerWaitsMs = (): number => (since === undefined ? 0 : performance.now() - since);

/** Begins a transaction, and notes how long the writer waits for it. */
export async function takeLock<T>(begin: () => Promise<T>): Promise<T> {
  since ??= performance.now();
  const begun = await begin();
  since = undefined;
  return begun;
}

/** Forgets what a database that was closed has kept waiting. */
export const forgetWaits = (): void => {
  since = undefined;
};

/**
 * Runs a transaction in its turn. That of a caller with a `patience` is given up, in the line as well, once that has waited for so
 * long for another process's lock, or its client has left; `work` gets its wait, which it has to end.
 */
export function inTurn<T>(patience: Patience | undefined, work: (wait?: Wait) => Promise<T>): Promise<T> {
  if (!isMeasured('transaction')) return waitForTurn(patience, work);
  const asked = performance.now();
  return waitForTurn(patience, async (wait) => {
    const begun = performance.now();
    try {
      return await work(wait);
    } finally {
      measure('transaction', { waitedMs: begun - asked, heldMs: performance.now() - begun });
    }
  });
}

async function waitForTurn<T>(patience: Patience | undefined, work: (wait?: Wait) => Promise<T>): Promise<T> {
  if (!patience) return writing(() => work());
  const wait = patience.wait(() => writerWaitsMs() > STUCK_MS);
  return new Promise<T>((resolve, reject) => {
    const giveUp = (): void => {
      wait.end();
      reject(wait.signal.reason as Error);
    };
    wait.signal.addEventListener('abort', giveUp, { once: true });
    writing(async () => {
      if (!wait.signal.aborted) resolve(await work(wait));
    }).catch((error: Error) => {
      wait.end();
      reject(error);
    });
  });
}
