import { AsyncResource } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { noteLimit } from '../../lib/waits.ts';
import { ProviderError } from '../provider-error.ts';

/** Cloudflare's rate limit of a user: calls per period; after too many it refuses all calls for the length of the period. */
export interface Limit {
  calls: number;
  seconds: number;
}

/** Queue of the calls of one login, within the rate limit. */
export interface Budget {
  /** Runs the call when it is its turn. Throws the signal's reason, or `rate_limited` if a foreground call would wait over 10 s. */
  run<T>(isForeground: boolean, signal: AbortSignal | undefined, call: () => Promise<T>): Promise<T>;
  /** Called after a 429: holds back all calls for so many seconds; without a number for a whole window. */
  pause(seconds: number | undefined): void;
  /** What is left of the limit now (0 while it is paused), and how many calls wait. */
  state(): { left: number; limit: number; waiting: number };
}

/** Returns the budgets of all logins of this process, without saying whose they are. */
export const budgetStates = (): ReturnType<Budget['state']>[] => [...budgets.values()].map((budget) => budget.state());

interface Waiter {
  start(): void;
  fail(error: unknown): void;
  /** Called with the milliseconds until calls may go on, to show them with the work that waits. */
  waits(ms: number): void;
}

// developers.cloudflare.com/fundamentals/api/reference/limits
const CLOUDFLARE: Limit = { calls: 1_200, seconds: 300 };
// Shares of the limit. The rest is left to the dashboard and to commands run beside the server. Bulk work takes 4 % longer
// than with the whole limit.
const BACKGROUND_SHARE = 0.96;
const FOREGROUND_SHARE = 0.985;
const WIDTH = 4;
/** A foreground call that would wait longer fails instead. */
const PATIENCE_MS = 10_000;
// A time that was noted is not noted anew for less.
const WORTH_NOTING_MS = 1_000;
const PAUSE_SECONDS = { least: 1, most: 3_600 };

const limits = new Map<string, Limit>();
const budgets = new Map<string, Budget>();

/** Sets the rate limit of a Cloudflare at another address than the real one. Applies to open budgets, too. */
export function setBudget(url: string, limit: Limit): void {
  limits.set(url, limit);
}

/** Returns the budget of a login, shared by its clients in the process. Cloudflare counts by user, so the key is the e-mail if there is one. */
export function budgetOf(url: string, login: { email: string; api_key: string }): Budget {
  const user = login.email === '' ? login.api_key : login.email.toLowerCase();
  const key = createHash('sha256').update(`${url}\n${user}`).digest('base64');
  const budget = budgets.get(key) ?? openBudget(() => limits.get(url) ?? CLOUDFLARE);
  budgets.set(key, budget);
  return budget;
}

/**
 * Counts the calls of a login. A call counts from its start until one window after its answer, because the time of its arrival is
 * not known. So no window at Cloudflare, wherever it begins, contains more calls than allowed.
 */
class CallCount {
  private readonly ended: number[] = [];
  private inFlight = 0;
  private pausedUntil = 0;

  constructor(private readonly limitOf: () => Limit) {}

  /** Returns the time on the monotonic clock at which the next call may start; Infinity: only after one in flight has ended. */
  opensAt(share: number): number {
    const { calls, seconds } = this.limitOf();
    const left = Math.max(Math.floor(calls * share), 1) - this.inFlight;
    if (this.inFlight === WIDTH || left <= 0) return Infinity;
    return Math.max(this.pausedUntil, (this.ended.at(-left) ?? -Infinity) + seconds * 1_000);
  }

  /** Returns how many calls may be made now. */
  left(): number {
    const { calls, seconds } = this.limitOf();
    const now = performance.now();
    if (this.pausedUntil > now) return 0;
    const counted = this.ended.filter((at) => at > now - seconds * 1_000).length;
    return Math.max(calls - counted - this.inFlight, 0);
  }

  begin(): void {
    this.inFlight += 1;
  }

  end(): void {
    this.inFlight -= 1;
    this.ended.push(performance.now());
    if (this.ended.length > this.limitOf().calls) this.ended.shift();
  }

  pause(seconds = this.limitOf().seconds): void {
    const bounded = Math.min(Math.max(seconds, PAUSE_SECONDS.least), PAUSE_SECONDS.most);
    this.pausedUntil = Math.max(this.pausedUntil, performance.now() + bounded * 1_000);
  }
}

function openBudget(limitOf: () => Limit): Budget {
  const count = new CallCount(limitOf);
  const people: Waiter[] = [];
  const others: Waiter[] = [];
  let timer: NodeJS.Timeout | undefined;

  const drain = (): void => {
    clearTimeout(timer);
    for (;;) {
      const isPerson = people.length > 0;
      const queue = isPerson ? people : others;
      const [next] = queue;
      if (next === undefined) return;
      const wait = count.opensAt(isPerson ? FOREGROUND_SHARE : BACKGROUND_SHARE) - performance.now();
      if (wait === Infinity) return;
      if (isPerson && wait > PATIENCE_MS) {
        queue.shift();
        next.fail(tooMany(wait));
      } else if (wait > 0) {
        timer = setTimeout(drain, Math.ceil(wait));
        for (const waiter of [...people, ...others]) waiter.waits(wait);
        return;
      } else {
        queue.shift();
        count.begin();
        next.start();
      }
    }
  };

  return {
    async run(isForeground, signal, call) {
      signal?.throwIfAborted();
      await waitIn(isForeground ? people : others, signal, drain);
      try {
        return await call();
      } finally {
        count.end();
        drain();
      }
    },
    pause(seconds) {
      count.pause(seconds);
      drain();
    },
    state: () => ({ left: count.left(), limit: limitOf().calls, waiting: people.length + others.length }),
  };
}

/** Waits in a queue until `drain`, which is called whenever the queue changes, starts or fails this waiter. */
function waitIn(queue: Waiter[], signal: AbortSignal | undefined, drain: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const note = waitNote();
    const leave = (): void => {
      note.clear();
      queue.splice(queue.indexOf(waiter), 1);
      reject(signal?.reason);
      drain();
    };
    const settle = (): void => {
      note.clear();
      signal?.removeEventListener('abort', leave);
    };
    const waiter: Waiter = {
      waits: note.show,
      start() {
        settle();
        resolve();
      },
      fail(error) {
        settle();
        reject(error);
      },
    };
    signal?.addEventListener('abort', leave);
    queue.push(waiter);
    drain();
  });
}

/** Makes the note by which the running work shows that it waits. */
function waitNote(): { show: (ms: number) => void; clear: () => void } {
  // Bound to the async context of this call: `drain` may run in that of another one.
  const note = AsyncResource.bind(noteLimit);
  let release: (() => void) | undefined;
  let notedUntil = -Infinity;
  return {
    show: (ms) => {
      // A 429 may make a short wait a long one.
      const until = performance.now() + ms;
      if (until < notedUntil + WORTH_NOTING_MS) return;
      release?.();
      release = note(ms);
      notedUntil = until;
    },
    clear: () => release?.(),
  };
}

const tooMany = (waitMs: number): ProviderError => {
  const retryAfter = Math.ceil(waitMs / 1_000);
  return new ProviderError('rate_limited', `the limit of calls is reached: next in ${retryAfter} s`, { retryAfter });
};
