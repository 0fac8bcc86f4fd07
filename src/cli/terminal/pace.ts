/** How much was done at a time in milliseconds. */
export interface Mark {
  at: number;
  done: number;
}

/** How quickly work goes on: how much a second, and the seconds that are left; null where that is not known yet. */
export interface Pace {
  rate: number | null;
  left: number | null;
}

// A pace of less time than this would jump.
const SHORTEST_MS = 900;

/** Returns the pace between the first and the last mark. */
export function paceOf(marks: readonly Mark[], total: number | null): Pace {
  const [first, last] = [marks[0], marks.at(-1)];
  if (!first || !last || last.at - first.at < SHORTEST_MS) return { rate: null, left: null };
  const rate = Math.max(0, ((last.done - first.done) * 1_000) / (last.at - first.at));
  const left = total === null || rate === 0 ? null : Math.ceil(Math.max(0, total - last.done) / rate);
  return { rate: rate < 10 ? Math.round(rate * 10) / 10 : Math.round(rate), left };
}

/** Adds a mark and keeps those of the last `keptMs`. */
export function marked(marks: readonly Mark[], mark: Mark, keptMs: number): Mark[] {
  const kept = marks.filter(({ at }) => mark.at - at <= keptMs);
  return [...kept, mark];
}

/** Writes seconds as `m:ss` or `h:mm:ss`. */
export function clockOf(seconds: number): string {
  const [hours, minutes, rest] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (value: number): string => String(value).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
