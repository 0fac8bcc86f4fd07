export interface Point {
  x: number;
  y: number;
}

export interface Spark {
  /** One path for each run of known values. */
  lines: string[];
  /** The same, closed along the bottom. */
  areas: string[];
  /** The last value, if it is known. */
  last: Point | undefined;
}

const PAD = 3;
const round = (value: number): number => Math.round(value * 10) / 10;

/** Splits values into runs without a gap, as points; a picture of equal values is a line in the middle. */
function runsOf(
  values: readonly (number | null)[],
  width: number,
  height: number,
  base: number | undefined,
): Point[][] {
  const known = values.filter((value) => value !== null);
  const low = base ?? Math.min(...known);
  const span = Math.max(...known) - low;
  const step = values.length > 1 ? (width - PAD * 2) / (values.length - 1) : 0;
  const runs: Point[][] = [];
  let isOpen = false;
  for (const [index, value] of values.entries()) {
    if (value !== null) {
      if (!isOpen) runs.push([]);
      const share = span === 0 ? 0.5 : (value - low) / span;
      runs.at(-1)?.push({ x: round(PAD + index * step), y: round(height - PAD - share * (height - PAD * 2)) });
    }
    isOpen = value !== null;
  }
  return runs;
}

/**
 * Returns the paths of a small line chart, from `base`, without it from the lowest value, at the bottom to the highest at the top.
 * Null is a gap.
 */
export function sparkOf(values: readonly (number | null)[], width: number, height: number, base?: number): Spark {
  const runs = runsOf(values, width, height, base);
  const lineOf = (run: readonly Point[]): string => `M${run.map(({ x, y }) => `${x} ${y}`).join('L')}`;
  return {
    lines: runs.map(lineOf),
    areas: runs.map((run) => `${lineOf(run)}L${run.at(-1)?.x} ${height}L${run[0]?.x} ${height}Z`),
    last: values.at(-1) === null ? undefined : runs.at(-1)?.at(-1),
  };
}
