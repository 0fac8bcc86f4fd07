// When a main domain counts as blocked: what the looks at it have seen.
/** Number of observations in a row that must say "blocked" before a site moves automatically. */
export const WITNESSES = 3;
/** Fetches of the list so far apart are independent, even if the list has not changed. */
const APART_MS = 10 * 60_000;
/** A stored check against the blocklist; `entry` is the one that listed the name. */
export interface Observation {
  verdict: string;
  entry: string | null;
  list_version: string | null;
  list_fetched_at: string | null;
}

/** A main domain with its observations, the newest first. */
interface Observed {
  domain_name: string;
  observations: readonly Observation[];
}

const covers = (entry: string | null, name: string): boolean =>
  entry !== null &&
  (entry === name || (entry.startsWith('*.') && (name === entry.slice(2) || name.endsWith(entry.slice(1)))));

/** Number of the newest observations in a row that say "blocked" for this very name: those of a former name don't count. */
export const seenBlocked = ({ domain_name, observations }: Observed): number => {
  const end = observations.findIndex(({ verdict, entry }) => verdict !== 'blocked' || !covers(entry, domain_name));
  return end === -1 ? observations.length : end;
};

/** Whether the last three observations say "blocked", by two versions of the list or by fetches ten minutes apart. */
export function isWitnessed(main: Observed): boolean {
  if (seenBlocked(main) < WITNESSES) return false;
  const last = main.observations.slice(0, WITNESSES);
  const versions = new Set(last.flatMap(({ list_version }) => list_version ?? []));
  const fetched = last.flatMap(({ list_fetched_at }) => (list_fetched_at === null ? [] : Date.parse(list_fetched_at)));
  // Without fetches the difference is -Infinity: not far enough apart.
  return versions.size >= 2 || Math.max(...fetched) - Math.min(...fetched) >= APART_MS;
}

/** Returns the largest number of names that turned blocked within ten minutes. `times` are ISO, in any order. */
export function largestWave(times: readonly string[]): number {
  const sorted = times.map((time) => Date.parse(time)).toSorted((one, other) => one - other);
  let first = 0;
  let most = 0;
  for (const [index, at] of sorted.entries()) {
    while (at - (sorted[first] ?? at) > APART_MS) first += 1;
    most = Math.max(most, index - first + 1);
  }
  return most;
}
