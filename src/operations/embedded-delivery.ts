import { AsyncResource } from 'node:async_hooks';
import type { Logger } from '../lib/log.ts';
import { knownKinds, runOperation } from './engine.ts';
import type { Delivery } from './delivery.ts';
import { findQueued, nextQueued, NotClaimed, type Kinds } from './lease.ts';
import { WAITS, type NextQueued, type Wait } from './rows.ts';
import { endLeftOvers } from './unheld.ts';

const LOOK_EVERY_MS = 2_000;
// So many operations at a time: a small check does not wait behind the nightly one, nor either behind registries.
export const AT_ONCE: Readonly<Record<Wait, number>> = { urgent: 2, usual: 2, slow: 2, ending: 2 };

// Interval of the look for operations that dead processes have left half ended.
const LEFT_OVERS_MS = 10_000;

/** Outcome of a delivered id: `full` and `foreign` (of a kind that this process does not take) leave it for later or for others. */
export type Taken = 'over' | 'stopped' | 'full' | 'foreign';

/** The embedded delivery; `take` runs work whose id another engine has delivered, and resolves when this process is done with it. */
export interface EmbeddedDelivery extends Delivery {
  take: (id: number) => Promise<Taken>;
}

/** Operations of `kinds` alone are taken, all that the process knows without. */
export interface Takes {
  kinds?: ReadonlySet<string> | undefined;
}

/** The operations that this process works on, each in a place of its room. */
interface Places {
  has: (id: number) => boolean;
  ids: () => Iterable<number>;
  isFull: (room: Wait) => boolean;
  /** Takes a place for an operation until it has ended. Never rejects. */
  run: (next: NextQueued) => Promise<void>;
  /** Resolves when what is running now has ended. */
  idle: () => Promise<unknown>;
}

/** Makes the places of a process. `onFree` is called when a place is free and the next look may find other work for it. */
function placesOf(log: Logger, signal: AbortSignal, onFree: () => void): Places {
  const running = new Map<number, Promise<void>>();
  const rooms = new Map<number, Wait>();

  const run = async ({ id, request_id: request }: NextQueued): Promise<void> => {
    const known = { operation: id, ...(request !== null && { request }) };
    let isWorthLooking = false;
    try {
      const { state } = await runOperation(id, { signal });
      log.info({ ...known, state }, 'operation');
      isWorthLooking = true;
    } catch (error) {
      // Another process has found the same work, and was faster: the place is free for the next.
      if (error instanceof NotClaimed) isWorthLooking = true;
      else log.error({ err: error, ...known }, 'operation failed');
    } finally {
      running.delete(id);
      rooms.delete(id);
    }
    // Work that found no place has waited for this one. After a failure it waits for the next look: the same work may fail again at once.
    if (isWorthLooking) onFree();
  };

  return {
    has: (id) => running.has(id),
    ids: () => running.keys(),
    isFull: (room) => [...rooms.values()].filter((one) => one === room).length >= AT_ONCE[room],
    run: (next) => {
      rooms.set(next.id, next.room);
      const work = run(next);
      running.set(next.id, work);
      return work;
    },
    idle: () => Promise.all(running.values()),
  };
}

/**
 * Makes the look for queued work: `now` starts work until there is no more of it, or no place. One look runs at a time, and looks again
 * where it is asked to meanwhile; `done` is the running one. After the signal none begins.
 */
function lookFor(
  places: Places,
  taken: () => Kinds,
  log: Logger,
  signal: AbortSignal,
): { now: () => void; done: () => Promise<void> | undefined } {
  let looking: Promise<void> | undefined;
  // Work that ended, or was queued, during a look may have come too late for it.
  let isAskedAgain = false;

  const look = async (): Promise<void> => {
    while (!signal.aborted) {
      isAskedAgain = false;
      const free = WAITS.filter((room) => !places.isFull(room));
      const next = free.length === 0 ? null : await nextQueued(taken(), free, places.ids());
      if (next === null && !isAskedAgain) return;
      // It may have been delivered meanwhile, and its place be taken.
      if (next !== null && !places.has(next.id) && !places.isFull(next.room)) void places.run(next);
    }
  };

  const now = (): void => {
    if (signal.aborted) return;
    isAskedAgain = true;
    looking ??= look()
      .catch((error: unknown) => {
        isAskedAgain = false;
        log.error({ err: error }, 'queue');
      })
      .finally(() => {
        looking = undefined;
        if (isAskedAgain) now();
      });
  };
  return { now, done: () => looking };
}

/** Delivers within this process: it looks for work every `lookEveryMs`, and at once when it has queued some itself. */
export function embeddedDelivery(
  log: Logger,
  { kinds, lookEveryMs = LOOK_EVERY_MS }: Takes & { lookEveryMs?: number } = {},
): EmbeddedDelivery {
  const abort = new AbortController();
  const taken = (): Kinds => (kinds ? new Map([...knownKinds()].filter(([kind]) => kinds.has(kind))) : knownKinds());
  const places = placesOf(log, abort.signal, () => look.now());
  const look = lookFor(places, taken, log, abort.signal);

  const take = async (id: number): Promise<Taken> => {
    if (abort.signal.aborted) return 'stopped';
    const next = await findQueued(taken(), id);
    if (next === 'foreign') return 'foreign';
    // Nobody's any more, or somebody's: if he dies, a look finds it.
    if (next === null || places.has(id)) return 'over';
    if (places.isFull(next.room)) return 'full';
    await places.run(next);
    return abort.signal.aborted ? 'stopped' : 'over';
  };
  let ending: Promise<void> = Promise.resolve();
  const endLeft = (): void => {
    ending = ending.then(endLeftOvers).catch((error: unknown) => log.error({ err: error }, 'left over'));
  };
  const timers: NodeJS.Timeout[] = [];
  return {
    // Bound to this context: the work must not run in the async context (transaction, actor) of the caller that queued it.
    announce: AsyncResource.bind(look.now),
    take: AsyncResource.bind(take),
    start: () => {
      timers.push(setInterval(look.now, lookEveryMs), setInterval(endLeft, LEFT_OVERS_MS));
      endLeft();
      look.now();
    },
    stop: async () => {
      for (const timer of timers) clearInterval(timer);
      abort.abort();
      await look.done();
      await ending;
      await places.idle();
    },
  };
}
