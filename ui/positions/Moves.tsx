import { Suspense, useMemo } from 'react';
import { toUnicode } from '../../src/shared/portfolio/domain-name.ts';
import type { Engine } from '../../src/shared/engines.ts';
import { useCall } from '../kit/api.ts';
import { useFormats, useT } from '../kit/language.ts';
import { later, Loading } from '../kit/Loading.tsx';
import { Panel } from '../kit/Panel.tsx';
import { Sparkline } from '../kit/pictures/Sparkline.tsx';
import { Failed } from '../kit/table/DataTable.tsx';
import { T } from '../kit/T.tsx';

const Chart = later(async () => (await import('./Chart.tsx')).Chart);
const COMPARED = 4;

/** How the newest moves of the portfolio have recovered: their curves beside each other, and a table of all. */
export function Moves({ engine }: { engine: Engine }) {
  const t = useT();
  const formats = useFormats();
  const { data, error, refetch } = useCall('GET /api/position_moves', { query: { engine } });
  const moves = useMemo(() => data?.data ?? [], [data]);
  const compared = useMemo(() => moves.filter(({ recovered }) => recovered !== null).slice(0, COMPARED), [moves]);
  const lines = useMemo(
    () => compared.map(({ transfer_domain_name, curve }) => ({ name: toUnicode(transfer_domain_name), values: curve })),
    [compared],
  );
  const ticks = useMemo(
    () =>
      Array.from({ length: Math.max(0, ...lines.map(({ values }) => values.length)) }, (_, day) =>
        t('positions.day', { n: day }),
      ),
    [lines, t],
  );
  if (error) return <Failed sentence="positions.load_failed" reason={error.message} retry={() => void refetch()} />;
  if (moves.length === 0) return null;
  return (
    <Panel title={<T k="positions.moves" />} aside={<T k="positions.moves_help" />}>
      {lines.length > 0 && (
        <Suspense fallback={<Loading />}>
          <Chart isPlaces={false} unit=" %" label={t('positions.moves')} ticks={ticks} lines={lines} />
        </Suspense>
      )}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls by keys */}
      <section className="position-table" tabIndex={0} aria-label={t('positions.recovered')}>
        <table className="bp6-html-table bp6-html-table-condensed">
          <thead>
            <tr>
              <th>{t('positions.date')}</th>
              <th>{t('positions.move')}</th>
              <th>{t('positions.recovered')}</th>
              <th>{t('positions.curve')}</th>
            </tr>
          </thead>
          <tbody>
            {moves.map(({ id, moved_on, project_name, main_domain_name, transfer_domain_name, recovered, curve }) => (
              <tr key={id}>
                <td>{formats.day(moved_on)}</td>
                <td>
                  <span translate="no">
                    {toUnicode(main_domain_name)} → {toUnicode(transfer_domain_name)}
                  </span>
                  <br />
                  <span className="muted">{project_name}</span>
                </td>
                <td>
                  {recovered === null
                    ? '—'
                    : t('positions.recovered_in', { n: recovered, days: Math.max(0, curve.length - 1) })}
                </td>
                <td>
                  <Sparkline values={curve} label={t('positions.curve_of', { name: transfer_domain_name })} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Panel>
  );
}
