import { sparkOf } from './spark.ts';
import './pictures.css';

const WIDTH = 88;
const HEIGHT = 28;

interface SparklineProps {
  /** In order of time; null is a gap, which is not zero. */
  values: readonly (number | null)[];
  /** Text for a screen reader: the subject of the line and its last value. */
  label: string;
  /** The last value is bad news: its dot is red. */
  bad?: boolean;
}

/** A line of some values without axes. A number should stand beside it. */
export function Sparkline({ values, label, bad = false }: SparklineProps) {
  const { lines, areas, last } = sparkOf(values, WIDTH, HEIGHT);
  return (
    <svg
      className={bad ? 'sparkline sparkline-bad' : 'sparkline'}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn here, not loaded from a file
      role="img"
      aria-label={label}
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
    >
      {areas.map((area) => (
        <path key={area} className="sparkline-area" d={area} />
      ))}
      {lines.map((line) => (
        <path key={line} className="sparkline-line" d={line} />
      ))}
      {last && <circle cx={last.x} cy={last.y} r={2.5} />}
    </svg>
  );
}
