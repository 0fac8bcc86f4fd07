import type { ProjectPositions } from '../../src/shared/positions/positions.ts';

/** The bands of places, by their last one; the sixth is what is not within the depth. */
const BANDS = [3, 10, 30, 50, 100] as const;
/** The names of the bands, as they stand in legends. */
export const BAND_NAMES = ['1–3', '4–10', '11–30', '31–50', '51–100'] as const;

/** Returns the number of a place's band, from 1; 6 where it is not within the depth. */
export function bandOf(place: number): number {
  const band = BANDS.findIndex((last) => place <= last);
  return place === 0 || band < 0 ? BANDS.length + 1 : band + 1;
}

/** A cell of the heat map. */
export interface HeatCell {
  /** A place; 0: not within the depth; null: no check. */
  value: number | null;
  /** Places won against the check before, less than zero for places lost; `new` and `out`: it came into the depth, or fell out. */
  change: number | 'new' | 'out' | null;
  before: number | null;
  depth: number | null;
  url: string | null;
  isRival: boolean;
}

/** A keyword with its cells in the order of the dates. */
export interface HeatRow {
  id: number;
  value: string;
  tags: readonly string[];
  target_url: string | null;
  frequency: number | null;
  cells: readonly HeatCell[];
  best: number | null;
  /** The last known value and the one of the check before it. */
  last: number | null;
  change: HeatCell['change'];
}

function changeOf(value: number | null, before: number | null, depth: number | null): HeatCell['change'] {
  if (value === null || before === null || value === before) return null;
  // Less was read than where it stood: nothing is known of it.
  if (value === 0 && depth !== null && depth < before) return null;
  if (before === 0) return 'new';
  return value === 0 ? 'out' : before - value;
}

/** Returns the rows of the heat map. */
export function rowsOf({ keywords, values, depths, found, pages, rivals }: ProjectPositions): HeatRow[] {
  return keywords.map((keyword, k) => {
    let before: number | null = null;
    const cells = values.map((day, d): HeatCell => {
      const value = day[k] ?? null;
      const page = found[d]?.[k] ?? null;
      const cell = {
        value,
        change: changeOf(value, before, depths[d]?.[k] ?? null),
        before,
        depth: depths[d]?.[k] ?? null,
        url: page === null ? null : (pages[page] ?? null),
        isRival: rivals[d]?.[k] ?? false,
      };
      if (value !== null) before = value;
      return cell;
    });
    const places = cells.flatMap(({ value }) => (value === null || value === 0 ? [] : [value]));
    const last = cells.findLast(({ value }) => value !== null);
    return {
      ...keyword,
      cells,
      best: places.length === 0 ? null : Math.min(...places),
      last: last?.value ?? null,
      change: last?.change ?? null,
    };
  });
}

/** What is shown of the rows: a text in the keyword or a tag, a band of the last value, those that fell by more than ten places. */
export interface HeatFilter {
  search: string;
  band: number | null;
  hasFallen: boolean;
}

const FALLEN = -10;

/** Returns the rows that a filter shows. */
export const filterRows = (rows: readonly HeatRow[], { search, band, hasFallen }: HeatFilter): HeatRow[] => {
  const wanted = search.trim().toLowerCase();
  return rows.filter(
    ({ value, tags, last, change }) =>
      (wanted === '' || [value, ...tags].some((text) => text.toLowerCase().includes(wanted))) &&
      (band === null || (last !== null && bandOf(last) === band)) &&
      (!hasFallen || change === 'out' || (typeof change === 'number' && change < FALLEN)),
  );
};

/** Returns how many of some values are in each band, the sixth being what is not within the depth. */
export function distributionOf(values: readonly (number | null)[]): number[] {
  const counts = Array.from({ length: BANDS.length + 1 }, () => 0);
  for (const value of values) if (value !== null) counts[bandOf(value) - 1] = (counts[bandOf(value) - 1] ?? 0) + 1;
  return counts;
}

/** Returns the average of the places within the depth; null: there is none. */
export function averageOf(values: readonly (number | null)[]): number | null {
  const places = values.filter((value) => value !== null && value > 0) as number[];
  return places.length === 0 ? null : places.reduce((sum, place) => sum + place, 0) / places.length;
}

/** Returns on which days another page was found than the last time, by their index. */
export function pageChanges({ cells }: HeatRow): { at: number; url: string }[] {
  let before: string | null = null;
  return cells.flatMap(({ url }, at) => {
    if (url === null) return [];
    const isOther = before !== null && before !== url;
    before = url;
    return isOther ? [{ at, url }] : [];
  });
}

/** Returns the positions as rows of a table: the keyword, then a column for each date; empty where there was no check. */
export const tableOf = (keyword: string, dates: readonly string[], rows: readonly HeatRow[]): string[][] => [
  [keyword, ...dates],
  ...rows.map(({ value, cells }) => [value, ...cells.map((cell) => (cell.value === null ? '' : String(cell.value)))]),
];

/** A line that was typed as a keyword; `isRepeated`: an earlier line says the same but for case and blanks. */
export function linesOf(text: string): { lines: string[]; repeated: number } {
  const lines = new Map<string, string>();
  const all = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  for (const line of all) {
    const same = line.toLowerCase().replaceAll(/\s+/g, ' ');
    if (!lines.has(same)) lines.set(same, line);
  }
  return { lines: [...lines.values()], repeated: all.length - lines.size };
}
