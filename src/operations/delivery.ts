import { afterCommit } from '../../db/index.ts';

/**
 * How queued work reaches the processes that run it. The rows are the truth: what is delivered is an id, which may come
 * twice, late or never, and whoever gets it claims the operation (`lease.ts`) or leaves it. An implementation therefore
 * retries nothing, keeps no state of the work, and looks by itself for work that was not announced: work whose process
 * died, and work of kinds that this process does not know.
 */
export interface Delivery {
  /** Tells that an operation waits. Called after the commit that queued it, outside of transactions; must not throw. */
  announce: (id: number) => void;
  /** Begins to take work. Called once, after the flows were registered. */
  start: () => void;
  /** Takes no more, puts what is running back into the queue, and resolves once that is stored. */
  stop: () => Promise<void>;
}

let current: Delivery | undefined;

/** Starts the one delivery of the process; a process without one only queues. */
export function startDelivery(delivery: Delivery): { stop: () => Promise<void> } {
  current = delivery;
  delivery.start();
  return {
    stop: async () => {
      if (current === delivery) current = undefined;
      await delivery.stop();
    },
  };
}

/** Announces an operation once the running transaction, if there is one, has been committed. */
export const announce = (id: number): void => afterCommit(() => current?.announce(id));
