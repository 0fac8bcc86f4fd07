import { Button, HTMLSelect } from '@blueprintjs/core';
import { lazy, Suspense, useMemo, useState } from 'react';
import type { Engine } from '../../src/shared/engines.ts';
import type { ProjectPositions } from '../../src/shared/positions/positions.ts';
import { ApiError, useCall } from '../kit/api.ts';
import { CrossIcon } from '../kit/icons.tsx';
import { useFormats, useT } from '../kit/language.ts';
import { Loading } from '../kit/Loading.tsx';
import { Panel } from '../kit/Panel.tsx';
import { Failed } from '../kit/table/DataTable.tsx';
import { T } from '../kit/T.tsx';
import { pageChanges, type HeatRow } from './heat.ts';

const Chart = lazy(async () => ({ default: (await import('./Chart.tsx')).Chart }));

interface KeywordChartProps {
  projectId: number;
  engine: Engine;
  row: HeatRow;
  positions: ProjectPositions;
  onClose: () => void;
}

/** The history of a keyword: its places as a chart with moves and blocks, as a table, and the results of two days. */
export function KeywordChart({ projectId, engine, row, positions, onClose }: KeywordChartProps) {
  const t = useT();
  const formats = useFormats();
  const [view, setView] = useState<'chart' | 'table' | 'results'>('chart');
  const { dates, events } = positions;
  const lines = useMemo(
    () => [{ name: row.value, values: row.cells.map(({ value }) => (value === 0 ? null : value)) }],
    [row],
  );
  const ticks = useMemo(() => dates.map((date) => `${date.slice(8)}.${date.slice(5, 7)}`), [dates]);
  const marks = useMemo(() => {
    const told = events.map(({ date, kind, domain_name, to_name }) => ({
      at: dates.findIndex((one) => one >= date),
      isBad: kind === 'blocked',
      text: t(`positions.event_${kind}`, { domain: domain_name, to: to_name ?? '' }),
    }));
    const pages = pageChanges(row).map(({ at, url }) => ({
      at,
      isBad: false,
      text: t('positions.event_page', { url }),
    }));
    return [...told.filter(({ at }) => at >= 0), ...pages];
  }, [dates, events, row, t]);
  const views = ['chart', 'table', 'results'] as const;
  return (
    <Panel
      title={row.value}
      aside={
        <span className="position-acts">
          {views.map((name) => (
            <Button
              key={name}
              size="small"
              variant="minimal"
              active={view === name}
              aria-pressed={view === name}
              text={<T k={`positions.view_${name}`} />}
              onClick={() => setView(name)}
            />
          ))}
          <Button size="small" variant="minimal" icon={<CrossIcon />} aria-label={t('ui.close')} onClick={onClose} />
        </span>
      }
    >
      {view === 'chart' && (
        <Suspense fallback={<Loading />}>
          <Chart
            isPlaces
            label={t('positions.chart_of', { keyword: row.value, last: row.last ?? '—', best: row.best ?? '—' })}
            ticks={ticks}
            lines={lines}
            marks={marks}
          />
        </Suspense>
      )}
      {view === 'table' && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls by keys
        <section className="position-table" tabIndex={0} aria-label={t('positions.view_table')}>
          <table className="bp6-html-table bp6-html-table-condensed">
            <thead>
              <tr>
                <th>{t('positions.date')}</th>
                <th>{t('positions.position')}</th>
                <th>{t('positions.page')}</th>
              </tr>
            </thead>
            <tbody>
              {row.cells
                .map((cell, index) => ({ ...cell, date: dates[index] ?? '' }))
                .toReversed()
                .map(({ date, value, depth, url }) => (
                  <tr key={date}>
                    <td>{formats.day(date)}</td>
                    <td>
                      {value === null
                        ? t('positions.no_check')
                        : value === 0
                          ? `>${depth ?? ''}`
                          : formats.number(value)}
                    </td>
                    <td translate="no">{url ?? '—'}</td>
                  </tr>
                ))}
            </tbody>
          </table>
        </section>
      )}
      {view === 'results' && <TwoDays projectId={projectId} engine={engine} keywordId={row.id} dates={dates} />}
    </Panel>
  );
}

interface TwoDaysProps {
  projectId: number;
  engine: Engine;
  keywordId: number;
  dates: readonly string[];
}

/** The results of two days beside each other. */
function TwoDays({ dates, ...keyword }: TwoDaysProps) {
  const last = dates.length - 1;
  return (
    <div className="position-two">
      <Results {...keyword} dates={dates} first={dates[Math.max(0, last - 7)] ?? ''} />
      <Results {...keyword} dates={dates} first={dates[last] ?? ''} />
    </div>
  );
}

/** The results of a day, those of the project's domains marked. */
function Results({ projectId, engine, keywordId, dates, first }: TwoDaysProps & { first: string }) {
  const t = useT();
  const formats = useFormats();
  const [date, setDate] = useState(first);
  const params = { projectId, engine, keywordId };
  const { data, error, refetch } = useCall('GET /api/search_results/:projectId/:engine/:keywordId', {
    params,
    query: { date },
  });
  const own = new Map(data?.data.own.map(({ place, domain_name }) => [place, domain_name]));
  return (
    <section aria-label={formats.day(date)}>
      <HTMLSelect
        aria-label={t('positions.date')}
        value={date}
        options={dates.toReversed().map((one) => ({ value: one, label: formats.day(one) }))}
        onChange={(event) => setDate(event.currentTarget.value)}
      />
      {error instanceof ApiError && error.status === 404 && (
        <p className="muted">
          <T k="positions.no_reading" />
        </p>
      )}
      {error && !(error instanceof ApiError && error.status === 404) && (
        <Failed sentence="positions.load_failed" reason={error.message} retry={() => void refetch()} />
      )}
      {data?.data.urls === null && (
        <p className="muted">
          <T k="positions.too_old" />
        </p>
      )}
      <ol className="position-results">
        {data?.data.urls?.map((url, index) => (
          // A list may have an address twice.
          // oxlint-disable-next-line react/no-array-index-key -- places are what the list is about
          <li key={index} className={own.has(index + 1) ? 'own' : ''} translate="no">
            {url.replace(/^https?:\/\//, '')}
          </li>
        ))}
      </ol>
    </section>
  );
}
