import type UPlot from 'uplot';
import { placeTicks } from './series.ts';

/** A line of the chart; null is a gap. */
export interface Line {
  name: string;
  values: readonly (number | null)[];
}

/** An upright line at a value, by its index, with its text below the chart. */
export interface Mark {
  at: number;
  isBad: boolean;
  text: string;
}

/** The data and the scale of a chart. Ticks, values and marks share one index. */
export interface Drawing {
  ticks: readonly string[];
  lines: readonly Line[];
  marks: readonly Mark[];
  isPlaces: boolean;
  isLog: boolean;
  /** Called with the index of the value at the pointer. */
  onPoint: (index: number | undefined) => void;
}

/** Of the chart, in pixels. */
export const HEIGHT = 240;
/** How lines differ: not by colour alone. */
export const DASHES: readonly (readonly number[])[] = [[], [6, 4], [2, 3], [10, 3, 2, 3]];
export const COLORS: readonly string[] = ['--accent', '--warn', '--ok-ink', '--danger'];

const PLOT = HEIGHT - 40;
/** The bands that are shaded: their first and last place. */
const SHADES = [
  { from: 1, to: 3, color: '--place-1' },
  { from: 3, to: 10, color: '--place-2' },
] as const;
const SHADE = 0.12;

const colorOf = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Draws the grounds of the first three and the first ten places. */
function shade(chart: UPlot): void {
  const { ctx, bbox } = chart;
  const limit = bbox.top + bbox.height;
  ctx.save();
  ctx.globalAlpha = SHADE;
  for (const { from, to, color } of SHADES) {
    const top = Math.max(bbox.top, chart.valToPos(from, 'y', true));
    const end = Math.min(limit, chart.valToPos(to, 'y', true));
    ctx.fillStyle = colorOf(color);
    if (end > top) ctx.fillRect(bbox.left, top, bbox.width, end - top);
  }
  ctx.restore();
}

/** Draws the upright lines, in the colour of what they mean. */
function drawMarks(chart: UPlot, marks: readonly Mark[]): void {
  const { ctx, bbox } = chart;
  for (const { at, isBad } of marks) {
    const x = Math.round(chart.valToPos(at, 'x', true));
    ctx.save();
    ctx.strokeStyle = colorOf(isBad ? '--danger' : '--ink-2');
    ctx.setLineDash([4, 4]);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.restore();
  }
}

const worstOf = (lines: readonly Line[]): number =>
  Math.max(10, ...lines.flatMap(({ values }) => values.map((value) => value ?? 0)));

/** Returns the options of a chart of a width, in the colours of the theme. */
export function optionsOf({ ticks, lines, marks, isPlaces, isLog, onPoint }: Drawing, width: number): UPlot.Options {
  const grid = { stroke: colorOf('--line'), width: 1 };
  const font = `12px ${colorOf('--font')}`;
  const axis = { stroke: colorOf('--ink-3'), grid, ticks: grid, font };
  const worst = worstOf(lines);
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false } },
    scales: {
      x: { time: false },
      y: isPlaces ? { dir: -1, range: [1, worst], distr: isLog ? 3 : 1 } : {},
    },
    axes: [
      { ...axis, values: (_, at) => at.map((tick) => ticks[tick] ?? '') },
      {
        ...axis,
        ...(isPlaces && { splits: placeTicks(worst, PLOT, isLog), filter: (_: UPlot, splits: number[]) => splits }),
        values: (_, values) => values.map((tick) => (Number.isInteger(tick) ? String(tick) : '')),
      },
    ],
    series: [
      {},
      ...lines.map(({ name }, index) => ({
        label: name,
        stroke: colorOf(COLORS[index % COLORS.length] ?? '--accent'),
        width: 2,
        dash: [...(DASHES[index % DASHES.length] ?? [])],
        spanGaps: false,
        points: { show: true, size: 5 },
      })),
    ],
    hooks: {
      drawClear: isPlaces ? [shade] : [],
      draw: [(chart) => drawMarks(chart, marks)],
      setCursor: [(chart) => onPoint(chart.cursor.idx ?? undefined)],
    },
  };
}
