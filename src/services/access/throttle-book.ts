const WINDOW_MS = 15 * 60_000;
// Failed tries in a window before a wait begins: of a login from one network, of a login, of a network.
const PAIR_FREE = 5;
// From then on so many are for the first to come after the wait; further ones for those alone who have waited with that very password.
const PAIR_SHARED = 2;
const LOGIN_FREE = 10;
const NETWORK_FREE = 30;
// More are kept than count: one that is given back, as of a right password, must not have pushed out a wrong one.
const NETWORK_KEPT = 2 * NETWORK_FREE;
// Tries of a login in a window, those after a wait included: by strangers, by known networks and devices, of these by networks. Strangers
// and known together 30: no more passwords are verified for a login.
const LOGIN_STRANGERS = 20;
const LOGIN_KNOWN = 10;
const LOGIN_KNOWN_NETWORKS = 5;
// Of these so many from a network without a wait.
const PAIR_KNOWN = 3;
// Of the tries of strangers the last eight are for networks that have had fewer than two.
const LOGIN_CROWDED = 12;
const FEW = 2;
// The wait after the free tries, from the first refusal.
const PATIENCE_MS = 15_000;
// A wait is forgotten this long after it has passed.
const WAIT_ENDS_MS = 60_000;
// A time further ahead was noted before the clock was set back.
const AHEAD_MS = 60_000;

/** The network of tries by devices that have signed in before, wherever they are. */
export const A_DEVICE = 'device';

/** For how long a try counts, and a wait lasts, in ms. */
export const TRY_COUNTS_MS = WINDOW_MS;
export const WAIT_LASTS_MS = PATIENCE_MS + WAIT_ENDS_MS;

/** A counted try of a login: when, from which network (`forgiven` once a right password came from there), and whether as one that is known there. */
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

/** Returns what is left of a wait that has begun `passed` ms ago: all of it where that is forgotten. */
export const waitLeft = (passed: number): number =>
  passed < 0 || passed >= WAIT_LASTS_MS ? PATIENCE_MS : Math.max(0, PATIENCE_MS - passed);

/**
 * Who tries: from which network, whether the login has signed in from there, and what is left of the wait with that very password; null:
 * there is none, as for codes, and the network has one wait for all.
 */
export interface Caller {
  network: string;
  isKnown: boolean;
  ownMs: number | null;
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

const forgiven = (network: string): string => `~${network}`;

/** Counts the tries from a network, those that a right password has forgiven as well: others may have made them. */
const from = (tries: readonly Try[], network: string): number =>
  tries.filter((each) => each.network === network || each.network === forgiven(network)).length;

/** Returns how long a stranger has to wait now, and whether that begins the wait that its network shares. */
function strangerWait({ tries, network, wait }: Book, caller: Caller, pair: number, now: number): [number, boolean] {
  const strangers = tries.filter(({ known }) => !known);
  // The wait of a login that is known there: another one would tell that this one is not.
  if (strangers.length >= LOGIN_CROWDED && from(tries, caller.network) >= FEW)
    return [caller.ownMs || PATIENCE_MS, false];
  if (strangers.length >= LOGIN_STRANGERS) return [strangers[0]!.at + WINDOW_MS - now, false];
  if (strangers.length < LOGIN_FREE && pair < PAIR_FREE && network.length < NETWORK_FREE) return [0, false];
  const isShared = caller.ownMs === null || pair < PAIR_FREE + PAIR_SHARED;
  const sharedMs = isShared ? (wait ?? now) + PATIENCE_MS - now : PATIENCE_MS;
  return [Math.max(Math.min(sharedMs, caller.ownMs ?? PATIENCE_MS), 0), wait === null];
}

/** Judges a try by a current book. */
export function judge(book: Book, caller: Caller, now: number): Verdict {
  const { network, isKnown, ownMs } = caller;
  const pair = book.tries.filter((each) => each.network === network).length;
  const isOwnFault = pair >= PAIR_FREE;
  const [strangerMs, beginsWait] = strangerWait(book, caller, pair, now);
  const known = book.tries.filter((each) => each.known);
  const byNetworks = known.filter((each) => each.network !== A_DEVICE);
  const isUsedUp = known.length >= LOGIN_KNOWN || (network !== A_DEVICE && byNetworks.length >= LOGIN_KNOWN_NETWORKS);
  const isBeside =
    isKnown &&
    !isUsedUp &&
    (ownMs === 0 || from(book.tries, network) < (network === A_DEVICE ? PAIR_FREE : PAIR_KNOWN));
  return { strangerMs, isRefused: strangerMs > 0 && !isBeside, isOwnFault, beginsWait };
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
    tries: isRight
      ? tries.map((each) => (each.network === network ? { ...each, network: forgiven(network) } : each))
      : tries,
    network: book.network.filter((_, index) => index !== seen),
    wait: isRight ? null : book.wait,
  };
}
