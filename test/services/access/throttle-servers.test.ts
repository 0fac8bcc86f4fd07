// Several servers on one database count the tries of signing in together, also over restarts.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { select, transaction } from '../../../db/index.ts';
import { useSecretKey } from '../../../src/lib/secret.ts';
import { noteSignIn } from '../../../src/services/access/sign-in-networks.ts';
import { countTry, forgetTries, purgeTries, useThrottleClock } from '../../../src/services/access/throttle-store.ts';
import { claimAttempt } from '../../../src/services/access/throttle.ts';
import { insertUser } from '../../../src/services/access/users.ts';
import type { AppError } from '../../../src/shared/errors.ts';
import { startChild } from '../../support/child.ts';
import { startDatabase } from '../../support/database.ts';

const KEY = Buffer.alloc(32, 7);
type Server = typeof claimAttempt;

let database: Awaited<ReturnType<typeof startDatabase>>;
let servers: Server[];
const counters = [countTry];
const closing: (() => Promise<void>)[] = [];

/** A server with a memory of its own, on the same database. */
async function another(): Promise<Server> {
  vi.resetModules();
  const db = await import('../../../db/index.ts');
  await db.openDatabase(database.file);
  closing.push(db.closeDatabase);
  (await import('../../../src/lib/secret.ts')).useSecretKey(KEY);
  const store = await import('../../../src/services/access/throttle-store.ts');
  store.useThrottleClock(() => Date.now());
  counters.push(store.countTry);
  return (await import('../../../src/services/access/throttle.ts')).claimAttempt;
}

beforeAll(async () => {
  database = await startDatabase();
  useSecretKey(KEY);
  useThrottleClock(() => Date.now());
  servers = [claimAttempt, await another(), await another()];
});
afterAll(async () => {
  for (const close of closing) await close();
  await database.close();
});
// Only Date is faked; timers run, so that database calls go on.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() }));
afterEach(() => void vi.useRealTimers());

const pass = (seconds: number): void => void vi.setSystemTime(Date.now() + seconds * 1000);
/** Returns 0 where the password would be verified, else the seconds of `Retry-After`. */
const guess = (at: number, login: string, address: string, password = '', isDevice = false): Promise<number> =>
  servers[at % servers.length]!(login, address, password, isDevice).then(
    () => 0,
    (error: unknown) => (error as AppError).retryAfter ?? Number.NaN,
  );
const makeUser = (login: string) => transaction(() => insertUser({ login, role: 'user' }, 'no hash'));

test('at most thirty passwords of a login are verified by three servers together in any 15 minutes', async () => {
  const home = '192.0.2.20';
  const id = await makeUser('target');
  await transaction(() => noteSignIn({ id, login: 'target' }, home));
  const looks: number[] = [];
  for (let second = 0; second < 20 * 60; second += 30) {
    const tries = Array.from({ length: 9 }, (_, index) =>
      // Each comes back after its wait.
      guess(index, 'target', index < 3 ? home : `198.51.100.${second / 30 + index}`),
    );
    tries.push(guess(second, 'target', home, `guess ${second}`, true));
    for (const wait of await Promise.all(tries)) if (wait === 0) looks.push(second);
    pass(30);
  }
  const most = Math.max(...looks.map((from) => looks.filter((at) => at >= from && at < from + 900).length));
  expect(most).toBeLessThanOrEqual(30);
  expect(looks.length).toBeGreaterThanOrEqual(30);
}, 120_000);

test('processes that try at once, and one that starts afterwards, let ten strangers in together', async () => {
  vi.useRealTimers();
  const networks = (from: number): string => Array.from({ length: 12 }, (_, at) => `203.0.113.${from + at}`).join(',');
  const child = (from: number) =>
    startChild('test/children/access/guess.ts', [
      database.file,
      KEY.toString('hex'),
      'flooded',
      networks(from),
    ]).output();
  const counts = await Promise.all([0, 20, 40].map(child));
  expect(counts.map(Number).reduce((sum, one) => sum + one)).toBe(10);
  expect(await child(60)).toBe('0');
});

test('a wait that one server has begun is over at another one, and is used once', async () => {
  const address = '192.0.2.30';
  for (let at = 0; at < 5; at += 1) expect(await guess(at, 'waiting', address)).toBe(0);
  const stored = async (): Promise<number> => (await select('SELECT 1 FROM sign_in_tries')).length;
  const before = await stored();
  expect(await guess(0, 'waiting', address)).toBe(15);
  await expect.poll(stored).toBe(before + 1);
  pass(15);
  expect(await guess(1, 'waiting', address)).toBe(0);
  expect(await guess(2, 'waiting', address)).toBe(15);
  expect(await guess(0, 'waiting', address)).toBe(15);
});

test('a network that a user has signed in from at one server is known to the others', async () => {
  const id = await makeUser('traveller');
  // Servers learn what the others know every five seconds at most.
  const known = async (): Promise<boolean> => (await guess(1, 'traveller', '192.0.2.40')) === 0;
  // Strangers use up all that they have: they wait for minutes, and not for the seconds of this test.
  for (let at = 0; at < 20; at += 1) {
    if ((await guess(at, 'traveller', `198.51.100.${at}`)) === 0) continue;
    pass(15);
    expect(await guess(at, 'traveller', `198.51.100.${at}`)).toBe(0);
  }
  expect(await guess(1, 'traveller', '192.0.2.40')).toBeGreaterThan(600);
  await transaction(() => noteSignIn({ id, login: 'traveller' }, '192.0.2.40'));
  await expect.poll(known, { interval: 1_000 }).toBe(true);
});

test('a right password at one server ends the fault at all, and tries are deleted after their time', async () => {
  const address = '192.0.2.50';
  for (let at = 0; at < 4; at += 1) expect(await guess(at, 'mistyped', address)).toBe(0);
  await (await servers[1]!('mistyped', address)).forgive();
  for (let at = 0; at < 5; at += 1) expect(await guess(at, 'mistyped', address)).toBe(0);
  expect(await guess(0, 'mistyped', address)).toBe(15);
  pass(2 * 3600);
  await purgeTries();
  expect(await select('SELECT 1 FROM sign_in_tries')).toEqual([]);
});

test('codes that link a chat are counted by all servers together, five in an hour, and each hour anew', async () => {
  const HOUR_MS = 3600_000;
  const guessCode = (at: number): Promise<number> => counters[at % counters.length]!('codes of 7', 5, HOUR_MS);
  const waits = await Promise.all(Array.from({ length: 12 }, (_, at) => guessCode(at)));
  expect(waits.filter((wait) => wait === 0)).toHaveLength(5);
  pass(3599);
  expect(await Promise.all([0, 1, 2].map(guessCode))).toEqual([1_000, 1_000, 1_000]);
  expect(await counters[1]!('codes of 8', 5, HOUR_MS)).toBe(0);
  pass(1);
  expect(await guessCode(1)).toBe(0);
  await forgetTries('codes of 7');
  for (let at = 0; at < 5; at += 1) expect(await guessCode(at)).toBe(0);
  expect(await guessCode(2)).toBe(HOUR_MS);
  // The clock was set back by a day: nobody waits for it to come again.
  pass(-24 * 3600);
  expect(await guessCode(0)).toBe(0);
  pass(24 * 3600);
});

test('no login and no password that was typed as one can be read', async () => {
  await guess(0, 'Secret-Typed-As-Login', '192.0.2.60');
  expect(JSON.stringify(await select('SELECT * FROM sign_in_tries'))).not.toMatch(/secret-typed/i);
});
