import { AsyncResource } from 'node:async_hooks';
import type { Logger } from '../lib/log.ts';
import { knownKinds, runOperation } from './engine.ts';
import type { Delivery } from './delivery.ts';
import { nextQueued } from './lease.ts';
import type { Room } from './rows.ts';

const LOOK_EVERY_MS = 2_000;
// So many operations at a time: a small check does not wait behind the nightly one, nor either behind registries.
const AT_ONCE: Readonly<Record<Room, number>> = { urgent: 2, usual: 2, slow: 2 };
const ROOMS = Object.keys(AT_ONCE) as Room[];

/** Delivers within this process: it looks for work at intervals, and at once when it has queued some itself. */
export function embeddedDelivery(log: Logger): Delivery {
  const abort = new AbortController();
  const running = new Map<number, Promise<void>>();
  const rooms = new Map<number, Room>();
  let looking: Promise<void> | undefined;

  const run = async (id: number): Promise<void> => {
    try {
      const { state } = await runOperation(id, { signal: abort.signal });
      log.info({ operation: id, state }, 'operation');
    } catch (error) {
      log.error({ err: error, operation: id }, 'operation failed');
    } finally {
      running.delete(id);
      rooms.delete(id);
    }
  };

  const look = async (): Promise<void> => {
    while (!abort.signal.aborted) {
      const taken = [...rooms.values()];
      const free = ROOMS.filter((room) => taken.filter((one) => one === room).length < AT_ONCE[room]);
      if (free.length === 0) return;
      const next = await nextQueued(knownKinds(), free);
      if (next === null || running.has(next.id)) return;
      rooms.set(next.id, next.room);
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
    // Bound to this context: the work must not run in the async context (transaction, actor) of the caller that queued it.
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
