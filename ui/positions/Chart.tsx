/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a pointer moves over the days of a drawing, which an input can't hold */
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { COLORS, DASHES, HEIGHT, optionsOf, type Drawing, type Line, type Mark } from './chartOptions.ts';

interface ChartProps {
  /** A sentence that says what the chart shows. */
  label: string;
  /** The label below each value. */
  ticks: readonly string[];
  lines: readonly Line[];
  marks?: readonly Mark[];
  /** The best value, 1, stands on top; else the largest. */
  isPlaces: boolean;
  /** Places are drawn by their logarithm: the first ten take half of the height. */
  isLog?: boolean;
  /** Stands behind each value, such as `%`. */
  unit?: string;
}

const NONE: readonly Mark[] = [];
const LEAST_WIDTH = 240;

/** The colour and dashes of a line beside its name. */
const Swatch = ({ index }: { index: number }) => (
  <svg width={24} height={8} aria-hidden="true">
    <line
      x1={0}
      x2={24}
      y1={4}
      y2={4}
      stroke={`var(${COLORS[index % COLORS.length]})`}
      strokeWidth={2}
      strokeDasharray={(DASHES[index % DASHES.length] ?? []).join(' ')}
    />
  </svg>
);

/**
 * Draws a chart into `box`, again when the theme or its width changes. `pointed` is the value at the pointer, by its index; undefined: it
 * points at none. `point` moves the chart's cursor to a value.
 */
function usePlot({ ticks, lines, marks, isPlaces, isLog }: Omit<Drawing, 'onPoint'>) {
  const box = useRef<HTMLDivElement>(null);
  const drawn = useRef<UPlot>(undefined);
  const [pointed, setPointed] = useState<number>();
  useEffect(() => {
    const place = box.current;
    if (!place) return undefined;
    const data = [ticks.map((_, index) => index), ...lines.map(({ values }) => [...values])] as UPlot.AlignedData;
    const widthOf = (): number => Math.max(LEAST_WIDTH, place.clientWidth);
    const draw = (): void => {
      drawn.current?.destroy();
      const options = optionsOf({ ticks, lines, marks, isPlaces, isLog, onPoint: setPointed }, widthOf());
      drawn.current = new UPlot(options, data, place);
    };
    draw();
    const theme = new MutationObserver(draw);
    theme.observe(document.documentElement, { attributes: true, attributeFilter: ['class'] });
    const size = new ResizeObserver(() => drawn.current?.setSize({ width: widthOf(), height: HEIGHT }));
    size.observe(place);
    return () => {
      theme.disconnect();
      size.disconnect();
      drawn.current?.destroy();
      drawn.current = undefined;
    };
  }, [ticks, lines, marks, isPlaces, isLog]);
  const point = (index: number): void => {
    setPointed(index);
    drawn.current?.setCursor({ left: drawn.current.valToPos(index, 'x'), top: 0 });
  };
  return { box, pointed, point };
}

/**
 * A line chart over days. The pointer and the arrow keys move over its days; the figures of the day stand below. It is drawn again when
 * the theme or its width changes. All its figures stand in a table beside it.
 */
export function Chart({ label, ticks, lines, marks = NONE, isPlaces, isLog = false, unit = '' }: ChartProps) {
  const { box, pointed, point } = usePlot({ ticks, lines, marks, isPlaces, isLog });
  const last = ticks.length - 1;
  const at = Math.min(pointed ?? last, last);
  const figures = useMemo(
    () => lines.map(({ name, values }) => `${name} ${values[at] ?? '—'}${values[at] == null ? '' : unit}`).join(', '),
    [lines, at, unit],
  );
  const told = [ticks[at] ?? '', figures, ...marks.filter((mark) => mark.at === at).map(({ text }) => text)].join(
    ' · ',
  );
  const onKey = (event: KeyboardEvent): void => {
    const moves: Record<string, number> = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last };
    const next = moves[event.key];
    if (next === undefined) return;
    event.preventDefault();
    point(Math.min(Math.max(next, 0), last));
  };
  return (
    <figure className="position-chart">
      <div
        ref={box}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={at}
        aria-valuetext={told}
        onKeyDown={onKey}
      />
      <p className="position-readout" aria-hidden="true">
        {told}
      </p>
      {lines.length > 1 && (
        <ul className="position-lines">
          {lines.map(({ name }, index) => (
            <li key={name}>
              <Swatch index={index} />
              {name}
            </li>
          ))}
        </ul>
      )}
      {marks.length > 0 && (
        <ul className="position-events">
          {marks.map((mark) => (
            <li key={`${mark.at} ${mark.text}`}>{`${ticks[mark.at] ?? ''}: ${mark.text}`}</li>
          ))}
        </ul>
      )}
    </figure>
  );
}
