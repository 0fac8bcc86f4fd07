import { AsyncResource } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { noteLimit } from '../../lib/waits.ts';
import { ProviderError } from '../provider-error.ts';

/** What Cloudflare allows a user: so many calls in so many seconds; beyond, it refuses all of them for that long. */
export interface Limit {
  calls: number;
  seconds: number;
}

/** The calls of one login, in the order in which they may go. */
export interface Budget {
  /** Runs the call when its turn has come. Throws the signal's reason, or `rate_limited` to a person who would wait too long. */
  run<T>(isForeground: boolean, signal: AbortSignal | undefined, call: () => Promise<T>): Promise<T>;
  /** After a 429: no call goes for so many seconds. Without a number, for a whole window. */
  pause(seconds: number | undefined): void;
}

interface Waiter {
  start(): void;
  fail(error: unknown): void;
  /** So many milliseconds are left until calls may go on: told to whoever watches the work that waits. */
  waits(ms: number): void;
}

// developers.cloudflare.com/fundamentals/api/reference/limits
const CLOUDFLARE: Limit = { calls: 1_200, seconds: 300 };
// The rest is left to the dashboard and to a command run beside the server; a person gets some of it. Bulk work takes 4 %
// longer for it than the limit demands.
const BACKGROUND_SHARE = 0.96;
const FOREGROUND_SHARE = 0.985;
const WIDTH = 4;
/** A person who would wait longer is told so instead. */
const PATIENCE_MS = 10_000;
const PAUSE_SECONDS = { least: 1, most: 3_600 };

const limits = new Map<string, Limit>();
const budgets = new Map<string, Budget>();

/** Sets what a Cloudflare at this address allows, where that is not what the real one does. Holds for open budgets, too. */
export function setBudget(url: string, limit: Limit): void {
  limits.set(url, limit);
}

/** The budget of a login, one for all its clients in the process. Cloudflare counts by user, hence by e-mail where there is one. */
export function budgetOf(url: string, login: { email: string; api_key: string }): Budget {
  const user = login.email === '' ? login.api_key : login.email.toLowerCase();
  const key = createHash('sha256').update(`${url}\n${user}`).digest('base64');
  const budget = budgets.get(key) ?? openBudget(() => limits.get(url) ?? CLOUDFLARE);
  budgets.set(key, budget);
  return budget;
}

/**
 * A call counts from when it goes until a window after its answer, because when in between it arrived is not known. So no
 * window of theirs, wherever it begins, sees more calls than are allowed.
 */
function openBudget(limitOf: () => Limit): Budget {
  const ended: number[] = [];
  const people: Waiter[] = [];
  const others: Waiter[] = [];
  let inFlight = 0;
  let pausedUntil = 0;
  let timer: NodeJS.Timeout | undefined;

  // On the monotonic clock; Infinity: when one that is under way has ended.
  const opensAt = (share: number): number => {
    const { calls, seconds } = limitOf();
    const left = Math.max(Math.floor(calls * share), 1) - inFlight;
    if (inFlight === WIDTH || left <= 0) return Infinity;
    return Math.max(pausedUntil, (ended.at(-left) ?? -Infinity) + seconds * 1_000);
  };

  const drain = () => {
    clearTimeout(timer);
    for (;;) {
      const isPerson = people.length > 0;
      const queue = isPerson ? people : others;
      const [next] = queue;
      if (next === undefined) return;
      const wait = opensAt(isPerson ? FOREGROUND_SHARE : BACKGROUND_SHARE) - performance.now();
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
        inFlight += 1;
        next.start();
      }
    }
  };

  const turn = (queue: Waiter[], signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      // What is noted is noted for the work of this call, whoever has the queue looked at.
      const note = AsyncResource.bind(noteLimit);
      let release: (() => void) | undefined;
      const leave = () => {
        release?.();
        queue.splice(queue.indexOf(waiter), 1);
        reject(signal?.reason);
        drain();
      };
      const waiter: Waiter = {
        waits(ms) {
          release ??= note(ms);
        },
        start() {
          release?.();
          signal?.removeEventListener('abort', leave);
          resolve();
        },
        fail(error) {
          release?.();
          signal?.removeEventListener('abort', leave);
          reject(error);
        },
      };
      signal?.addEventListener('abort', leave);
      queue.push(waiter);
      drain();
    });

  return {
    async run(isForeground, signal, call) {
      signal?.throwIfAborted();
      await turn(isForeground ? people : others, signal);
      try {
        return await call();
      } finally {
        inFlight -= 1;
        ended.push(performance.now());
        if (ended.length > limitOf().calls) ended.shift();
        drain();
      }
    },
    pause(seconds = limitOf().seconds) {
      const bounded = Math.min(Math.max(seconds, PAUSE_SECONDS.least), PAUSE_SECONDS.most);
      pausedUntil = Math.max(pausedUntil, performance.now() + bounded * 1_000);
      drain();
    },
  };
}

const tooMany = (waitMs: number): ProviderError => {
  const retryAfter = Math.ceil(waitMs / 1_000);
  return new ProviderError('rate_limited', `the limit of calls is reached: next in ${retryAfter} s`, { retryAfter });
};
