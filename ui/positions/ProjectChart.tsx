import { Suspense, useMemo, useState } from 'react';
import type { Engine } from '../../src/shared/engines.ts';
import { toUnicode } from '../../src/shared/portfolio/domain-name.ts';
import type { PositionEvent } from '../../src/shared/positions/positions.ts';
import { useCall } from '../kit/api.ts';
import { useFormats, useT } from '../kit/language.ts';
import { later, Loading } from '../kit/Loading.tsx';
import { Panel } from '../kit/Panel.tsx';
import { T } from '../kit/T.tsx';
import { shortDay, type HeatRow } from './heat.ts';
import { useEventMarks } from './heatText.ts';
import { averageByDay, visibilityByDay } from './series.ts';
import { ViewButtons } from './ViewButtons.tsx';

const Chart = later(async () => (await import('./Chart.tsx')).Chart);

type View = 'visibility' | 'average' | 'table';
const VIEWS: readonly View[] = ['visibility', 'average', 'table'];

interface ProjectChartProps {
  projectId: number;
  engine: Engine;
  rows: readonly HeatRow[];
  dates: readonly string[];
  events: readonly PositionEvent[];
}

/** The moves of a project, each with the percentage of its places that has recovered, and in how many days. */
function Recoveries({ projectId, engine }: Pick<ProjectChartProps, 'projectId' | 'engine'>) {
  const t = useT();
  const formats = useFormats();
  const { data } = useCall('GET /api/position_moves', { query: { engine } });
  const own = data?.data.filter(({ project_id, recovered }) => project_id === projectId && recovered !== null) ?? [];
  if (own.length === 0) return null;
  return (
    <ul className="position-events">
      {own.map(({ id, moved_on, main_domain_name, transfer_domain_name, recovered, curve }) => (
        <li key={id}>
          {`${formats.day(moved_on)}, ${toUnicode(main_domain_name)} → ${toUnicode(transfer_domain_name)}: `}
          {t('positions.recovered_places', { n: recovered ?? 0, days: Math.max(0, curve.length - 1) })}
        </li>
      ))}
    </ul>
  );
}

/** The visibility and the average place of a project by day, over all its moves, and as a table. */
export function ProjectChart({ projectId, engine, rows, dates, events }: ProjectChartProps) {
  const t = useT();
  const formats = useFormats();
  const [view, setView] = useState<View>('visibility');
  const ticks = useMemo(() => dates.map(shortDay), [dates]);
  const visibility = useMemo(() => visibilityByDay(rows, dates.length), [rows, dates]);
  const average = useMemo(() => averageByDay(rows, dates.length), [rows, dates]);
  const marks = useEventMarks(events, dates);
  const lines = useMemo(
    () =>
      view === 'average'
        ? [{ name: t('positions.average'), values: average }]
        : [{ name: t('positions.visibility'), values: visibility }],
    [view, average, visibility, t],
  );
  return (
    <Panel title={<T k="positions.course" />} aside={<ViewButtons views={VIEWS} chosen={view} onChoose={setView} />}>
      {view === 'table' ? (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls by keys
        <section className="position-table" tabIndex={0} aria-label={t('positions.course')}>
          <table className="bp6-html-table bp6-html-table-condensed">
            <thead>
              <tr>
                <th>{t('positions.date')}</th>
                <th>{t('positions.view_visibility')}</th>
                <th>{t('positions.view_average')}</th>
              </tr>
            </thead>
            <tbody>
              {dates
                .map((date, index) => ({ date, seen: visibility[index], place: average[index] }))
                .toReversed()
                .map(({ date, seen, place }) => (
                  <tr key={date}>
                    <td>{formats.day(date)}</td>
                    <td>{seen == null ? '—' : `${seen} %`}</td>
                    <td>{place == null ? '—' : formats.number(place)}</td>
                  </tr>
                ))}
            </tbody>
          </table>
        </section>
      ) : (
        <Suspense fallback={<Loading />}>
          <Chart
            isPlaces={view === 'average'}
            unit={view === 'average' ? '' : ' %'}
            label={t(`positions.view_${view}`)}
            ticks={ticks}
            lines={lines}
            marks={marks}
          />
        </Suspense>
      )}
      <Recoveries projectId={projectId} engine={engine} />
    </Panel>
  );
}
