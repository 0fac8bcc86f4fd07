import type { Logger } from '../lib/log.ts';
import { runOperation } from './engine.ts';
import { nextQueued } from './lease.ts';
import { onQueued } from './queue.ts';

const LOOK_EVERY_MS = 2_000;
// Two at a time: a small check does not wait behind the nightly one.
const AT_ONCE = 2;

/**
 * Takes queued work, and work whose process died, until `stop` is called; `stop` puts what is running back into the
 * queue and waits for that.
 */
export function startWorker(log: Logger): { stop: () => Promise<void> } {
  const abort = new AbortController();
  const running = new Map<number, Promise<void>>();
  let looking: Promise<void> | undefined;

  const run = async (id: number): Promise<void> => {
    try {
      const { state } = await runOperation(id, { signal: abort.signal });
      log.info({ operation: id, state }, 'operation');
    } catch (error) {
      log.error({ err: error, operation: id }, 'operation failed');
    } finally {
      running.delete(id);
    }
  };

  const look = async (): Promise<void> => {
    while (!abort.signal.aborted && running.size < AT_ONCE) {
      const id = await nextQueued();
      if (id === null || running.has(id)) return;
      running.set(id, run(id));
      // Give the claim its turn, or the next look finds the same work.
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };

  const lookNow = (): void => {
    looking ??= look()
      .catch((error: unknown) => log.error({ err: error }, 'queue'))
      .finally(() => {
        looking = undefined;
      });
  };
  onQueued(lookNow);
  const timer = setInterval(lookNow, LOOK_EVERY_MS);
  lookNow();
  return {
    stop: async () => {
      clearInterval(timer);
      abort.abort();
      await looking;
      await Promise.all(running.values());
    },
  };
}
