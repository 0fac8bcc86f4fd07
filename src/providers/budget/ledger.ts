import { randomUUID } from 'node:crypto';

/** Calls in any period of so many seconds. */
export interface Limit {
  calls: number;
  seconds: number;
  /** A refusal holds all calls back for so long at least: a second, but where a test sets less. */
  leastPauseMs?: number;
}

/** Calls that one process may make. They count until `until`, in ms of the ledger's clock. */
export interface Slice {
  id: string;
  calls: number;
  until: number;
}

/** Calls of one login: the slices that count, and the time until which the service refuses all (0: it does not). */
export interface Book {
  slices: Slice[];
  blockedUntil: number;
}

/** A slice of which no call is left or under way: how many were made, and how long ago the last one was answered. */
export interface Ended {
  id: string;
  calls: number;
  agoMs: number;
}

/** A process asks for calls. */
export interface Ask {
  /** Names the login; it holds no secret. */
  key: string;
  /** One of a few words, by which measures are told. */
  service: string;
  limit: Limit;
  /** The part of the limit that this caller may use; the rest is kept for others. */
  share: number;
  wanted: number;
  ended: readonly Ended[];
}

/** The answer: a slice whose calls have to begin within `lastsMs` of the ask; of none, when the next call may be made. */
export interface Grant {
  id: string;
  calls: number;
  lastsMs: number;
  opensInMs: number;
  /** Calls left of the limit; 0 while the service refuses all. */
  left: number;
}

/** Where the calls of a login are counted, for all who share it. */
export interface Ledger {
  take: (ask: Ask) => Promise<Grant>;
  /** The service refuses all calls of the login for so long. Never shortens an earlier block. */
  block: (ask: Pick<Ask, 'key' | 'service' | 'limit'>, ms: number) => Promise<void>;
  /** Counts the slices as they ended, when no further call is made. */
  settle: (ask: Pick<Ask, 'key' | 'service' | 'limit' | 'ended'>) => Promise<void>;
}

// Calls of a slice begin within BEGIN_MS and are answered within ANSWER_MS: what a process that has died leaves counts so much longer.
const BEGIN_MS = 3_000;
const ANSWER_MS = 30_000;
/** The longest time for which a service's refusal holds all calls back. */
export const LONGEST_BLOCK_MS = 3_600_000;

export const EMPTY_BOOK: Book = { slices: [], blockedUntil: 0 };

const sumOf = (slices: readonly Slice[]): number => slices.reduce((sum, { calls }) => sum + calls, 0);

/** Returns what of a book counts now. A time that is further away than any can be was noted before the clock was set back. */
function pruned({ slices, blockedUntil }: Book, { seconds }: Limit, now: number): Book {
  const latest = now + seconds * 1_000 + BEGIN_MS + ANSWER_MS;
  return {
    slices: slices
      .filter(({ calls, until }) => calls > 0 && until > now)
      .map(({ id, calls, until }) => ({ id, calls, until: Math.min(until, latest) })),
    blockedUntil: blockedUntil > now ? Math.min(blockedUntil, now + LONGEST_BLOCK_MS) : 0,
  };
}

/** Returns what is left of a limit, and for how many ms the service refuses all calls. */
export function standOf(book: Book, limit: Limit, now: number): { left: number; blockedMs: number } {
  const { slices, blockedUntil } = pruned(book, limit, now);
  const blockedMs = Math.max(0, blockedUntil - now);
  return { left: blockedMs > 0 ? 0 : Math.max(0, limit.calls - sumOf(slices)), blockedMs };
}

/** Returns the book with the slices counted as they ended: from the answer of their last call for one period. */
export function settled(book: Book, { limit, ended }: Pick<Ask, 'limit' | 'ended'>, now: number): Book {
  const ends = new Map(ended.map((slice) => [slice.id, slice]));
  const slices = book.slices.map((slice) => {
    const end = ends.get(slice.id);
    if (!end) return slice;
    return { ...slice, calls: end.calls, until: Math.min(slice.until, now - end.agoMs + limit.seconds * 1_000) };
  });
  return pruned({ ...book, slices }, limit, now);
}

/** Returns when a book has room for one more call within so many. */
function opensAt({ slices, blockedUntil }: Book, most: number): number {
  let counted = sumOf(slices);
  let at = blockedUntil;
  for (const { calls, until } of slices.toSorted((one, other) => one.until - other.until)) {
    if (counted < most) break;
    counted -= calls;
    at = Math.max(at, until);
  }
  return at;
}

/**
 * Grants calls from a book at a time of its clock. A call counts from its grant until one period after its answer, because the time of
 * its arrival is not known: so no period at the service, wherever it begins, has more calls than allowed.
 */
export function grantFrom(book: Book, ask: Ask, now: number): { book: Book; grant: Grant } {
  const { limit, share, wanted } = ask;
  const kept = settled(book, ask, now);
  const most = Math.max(Math.floor(limit.calls * share), 1);
  const { left } = standOf(kept, limit, now);
  const room = kept.blockedUntil > now ? 0 : most - sumOf(kept.slices);
  const calls = Math.max(0, Math.min(wanted, room));
  const id = randomUUID().slice(0, 8);
  const opensInMs = calls > 0 ? 0 : Math.max(1, Math.ceil(opensAt(kept, most) - now));
  const grant = { id, calls, lastsMs: BEGIN_MS, opensInMs, left: Math.max(0, left - calls) };
  if (calls === 0) return { book: kept, grant };
  const until = now + BEGIN_MS + ANSWER_MS + limit.seconds * 1_000;
  return { book: { ...kept, slices: [...kept.slices, { id, calls, until }] }, grant };
}

/** Returns the book with all calls refused for so long. */
export const blocked = (book: Book, ms: number, now: number): Book => ({
  ...book,
  blockedUntil: Math.max(book.blockedUntil, now + Math.min(ms, LONGEST_BLOCK_MS)),
});

/** Makes a ledger that only this process knows. */
export function memoryLedger(): Ledger {
  const books = new Map<string, Book>();
  // Of a clock that is never set.
  const now = (): number => performance.now();
  const bookOf = (key: string): Book => books.get(key) ?? EMPTY_BOOK;
  return {
    async take(ask) {
      const { book, grant } = grantFrom(bookOf(ask.key), ask, now());
      books.set(ask.key, book);
      return grant;
    },
    async block({ key }, ms) {
      books.set(key, blocked(bookOf(key), ms, now()));
    },
    async settle(ask) {
      books.set(ask.key, settled(bookOf(ask.key), ask, now()));
    },
  };
}

const own = memoryLedger();
let shared: Ledger = own;

/** Sets where this process counts its calls together with others; undefined: it counts for itself. */
export const useLedger = (ledger: Ledger | undefined): void => {
  shared = ledger ?? own;
};

/** Returns where this process counts its calls. */
export const sharedLedger = (): Ledger => shared;
