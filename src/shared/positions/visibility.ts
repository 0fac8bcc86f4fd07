/** Shares of visitors that see a place: of places 1, 3, 5, 10, 30, 50 and 100, as Topvisor publishes its steps. */
const STEPS: readonly (readonly [to: number, share: number])[] = [
  [1, 1],
  [3, 0.85],
  [5, 0.6],
  [10, 0.5],
  [30, 0.3],
  [50, 0.1],
  [100, 0.05],
];

/** Returns the share of visitors that see a place, from 0 to 1; 0 for none. */
export const shareOf = (place: number | null): number =>
  place === null || place === 0 ? 0 : (STEPS.find(([to]) => place <= to)?.[1] ?? 0);

/**
 * Returns the share of voice of a day, from 0 to 1: of all visitors who ask for the keywords, those that see a place of ours.
 * Keywords without a frequency count as one visitor where none has one, else not at all; null: nothing was checked.
 */
export function visibilityOf(
  places: readonly (number | null)[],
  frequencies: readonly (number | null)[] = [],
): number | null {
  const isWeighted = frequencies.some((frequency) => frequency !== null && frequency > 0);
  let seen = 0;
  let all = 0;
  for (const [index, place] of places.entries()) {
    if (place === null) continue;
    const weight = isWeighted ? (frequencies[index] ?? 0) : 1;
    seen += weight * shareOf(place);
    all += weight;
  }
  return all === 0 ? null : seen / all;
}
