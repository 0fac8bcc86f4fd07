// An hour of guessing without pause, by the rules of the throttle alone: how long the owner of the login waits, and how many passwords are verified.
import { describe, expect, test } from 'vitest';
import {
  A_DEVICE,
  counted,
  currentBook,
  judge,
  waitLeft,
  WAIT_LASTS_MS,
  without,
  type Book,
  type Try,
} from '../../../src/services/access/throttle-book.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const RIGHT = 'the right one';
const HOME = '192.0.2.1';
const elsewhere = (count: number): string[] => Array.from({ length: count }, (_, index) => `198.51.100.${index}`);

/** A caller with a password, and whether the login is known there. */
interface Guess {
  network: string;
  isKnown: boolean;
  password: string;
}

/** The throttle of one login, on a clock of its own. */
class Login {
  private tries: Try[] = [];
  private readonly networks = new Map<string, number[]>();
  private readonly waits = new Map<string, number | null>();
  private readonly refusals = new Map<string, number>();
  readonly verified: number[] = [];

  private store(network: string, { tries, network: times, wait }: Book): void {
    this.tries = tries;
    this.networks.set(network, times);
    this.waits.set(network, wait);
  }

  /** Tries a password; returns 0 where it is verified, else the seconds of `Retry-After`. */
  try({ network, isKnown, password }: Guess, now: number): number {
    const wait = this.waits.get(network) ?? null;
    const book = currentBook({ tries: this.tries, network: this.networks.get(network) ?? [], wait }, now);
    const own = `${network} ${password}`;
    const passed = now - (this.refusals.get(own) ?? Number.NEGATIVE_INFINITY);
    const { strangerMs, isRefused, beginsWait } = judge(book, { network, isKnown, ownMs: waitLeft(passed) }, now);
    if (beginsWait) this.waits.set(network, now);
    if (isRefused) {
      if (passed >= WAIT_LASTS_MS) this.refusals.set(own, now);
      return Math.ceil(strangerMs / SECOND);
    }
    this.refusals.delete(own);
    const known = strangerMs > 0;
    const next = counted(book, network, known, now);
    const isRight = password === RIGHT;
    this.store(network, isRight ? without(next, { at: now, network, known }, true) : next);
    if (!isRight) this.verified.push(now);
    return 0;
  }

  /** The most wrong passwords that were verified in any 15 minutes. */
  most(): number {
    const within = (from: number): number => this.verified.filter((at) => at >= from && at < from + 15 * MINUTE).length;
    return Math.max(...this.verified.map(within));
  }
}

/** Guesses another password at each try, without a pause, or the same one until it is verified, when `Retry-After` says so. */
type Way = 'without a pause' | 'as told';

class Attacker {
  private next = 0;
  private guess = 0;
  constructor(
    private readonly caller: Omit<Guess, 'password'>,
    private readonly way: Way,
  ) {}

  act(login: Login, now: number): void {
    if (this.next > now) return;
    const seconds = login.try({ ...this.caller, password: `guess ${this.guess}` }, now);
    if (this.way === 'as told') this.next = now + seconds * SECOND;
    if (this.way === 'without a pause' || seconds === 0) this.guess += 1;
  }
}

/**
 * Lets these networks guess for an hour. The owner comes every 7 minutes, and tries again when told to; returns the longest time that it took,
 * in seconds, and the most passwords that were verified in 15 minutes.
 */
function siege(networks: readonly string[], way: Way, owner: Omit<Guess, 'password'>): { worst: number; most: number } {
  const login = new Login();
  const attackers = networks.map(
    (network) => new Attacker({ network, isKnown: owner.isKnown && network === owner.network }, way),
  );
  const waited: number[] = [];
  let came = 3 * MINUTE;
  let next = came;
  for (let now = 0; now < 60 * MINUTE; now += 250) {
    for (const attacker of attackers) attacker.act(login, now);
    if (now < next) continue;
    const seconds = login.try({ ...owner, password: RIGHT }, now);
    next = now + seconds * SECOND;
    if (seconds > 0) continue;
    waited.push((now - came) / SECOND);
    came = now + 7 * MINUTE;
    next = came;
  }
  if (came < 60 * MINUTE) waited.push((60 * MINUTE - came) / SECOND);
  return { worst: Math.max(...waited), most: login.most() };
}

const byDevice = { network: A_DEVICE, isKnown: true };
const atHome = { network: HOME, isKnown: true };
const anew = { network: HOME, isKnown: false };

describe.each(['without a pause', 'as told'] as const)('while others guess %s', (way) => {
  test.each([
    ['a device that has signed in before', 'at its own address', [HOME], byDevice, 0],
    ['a device that has signed in before', 'there and at 20 others', [HOME, ...elsewhere(20)], byDevice, 0],
    ['a known network', 'at 20 other addresses', elsewhere(20), atHome, 0],
    ['a network that is not known', 'at one other address', elsewhere(1), anew, 15],
    ['a network that is not known', 'at four other addresses', elsewhere(4), anew, 15],
    ['a network that is not known', 'at six other addresses', elsewhere(6), anew, 15],
  ] as const)('the owner gets in from %s, who guess %s', (_, __, networks, owner, worst) => {
    const found = siege(networks, way, owner);
    expect(found.worst).toBeLessThanOrEqual(worst);
    expect(found.most).toBeLessThanOrEqual(30);
  });
});

test.each([
  ['there', [HOME]],
  ['there and at another address', [HOME, ...elsewhere(1)]],
  ['there and at four others', [HOME, ...elsewhere(4)]],
  ['there and at twenty others', [HOME, ...elsewhere(20)]],
] as const)(
  'the owner gets in within 15 s from a known network while others guess %s without a pause',
  (_, networks) => {
    const { worst, most } = siege(networks, 'without a pause', atHome);
    expect(worst).toBeLessThanOrEqual(15);
    expect(most).toBeLessThanOrEqual(30);
  },
);

test('who guesses everywhere at once, with and without the patience, has 30 passwords verified at most', () => {
  for (const way of ['without a pause', 'as told'] as const) {
    expect(siege([A_DEVICE, HOME, ...elsewhere(40)], way, atHome).most).toBeLessThanOrEqual(30);
  }
});
