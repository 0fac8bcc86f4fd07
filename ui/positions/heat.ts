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
  /** The change from the first check to the last one. */
  total: HeatCell['change'];
}

/** Returns a date as it stands above a column: `24.11`. */
export const shortDay = (date: string): string => `${date.slice(8)}.${date.slice(5, 7)}`;

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
    const first = cells.find(({ value }) => value !== null);
    const last = cells.findLast(({ value }) => value !== null);
    return {
      ...keyword,
      cells,
      best: places.length === 0 ? null : Math.min(...places),
      last: last?.value ?? null,
      change: last?.change ?? null,
      total: changeOf(last?.value ?? null, first?.value ?? null, last?.depth ?? null),
    };
  });
}

/**
 * A filter of rows: by a text in the keyword or a tag, a tag, a band of the last value (null: any), a fall by more than ten places or
 * out of the depth, and another page than the wanted one. Empty texts filter nothing.
 */
export interface HeatFilter {
  search: string;
  tag: string;
  band: number | null;
  hasFallen: boolean;
  isRival: boolean;
}

const FALLEN = -10;

/** Returns whether another page than the wanted one stood there on the last day with a place. */
export const hasRival = ({ cells }: HeatRow): boolean =>
  cells.findLast(({ value }) => value !== null && value > 0)?.isRival ?? false;

/** Returns the tags of rows, each once, in their order. */
export const tagsOf = (rows: readonly HeatRow[]): string[] => [...new Set(rows.flatMap(({ tags }) => tags))].toSorted();

/** Returns the rows that a filter shows. */
export const filterRows = (rows: readonly HeatRow[], filter: HeatFilter): HeatRow[] => {
  const wanted = filter.search.trim().toLowerCase();
  return rows.filter((row) => {
    const { value, tags, last, change } = row;
    return (
      (wanted === '' || [value, ...tags].some((text) => text.toLowerCase().includes(wanted))) &&
      (filter.tag === '' || tags.includes(filter.tag)) &&
      (filter.band === null || (last !== null && bandOf(last) === filter.band)) &&
      (!filter.hasFallen || change === 'out' || (typeof change === 'number' && change < FALLEN)) &&
      (!filter.isRival || hasRival(row))
    );
  });
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

/** Returns the positions of some dates alone, such as of two that are compared. */
export function onlyDates(positions: ProjectPositions, dates: readonly string[]): ProjectPositions {
  const at = positions.dates.flatMap((date, index) => (dates.includes(date) ? [index] : []));
  const pick = <V>(days: readonly V[]): V[] => at.flatMap((index) => days.slice(index, index + 1));
  const { values, depths, found, rivals } = positions;
  return {
    ...positions,
    dates: pick(positions.dates),
    values: pick(values),
    depths: pick(depths),
    found: pick(found),
    rivals: pick(rivals),
  };
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

/** Returns the lines that were typed as keywords, without those that say the same as an earlier one but for case and blanks, and their number. */
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
