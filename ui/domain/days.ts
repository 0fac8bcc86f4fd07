import type { CheckDayRow } from '../../src/shared/checks/tables.ts';
import { dayAfter } from '../../src/shared/portfolio/expiry-day.ts';
import type { TimelineEntry } from '../../src/shared/timeline/timeline.ts';

/** How many days the pictures show, with today. */
export const DAYS_SHOWN = 60;

type Figures = Pick<CheckDayRow, 'day' | 'checks' | 'up' | 'median_ms' | 'worst_ms'>;

/** A day (UTC): what its checks have found; null: there were none, or it is not known. */
export interface DayOfDomain {
  day: string;
  isBlocked: boolean;
  /** The share of checks that were answered well: 0 to 1. */
  up: number | null;
  median_ms: number | null;
}

/** Returns the days on which a domain was blocked, from a first one on, by the entries of its timeline; the newest first. */
function blockedDays(blocks: readonly Pick<TimelineEntry, 'at' | 'tone'>[], first: string, today: string): Set<string> {
  const days = new Set<string>();
  const add = (from: string, to: string): void => {
    for (let day = from > first ? from : first; day <= to; day = dayAfter(day, 1)) days.add(day);
  };
  let end = today;
  for (const { at, tone } of blocks) {
    const day = at.slice(0, 10);
    if (tone === 'bad') add(day, end);
    end = day;
  }
  // The oldest that is known of ends a block whose begin is not kept.
  if (blocks.at(-1)?.tone === 'good') add(first, end);
  return days;
}

/** Returns the last days of a domain, the oldest first. Both lists have the newest first. */
export function daysOf(
  figures: readonly Figures[],
  blocks: readonly Pick<TimelineEntry, 'at' | 'tone'>[],
  today: string,
): DayOfDomain[] {
  const first = dayAfter(today, 1 - DAYS_SHOWN);
  const known = new Map(figures.map((one) => [one.day, one]));
  const blocked = blockedDays(blocks, first, today);
  return Array.from({ length: DAYS_SHOWN }, (_, index) => {
    const day = dayAfter(first, index);
    const { checks = 0, up = 0, median_ms = null } = known.get(day) ?? {};
    return { day, isBlocked: blocked.has(day), up: checks === 0 ? null : up / checks, median_ms };
  });
}

/** The results of the checks of all shown days together. */
export interface Together {
  /** The share of checks that were answered well, in per cent with two digits, rounded down. */
  up: number;
  /** The median of the daily medians, and the slowest answer. */
  median_ms: number | null;
  worst_ms: number | null;
}

/** Returns the figures of the last days together; null: there were no checks. */
export function togetherOf(figures: readonly Figures[], today: string): Together | null {
  const first = dayAfter(today, 1 - DAYS_SHOWN);
  const shown = figures.filter(({ day, checks }) => day >= first && day <= today && checks > 0);
  const checks = shown.reduce((sum, day) => sum + day.checks, 0);
  if (checks === 0) return null;
  const up = shown.reduce((sum, day) => sum + day.up, 0);
  const medians = shown.flatMap(({ median_ms }) => median_ms ?? []).toSorted((one, other) => one - other);
  const worst = shown.flatMap(({ worst_ms }) => worst_ms ?? []);
  return {
    up: Math.floor((up / checks) * 10_000) / 100,
    median_ms: medians[Math.floor(medians.length / 2)] ?? null,
    worst_ms: worst.length === 0 ? null : Math.max(...worst),
  };
}
