import { endsWithin } from '../../lib/grace.ts';
import { lineWork, NotSent } from '../../lib/outgoing/line.ts';
import { noteLimit } from '../../lib/waits.ts';
import { ProviderError } from '../provider-error.ts';
import { LONGEST_BLOCK_MS, type Ledger, type Limit } from './ledger.ts';
import { SliceHolder } from './slices.ts';
import { waitIn, type Waiter } from './waiters.ts';

/** How the calls of one login are limited. */
export interface BudgetRules {
  /** Names the login among all; it holds no secret. */
  key: string;
  service: string;
  /** Asked for at each call, because a test may set another one. */
  limit: () => Limit;
  /** Calls in flight at a time, of this process. */
  atOnce: number;
  /** Parts of the limit that calls for people, and all others, may use. */
  shares: { people: number; others: number };
  /** A call for people that would wait longer fails instead. */
  patienceMs: number;
  /** From when on a call counts for one period: from its answer at the safest, as the time of its arrival is not known. */
  countsFrom: 'start' | 'answer';
  ledger: () => Ledger;
}

/** Queue of the calls of one login, within its limit. */
export interface Budget {
  /**
   * Runs the call when it is its turn. Throws the signal's reason, NotSent if the work that it is for drops its calls, or `rate_limited` if a
   * foreground call would wait longer than its patience.
   */
  run<T>(isForeground: boolean, signal: AbortSignal | undefined, call: () => Promise<T>): Promise<T>;
  /** Called after a refusal: holds back all calls of all processes for so many seconds; without a number for a whole period. */
  pause(seconds: number | undefined): void;
  /** How many calls wait, and how many are in flight. */
  state(): { waiting: number; inFlight: number };
}

// Without room the ledger is asked again after so long: others may have given calls back.
const ASK_AGAIN_MS = 3_000;
const LEAST_PAUSE_MS = 1_000;
const GIVE_BACK_MS = 2_000;

type Side = 'people' | 'others';

const holders = new Set<SliceHolder>();

/**
 * Gives back the calls that this process has taken and will not make. Called before its database is closed; it gives up after a moment,
 * as what is not given back is free after a period anyway.
 */
export async function giveCallsBack(): Promise<void> {
  const all = async (): Promise<void> => {
    for (const holder of holders) await holder.giveBack();
  };
  await endsWithin(GIVE_BACK_MS, all());
}

type Waiting = Readonly<Record<Side, Waiter[]>>;

/** When calls may go on, on the monotonic clock: `at`, as far as is known; the ledger is to be asked again from `askAt` on. */
interface Opening {
  at: number;
  askAt: number;
}

/** Asks the ledger for slices, for one side at a time, and keeps when it lets calls go on. `drain` is called after each answer. */
function openingsOf(
  slices: SliceHolder,
  waiting: Waiting,
  drain: () => void,
): { of: (side: Side) => Opening; ask: (side: Side) => void } {
  const opens: Record<Side, Opening> = {
    people: { at: 0, askAt: 0 },
    others: { at: 0, askAt: 0 },
  };
  let asking = false;

  const take = async (side: Side): Promise<void> => {
    const asked = performance.now();
    const { opensInMs } = await slices.take(side, waiting[side].length);
    opens[side] = { at: asked + opensInMs, askAt: asked + Math.min(opensInMs, ASK_AGAIN_MS) };
  };

  return {
    of: (side) => opens[side],
    ask: (side) => {
      if (asking) return;
      asking = true;
      take(side)
        .catch((error: unknown) => waiting[side][0]?.fail(error))
        .finally(() => {
          asking = false;
          drain();
        });
    },
  };
}

/** The calls of one login in this process; those for people go before all others. */
interface Queue {
  waiting: Waiting;
  /** Starts or fails those whose turn it is. Called whenever the queue changes. */
  drain: () => void;
  /** Holds all of them back for so long at least. The caller drains the queue. */
  block: (ms: number) => void;
  inFlight: () => number;
}

function queueOf(rules: Pick<BudgetRules, 'atOnce' | 'patienceMs'>, slices: SliceHolder): Queue {
  const waiting: Waiting = { people: [], others: [] };
  const openings = openingsOf(slices, waiting, () => drain());
  let inFlight = 0;
  let blockedUntil = 0;
  let timer: NodeJS.Timeout | undefined;

  /** Starts or fails the first of a side; false: it has to wait. */
  const advance = (side: Side, next: Waiter): boolean => {
    const now = performance.now();
    const slice = now < blockedUntil ? undefined : slices.next(side);
    if (slice) {
      inFlight += 1;
      next.start(() => {
        inFlight -= 1;
        slice.end();
        drain();
      });
      if (slices.isLow(side, waiting[side].length)) openings.ask(side);
      return true;
    }
    const { at, askAt } = openings.of(side);
    const waitMs = Math.max(at, blockedUntil) - now;
    const untilAskMs = Math.max(askAt, blockedUntil) - now;
    if (untilAskMs <= 0) {
      openings.ask(side);
      return false;
    }
    // By what the ledger has said a moment ago: others may have given calls back since an older answer.
    if (side === 'people' && waitMs > rules.patienceMs) {
      next.fail(tooMany(waitMs));
      return true;
    }
    timer = setTimeout(drain, Math.ceil(untilAskMs));
    for (const waiter of [...waiting.people, ...waiting.others]) waiter.waits(waitMs);
    return false;
  };

  const drain = (): void => {
    clearTimeout(timer);
    for (;;) {
      const side = waiting.people.length > 0 ? 'people' : 'others';
      const [next] = waiting[side];
      if (next === undefined || inFlight >= rules.atOnce || !advance(side, next)) return;
    }
  };

  return {
    waiting,
    drain,
    block: (ms) => {
      blockedUntil = Math.max(blockedUntil, performance.now() + ms);
    },
    inFlight: () => inFlight,
  };
}

/** Opens the queue of a login in this process. */
export function openBudget(rules: BudgetRules): Budget {
  const slices = new SliceHolder(rules);
  holders.add(slices);
  const { waiting, drain, block, inFlight } = queueOf(rules, slices);

  return {
    async run(isForeground, signal, call) {
      const work = lineWork();
      signal?.throwIfAborted();
      if (work?.dropped.aborted) throw new NotSent(work.sent === 0);
      const end = await waitIn(waiting[isForeground ? 'people' : 'others'], signal, drain, noteLimit, work);
      if (work) work.sent += 1;
      try {
        return await call();
      } finally {
        end();
      }
    },
    pause(seconds = rules.limit().seconds) {
      const { leastPauseMs = LEAST_PAUSE_MS } = rules.limit();
      const ms = Math.min(Math.max(seconds * 1_000, leastPauseMs), LONGEST_BLOCK_MS);
      block(ms);
      // The others learn it where it can be stored; this process knows it anyway.
      const { key, service } = rules;
      rules
        .ledger()
        .block({ key, service, limit: rules.limit() }, ms)
        .catch(() => undefined);
      drain();
    },
    state: () => ({ waiting: waiting.people.length + waiting.others.length, inFlight: inFlight() }),
  };
}

const tooMany = (waitMs: number): ProviderError => {
  const retryAfter = Math.ceil(waitMs / 1_000);
  return new ProviderError('rate_limited', `the limit of calls is reached: next in ${retryAfter} s`, { retryAfter });
};
