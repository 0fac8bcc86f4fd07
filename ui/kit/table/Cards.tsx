import { Fragment, useId } from 'react';
import type { Column, DataTableProps, Window } from './DataTable.tsx';
import { SelectRow, useRowSelection, type RowSelection } from './selection.tsx';
import { HeaderText } from './HeaderText.tsx';

interface CardProps<Row extends { id: number }> {
  row: Row;
  index: number;
  columns: readonly Column<Row>[];
  choose: RowSelection | undefined;
  name: ((row: Row) => string) | undefined;
}

function Card<Row extends { id: number }>({ row, index, columns, choose, name }: CardProps<Row>) {
  const id = useId();
  const cells = (place: Column<Row>['card']) =>
    columns.filter((column) => column.card === place && column.only !== 'table');
  return (
    <article className="card" aria-labelledby={id}>
      <header>
        {choose && <SelectRow row={row} index={index} choose={choose} name={name} />}
        <h3 id={id} className="bp6-heading">
          {cells('title').map((column) => (
            <Fragment key={column.id}>{column.cell(row)}</Fragment>
          ))}
        </h3>
        {cells('status').map((column) => (
          <span key={column.id}>{column.cell(row)}</span>
        ))}
      </header>
      <dl>
        {cells(undefined).map((column) => (
          <div key={column.id}>
            <dt>
              <HeaderText column={column} />
            </dt>
            <dd>{column.cell(row)}</dd>
          </div>
        ))}
      </dl>
    </article>
  );
}

/** The visible rows as cards, for a narrow window. */
export function Cards<Row extends { id: number }>(props: DataTableProps<Row> & { view: Window<Row> }) {
  const { columns, view, selection, name } = props;
  const choose = useRowSelection(props, view.rowAt);
  return (
    <div style={{ paddingTop: view.before, paddingBottom: view.after }}>
      {view.items.map(({ index }) => {
        const row = view.rowAt(index);
        return (
          <div key={index} ref={view.measure} data-index={index} className="card-place">
            {row ? (
              <Card row={row} index={index} columns={columns} choose={selection && choose} name={name} />
            ) : (
              <div className="bp6-skeleton card-skeleton" />
            )}
          </div>
        );
      })}
    </div>
  );
}
