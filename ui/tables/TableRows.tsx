import { Button } from '@blueprintjs/core';
import { lazy, Suspense, useMemo, useState, type ReactNode } from 'react';
import type { TableColumn, TableInfo, TableRow } from '../../src/shared/system/table-editor.ts';
import type { ListOf } from '../../src/shared/lists.ts';
import { call, queries, useCall } from '../kit/api.ts';
import { Remove } from '../kit/dialog/Remove.tsx';
import { FilterChip } from '../kit/FilterChip.tsx';
import { SearchField } from '../kit/form/SearchField.tsx';
import { AddIcon } from '../kit/icons.tsx';
import { useT } from '../kit/language.ts';
import { Loading } from '../kit/Loading.tsx';
import { T } from '../kit/T.tsx';
import { DataTable, Failed, Skeleton } from '../kit/table/DataTable.tsx';
import { EmptyList } from '../kit/table/EmptyList.tsx';
import { useRowKeys } from '../kit/table/rowKeys.ts';
import { totalOf, useFirstPage, type RowsSource } from '../kit/table/useRows.ts';
import { useNarrow } from '../kit/useNarrow.ts';
import { ColumnChooser } from './ColumnChooser.tsx';
import { partOf } from './parts.ts';
import type { View } from './Tables.tsx';
import { useRestore } from './useRestore.ts';
import { shownOf, useColumns, useHidden, type NamedRow } from './useColumns.tsx';
import { CardEditsContext, CellEditsContext } from './cellEdits.ts';
import { useTableGrid } from './useTableGrid.ts';

const PasteCells = lazy(async () => ({ default: (await import('./PasteCells.tsx')).PasteCells }));
const RowForm = lazy(async () => ({ default: (await import('./RowForm.tsx')).RowForm }));

/** Returns the rows of a table that a view shows, in its order. */
const sourceOf = (table: string, { search, sort, id }: View): RowsSource<NamedRow> => ({
  key: ['GET /api/tables/:table', { table, search, sort, id }],
  load: async ({ limit, offset }, signal) => {
    const query = { limit, offset, search: search || undefined, sort: sort || undefined, id: id || undefined };
    const { data, total, names } = await partOf(table, query, signal);
    return { data: data.map((row) => ({ id: row.id, row, names })), total };
  },
});

interface RowsProps {
  table: TableInfo;
  view: View;
  onView: (change: Partial<View>) => void;
}

/** The rows of a table, found, sorted and written. */
export function TableRows(props: RowsProps) {
  const t = useT();
  const { data, error, refetch } = useCall('GET /api/columns/:table', { params: { table: props.table.name } });
  // A failed refetch leaves the columns that are known: with the rows, open forms and the steps of Ctrl+Z would go.
  if (data) return <Rows {...props} columns={data} />;
  if (error) return <Failed sentence="tables.columns_failed" reason={error.message} retry={() => void refetch()} />;
  return <Skeleton label={t('ui.loading')} />;
}

/** Returns the rows that are loaded, also those of later pages. */
const loadedOf = ({ key }: RowsSource<NamedRow>): TableRow[] =>
  queries
    .getQueriesData<ListOf<NamedRow>>({ queryKey: key })
    .flatMap(([, page]) => page?.data.map(({ row }) => row) ?? []);

interface HeadProps extends RowsProps {
  total: number | undefined;
  onAdd: () => void;
  /** The menu that chooses the columns. */
  children: ReactNode;
}

function Head({ table, view, onView, total, onAdd, children }: HeadProps) {
  const t = useT();
  const { search, id } = view;
  return (
    <div className="tables-head">
      <h2 className="bp6-heading" translate="no">
        {table.name}
      </h2>
      {total !== undefined && (
        <span className="muted">
          <T k="tables.count" n={total} />
        </span>
      )}
      <SearchField slash label={t('tables.search')} value={search} onChange={(text) => onView({ search: text })} />
      {id !== '' && <FilterChip name="id" value={id} onRemove={() => onView({ id: '' })} />}
      {children}
      {table.adds && <Button intent="primary" icon={<AddIcon />} text={<T k="tables.add" />} onClick={onAdd} />}
    </div>
  );
}

