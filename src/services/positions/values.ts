import { listFailedDays, listPlaces, listReadings, listScopes, type GridPart } from './grid-rows.ts';

/** The positions of some domains for keywords, by day and keyword. */
export interface Values {
  days: number[];
  /** The best place of the domains; 0: none is within the depth; null: none was looked for. */
  values: (number | null)[][];
  depths: (number | null)[][];
  /** The number of the address at that place; null: none. */
  pages: (number | null)[][];
}

const NOBODY: ReadonlySet<number> = new Set();

/** Reads the positions of a part. `soughtOn` tells the domains of a day: the best of their places counts. */
export async function readValues(
  part: GridPart,
  keywordIds: readonly number[],
  soughtOn: (day: number) => ReadonlySet<number>,
): Promise<Values> {
  const [readings, places, failed, scopes] = await Promise.all([
    listReadings(part),
    listPlaces(part),
    listFailedDays(part),
    listScopes(part.project_id),
  ]);
  const days = [...new Set([...failed, ...readings.map(([, day]) => day)])].toSorted((one, other) => one - other);
  const dayAt = new Map(days.map((day, index) => [day, index]));
  const keywordAt = new Map(keywordIds.map((id, index) => [id, index]));
  const sought = days.map(soughtOn);
  // A list for each day with a value for each keyword.
  const grid = (): (number | null)[][] =>
    days.map(() => Array.from<number | null>({ length: keywordIds.length }).fill(null));
  const result = { days, values: grid(), depths: grid(), pages: grid() };
  const wasSought = new Map<string, boolean>();
  const isSought = (scope: number, at: number): boolean => {
    const name = `${scope} ${at}`;
    const known = wasSought.get(name);
    if (known !== undefined) return known;
    const ids = scopes.get(scope) ?? NOBODY;
    const is = [...(sought[at] ?? NOBODY)].some((id) => ids.has(id));
    wasSought.set(name, is);
    return is;
  };
  for (const [keyword, day, depth, scope] of readings) {
    const d = dayAt.get(day) ?? -1;
    const k = keywordAt.get(keyword);
    const [values, depths] = [result.values[d], result.depths[d]];
    if (k === undefined || !values || !depths) continue;
    depths[k] = depth;
    if (isSought(scope, d)) values[k] = 0;
  }
  for (const [keyword, day, domain, place, page] of places) {
    const d = dayAt.get(day) ?? -1;
    const k = keywordAt.get(keyword);
    const [values, pages] = [result.values[d], result.pages[d]];
    if (k === undefined || !values || !pages || sought[d]?.has(domain) !== true) continue;
    const best = values[k] ?? 0;
    if (best !== 0 && best <= place) continue;
    values[k] = place;
    pages[k] = page || null;
  }
  return result;
}
