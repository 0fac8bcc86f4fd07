import { visibilityOf } from '../../src/shared/positions/visibility.ts';
import { useFormats, useT } from '../kit/language.ts';
import { Panel } from '../kit/Panel.tsx';
import { T } from '../kit/T.tsx';
import { averageOf, BAND_NAMES, distributionOf, type HeatRow } from './heat.ts';
import { valuesAt } from './series.ts';

interface SummaryProps {
  rows: readonly HeatRow[];
  dates: readonly string[];
  /** The band that is shown alone; null: all. */
  band: number | null;
  onBand: (band: number | null) => void;
}

/** The average place and the visibility of a day, by its index, and how far the average is from the day before. */
function Figures({ rows, day }: { rows: readonly HeatRow[]; day: number }) {
  const t = useT();
  const formats = useFormats();
  const values = valuesAt(rows, day);
  const average = averageOf(values);
  const before = averageOf(valuesAt(rows, day - 1));
  const frequencies = rows.map(({ frequency }) => frequency);
  const isWeighted = frequencies.some((frequency) => frequency !== null && frequency > 0);
  const seen = visibilityOf(values, frequencies);
  const change = average === null || before === null ? 0 : before - average;
  return (
    <div className="position-figures">
      <span>
        <b>{average === null ? '—' : formats.number(Math.round(average * 10) / 10)}</b> <T k="positions.average" />
      </span>
      <span title={t('positions.visibility_help')}>
        <b>{seen === null ? '—' : `${formats.number(Math.round(seen * 100))} %`}</b>{' '}
        <T k={isWeighted ? 'positions.visibility_weighted' : 'positions.visibility'} />
      </span>
      {Math.abs(change) >= 0.1 && (
        <span className={change < 0 ? 'bad' : ''}>
          {change < 0 ? '▼' : '▲'} {formats.number(Math.round(Math.abs(change) * 10) / 10)}{' '}
          <T k="positions.since_before" />
        </span>
      )}
    </div>
  );
}

/** The figures of the last day: the average place, the visibility, and how many keywords are in each band. A band is a filter. */
export function Summary({ rows, dates, band, onBand }: SummaryProps) {
  const t = useT();
  const formats = useFormats();
  const last = dates.length - 1;
  const counts = distributionOf(valuesAt(rows, last));
  const names = [...BAND_NAMES, t('positions.beyond')];
  return (
    <Panel title={<T k="positions.summary" />} aside={dates[last] && formats.day(dates[last])}>
      <Figures rows={rows} day={last} />
      <fieldset className="position-bands" aria-label={t('positions.bands')}>
        {counts.map((count, index) =>
          count === 0 ? null : (
            <button
              key={names[index]}
              type="button"
              className={`position-band heat-${index + 1}`}
              style={{ flexGrow: count }}
              aria-pressed={band === index + 1}
              aria-label={t('positions.band', { band: names[index] ?? '', n: count })}
              title={t('positions.band', { band: names[index] ?? '', n: count })}
              onClick={() => onBand(band === index + 1 ? null : index + 1)}
            >
              {count}
            </button>
          ),
        )}
      </fieldset>
      <ul className="position-legend">
        {names.map((name, index) => (
          <li key={name}>
            <i className={`heat-${index + 1}`} aria-hidden="true" />
            {name}
          </li>
        ))}
        <li>
          <i className="heat-unchecked" aria-hidden="true" />
          <T k="positions.no_check" />
        </li>
        {rows.some(({ target_url }) => target_url !== null) && (
          <li>
            * <T k="positions.rival" />
          </li>
        )}
      </ul>
      <Shares rows={rows} dates={dates} />
    </Panel>
  );
}

/** The shares of the bands on each day as stacked bars, with the same as a table for who does not see them. */
function Shares({ rows, dates }: Pick<SummaryProps, 'rows' | 'dates'>) {
  const t = useT();
  const formats = useFormats();
  const days = dates.map((date, day) => ({ date, counts: distributionOf(valuesAt(rows, day)) }));
  return (
    <figure className="position-shares">
      <figcaption>
        <T k="positions.over_time" />
      </figcaption>
      <div className="position-days" aria-hidden="true">
        {days.map(({ date, counts }) => (
          <span key={date} title={`${formats.day(date)}: ${counts.join(' / ')}`}>
            {counts.map((count, index) =>
              count === 0 ? null : (
                <i
                  key={`${date}-${BAND_NAMES[index] ?? 'beyond'}`}
                  className={`heat-${index + 1}`}
                  style={{ flexGrow: count }}
                />
              ),
            )}
          </span>
        ))}
      </div>
      {/* A table is as wide as its text, whatever is said of it: its box is hidden. */}
      <div className="visually-hidden">
        <table>
          <caption>{t('positions.over_time')}</caption>
          <thead>
            <tr>
              <th>{t('positions.date')}</th>
              {[...BAND_NAMES, t('positions.beyond')].map((name) => (
                <th key={name}>{name}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map(({ date, counts }) => (
              <tr key={date}>
                <th>{formats.day(date)}</th>
                {counts.map((count, index) => (
                  <td key={BAND_NAMES[index] ?? 'beyond'}>{count}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}