/** Notes on the writing of rows; with a grid, also on the editing of its cells. */
const Notice = ({ hasGrid }: { hasGrid: boolean }) => (
  <p className="muted">
    <T k="tables.notice" />
    {hasGrid && (
      <>
        . <T k="tables.grid_help" />
      </>
    )}
  </p>
);

function NoRows({ view: { search, id }, onView }: Pick<RowsProps, 'view' | 'onView'>) {
  return (
    <EmptyList
      none="tables.empty"
      nothing="tables.nothing"
      onReset={search === '' && id === '' ? undefined : () => onView({ search: '', id: '' })}
    />
  );
}

interface PastedCellsProps {
  cells: ReturnType<typeof useTableGrid>;
  source: RowsSource<NamedRow>;
  /** The columns as they are shown. */
  columns: readonly TableColumn[];
}

/** Shows what pasted cells would change; nothing while none were pasted. */
function PastedCells({ cells: { pasted, edits, endPaste }, source, columns }: PastedCellsProps) {
  return pasted && <PasteCells pasted={pasted} source={source} columns={columns} edits={edits} onClose={endPaste} />;
}

function RemoveRow({ table, id, onClose }: { table: string; id: number; onClose: () => void }) {
  const t = useT();
  const undo = useRestore(table);
  return (
    <Remove
      title={<T k="tables.remove_title" table={table} id={id} />}
      failed={t('tables.delete_failed')}
      lists={['GET /api/tables/:table']}
      remove={() => call('DELETE /api/tables/:table/:id', { params: { table, id } })}
      undo={undo?.(id)}
      onClose={() => {
        onClose();
        void queries.invalidateQueries();
      }}
    />
  );
}

function Rows({ table, view, onView, columns }: RowsProps & { columns: readonly TableColumn[] }) {
  const { name } = table;
  const [edited, setEdited] = useState<TableRow | null>();
  const [removed, setRemoved] = useState<TableRow>();
  const [hidden, hide] = useHidden(name);
  const list = useColumns(table, columns, hidden, { onEdit: setEdited, onRemove: setRemoved });
  const { search, sort, id } = view;
  const source = useMemo(() => sourceOf(name, { table: name, search, sort, id }), [name, search, sort, id]);
  const first = useFirstPage(source);
  const total = totalOf(first.data);
  const add = (): void => {
    if (table.adds) setEdited(null);
  };
  useRowKeys(() => loadedOf(source), {
    add,
    edit: (row) => table.edits && setEdited(row),
    remove: (row) => table.deletes && setRemoved(row),
  });
  const narrow = useNarrow();
  const shown = shownOf(columns, hidden);
  const actions = table.edits || table.deletes;
  const cells = useTableGrid({ table: name, columns: shown, actions, source, total: total ?? 0, onForm: setEdited });
  return (
    <section aria-label={name}>
      <Head table={table} view={view} onView={onView} total={total} onAdd={add}>
        <ColumnChooser columns={columns} hidden={hidden} onHide={hide} />
      </Head>
      <Notice hasGrid={table.edits && !narrow} />
      <CardEditsContext value={cells.cards}>
        <CellEditsContext value={cells.editing}>
          <DataTable
            height="page"
            label={name}
            source={source}
            columns={list}
            grid={cells.grid}
            sort={sort}
            onSort={(next) => onView({ sort: next })}
            failed="tables.rows_failed"
            empty={<NoRows view={view} onView={onView} />}
          />
        </CellEditsContext>
      </CardEditsContext>
      <Suspense fallback={<Loading />}>
        <PastedCells cells={cells} source={source} columns={shown} />
        {edited !== undefined && (
          <RowForm table={table} columns={columns} row={edited} onClose={() => setEdited(undefined)} />
        )}
      </Suspense>
      {removed && <RemoveRow table={name} id={removed.id} onClose={() => setRemoved(undefined)} />}
    </section>
  );
}
