import { expect, it } from 'vitest';
import { DAYS_SHOWN, daysOf, togetherOf } from '../../ui/domain/days.ts';

const TODAY = '2026-11-25';
const figures = [
  { day: '2026-11-25', checks: 4, up: 3, median_ms: 300, worst_ms: 900 },
  { day: '2026-11-24', checks: 24, up: 24, median_ms: 100, worst_ms: 200 },
  { day: '2026-11-20', checks: 2, up: 0, median_ms: null, worst_ms: null },
  { day: '2026-01-01', checks: 24, up: 0, median_ms: 5000, worst_ms: 5000 },
];
const blockedOf = (...blocks: [string, 'bad' | 'good'][]): string[] =>
  daysOf(
    [],
    blocks.map(([at, tone]) => ({ at: `${at}T10:00:00.000Z`, tone })),
    TODAY,
  ).flatMap(({ day, isBlocked }) => (isBlocked ? day : []));

it('the days end with today, and one without checks is not known', () => {
  const days = daysOf(figures, [], TODAY);
  expect(days).toHaveLength(DAYS_SHOWN);
  expect(days.map(({ up }) => up).slice(-7)).toEqual([null, 0, null, null, null, 1, 0.75]);
  expect(days.at(-1)).toEqual({ day: TODAY, isBlocked: false, up: 0.75, median_ms: 300 });
});

it('a block lasts until its end, or until today; one that began before all that is kept counts', () => {
  expect(blockedOf(['2026-11-24', 'bad'])).toEqual(['2026-11-24', '2026-11-25']);
  expect(blockedOf(['2026-11-21', 'good'], ['2026-11-20', 'bad'])).toEqual(['2026-11-20', '2026-11-21']);
  expect(blockedOf(['2026-09-28', 'good'])).toEqual(['2026-09-27', '2026-09-28']);
  expect(blockedOf(['2026-08-01', 'good'])).toEqual([]);
  expect(blockedOf(['2026-01-01', 'bad'])).toHaveLength(DAYS_SHOWN);
});

it('together the shown days count alone, and no failure is rounded away', () => {
  expect(togetherOf(figures, TODAY)).toEqual({ up: 90, median_ms: 300, worst_ms: 900 });
  const once = { day: TODAY, checks: 100_000, up: 99_999, median_ms: 1, worst_ms: 1 };
  expect(togetherOf([once], TODAY)?.up).toBe(99.99);
  expect(togetherOf([], TODAY)).toBeNull();
});
