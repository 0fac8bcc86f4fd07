import { useMemo } from 'react';
import { Link } from 'react-router-dom';
import type { PurchaseView } from '../../src/shared/purchases/purchases.ts';
import { call } from '../kit/api.ts';
import { useT } from '../kit/language.ts';
import { T } from '../kit/T.tsx';
import { DataTable } from '../kit/table/DataTable.tsx';
import type { RowsSource } from '../kit/table/useRows.ts';
import { PURCHASE_COLUMNS } from '../purchases/purchaseColumns.tsx';

const COLUMNS = PURCHASE_COLUMNS.filter(({ id }) => id !== 'project');

/** The purchases and renewals of a project, read-only; decisions are made in the ledger. */
export function PurchasesTab({ id: project }: { id: number }) {
  const t = useT();
  const source = useMemo<RowsSource<PurchaseView<string>>>(
    () => ({
      key: ['GET /api/purchases', { project }],
      load: (page, signal) => call('GET /api/purchases', { query: { project, ...page }, signal }),
    }),
    [project],
  );
  return (
    <>
      <DataTable
        label={t('purchases.list')}
        source={source}
        columns={COLUMNS}
        failed="purchases.list_failed"
        empty="purchases.none"
      />
      <p>
        <Link to="/purchases">
          <T k="project_page.all_purchases" />
        </Link>
      </p>
    </>
  );
}
