import { AsyncResource } from 'node:async_hooks';
import type { Logger } from '../lib/log.ts';
import { knownKinds, runOperation } from './engine.ts';
import type { Delivery } from './delivery.ts';
import { nextQueued } from './lease.ts';

const LOOK_EVERY_MS = 2_000;
// Two operations at a time, and two urgent ones beside them: a small check does not wait behind the nightly one.
const AT_ONCE = 2;

/** Delivers within this process: it looks for work at intervals, and at once when it has queued some itself. */
export function embeddedDelivery(log: Logger): Delivery {
  const abort = new AbortController();
  const running = new Map<number, Promise<void>>();
  const urgent = new Set<number>();
  let looking: Promise<void> | undefined;

  const run = async (id: number): Promise<void> => {
    try {
      const { state } = await runOperation(id, { signal: abort.signal });
      log.info({ operation: id, state }, 'operation');
    } catch (error) {
      log.error({ err: error, operation: id }, 'operation failed');
    } finally {
      running.delete(id);
      urgent.delete(id);
    }
  };

  const look = async (): Promise<void> => {
    while (!abort.signal.aborted) {
      const room = { urgent: urgent.size < AT_ONCE, usual: running.size - urgent.size < AT_ONCE };
      if (!room.urgent && !room.usual) return;
      const next = await nextQueued(knownKinds(), room);
      if (next === null || running.has(next.id)) return;
      if (next.urgent) urgent.add(next.id);
      running.set(next.id, run(next.id));
      // Lets the claim commit first: else the next look finds the same work.
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
  let timer: NodeJS.Timeout | undefined;
  return {
    // What is found runs in a context of its own, not in that of the caller who has queued it.
    announce: AsyncResource.bind(lookNow),
    start: () => {
      timer = setInterval(lookNow, LOOK_EVERY_MS);
      lookNow();
    },
    stop: async () => {
      clearInterval(timer);
      abort.abort();
      await looking;
      await Promise.all(running.values());
    },
  };
}
