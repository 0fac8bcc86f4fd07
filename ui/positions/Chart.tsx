import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

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

interface ChartProps {
  /** A sentence that says what the chart shows. */
  label: string;
  /** What stands below each value. */
  ticks: readonly string[];
  lines: readonly Line[];
  marks?: readonly Mark[];
  /** The best value, 1, stands on top; else the largest. */
  isPlaces: boolean;
}

const HEIGHT = 240;
const DASHES = [[], [6, 4], [2, 3], [10, 3, 2, 3]];
const COLORS = ['--accent', '--warn', '--ok-ink', '--danger'];

const colorOf = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Draws the upright lines, in the colour of what they mean. */
const marksPlugin = (marks: readonly Mark[]): UPlot.Plugin => ({
  hooks: {
    draw: (chart) => {
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
    },
  },
});

function optionsOf({ ticks, lines, marks = [], isPlaces }: ChartProps, width: number): UPlot.Options {
  const grid = { stroke: colorOf('--line'), width: 1 };
  const axis = { stroke: colorOf('--ink-3'), grid, ticks: grid, font: '12px Inter, sans-serif' };
  return {
    width,
    height: HEIGHT,
    legend: { live: false },
    scales: {
      x: { time: false },
      y: isPlaces ? { dir: -1, range: (_, low, high) => [Math.min(1, low), Math.max(10, high)] } : {},
    },
    axes: [
      {
        ...axis,
        values: (_, at) => at.map((tick) => ticks[tick] ?? ''),
      },
      { ...axis, values: (_, ticks) => ticks.map((tick) => (Number.isInteger(tick) ? String(tick) : '')) },
    ],
    series: [
      {},
      ...lines.map(({ name }, index) => ({
        label: name,
        stroke: colorOf(COLORS[index % COLORS.length] ?? '--accent'),
        width: 2,
        dash: DASHES[index % DASHES.length] ?? [],
        spanGaps: false,
        points: { show: true, size: 5 },
      })),
    ],
    plugins: [marksPlugin(marks)],
  };
}

/** A line chart over days. It is drawn again when the theme or its width changes; its figures stand in a table beside it. */
export function Chart(props: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const { label, ticks, lines, marks = [] } = props;
  useEffect(() => {
    const place = box.current;
    if (!place) return undefined;
    let chart: UPlot | undefined;
    const data = [ticks.map((_, index) => index), ...lines.map(({ values }) => [...values])] as UPlot.AlignedData;
    const draw = (): void => {
      chart?.destroy();
      chart = new UPlot(optionsOf(props, Math.max(280, place.clientWidth)), data, place);
    };
    draw();
    const theme = new MutationObserver(draw);
    theme.observe(document.documentElement, { attributes: true, attributeFilter: ['class'] });
    const size = new ResizeObserver(() => chart?.setSize({ width: Math.max(280, place.clientWidth), height: HEIGHT }));
    size.observe(place);
    return () => {
      theme.disconnect();
      size.disconnect();
      chart?.destroy();
    };
  }, [props, ticks, lines]);
  return (
    <figure className="position-chart">
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn here, not loaded from a file */}
      <div ref={box} role="img" aria-label={label} />
      {marks.length > 0 && (
        <ul className="position-events">
          {marks.map(({ at, text }) => (
            <li key={`${at} ${text}`}>{`${ticks[at] ?? ''}: ${text}`}</li>
          ))}
        </ul>
      )}
    </figure>
  );
}
