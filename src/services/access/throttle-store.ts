import { transaction } from '../../../db/index.ts';
import { digestOf } from '../../lib/secret.ts';
import { BoundedMap } from './bounded-map.ts';
import { counts, currentBook, TRY_COUNTS_MS, WAIT_LASTS_MS, waitLeft, type Book, type Try } from './throttle-book.ts';
import { deleteBook, deleteTries, findBook, findTries, upsertTries, type TryKeys } from './throttle-rows.ts';

const FLUSHED_MS = 1_000;
const PURGED_MS = 60_000;
const CLOCKS_MS = 60 * 60_000;
// Waits that are stored at once, and that are kept until then.
const MOST_STORED = 300;
const MAX_WAITS = 10_000;

// A refusal writes nothing: waits begun here are stored together, a second later. `at` is by the database's clock, `since` by one that is
// never set: this machine's own may differ.
const waits = new Map<string, { at: number; since: number }>();
/**
 * When a password was first refused for a login from a network. Kept by this process alone: a digest that is made as fast as these would
 * tell too much of a password in the database.
 */
const refusals = new BoundedMap<string, number>(50_000);
let flushing: NodeJS.Timeout | undefined;
let purgedAt = -Infinity;
let clock: (() => number) | undefined;

/** Sets the clock by which tries are counted, in ms; undefined: the database's. */
export const useThrottleClock = (given: (() => number) | undefined): void => {
  clock = given;
};

const timeOf = (at: number): string => new Date(at).toISOString();

/** Returns the keys under which a try is counted. They are digests, as a person may type the password in place of the login. */
export const keysOf = (login: string, network: string): TryKeys => ({
  login: digestOf(`login\n${login}`),
  network: digestOf(`network\n${network}`),
  wait: digestOf(`wait\n${login}\n${network}`),
});

/** The wait of a login from a network with one password; without a password there is none. */
export interface OwnWait {
  /** Returns what is left of it in ms; null: there is none. */
  left: () => number | null;
  /** Begins it, unless it runs. */
  begin: () => void;
  end: () => void;
}

/** Returns the wait of a login from a network with a password. */
export function ownWaitOf(keys: TryKeys, password: string): OwnWait {
  if (password === '') return { left: () => null, begin: () => undefined, end: () => undefined };
  // No password of more than 1,024 characters is right.
  const key = digestOf(`password\n${keys.wait}\n${password.slice(0, 1025)}`);
  const passed = (): number => Date.now() - (refusals.get(key) ?? Number.NEGATIVE_INFINITY);
  return {
    left: () => waitLeft(passed()),
    begin: () => {
      if (passed() >= 0 && passed() < WAIT_LASTS_MS) return;
      refusals.delete(key);
      refusals.set(key, Date.now());
    },
    end: () => void refusals.delete(key),
  };
}

/** Reads what counts now, for all processes, and the time by which it does. */
export async function readBook(keys: TryKeys): Promise<{ book: Book; now: number }> {
  const row = await findTries(keys);
  const now = clock?.() ?? Date.parse(row.now);
  const tries = JSON.parse(row.login ?? '[]') as [number, string, 0 | 1][];
  const stored: Book = {
    tries: tries.map(([at, network, known]): Try => ({ at, network, known: known === 1 })),
    network: JSON.parse(row.network ?? '[]') as number[],
    wait: row.wait === null ? null : Number(row.wait),
  };
  const book = currentBook(stored, now);
  return { book: currentBook({ ...book, wait: book.wait ?? waits.get(keys.wait)?.at ?? null }, now), now };
}

/** Stores a book, `hadWait`: before it had one. Inside a transaction. */
export async function storeBook(keys: TryKeys, book: Book, hadWait: boolean, now: number): Promise<void> {
  const isPurging = performance.now() - purgedAt > PURGED_MS;
  if (isPurging) purgedAt = performance.now();
  const purged = isPurging ? deleteTries(timeOf(now)) : undefined;
  const expires_at = timeOf(now + TRY_COUNTS_MS);
  const tries = book.tries.map(({ at, network, known }) => [at, network, known ? 1 : 0]);
  const rows = [
    { key: keys.login, book: JSON.stringify(tries), expires_at },
    { key: keys.network, book: JSON.stringify(book.network), expires_at },
  ];
  if (hadWait && book.wait === null) {
    // It is used up, for the other processes as well.
    rows.push({ key: keys.wait, book: '0', expires_at: timeOf(now) });
    waits.delete(keys.wait);
  }
  await Promise.all([purged, upsertTries(rows, true, timeOf(now))]);
}

/** Stores waits that were begun here, unless another process has stored them. While they can't be stored, this process alone knows them. */
async function flush(): Promise<void> {
  flushing = undefined;
  const passed = performance.now();
  for (const [key, { since }] of waits) if (passed - since >= WAIT_LASTS_MS) waits.delete(key);
  const some = [...waits].slice(0, MOST_STORED);
  const rows = some.map(([key, { at }]) => ({ key, book: String(at), expires_at: timeOf(at + WAIT_LASTS_MS) }));
  const now = Math.max(...some.map(([, { at, since }]) => at + passed - since));
  try {
    if (rows.length > 0) await transaction(() => upsertTries(rows, false, timeOf(now)));
    for (const [key, wait] of some) if (waits.get(key) === wait) waits.delete(key);
  } catch {
    // Tried again.
  }
  if (waits.size > 0) flushSoon();
}

function flushSoon(): void {
  flushing ??= setTimeout(() => void flush(), FLUSHED_MS).unref();
}

/**
 * Counts a try of something that is guessed, for all processes, unless `most` of it were made within the last `withinMs`: then
 * nothing is written. Returns in how many ms there is another one, 0 where this one counts.
 */
export async function countTry(name: string, most: number, withinMs: number): Promise<number> {
  const key = digestOf(name);
  const look = async () => {
    const found = await findBook(key);
    const now = clock?.() ?? Date.parse(found.now);
    const times = (JSON.parse(found.book ?? '[]') as number[]).filter(counts(now, withinMs));
    return { now, times, waitMs: times.length < most ? 0 : Math.max(1, (times[0] ?? now) + withinMs - now) };
  };
  const { waitMs } = await look();
  if (waitMs > 0) return waitMs;
  return transaction(async () => {
    // Looked at again where one process at a time writes: of simultaneous tries none slips through.
    const { now, times, waitMs: lateMs } = await look();
    if (lateMs > 0) return lateMs;
    const book = JSON.stringify([...times, now]);
    await upsertTries([{ key, book, expires_at: timeOf(now + withinMs) }], true, timeOf(now));
    return 0;
  });
}

/** Forgets the tries of a name of `countTry`, after the right one. */
export const forgetTries = (name: string): Promise<void> => transaction(() => deleteBook(digestOf(name)));

/** Notes that the wait of a login from a network begins. Outside of transactions. */
export function beginWait(keys: TryKeys, now: number): void {
  for (const oldest of waits.keys()) {
    if (waits.size < MAX_WAITS) break;
    waits.delete(oldest);
  }
  waits.delete(keys.wait);
  waits.set(keys.wait, { at: now, since: performance.now() });
  flushSoon();
}

/** Deletes what no longer counts, whatever this machine's clock says. */
export const purgeTries = (): Promise<void> => transaction(() => deleteTries(timeOf(Date.now() - CLOCKS_MS)));
