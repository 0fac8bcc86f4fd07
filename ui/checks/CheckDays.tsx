import { useMemo } from 'react';
import type { CheckDayRow } from '../../src/shared/checks/tables.ts';
import { call } from '../kit/api.ts';
import { useFormats, useT } from '../kit/language.ts';
import { DataTable, type Column } from '../kit/table/DataTable.tsx';
import { NoData } from '../kit/Status.tsx';
import { T } from '../kit/T.tsx';
import { pageOf, type RowsSource } from '../kit/table/useRows.ts';

interface Day extends CheckDayRow {
  id: number;
}

function DayOf({ day }: { day: string }) {
  const formats = useFormats();
  // Noon UTC falls on the same day in all time zones but the outermost.
  return <time dateTime={day}>{formats.date(`${day}T12:00:00Z`)}</time>;
}

/** Shows the share of successful checks, rounded down: only a day without failures shows 100 %. */
function Up({ day: { up, checks } }: { day: Day }) {
  const formats = useFormats();
  const share = Math.floor((up / checks) * 1000) / 10;
  return (
    <>
      <T k="checks.up_share" share={formats.number(share)} />
      <span className="check-looks">
        <T k="checks.up_of" up={up} n={checks} />
      </span>
    </>
  );
}

function Time({ ms }: { ms: number | null }) {
  return ms === null ? <NoData /> : <T k="checks.ms" n={ms} />;
}

const COLUMNS: readonly Column<Day>[] = [
  { id: 'day', header: 'checks.day', card: 'title', cell: ({ day }) => <DayOf day={day} /> },
  { id: 'up', header: 'checks.up', card: 'status', cell: (day) => <Up day={day} /> },
  { id: 'median', header: 'checks.median', cell: ({ median_ms }) => <Time ms={median_ms} /> },
  { id: 'worst', header: 'checks.worst', cell: ({ worst_ms }) => <Time ms={worst_ms} /> },
];

/** Shows the results of a domain's HTTP checks by day. */
export function CheckDays({ id }: { id: number }) {
  const t = useT();
  const source = useMemo<RowsSource<Day>>(
    () => ({
      key: ['GET /api/domains/:id/check_days', { id }],
      load: async (page, signal) => {
        const { data } = await call('GET /api/domains/:id/check_days', { params: { id }, signal });
        return pageOf(
          data.map((day, index) => Object.assign(day, { id: index })),
          page,
        );
      },
    }),
    [id],
  );
  return (
    <DataTable
      label={t('checks.tab_days')}
      source={source}
      columns={COLUMNS}
      failed="checks.failed"
      empty="checks.no_days"
    />
  );
}
