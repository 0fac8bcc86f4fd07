import { useId } from 'react';
import './pictures.css';

/** A part of time, such as a day. */
export interface Span {
  /** Names it, and says what happened; a tooltip. */
  title: string;
  state: 'up' | 'down' | 'blocked' | 'unknown';
  /** With `down`, the share without an answer: 0 to 1. */
  share?: number;
}

interface AvailabilityStripProps {
  /** In order of time. */
  spans: readonly Span[];
  /** The sum in words, for a screen reader. */
  label: string;
  /** The labels below its ends and its middle. */
  axis?: readonly string[];
}

const STEP = 8;
const BAR = 6;
const HEIGHT = 28;
// A short failure has to be seen.
const LEAST = 0.2;

/** A bar for each part of time: red hangs from the top for the share that failed, stripes are a block, a frame is no data. */
export function AvailabilityStrip({ spans, label, axis }: AvailabilityStripProps) {
  const stripes = useId();
  return (
    <div className="availability">
      <svg
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn here, not loaded from a file
        role="img"
        aria-label={label}
        height={HEIGHT}
        viewBox={`0 0 ${spans.length * STEP - (STEP - BAR)} ${HEIGHT}`}
        preserveAspectRatio="none"
      >
        <pattern id={stripes} width={4} height={4} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect className="availability-ground" width={4} height={4} />
          <rect className="availability-down" width={2} height={4} />
        </pattern>
        {spans.map(({ title, state, share = 1 }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- its place in time is all that names it
          <g key={index}>
            <title>{title}</title>
            <rect
              className={`availability-${state === 'unknown' ? 'unknown' : 'up'}`}
              x={index * STEP}
              width={BAR}
              height={HEIGHT}
            />
            {state === 'down' && (
              <rect
                className="availability-down"
                x={index * STEP}
                width={BAR}
                height={HEIGHT * Math.max(LEAST, share)}
              />
            )}
            {state === 'blocked' && <rect x={index * STEP} width={BAR} height={HEIGHT} fill={`url(#${stripes})`} />}
          </g>
        ))}
      </svg>
      {axis && (
        <div className="availability-axis" aria-hidden="true">
          {axis.map((text) => (
            <span key={text}>{text}</span>
          ))}
        </div>
      )}
    </div>
  );
}
