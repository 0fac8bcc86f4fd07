import { isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { usualLookMs } from '../../lib/password.ts';
import { AppError } from '../../shared/errors.ts';
import { hasSignedInFrom } from './sign-in-networks.ts';

const WINDOW_MS = 15 * 60_000;
// Failed tries in a window before a wait begins: of a login from one network, of a login, of a network.
const PAIR_FREE = 5;
const LOGIN_FREE = 10;
const NETWORK_FREE = 30;
// Tries of a login in a window, those after a wait included: by strangers, and from known networks. Together 30: no
// more passwords are verified for a login.
const LOGIN_STRANGERS = 20;
const LOGIN_KNOWN = 10;
// The wait after the free tries, from the first refusal; and the gap between two tries of strangers at the same login.
const PATIENCE_MS = 15_000;
const GAP_MS = 12_000;
// A wait is forgotten this long after it has passed, and only so many are kept.
const WAIT_ENDS_MS = 60_000;
const MAX_WAITS = 10_000;
const MAX_KEYS = 50_000;

/** Times of the tries of the last 15 minutes by key. */
class Tries {
  private readonly times = new Map<string, number[]>();

  count(key: string): number {
    const recent = (this.times.get(key) ?? []).filter((time) => time > Date.now() - WINDOW_MS);
    if (recent.length > 0) this.times.set(key, recent);
    else this.times.delete(key);
    return recent.length;
  }

  add(key: string): void {
    // A map keeps the order of insertion: the oldest keys are dropped.
    if (this.times.size >= MAX_KEYS) for (const [oldest] of [...this.times].slice(0, MAX_KEYS / 10)) this.clear(oldest);
    this.times.set(key, [...(this.times.get(key) ?? []), Date.now()]);
  }

  takeBack(key: string): void {
    this.times.get(key)?.pop();
  }

  clear(key: string): void {
    this.times.delete(key);
  }

  /** Milliseconds until the oldest no longer counts. */
  freeIn(key: string): number {
    return (this.times.get(key)?.[0] ?? 0) + WINDOW_MS - Date.now();
  }

  last(key: string): number {
    return this.times.get(key)?.at(-1) ?? 0;
  }
}

// A calendar that was not told of a new address asks every hour or so.
const FEEDS_WRONG = 30;

const byPair = new Tries();
const byNetwork = new Tries();
const byStrangers = new Tries();
const byKnown = new Tries();
const byWrongFeed = new Tries();
/** When the wait of a login from a network has begun. */
const waits = new Map<string, number>();

/** Returns the network of one subscriber: an IPv4 address, or the first 64 bits of an IPv6 one. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  // The URL parser writes an IPv6 address in its one short form.
  const short = new URL(`http://[${address.replace(/%.*/, '')}]/`).hostname.slice(1, -1);
  const [head = '', tail] = short.split('::');
  const groups = head === '' ? [] : head.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === '' ? 0 : tail.split(':').length);
  const all = [...groups, ...Array.from({ length: missing }, () => '0'), ...(tail ? tail.split(':') : [])];
  return `${all.slice(0, 4).join(':')}::/64`;
}

function tooMany(milliseconds: number): AppError {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
  return new AppError('too_many', 'error.too_many', { seconds }, { retryAfter: seconds });
}

/** Returns the milliseconds that a pair still has to wait; the first call begins the wait. */
function patienceLeft(pair: string): number {
  const now = Date.now();
  const begun = waits.get(pair);
  if (begun !== undefined && now - begun < PATIENCE_MS + WAIT_ENDS_MS) return begun + PATIENCE_MS - now;
  for (const [oldest, time] of waits) {
    if (waits.size < MAX_WAITS && now - time < PATIENCE_MS + WAIT_ENDS_MS) break;
    waits.delete(oldest);
  }
  waits.set(pair, now);
  return PATIENCE_MS;
}

/** A counted try. One of `giveBack` (the password was not verified) and `forgive` (it was right) may follow. */
export interface Claim {
  /**
   * The refusal that a stranger would have got. A wrong password gets it as well, so that it does not tell whether the
   * network is known.
   */
  asStranger: AppError | null;
  giveBack: () => void;
  forgive: () => void;
}

/** Returns the refusal of a stranger's try; or null, and counts the try. */
function refuseStranger(login: string, network: string, pair: string): AppError | null {
  if (byStrangers.count(login) >= LOGIN_STRANGERS) return tooMany(byStrangers.freeIn(login));
  const isLoginBusy = byStrangers.count(login) >= LOGIN_FREE;
  if (isLoginBusy || byPair.count(pair) >= PAIR_FREE || byNetwork.count(network) >= NETWORK_FREE) {
    const patience = patienceLeft(pair);
    const gap = isLoginBusy ? byStrangers.last(login) + GAP_MS - Date.now() : 0;
    if (Math.max(patience, gap) > 0) return tooMany(Math.max(patience, gap));
    waits.delete(pair);
  }
  byStrangers.add(login);
  return null;
}

/**
 * Counts a try before the password is verified, so that a flood of simultaneous requests does not slip through. Throws
 * AppError `too_many` where the tries of the login, the network or the two together are used up: after `retryAfter`
 * there is one more. A login that has signed in from the network has tries of its own beside those of strangers.
 */
export const claimAttempt = (name: string, address: string): Promise<Claim> => claim('', name, address);

/** As `claimAttempt`, for codes of the second factor, which have tries of their own: whoever guesses them knows the password. */
export const claimCode = (name: string, address: string): Promise<Claim> => claim('code\n', name, address);

/** As `claimAttempt`, for a sign-in by a passkey alone; an empty name for one that nobody has. */
export const claimPasskey = (name: string, address: string): Promise<Claim> => claim('passkey\n', name, address);

async function claim(kind: string, name: string, address: string): Promise<Claim> {
  // No login is longer than 64 characters: cutting keeps the memory small and makes no two of them equal.
  const given = name.toLowerCase().slice(0, 65);
  const login = `${kind}${given}`;
  const network = networkOf(address);
  const pair = `${login}\n${network}`;
  // Awaited before anything is counted: the counting below is synchronous, so that simultaneous tries can't interleave.
  const isKnown = await hasSignedInFrom(given, network);
  const isOwnFault = byPair.count(pair) >= PAIR_FREE;
  const refusal = refuseStranger(login, network, pair);
  const own = refusal === null ? byStrangers : byKnown;
  if (refusal) {
    const isRefused = !isKnown || isOwnFault || byKnown.count(login) >= LOGIN_KNOWN;
    // Refused as late as after a verified password: an immediate refusal would tell that the login never signed in from
    // there.
    if (isRefused && !isOwnFault) await sleep(usualLookMs());
    if (isRefused) throw refusal;
    byKnown.add(login);
  }
  byPair.add(pair);
  byNetwork.add(network);
  const giveBack = (): void => {
    own.takeBack(login);
    byPair.takeBack(pair);
    byNetwork.takeBack(network);
  };
  return {
    asStranger: refusal,
    giveBack,
    forgive: () => {
      giveBack();
      byPair.clear(pair);
      waits.delete(pair);
    },
  };
}

/** Counts a try of a first-run link. Throws AppError `too_many` after five in 15 minutes from a network. */
export function claimSetup(address: string): void {
  const pair = `\n${networkOf(address)}`;
  if (byPair.count(pair) >= PAIR_FREE) throw tooMany(byPair.freeIn(pair));
  byPair.add(pair);
}

/** Forgets a network's tries of a first-run link, after the right one. */
export const forgiveSetup = (address: string): void => byPair.clear(`\n${networkOf(address)}`);

/** Counts a wrong token of a feed. Throws AppError `too_many` after thirty in 15 minutes from a network. */
export function countWrongFeed(address: string): void {
  const network = networkOf(address);
  if (byWrongFeed.count(network) >= FEEDS_WRONG) throw tooMany(byWrongFeed.freeIn(network));
  byWrongFeed.add(network);
}
