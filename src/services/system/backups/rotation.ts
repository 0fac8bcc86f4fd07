/** How many backups stay: the last one of each of the last hours, and of so many days and weeks that have one. */
export interface Keep {
  hours: number;
  days: number;
  weeks: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
// 1 January 1970 was a Thursday: weeks begin with Monday.
const MONDAY_MS = 3 * DAY_MS;

const PERIODS: Record<keyof Keep, (at: number) => number> = {
  hours: (at) => Math.floor(at / HOUR_MS),
  days: (at) => Math.floor(at / DAY_MS),
  weeks: (at) => Math.floor((at + MONDAY_MS) / (7 * DAY_MS)),
};

/**
 * Returns the backups that have to go. Of each hour, day and week, in UTC, the last one stands for it. The hours are those before the
 * newest backup; of days and weeks only those count that have a backup, so that a pause costs none. The newest one always stays, and so does
 * `proved`, the last one that a drill has restored.
 */
export function outdated<T extends { name: string; at: Date }>(
  backups: readonly T[],
  keep: Keep,
  proved: string | null,
): T[] {
  const newestFirst = backups.toSorted((a, b) => b.at.getTime() - a.at.getTime());
  const stay = new Set<T>(newestFirst.slice(0, 1));
  const newest = newestFirst[0]?.at.getTime() ?? 0;
  for (const [name, periodOf] of Object.entries(PERIODS) as [keyof Keep, (at: number) => number][]) {
    const seen = new Set<number>();
    for (const backup of newestFirst) {
      const period = periodOf(backup.at.getTime());
      if (seen.has(period)) continue;
      seen.add(period);
      const isOver = name === 'hours' ? periodOf(newest) - period >= keep.hours : seen.size > keep[name];
      if (isOver) break;
      stay.add(backup);
    }
  }
  return newestFirst.filter((backup) => !stay.has(backup) && backup.name !== proved);
}
