import { sparkOf } from './spark.ts';
import './pictures.css';

const SMALL = [88, 28] as const;
// Stretched to the width of its place.
const WIDE = [480, 56] as const;

interface SparklineProps {
  /** In order of time; null is a gap, which is not zero. */
  values: readonly (number | null)[];
  /** Text for a screen reader: the subject of the line and its last value. */
  label: string;
  /** The last value is bad news: its dot is red. */
  bad?: boolean;
  /** As wide as its place, from zero, without the dot at its end. */
  wide?: boolean;
}

/** A line of some values without axes. A number should stand beside it. */
export function Sparkline({ values, label, bad = false, wide = false }: SparklineProps) {
  const [width, height] = wide ? WIDE : SMALL;
  const { lines, areas, last } = sparkOf(values, width, height, wide ? 0 : undefined);
  return (
    <svg
      className={bad ? 'sparkline sparkline-bad' : 'sparkline'}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn here, not loaded from a file
      role="img"
      aria-label={label}
      width={wide ? '100%' : width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio={wide ? 'none' : undefined}
    >
      {areas.map((area) => (
        <path key={area} className="sparkline-area" d={area} />
      ))}
      {lines.map((line) => (
        <path key={line} className="sparkline-line" d={line} />
      ))}
      {last && !wide && <circle cx={last.x} cy={last.y} r={2.5} />}
    </svg>
  );
}
