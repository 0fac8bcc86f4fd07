// A database, a clock that stands, and tries to sign in, for the tests of the throttle's limits.
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { claimAttempt } from '../../../src/services/access/throttle.ts';
import { useThrottleClock } from '../../../src/services/access/throttle-store.ts';
import type { AppError } from '../../../src/shared/errors.ts';
import { startDatabase } from '../../support/database.ts';

export const SECOND = 1_000;

/** Opens a database for the tests of a file, with the throttle on a clock that `pass` moves. Returns a function that gives its file or address. */
export function useThrottle(): () => string {
  let database: Awaited<ReturnType<typeof startDatabase>>;
  beforeAll(async () => {
    database = await startDatabase();
    useThrottleClock(() => Date.now());
  });
  afterAll(() => database.close());
  // Only Date is faked; timers run, so that database calls go on.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() }));
  afterEach(() => void vi.useRealTimers());
  return () => database.file;
}

/** Moves the clock. */
export const pass = (ms: number): void => void vi.setSystemTime(Date.now() + ms);

/** Returns the seconds of `Retry-After`. */
export const secondsOf = (error: unknown): number => (error as AppError).retryAfter ?? Number.NaN;

/** Returns 0 where the password would be checked, else the seconds of `Retry-After`. */
export const guess = (login: string, address: string): Promise<number> =>
  claimAttempt(login, address).then(() => 0, secondsOf);

/** Makes `count` tries one after another. */
export async function guesses(count: number, login: string, address: (index: number) => string): Promise<number[]> {
  const waits: number[] = [];
  for (let index = 0; index < count; index += 1) waits.push(await guess(login, address(index)));
  return waits;
}

export const zeros = (count: number): number[] => Array.from({ length: count }, () => 0);
