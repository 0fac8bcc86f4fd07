import { isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { usualLookMs } from '../../lib/password.ts';
import { AppError } from '../../shared/errors.ts';
import { hasSignedInFrom } from './sign-in-networks.ts';

const WINDOW_MS = 15 * 60_000;
// Wrong tries in a window, without waiting: of a login from one network, of a login, of a network.
const PAIR_FREE = 5;
const LOGIN_FREE = 10;
const NETWORK_FREE = 30;
// In all, those after a wait included. Together 30: the most that is looked at for a login in a window.
const LOGIN_STRANGERS = 20;
const LOGIN_KNOWN = 10;
// Who has used the free ones up waits so long from his first refusal, and the login's other strangers as long as GAP.
const PATIENCE_MS = 15_000;
const GAP_MS = 12_000;
// A wait that nobody comes back from ends, and there are only so many at once.
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
    // A map keeps the order in which its keys came: the oldest are the least of use.
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

const byPair = new Tries();
const byNetwork = new Tries();
const byStrangers = new Tries();
const byKnown = new Tries();
/** When the wait of a login from a network has begun. */
const waits = new Map<string, number>();

/** What one subscriber has: an address of IPv4, and of IPv6 the first 64 bits. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  // The URL parser writes an address of IPv6 in the one short form.
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

/** Milliseconds that a pair still has to wait; the first question begins the wait. */
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

/** A try that may be made. One of `giveBack` (nobody looked at the password) and `forgive` (it was right) may follow. */
export interface Claim {
  /** The refusal that a stranger would have got here: a wrong password gets it as well, so it tells nothing. */
  asStranger: AppError | null;
  giveBack: () => void;
  forgive: () => void;
}

/** The refusal of a stranger's try, or null, and then it is counted. */
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
 * Takes a try before the password is looked at, so that a flood of requests at once does not slip through. Throws
 * `too_many` where the login, the network or the two together have used their tries up: who comes back after
 * `retryAfter` has one more. A login that has signed in from the network has tries of its own beside those of strangers.
 */
export async function claimAttempt(name: string, address: string): Promise<Claim> {
  // No login is longer than 64 characters, so what is cut off here tells none apart, and keeps the memory small.
  const login = name.toLowerCase().slice(0, 65);
  const network = networkOf(address);
  const pair = `${login}\n${network}`;
  // Before anything is counted: what follows is one step, whatever comes at once.
  const isKnown = await hasSignedInFrom(login, network);
  const isOwnFault = byPair.count(pair) >= PAIR_FREE;
  const refusal = refuseStranger(login, network, pair);
  const own = refusal === null ? byStrangers : byKnown;
  if (refusal) {
    const isRefused = !isKnown || isOwnFault || byKnown.count(login) >= LOGIN_KNOWN;
    // As late as where a password was looked at: at once would tell who has never signed in from there.
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

/** Takes a try of a first-run link. Throws `too_many` after five in 15 minutes from a network. */
export function claimSetup(address: string): void {
  const pair = `\n${networkOf(address)}`;
  if (byPair.count(pair) >= PAIR_FREE) throw tooMany(byPair.freeIn(pair));
  byPair.add(pair);
}

/** The link was right: its tries did not count. */
export const forgiveSetup = (address: string): void => byPair.clear(`\n${networkOf(address)}`);
