import { useMemo } from 'react';
import type { ImportView } from '../../src/shared/portfolio/imports.ts';
import { call } from '../kit/api.ts';
import { DateTime } from '../kit/table/DateTime.tsx';
import type { Column } from '../kit/table/DataTable.tsx';
import { ListSection } from '../kit/table/ListSection.tsx';
import { ImportUndo } from './ImportUndo.tsx';
import { NoData } from '../kit/Status.tsx';
import { T } from '../kit/T.tsx';
import type { RowsSource } from '../kit/table/useRows.ts';

function Undo({ row }: { row: ImportView }) {
  if (row.undo_until !== null) return <ImportUndo size="small" of={row} />;
  return row.undone_at === null ? <NoData /> : <T k="import.history_undone" />;
}

const COLUMNS: readonly Column<ImportView>[] = [
  {
    id: 'source',
    header: 'import.history_source',
    card: 'title',
    cell: ({ source }) => source || <T k="import.source_text" />,
  },
  { id: 'when', header: 'import.history_when', cell: ({ created_at }) => <DateTime iso={created_at} /> },
  { id: 'created', header: 'import.history_created', cell: ({ created }) => created },
  { id: 'updated', header: 'import.history_updated', cell: ({ updated }) => updated },
  { id: 'undo', header: 'import.history_undo', cell: (row) => <Undo row={row} /> },
];

/** Lists former imports, each of which can be undone for 30 days. */
export function ImportHistory() {
  const source = useMemo<RowsSource<ImportView>>(
    () => ({
      key: ['GET /api/imports'],
      load: (page, signal) => call('GET /api/imports', { query: { ...page }, signal }),
    }),
    [],
  );
  return (
    <ListSection
      title="import.history"
      className="import-history"
      source={source}
      columns={COLUMNS}
      failed="import.history_failed"
      empty="import.history_none"
    />
  );
}
