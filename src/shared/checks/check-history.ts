import type { CheckRow } from '../portfolio/domains.ts';

/** How a domain answered in a day (UTC): looks, those that were up (2xx), and milliseconds of what answered at all. */
export interface CheckDayRow {
  domain_id: number;
  day: string;
  checks: number;
  up: number;
  median_ms: number | null;
  worst_ms: number | null;
}

/** What a day that is not over is made of; `ms` has the milliseconds of its answers, with commas between. */
export interface CheckSampleRow {
  domain_id: number;
  day: string;
  checks: number;
  up: number;
  ms: string;
}

/** Which domains a check was about, as JSON. */
export interface CheckBatchRow {
  id: number;
  domain_ids: string;
}

/** Equal looks in a row, `repeats` of them, from `since` to `checked_at`; the other values are those of the newest. */
export interface Stretch extends CheckRow {
  since: string;
}

/** The middle of some numbers, rounded: of an even count the mean of the two in the middle; null of none. */
export function medianOf(numbers: readonly number[]): number | null {
  const sorted = numbers.toSorted((one, other) => one - other);
  const half = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(half) - 1], sorted[Math.floor(half)]];
  return low === undefined || high === undefined ? null : Math.round((low + high) / 2);
}

/** The figures of a day by its samples. */
export function figuresOf({ domain_id, day, checks, up, ms }: CheckSampleRow): CheckDayRow {
  const answers = ms === '' ? [] : ms.split(',').map(Number);
  const worst_ms = answers.length === 0 ? null : Math.max(...answers);
  return { domain_id, day, checks, up, median_ms: medianOf(answers), worst_ms };
}

const isSame = (one: CheckRow, other: CheckRow): boolean =>
  one.kind === other.kind && one.verdict === other.verdict && one.detail === other.detail;

/** The stretches of kept checks of one domain and kind, which come newest first, as they do. */
export function stretchesOf(rows: readonly CheckRow[]): Stretch[] {
  const stretches: Stretch[] = [];
  for (const row of rows) {
    const since = row.since ?? row.checked_at;
    const last = stretches.at(-1);
    // The newest looks that say "blocked" are kept one by one.
    if (last && last.verdict === 'blocked' && isSame(last, row)) {
      stretches[stretches.length - 1] = { ...last, since, repeats: last.repeats + row.repeats };
    } else stretches.push({ ...row, since });
  }
  return stretches;
}
