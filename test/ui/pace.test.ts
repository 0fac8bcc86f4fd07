import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { newPace, type Pace } from '../../ui/kit/table/pace.ts';

let pace: Pace;
beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  pace = newPace();
});
afterEach(() => vi.useRealTimers());

/** Scrolls by steps of some pixels, a step each 16 ms. */
function scroll(from: number, step: number, steps: number): number {
  for (let at = 1; at <= steps; at += 1) {
    pace.moved(from + at * step);
    vi.advanceTimersByTime(16);
  }
  return from + steps * step;
}

test('a list is hurried while it is scrolled by seven rows in 40 ms, and until 120 ms after', () => {
  scroll(0, 120, 10);
  const told = vi.fn<() => void>();
  pace.onCalm(told);
  vi.advanceTimersByTime(100);
  expect([pace.isHurried(), told.mock.calls.length]).toEqual([true, 0]);
  vi.advanceTimersByTime(20);
  expect([pace.isHurried(), told.mock.calls.length]).toEqual([false, 1]);
});

test('neither slow scrolling nor one jump is a hurry, and the slow end of a fling is none', () => {
  scroll(0, 20, 100);
  expect(pace.isHurried()).toBe(false);
  vi.advanceTimersByTime(5_000);
  pace.moved(9_000);
  expect(pace.isHurried()).toBe(false);
  vi.advanceTimersByTime(5_000);
  const end = scroll(9_000, 120, 5);
  expect(pace.isHurried()).toBe(true);
  scroll(end, 10, 10);
  expect(pace.isHurried()).toBe(false);
});

test('a row that is gone is not told, and one that comes once the list stands is told at once', () => {
  scroll(0, 120, 5);
  const [gone, late] = [vi.fn<() => void>(), vi.fn<() => void>()];
  pace.onCalm(gone)();
  vi.advanceTimersByTime(500);
  pace.onCalm(late);
  expect([gone.mock.calls.length, late.mock.calls.length]).toEqual([0, 1]);
});
