import type { PositionEvent, PositionGrid } from '../../src/shared/positions/positions.ts';
import { visibilityOf } from '../../src/shared/positions/visibility.ts';
import { averageOf, type HeatRow } from './heat.ts';

/** Returns the places of a day, by its index, in the order of the rows; 0: not within the depth, null: no check. */
export const valuesAt = (rows: readonly HeatRow[], day: number): (number | null)[] =>
  rows.map(({ cells }) => cells[day]?.value ?? null);

/** Returns the visibility of each day, in whole percent, by frequency where it is given; null: nothing was checked. */
export function visibilityByDay(rows: readonly HeatRow[], days: number): (number | null)[] {
  const frequencies = rows.map(({ frequency }) => frequency);
  return Array.from({ length: days }, (_, day) => {
    const seen = visibilityOf(valuesAt(rows, day), frequencies);
    return seen === null ? null : Math.round(seen * 100);
  });
}

/** Returns the average place of each day, to a tenth; null: no keyword was within the depth. */
export const averageByDay = (rows: readonly HeatRow[], days: number): (number | null)[] =>
  Array.from({ length: days }, (_, day) => {
    const average = averageOf(valuesAt(rows, day));
    return average === null ? null : Math.round(average * 10) / 10;
  });

/** Places of one keyword by date. */
export interface Series {
  dates: readonly string[];
  values: readonly (number | null)[];
}

/** Returns the places of a keyword, by its index, as a series. */
export const seriesOf = ({ dates, values }: PositionGrid, keyword: number): Series => ({
  dates,
  values: values.map((day) => day[keyword] ?? null),
});

/** Puts series on common dates: null, a gap, where one has no check or its place is not within the depth (0). */
export function onCommonDates(series: readonly Series[]): { dates: string[]; values: (number | null)[][] } {
  const dates = [...new Set(series.flatMap((one) => one.dates))].toSorted();
  return {
    dates,
    values: series.map((one) => {
      const places = new Map(one.dates.map((date, index) => [date, one.values[index] ?? null]));
      return dates.map((date) => places.get(date) || null);
    }),
  };
}

/** Returns events with the index of the first of some dates that is not before them. Later events are left out. */
export const placeEvents = (
  events: readonly PositionEvent[],
  dates: readonly string[],
): (PositionEvent & { at: number })[] =>
  events
    .map((event) => Object.assign({}, event, { at: dates.findIndex((date) => date >= event.date) }))
    .filter(({ at }) => at >= 0);

const TICKS = [1, 3, 10, 30, 50, 100] as const;
const LEAST_PX = 14;

/** Returns which places have a line across the chart: those that are far enough from each other, the best one first. */
export function placeTicks(worst: number, height: number, isLog: boolean): number[] {
  const yOf = (place: number): number =>
    isLog ? (Math.log(place) / Math.log(worst)) * height : ((place - 1) / (worst - 1)) * height;
  const ticks: number[] = [];
  for (const place of TICKS) {
    const before = ticks.at(-1);
    if (place > worst || (before !== undefined && yOf(place) - yOf(before) < LEAST_PX)) continue;
    ticks.push(place);
  }
  return ticks;
}
