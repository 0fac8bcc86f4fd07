import { Suspense, useMemo } from 'react';
import { toUnicode } from '../../src/shared/portfolio/domain-name.ts';
import type { Engine } from '../../src/shared/engines.ts';
import type { MoveRecovery } from '../../src/shared/positions/positions.ts';
import { useCall } from '../kit/api.ts';
import { useFormats, useT } from '../kit/language.ts';
import { later, Loading } from '../kit/Loading.tsx';
import { Panel } from '../kit/Panel.tsx';
import { Sparkline } from '../kit/pictures/Sparkline.tsx';
import { NoData } from '../kit/Status.tsx';
import { DataTable, Failed, type Column } from '../kit/table/DataTable.tsx';
import { localRows } from '../kit/table/useRows.ts';
import { T } from '../kit/T.tsx';

const Chart = later(async () => (await import('./Chart.tsx')).Chart);
const COMPARED = 4;

/** Whether there is a course to show: on the day of the move itself there is none yet. */
const hasCourse = ({ recovered, curve }: MoveRecovery): boolean => recovered !== null && curve.length > 1;

const wayOf = ({ main_domain_name, transfer_domain_name }: MoveRecovery): string =>
  `${toUnicode(main_domain_name)} → ${toUnicode(transfer_domain_name)}`;

function MovedOn({ move: { moved_on } }: { move: MoveRecovery }) {
  return <>{useFormats().day(moved_on)}</>;
}

function Recovered({ move }: { move: MoveRecovery }) {
  if (!hasCourse(move)) return <NoData />;
  return <T k="positions.recovered_in" n={move.recovered ?? 0} days={move.curve.length - 1} />;
}

function Curve({ move }: { move: MoveRecovery }) {
  const t = useT();
  const { curve, transfer_domain_name } = move;
  if (!hasCourse(move)) return <NoData />;
  return <Sparkline values={curve} label={t('positions.curve_of', { name: transfer_domain_name })} />;
}

const COLUMNS: readonly Column<MoveRecovery>[] = [
  { id: 'date', width: 112, line: 2, header: 'positions.date', cell: (move) => <MovedOn move={move} /> },
  {
    id: 'move',
    width: 200,
    grow: 2,
    header: 'positions.move',
    card: 'title',
    cell: (move) => (
      <span translate="no" title={wayOf(move)}>
        {wayOf(move)}
      </span>
    ),
  },
  {
    id: 'project',
    width: 140,
    grow: 1,
    priority: 1,
    line: 3,
    header: 'list.project',
    cell: ({ project_name }) => project_name ?? <NoData />,
  },
  { id: 'recovered', width: 140, line: 2, header: 'positions.recovered', cell: (move) => <Recovered move={move} /> },
  { id: 'curve', width: 100, line: 3, header: 'positions.curve', cell: (move) => <Curve move={move} /> },
];

/** How the newest moves of the portfolio have recovered: their curves beside each other, and a table of all. */
export function Moves({ engine }: { engine: Engine }) {
  const t = useT();
  const { data, dataUpdatedAt, error, refetch } = useCall('GET /api/position_moves', { query: { engine } });
  const moves = useMemo(() => data?.data ?? [], [data]);
  const source = useMemo(
    () => localRows<MoveRecovery>(['moves', engine, dataUpdatedAt], moves),
    [engine, dataUpdatedAt, moves],
  );
  const compared = useMemo(() => moves.filter(hasCourse).slice(0, COMPARED), [moves]);
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
      <DataTable
        oneLine
        label={t('positions.recovered')}
        source={source}
        columns={COLUMNS}
        failed="positions.load_failed"
        empty={null}
      />
    </Panel>
  );
}
