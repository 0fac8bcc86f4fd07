import { dayAfter, daysBetween } from './expiry-day.ts';

/** The number of registrations that end on a day. */
export interface ExpiryDay {
  day: string;
  count: number;
}

/** When registrations of a portfolio end: by day from `from` to `to`, both included, and how many before, after and at an unknown time; `doubted` dates wait for a decision. */
export interface ExpiryCalendar {
  from: string;
  to: string;
  days: ExpiryDay[];
  before: number;
  after: number;
  unknown: number;
  doubted: number;
}

/** The months of a calendar: that of today and the twelve after it. */
export const CALENDAR_MONTHS = 13;

/** Returns the first day of the month of a day. */
export const monthOf = (day: string): string => `${day.slice(0, 7)}-01`;

/** Returns the first day of the month that is so many months after another. */
export function monthAfter(month: string, months: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 10);
}

/** Returns the first days of the months of a calendar. */
export const monthsOf = (from: string): string[] =>
  Array.from({ length: CALENDAR_MONTHS }, (_, index) => monthAfter(from, index));

/** Returns the last day of a calendar. */
export const lastDayOf = (from: string): string => dayAfter(monthAfter(from, CALENDAR_MONTHS), -1);

/** How near registrations end, each a range of days; null: open. */
export const BUCKETS = ['overdue', 'week', 'month', 'quarter', 'later'] as const;
export type Bucket = (typeof BUCKETS)[number];

/** The last day of each bucket, in days from today; what ends today is in the first of them. */
const LAST: Record<Bucket, number> = { overdue: 0, week: 7, month: 30, quarter: 90, later: Infinity };

/** Returns the bucket of a day: overdue is today or past, as it is red. */
export function bucketOf(day: string, today: string): Bucket {
  const left = daysBetween(today, day);
  return BUCKETS.find((bucket) => left <= LAST[bucket]) ?? 'later';
}

/** Returns the first and the last day of a bucket, as the list of domains is filtered by; null: no bound. */
export function rangeOf(bucket: Bucket, today: string): { from: string | null; to: string | null } {
  const before = BUCKETS[BUCKETS.indexOf(bucket) - 1];
  return {
    from: before === undefined ? null : dayAfter(today, LAST[before] + 1),
    to: LAST[bucket] === Infinity ? null : dayAfter(today, LAST[bucket]),
  };
}

/** Returns the number of registrations in each bucket. */
export function countBuckets({ days, before, after }: ExpiryCalendar, today: string): Record<Bucket, number> {
  const counts: Record<Bucket, number> = { overdue: before, week: 0, month: 0, quarter: 0, later: after };
  for (const { day, count } of days) counts[bucketOf(day, today)] += count;
  return counts;
}

/** Days that belong together in a list: a week from Monday, with those of its days on which something ends. */
export interface Week {
  from: string;
  to: string;
  count: number;
  days: ExpiryDay[];
}

const mondayOf = (day: string): string => dayAfter(day, -((new Date(day).getUTCDay() + 6) % 7));

/** Returns the weeks in which something ends, in order. */
export function weeksOf(days: readonly ExpiryDay[]): Week[] {
  const weeks = new Map<string, Week>();
  for (const entry of days) {
    const from = mondayOf(entry.day);
    const week = weeks.get(from) ?? { from, to: dayAfter(from, 6), count: 0, days: [] };
    week.count += entry.count;
    week.days.push(entry);
    weeks.set(from, week);
  }
  return [...weeks.values()];
}
