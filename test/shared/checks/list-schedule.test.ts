import { describe, expect, it } from 'vitest';
import { isFetchDue, lookAfter, type FetchFacts } from '../../../src/shared/checks/list-schedule.ts';

const NOW = Date.parse('2026-11-20T12:00:00.000Z');
const MINUTE = 60_000;
const HALF = 30_000;

const isDue = (change: Partial<FetchFacts>): boolean =>
  isFetchDue(
    { attempted_at: null, failures: 0, fetched_at: null, conditional: false, suspected: false, ...change },
    NOW,
  );
/** Returns whether a fetch is due one millisecond before `ms` after the last one, and at `ms`. */
const dueAround = (ms: number, change: Partial<FetchFacts>): boolean[] => [
  isDue({ fetched_at: NOW - ms + 1, ...change }),
  isDue({ fetched_at: NOW - ms, ...change }),
];

describe('isFetchDue', () => {
  it('fetches a list that is missing and was never asked for', () => {
    expect(isDue({})).toBe(true);
  });

  it('fetches every ten minutes, up to 30 s early, where an answer is short or a block is suspected', () => {
    expect(dueAround(10 * MINUTE - HALF, { conditional: true })).toEqual([false, true]);
    expect(dueAround(10 * MINUTE - HALF, { suspected: true })).toEqual([false, true]);
  });

  it('fetches a whole list every six hours, up to 30 s early', () => {
    expect(dueAround(360 * MINUTE - HALF, {})).toEqual([false, true]);
  });

  it('counts from the last attempt where that came after the last success', () => {
    const conditional = true;
    expect(isDue({ fetched_at: NOW - 60 * MINUTE, attempted_at: NOW - MINUTE, conditional })).toBe(false);
    expect(isDue({ fetched_at: NOW - MINUTE, attempted_at: NOW - 60 * MINUTE, conditional })).toBe(false);
    expect(isDue({ fetched_at: NOW - 60 * MINUTE, attempted_at: NOW - 60 * MINUTE, conditional })).toBe(true);
  });

  it('leaves out a time that is more than 30 s to come, and counts from any other', () => {
    const fetchedIn = (ms: number) => isDue({ fetched_at: NOW + ms, conditional: true });
    expect([-MINUTE, 0, HALF, HALF + 1].map(fetchedIn)).toEqual([false, false, false, true]);
    expect(isDue({ fetched_at: NOW + MINUTE, attempted_at: NOW - MINUTE, conditional: true })).toBe(false);
    expect(isDue({ fetched_at: NOW - MINUTE, attempted_at: NOW + MINUTE, conditional: true })).toBe(false);
  });

  it('asks every ten minutes for a list that is missing after more than three failures', () => {
    const failures = 4;
    expect(isDue({ attempted_at: NOW - 9 * MINUTE, failures })).toBe(false);
    expect(isDue({ attempted_at: NOW - 10 * MINUTE, failures })).toBe(true);
  });

  it('retries at the next turn after each of the first three failures, and not after the fourth', () => {
    const afterFailures = (failures: number) => isDue({ fetched_at: NOW - MINUTE, attempted_at: NOW, failures });
    expect([0, 1, 2, 3, 4].map(afterFailures)).toEqual([false, true, true, true, false]);
  });
});

describe('lookAfter', () => {
  it.each([
    [{ changed: true, confirmed: false, suspected: false }, 'all'],
    [{ changed: true, confirmed: true, suspected: true }, 'all'],
    [{ changed: false, confirmed: true, suspected: true }, 'suspected'],
    [{ changed: false, confirmed: true, suspected: false }, null],
    [{ changed: false, confirmed: false, suspected: true }, null],
  ] as const)('%o: %s', (facts, wanted) => {
    expect(lookAfter(facts)).toBe(wanted);
  });
});
