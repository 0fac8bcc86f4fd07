import { isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { transaction } from '../../../db/index.ts';
import { plainAddress } from '../../shared/plain-address.ts';
import { refuseLateSignIn, usualLookMs } from '../../lib/password.ts';
import { foldLogin } from '../../shared/access/logins.ts';
import { AppError } from '../../shared/errors.ts';
import { BoundedMap } from './bounded-map.ts';
import { hasSignedInFrom, learnNetworks } from './sign-in-networks.ts';
import { A_DEVICE, counted, judge, TRY_COUNTS_MS, without, type Try } from './throttle-book.ts';
import type { TryKeys } from './throttle-rows.ts';
import { beginWait, keysOf, ownWaitOf, readBook, storeBook, type OwnWait } from './throttle-store.ts';

const WINDOW_MS = TRY_COUNTS_MS;
const PAIR_FREE = 5;
const MAX_KEYS = 50_000;
// After a refusal at once its answer stands for so long, so that repeated tries do not read the database.
const REFUSED_AGAIN_MS = 1_000;

/** Times of the tries of the last 15 minutes by key. */
class Tries {
  private readonly times = new BoundedMap<string, number[]>(MAX_KEYS);

  count(key: string): number {
    const recent = (this.times.get(key) ?? []).filter((time) => time > Date.now() - WINDOW_MS);
    if (recent.length > 0) this.times.set(key, recent);
    else this.times.delete(key);
    return recent.length;
  }

  add(key: string): void {
    this.times.set(key, [...(this.times.get(key) ?? []), Date.now()]);
  }

  clear(key: string): void {
    this.times.delete(key);
  }

  /** Milliseconds until the oldest no longer counts. */
  freeIn(key: string): number {
    return (this.times.get(key)?.[0] ?? 0) + WINDOW_MS - Date.now();
  }
}

// A calendar that was not told of a new address asks every hour or so.
const FEEDS_WRONG = 30;

// Links of a first run and feeds have random tokens that nobody guesses: each process counts its own.
const bySetup = new Tries();
const byWrongFeed = new Tries();
/** Own faults that were refused lately: for how long still, and when. */
const refused = new BoundedMap<string, { ms: number; since: number }>(MAX_KEYS);

/** Returns the network of one subscriber: an IPv4 address, or the first 64 bits of an IPv6 one. */
export function networkOf(address: string): string {
  const plain = plainAddress(address);
  if (isIP(plain) !== 6) return plain;
  const [head = '', tail] = plain.replace(/%.*/, '').split('::');
  const groups = head === '' ? [] : head.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === '' ? 0 : tail.split(':').length);
  const all = [...groups, ...Array.from({ length: missing }, () => '0'), ...(tail ? tail.split(':') : [])];
  return `${all.slice(0, 4).join(':')}::/64`;
}

function tooMany(milliseconds: number): AppError {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
  return new AppError('too_many', 'error.too_many', { seconds }, { retryAfter: seconds });
}

/** A counted try. One of `giveBack` (the password was not verified) and `forgive` (it was right) may follow. */
export interface Claim {
  /**
   * The refusal that a stranger would have got. A wrong password gets it as well, so that it does not tell whether the
   * network is known.
   */
  asStranger: AppError | null;
  giveBack: () => Promise<void>;
  /** Inside the transaction of what the right password is for, if there is one. */
  forgive: () => Promise<void>;
}

/**
 * Counts a try before the password is verified, so that a flood of simultaneous requests does not slip through. Throws
 * AppError `too_many` where the tries of the login, the network or the two together are used up: after `retryAfter`
 * there is one more. A login that has signed in from the network, or by the device (`isDevice`), has tries of its own beside those of
 * strangers; a password that was refused and comes again after the wait has one that no other password uses up.
 */
export async function claimAttempt(name: string, address: string, password = '', isDevice = false): Promise<Claim> {
  if (!isDevice) return claim('', name, networkOf(address), password);
  // A device that has used up its tries is one of its network.
  return claim('', name, A_DEVICE, password).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.kind !== 'too_many') throw error;
    return claim('', name, networkOf(address), password);
  });
}

