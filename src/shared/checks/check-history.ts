import type { CheckDayRow, CheckRow, CheckSampleRow } from './tables.ts';

/** A run of `repeats` equal checks, from `since` to `checked_at`; the other values are those of the newest. */
export interface Stretch extends CheckRow {
  since: string;
}

/** Returns the median, rounded; null of no numbers. */
export function medianOf(numbers: readonly number[]): number | null {
  const sorted = numbers.toSorted((one, other) => one - other);
  const half = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(half) - 1], sorted[Math.floor(half)]];
  return low === undefined || high === undefined ? null : Math.round((low + high) / 2);
}

/** Computes the figures of a day from its samples. */
export function figuresOf({ domain_id, day, checks, up, ms }: CheckSampleRow): CheckDayRow {
  const answers = ms === '' ? [] : ms.split(',').map(Number);
  const worst_ms = answers.length === 0 ? null : Math.max(...answers);
  return { domain_id, day, checks, up, median_ms: medianOf(answers), worst_ms };
}

/**
 * Joins the figures of a closed day with those of what came to it later, by a clock that was set back: as `addDays` does, which closes it again.
 */
export const joinedDay = (closed: CheckDayRow, later: CheckDayRow): CheckDayRow => ({
  ...closed,
  checks: closed.checks + later.checks,
  up: closed.up + later.up,
  median_ms: closed.median_ms === null || later.checks > closed.checks ? later.median_ms : closed.median_ms,
  worst_ms:
    closed.worst_ms === null || (later.worst_ms !== null && later.worst_ms > closed.worst_ms)
      ? later.worst_ms
      : closed.worst_ms,
});

const isSame = (one: CheckRow, other: CheckRow): boolean =>
  one.kind === other.kind && one.verdict === other.verdict && one.detail === other.detail;

/** Joins equal checks of one domain into stretches. Checks and stretches come newest first. */
export function stretchesOf(rows: readonly CheckRow[]): Stretch[] {
  const stretches: Stretch[] = [];
  for (const row of rows) {
    const since = row.since ?? row.checked_at;
    const last = stretches.at(-1);
    // The newest "blocked" checks are stored one by one; they are joined here.
    if (last && last.verdict === 'blocked' && isSame(last, row)) {
      stretches[stretches.length - 1] = { ...last, since, repeats: last.repeats + row.repeats };
    } else stretches.push({ ...row, since });
  }
  return stretches;
}
