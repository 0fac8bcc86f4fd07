import { useMemo } from 'react';
import type { OperationItemView } from '../../src/shared/operations.ts';
import { call } from '../kit/api.ts';
import { useT } from '../kit/language.ts';
import { DataTable, type Column } from '../kit/table/DataTable.tsx';
import { NoData } from '../kit/Status.tsx';
import { Message } from '../kit/T.tsx';
import type { RowsSource } from '../kit/table/useRows.ts';

const COLUMNS: readonly Column<OperationItemView>[] = [
  {
    id: 'item',
    header: 'operations.item',
    card: 'title',
    // `under_attack example.com`: the kind of the work, and the zone.
    cell: ({ item }) => <span translate="no">{item.split(' ').at(-1)}</span>,
  },
  {
    id: 'reason',
    header: 'operations.reason',
    cell: ({ error }) => (error === null ? <NoData /> : <Message text={error} />),
  },
];

/** Lists the failed items of an operation with their reasons. `ended` is when it ended: a retry may end otherwise. */
export function FailedItems({ id, ended }: { id: number; ended: string }) {
  const t = useT();
  const source = useMemo<RowsSource<OperationItemView>>(
    () => ({
      key: ['GET /api/operations/:id/items', { id, ended, state: 'failed' }],
      load: (page, signal) =>
        call('GET /api/operations/:id/items', { params: { id }, query: { ...page, state: 'failed' }, signal }),
    }),
    [id, ended],
  );
  return (
    <div className="failed-items">
      <DataTable
        label={t('protect.not_changed')}
        source={source}
        columns={COLUMNS}
        failed="operations.items_failed"
        empty={null}
      />
    </div>
  );
}