/** As `claimAttempt`, for codes of the second factor, which have tries of their own: whoever guesses them knows the password. */
export const claimCode = (name: string, address: string): Promise<Claim> => claim('code', name, networkOf(address));

/** As `claimAttempt`, for a sign-in by a passkey alone; an empty name for one that nobody has. */
export const claimPasskey = (name: string, address: string): Promise<Claim> =>
  claim('passkey', name, networkOf(address));

/** Refuses at once whom the last answer has told to wait. It costs nothing, so that a flood does not either. */
function refuseAgain(key: string, own: OwnWait): void {
  const last = refused.get(key);
  if (!last || own.left() === 0) return;
  const passed = Date.now() - last.since;
  if (passed < 0 || passed >= Math.min(last.ms, REFUSED_AGAIN_MS)) return;
  own.begin();
  throw tooMany(last.ms - passed);
}

/** Gives a counted try back, in the book as it is by now. */
const takeBack = (keys: TryKeys, own: Try, isRight: boolean): Promise<void> =>
  transaction(async () => {
    const { book, now } = await readBook(keys);
    await storeBook(keys, without(book, own, isRight), book.wait !== null, now);
    if (isRight) refused.delete(keys.wait);
  });

async function claim(kind: string, name: string, network: string, password = ''): Promise<Claim> {
  // No login is longer than 64 characters: cutting keeps the books small and makes no two of them equal.
  const given = foldLogin(name).slice(0, 65);
  const isDevice = network === A_DEVICE;
  // A list: no name that somebody types is that of another kind.
  const keys = keysOf(JSON.stringify([kind, given]), isDevice ? `${A_DEVICE} ${given}` : network);
  const own = ownWaitOf(keys, password);
  refuseAgain(keys.wait, own);
  let isKnown = isDevice || (await hasSignedInFrom(given, network));
  const look = async () => {
    const { book, now } = await readBook(keys);
    return { ...judge(book, { network, isKnown, ownMs: own.left() }, now), book, now };
  };
  let found = await look();
  // Another server may have signed him in.
  if (found.isRefused && (await learnNetworks())) {
    isKnown ||= await hasSignedInFrom(given, network);
    if (isKnown) found = await look();
  }
  if (!found.isRefused) {
    // Looked at again where one process at a time writes: of simultaneous tries none slips through.
    found = await transaction(async () => {
      const last = await look();
      if (last.isRefused) return last;
      // No password is verified for a try that is not counted, nor counted where none would be verified.
      if (kind === '') refuseLateSignIn();
      const { book, now } = last;
      own.end();
      await storeBook(keys, counted(book, network, last.strangerMs > 0, now), book.wait !== null, now);
      return last;
    });
  }
  const { strangerMs, isRefused, isOwnFault, beginsWait, now } = found;
  const refusal = strangerMs > 0 ? tooMany(strangerMs) : null;
  if (beginsWait) beginWait(keys, now);
  if (refusal && isRefused) {
    own.begin();
    if (isOwnFault) refused.set(keys.wait, { ms: strangerMs, since: Date.now() });
    // Refused as late as after a verified password: an immediate refusal would tell that the login never signed in from
    // there.
    else await sleep(usualLookMs());
    throw refusal;
  }
  const counts = { at: now, network, known: refusal !== null };
  return {
    asStranger: refusal,
    giveBack: () => takeBack(keys, counts, false),
    forgive: () => takeBack(keys, counts, true),
  };
}

/** Counts a try of a first-run link. Throws AppError `too_many` after five in 15 minutes from a network. */
export function claimSetup(address: string): void {
  const pair = `\n${networkOf(address)}`;
  if (bySetup.count(pair) >= PAIR_FREE) throw tooMany(bySetup.freeIn(pair));
  bySetup.add(pair);
}

/** Forgets a network's tries of a first-run link, after the right one. */
export const forgiveSetup = (address: string): void => bySetup.clear(`\n${networkOf(address)}`);

/** Counts a wrong token of a feed. Throws AppError `too_many` after thirty in 15 minutes from a network. */
export function countWrongFeed(address: string): void {
  const network = networkOf(address);
  if (byWrongFeed.count(network) >= FEEDS_WRONG) throw tooMany(byWrongFeed.freeIn(network));
  byWrongFeed.add(network);
}
