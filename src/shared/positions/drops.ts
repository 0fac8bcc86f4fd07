/** Place of a keyword in a reading; 0: it is not among the first `depth` results. */
export interface ReadPlace {
  place: number;
  depth: number;
}

/**
 * Returns how many places were lost from one reading to the next, less than zero for places won. Outside of the depth is counted as
 * the first place behind it: at least so many are lost, or won. Null where a shallower reading does not tell.
 */
export function dropOf(last: ReadPlace, before: ReadPlace): number | null {
  if (last.place > 0 && before.place > 0) return last.place - before.place;
  if (last.place === 0 && before.place === 0) return last.depth === before.depth ? 0 : null;
  if (last.place === 0) return before.place <= last.depth ? last.depth + 1 - before.place : null;
  return last.place <= before.depth ? last.place - before.depth - 1 : null;
}
