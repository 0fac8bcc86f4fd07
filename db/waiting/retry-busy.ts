import { isBusy } from '../../src/lib/database-trouble.ts';
import { noteStorage } from '../../src/lib/waits.ts';
import { notWritten } from './patience.ts';

// A longer wait for another process is shown with the work.
const WORTH_TELLING_MS = 1_500;

/**
 * Retries while another process holds the lock, with growing, jittered pauses outside the thread pool. Throws `unavailable` after
 * `giveUpMs`, and the reason of `signal` once that has fired.
 */
export async function retryBusy<T>(work: () => Promise<T>, giveUpMs: number, signal?: AbortSignal): Promise<T> {
  const start = performance.now();
  let end: (() => void) | undefined;
  try {
    for (let pause = 5; ; pause = Math.min(pause * 2, 200)) {
      try {
        return await work();
      } catch (error) {
        if (!isBusy(error)) throw error;
        if (signal?.aborted) throw signal.reason;
        const waited = performance.now() - start;
        if (waited > giveUpMs) throw notWritten(error);
        if (waited > WORTH_TELLING_MS) end ??= noteStorage({ key: 'operation.waits_lock' });
        await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random())));
      }
    }
  } finally {
    end?.();
  }
}
