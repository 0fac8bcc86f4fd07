const WINDOW_MS = 15 * 60_000;
// Failed tries in a window before a wait begins: of a login from one network, of a login, of a network.
const PAIR_FREE = 5;
const LOGIN_FREE = 10;
const NETWORK_FREE = 30;
// More are kept than count: one that is given back, as of a right password, must not have pushed out a wrong one.
const NETWORK_KEPT = 2 * NETWORK_FREE;
// Tries of a login in a window, those after a wait included: by strangers, and from known networks. Together 30: no
// more passwords are verified for a login.
const LOGIN_STRANGERS = 20;
const LOGIN_KNOWN = 10;
// The wait after the free tries, from the first refusal; and the gap between two tries of strangers at the same login.
const PATIENCE_MS = 15_000;
const GAP_MS = 12_000;
// A wait is forgotten this long after it has passed.
const WAIT_ENDS_MS = 60_000;
// A time further ahead was noted before the clock was set back.
const AHEAD_MS = 60_000;

/** For how long a try counts, and a wait lasts, in ms. */
export const TRY_COUNTS_MS = WINDOW_MS;
export const WAIT_LASTS_MS = PATIENCE_MS + WAIT_ENDS_MS;

/** A counted try of a login: when, from which network ('' once a right password came from there), and whether as one that is known there. */
export interface Try {
  at: number;
  network: string;
  known: boolean;
}

/** The stored tries of a login, those of a network (their times), and the start of the wait of the two together. Times in ms. */
export interface Book {
  tries: Try[];
  network: number[];
  wait: number | null;
}

/** The verdict on a try: the wait of a stranger in ms (0: none), and whether this caller is refused as well. */
export interface Verdict {
  strangerMs: number;
  isRefused: boolean;
  /** The login has used up its tries from that very network. */
  isOwnFault: boolean;
  /** The refusal begins a wait. */
  beginsWait: boolean;
}

/** Whether a time of a try still counts, for so many ms. A time far ahead does not: it was noted before the clock was set back. */
export const counts =
  (now: number, forMs: number) =>
  (at: number): boolean =>
    at > now - forMs && at <= now + AHEAD_MS;

/** Returns what of a book counts now. */
export function currentBook({ tries, network, wait }: Book, now: number): Book {
  const isCurrent = counts(now, WINDOW_MS);
  return {
    tries: tries.filter(({ at }) => isCurrent(at)),
    network: network.filter(isCurrent),
    wait: wait !== null && now - wait < WAIT_LASTS_MS && wait <= now + AHEAD_MS ? wait : null,
  };
}

/** Returns how long a stranger has to wait now, and whether that begins his wait. */
function strangerWait({ tries, network, wait }: Book, isOwnFault: boolean, now: number): [number, boolean] {
  const strangers = tries.filter(({ known }) => !known);
  if (strangers.length >= LOGIN_STRANGERS) return [strangers[0]!.at + WINDOW_MS - now, false];
  const isLoginBusy = strangers.length >= LOGIN_FREE;
  if (!isLoginBusy && !isOwnFault && network.length < NETWORK_FREE) return [0, false];
  const patience = (wait ?? now) + PATIENCE_MS - now;
  const gap = isLoginBusy ? strangers.at(-1)!.at + GAP_MS - now : 0;
  return [Math.max(patience, gap, 0), wait === null];
}

/** Judges a try by a current book; `isKnown`: the login has signed in from that network. */
export function judge(book: Book, network: string, isKnown: boolean, now: number): Verdict {
  const isOwnFault = book.tries.filter((each) => each.network === network).length >= PAIR_FREE;
  const [strangerMs, beginsWait] = strangerWait(book, isOwnFault, now);
  const known = book.tries.filter((each) => each.known).length;
  const isRefused = strangerMs > 0 && (!isKnown || isOwnFault || known >= LOGIN_KNOWN);
  return { strangerMs, isRefused, isOwnFault, beginsWait };
}

/** Returns the book with one more try, which uses a wait up unless it was let in beside strangers. */
export const counted = (book: Book, network: string, known: boolean, now: number): Book => ({
  tries: [...book.tries, { at: now, network, known }],
  network: [...book.network, now].slice(-NETWORK_KEPT),
  wait: known ? book.wait : null,
});

/** Returns the book without a try; with `isRight` the other tries of that login from that network are no fault any more. */
export function without(book: Book, { at, network, known }: Try, isRight: boolean): Book {
  const own = book.tries.findIndex((each) => each.at === at && each.network === network && each.known === known);
  const seen = book.network.indexOf(at);
  const tries = book.tries.filter((_, index) => index !== own);
  return {
    tries: isRight ? tries.map((each) => (each.network === network ? { ...each, network: '' } : each)) : tries,
    network: book.network.filter((_, index) => index !== seen),
    wait: isRight ? null : book.wait,
  };
}
