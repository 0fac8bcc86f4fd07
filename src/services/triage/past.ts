import { DAY_MS } from '../../shared/time.ts';
import { TRENDS, type TrendName } from '../../shared/triage/kinds.ts';
import type { Repair, Trend, Triage } from '../../shared/triage/triage.ts';
import { toUnicode } from '../../shared/portfolio/domain-name.ts';
import type { Actor } from '../access/scope.ts';
import { listCheckedDays, listDayCounts, listRepairs, listRepairTimes } from './past-rows.ts';

const TREND_DAYS = 30;
const REPAIRS_SHOWN = 8;

const iso = (time: number): string => new Date(time).toISOString();
const dayOf = (time: number): string => iso(time).slice(0, 10);

// A move keeps the stored names of its domains, which may be gone.
const asRead = (one: Repair): Repair => ({
  ...one,
  name: toUnicode(one.name),
  to: one.to === null ? null : toUnicode(one.to),
});

async function repaired(actor: Actor, now: number): Promise<Triage['repaired']> {
  const since = iso(now - DAY_MS);
  const found = await listRepairs(actor, since);
  const numberOf = (kind: Repair['kind']): number =>
    found.reduce((n, one) => n + (one.kind === kind ? one.count : 0), 0);
  return {
    since,
    counts: { up: numberOf('up'), unblocked: numberOf('unblocked'), moved: numberOf('moved') },
    list: found.slice(0, REPAIRS_SHOWN).map(asRead),
  };
}

const sumOf = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
};

/** Returns the median, rounded; null of none. */
function medianOf(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((one, other) => one - other);
  const at = (place: number): number => sorted[Math.floor(place)] ?? 0;
  return Math.round((at((sorted.length - 1) / 2) + at(sorted.length / 2)) / 2);
}

/** Returns how the last thirty days went, today among them. A day of which nothing is known is null, not 0. */
async function trends(actor: Actor, now: number): Promise<Pick<Triage, 'days' | 'trends'>> {
  const days = Array.from({ length: TREND_DAYS }, (_, at) => dayOf(now - (TREND_DAYS - 1 - at) * DAY_MS));
  const [since = ''] = days;
  const [counts, times, checked] = await Promise.all([
    listDayCounts(actor, since),
    listRepairTimes(actor, since),
    listCheckedDays(actor, days),
  ]);
  const known = new Set(checked.map(({ day }) => day));
  const countOf = new Map(counts.map(({ name, day, n }) => [`${name} ${day}`, n]));
  const timesOf = new Map(times.map(({ day, seconds }) => [day, seconds.split(',').map(Number)]));
  const trendOf = (name: TrendName): Trend => {
    if (name === 'repair') {
      return {
        values: days.map((day) => medianOf(timesOf.get(day) ?? [])),
        total: medianOf([...timesOf.values()].flat()),
      };
    }
    const values = days.map((day) => countOf.get(`${name} ${day}`) ?? (known.has(day) ? 0 : null));
    return { values, total: sumOf(values) };
  };
  return { days, trends: Object.fromEntries(TRENDS.map((name) => [name, trendOf(name)])) as Triage['trends'] };
}

/** Returns what was repaired within a day, and how the last thirty days went. */
export async function readPast(actor: Actor, now: number): Promise<Pick<Triage, 'repaired' | 'days' | 'trends'>> {
  const [within, course] = await Promise.all([repaired(actor, now), trends(actor, now)]);
  return { repaired: within, ...course };
}
