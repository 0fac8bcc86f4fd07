import { Fragment, useId, useState } from 'react';
import { IconAction } from '../IconAction.tsx';
import { ChevronDownIcon, ChevronRightIcon } from '../icons.tsx';
import { useT } from '../language.ts';
import type { Column, DataTableProps, Window } from './DataTable.tsx';
import { SelectRow, useRowSelection, type RowSelection } from './selection.tsx';
import { HeaderText } from './HeaderText.tsx';
import { useStableKeys } from './useRows.ts';

interface CardProps<Row extends { id: number }> {
  row: Row;
  index: number;
  columns: readonly Column<Row>[];
  choose: RowSelection | undefined;
  name: ((row: Row) => string) | undefined;
}

interface LinesProps<Row> {
  row: Row;
  columns: readonly Column<Row>[];
}

// Acts that a wide list does not hold at its edge are called otherwise.
const isActs = (id: string): boolean => ['act', 'actions', 'acts'].includes(id);

/** Values with their headings; that of the acts is for screen readers. */
const Fields = <Row,>({ row, columns }: LinesProps<Row>) => (
  <dl>
    {columns.map((column) => (
      <div key={column.id} className={isActs(column.id) ? 'card-acts' : undefined}>
        <dt className={isActs(column.id) ? 'visually-hidden' : undefined}>
          <HeaderText column={column} />
        </dt>
        <dd>{column.cell(row)}</dd>
      </div>
    ))}
  </dl>
);

// The lines of a short card below its name; acts have no line of their own.
const LINES = [2, 3, undefined] as const;

/** The second and the third line of a card, with the acts at the end of the third; their headings are for screen readers. */
const Lines = <Row,>({ row, columns }: LinesProps<Row>) => (
  <div className="card-lines">
    {LINES.map((line) => {
      const cells = columns.filter((column) => column.line === line);
      if (cells.length === 0) return null;
      return (
        <dl key={line ?? 'acts'} className={`card-line card-line-${line ?? 'acts'}`}>
          {cells.map((column) => (
            <div key={column.id}>
              <dt className="visually-hidden">
                <HeaderText column={column} />
              </dt>
              <dd>{column.cell(row)}</dd>
            </div>
          ))}
        </dl>
      );
    })}
  </div>
);

function Card<Row extends { id: number }>({ row, index, columns, choose, name }: CardProps<Row>) {
  const t = useT();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const shown = columns.filter(({ only }) => only !== 'table');
  const cells = (place: Column<Row>['card']) => shown.filter((column) => column.card === place);
  const fields = cells(undefined);
  const isShort = fields.some(({ line }) => line !== undefined);
  const isLine = ({ id: column, line }: Column<Row>): boolean => line !== undefined || isActs(column);
  const rest = isShort ? fields.filter((column) => !isLine(column)) : fields;
  return (
    <article className={isShort ? 'card card-short' : 'card'} aria-labelledby={id}>
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
        {isShort && rest.length > 0 && (
          <IconAction
            icon={isOpen ? <ChevronDownIcon /> : <ChevronRightIcon />}
            action={t(isOpen ? 'views.less' : 'views.more')}
            name={name?.(row) ?? ''}
            onClick={() => setOpen(!isOpen)}
          />
        )}
      </header>
      {isShort && <Lines row={row} columns={fields.filter(isLine)} />}
      {(!isShort || isOpen) && <Fields row={row} columns={rest} />}
    </article>
  );
}

/** The visible rows as cards, for a narrow window. */
export function Cards<Row extends { id: number }>(props: DataTableProps<Row> & { view: Window<Row> }) {
  const { columns, view, selection, name } = props;
  const choose = useRowSelection(props, view.rowAt);
  const keyOf = useStableKeys(view);
  return (
    <div style={{ paddingTop: view.before, paddingBottom: view.after }}>
      {view.items.map(({ index }) => {
        const row = view.rowAt(index);
        return (
          <div key={keyOf(index)} ref={view.measure} data-index={index} className="card-place">
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
