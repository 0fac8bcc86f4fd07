import { describe, expect, it } from 'vitest';
import {
  bucketOf,
  BUCKETS,
  countBuckets,
  lastDayOf,
  monthsOf,
  rangeOf,
  weeksOf,
} from '../../../src/shared/portfolio/expiry-calendar.ts';
import { dayAfter } from '../../../src/shared/portfolio/expiry-day.ts';

const TODAY = '2026-11-23';

describe('the buckets of a calendar', () => {
  it.each([
    [-400, 'overdue'],
    [-1, 'overdue'],
    [0, 'overdue'],
    [1, 'week'],
    [7, 'week'],
    [8, 'month'],
    [30, 'month'],
    [31, 'quarter'],
    [90, 'quarter'],
    [91, 'later'],
    [4000, 'later'],
  ])('a day %i days from today is in %s, and in no other range', (days, bucket) => {
    const day = dayAfter(TODAY, days);
    expect(bucketOf(day, TODAY)).toBe(bucket);
    const holding = BUCKETS.filter((name) => {
      const { from, to } = rangeOf(name, TODAY);
      return (from === null || day >= from) && (to === null || day <= to);
    });
    expect(holding).toEqual([bucket]);
  });

  it('count every registration once, those beyond the calendar as well', () => {
    const days = [
      { day: '2026-11-01', count: 2 },
      { day: TODAY, count: 3 },
      { day: '2026-11-30', count: 5 },
      { day: '2027-10-01', count: 7 },
    ];
    const calendar = { from: '2026-11-01', to: '2027-11-30', days, before: 11, after: 13, unknown: 17, doubted: 0 };
    expect(countBuckets(calendar, TODAY)).toEqual({ overdue: 16, week: 5, month: 0, quarter: 0, later: 20 });
  });
});

it('a calendar has thirteen months, over the end of a year and a leap February', () => {
  const months = monthsOf('2027-11-01');
  expect([months[0], months[1], months[3], months[12], months.length]).toEqual([
    '2027-11-01',
    '2027-12-01',
    '2028-02-01',
    '2028-11-01',
    13,
  ]);
  expect(lastDayOf('2027-02-01')).toBe('2028-02-29');
});

it('weeks begin on Monday and hold only days on which something ends', () => {
  const days = ['2026-11-22', '2026-11-23', '2026-11-29', '2026-12-14'].map((day) => ({ day, count: 2 }));
  expect(weeksOf(days).map(({ from, to, count }) => [from, to, count])).toEqual([
    ['2026-11-16', '2026-11-22', 2],
    ['2026-11-23', '2026-11-29', 4],
    ['2026-12-14', '2026-12-20', 2],
  ]);
});
