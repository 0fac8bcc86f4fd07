// The limits of links that let in without a login: those of feeds, and the one-time link of the first run.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { claimSetup, countWrongFeed, forgiveSetup } from '../../../src/services/access/throttle.ts';
import type { AppError } from '../../../src/shared/errors.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() }));
afterEach(() => void vi.useRealTimers());

const pass = (ms: number): void => void vi.setSystemTime(Date.now() + ms);
/** Returns 0 where a try is let through, else the seconds of `Retry-After`. */
function waitOf(take: () => void): number {
  try {
    take();
    return 0;
  } catch (error) {
    return (error as AppError).retryAfter ?? Number.NaN;
  }
}
const zeros = (count: number): number[] => Array.from({ length: count }, () => 0);
const SECOND = 1_000;
const WINDOW = 15 * 60 * SECOND;

test('a network has thirty wrong tokens of feeds in 15 minutes', () => {
  const wrong = (): number => waitOf(() => countWrongFeed('192.0.2.19'));
  expect(Array.from({ length: 31 }, wrong)).toEqual([...zeros(30), 900]);
  pass(WINDOW);
  expect(wrong()).toBe(0);
});

test('the first-run link has five tries per network in 15 minutes, and a right one resets them', () => {
  const wait = (address: string): number => waitOf(() => claimSetup(address));
  expect(Array.from({ length: 6 }, () => wait('192.0.2.9'))).toEqual([...zeros(5), 900]);
  pass(60 * SECOND);
  expect([wait('192.0.2.9'), wait('192.0.2.10')]).toEqual([840, 0]);
  forgiveSetup('192.0.2.9');
  expect(wait('192.0.2.9')).toBe(0);
  // The wait lasts until the oldest try that still counts expires.
  expect(wait('192.0.2.12')).toBe(0);
  pass(600 * SECOND);
  expect(Array.from({ length: 4 }, () => wait('192.0.2.12'))).toEqual(zeros(4));
  pass(300 * SECOND);
  expect([wait('192.0.2.12'), wait('192.0.2.12')]).toEqual([0, 600]);
});
