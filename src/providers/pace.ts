import PQueue from 'p-queue';

/** How often a service may be called: `calls` in any period of `seconds`, `atOnce` of them in flight. */
export interface Pace {
  calls: number;
  seconds: number;
  atOnce: number;
}

/** Runs calls to one service at its pace, in order. */
export interface Paced {
  /** Waits for its turn; an aborted call leaves the queue and throws the signal's reason. */
  run: <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;
  /** The service has refused: nothing is sent for so many seconds. */
  pause: (seconds: number) => void;
  /** Calls that wait for their turn or are in flight. */
  size: () => number;
}

const paced = new Map<string, Paced>();

/** Returns the one queue of a key in this process, such as a service with a login's name. The key must hold no secret. */
export function paceOf(key: string, pace: Pace): Paced {
  const known = paced.get(key);
  if (known) return known;
  const queue = new PQueue({
    concurrency: pace.atOnce,
    interval: pace.seconds * 1000,
    intervalCap: pace.calls,
    strict: true,
  });
  let timer: NodeJS.Timeout | undefined;
  let until = 0;
  let waiting = 0;
  const made: Paced = {
    run: async (work, signal) => {
      waiting += 1;
      // A command would end before its call's turn if nothing else keeps the process alive.
      timer?.ref();
      try {
        return await queue.add(work, signal === undefined ? {} : { signal });
      } finally {
        waiting -= 1;
        if (waiting === 0) timer?.unref();
      }
    },
    pause: (seconds) => {
      const end = performance.now() + seconds * 1000;
      if (end <= until) return;
      until = end;
      queue.pause();
      clearTimeout(timer);
      timer = setTimeout(() => void queue.start(), seconds * 1000);
      if (waiting === 0) timer.unref();
    },
    size: () => waiting,
  };
  paced.set(key, made);
  return made;
}

/** Returns how many calls to each service wait for their turn or are in flight, over all its queues. */
export function callsInQueues(): Map<string, number> {
  const sums = new Map<string, number>();
  for (const [key, queue] of paced) {
    const [service = ''] = key.split(' ', 1);
    sums.set(service, (sums.get(service) ?? 0) + queue.size());
  }
  return sums;
}
