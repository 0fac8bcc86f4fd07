import { Button } from '@blueprintjs/core';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { weeksOf, type ExpiryDay } from '../../src/shared/portfolio/expiry-calendar.ts';
import { useFormats } from '../kit/language.ts';
import { T } from '../kit/T.tsx';
import { domainsEnding, lookOf } from './domainsEnding.ts';

// The others after a press: a year of days is longer than a phone's page may be.
const SHOWN = 6;

/** The days on which something ends, by week; each leads to its domains. */
export function ExpiryWeeks({ days, today }: { days: readonly ExpiryDay[]; today: string }) {
  const formats = useFormats();
  const [isWhole, setWhole] = useState(false);
  const weeks = weeksOf(days);
  const shown = isWhole ? weeks : weeks.slice(0, SHOWN);
  return (
    <>
      <ul className="expiry-weeks">
        {shown.map(({ from, to, days: ofWeek }) => (
          <li key={from}>
            <span className="muted">
              <T k="calendar.week_of" from={formats.dayMonth(from)} to={formats.dayMonth(to)} />
            </span>
            <ul>
              {ofWeek.map(({ day, count }) => {
                const { look, text } = lookOf(day, today);
                return (
                  <li key={day}>
                    <Link to={domainsEnding(day, day)} className={`expiry-day ${look}`}>
                      <T k={text} day={formats.dayMonth(day)} n={count} />
                    </Link>
                  </li>
                );
              })}
            </ul>
          </li>
        ))}
      </ul>
      {weeks.length > shown.length && (
        <Button text={<T k="calendar.more" n={weeks.length - shown.length} />} onClick={() => setWhole(true)} />
      )}
    </>
  );
}
