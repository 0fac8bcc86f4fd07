import { useContext, useMemo, useState } from 'react';
import type { TableColumn, TableInfo, TableNames, TableRow } from '../../src/shared/system/table-editor.ts';
import { useT } from '../kit/language.ts';
import { EditIcon, TrashIcon } from '../kit/icons.tsx';
import { IconAction } from '../kit/IconAction.tsx';
import { keep, readKept } from '../kit/reader/storage.ts';
import type { Column } from '../kit/table/DataTable.tsx';
import { CellEditor } from './CellEditor.tsx';
import { CardEditsContext, useCellEdits, type CardEdits } from './cellEdits.ts';
import { Cell } from './cells.tsx';

const HIDDEN = 'table-columns-hidden';

/** Returns the columns of a table that this browser hides, and hides others. */
export function useHidden(table: string): [ReadonlySet<string>, (hidden: ReadonlySet<string>) => void] {
  const key = `${HIDDEN}/${table}`;
  const [hidden, setHidden] = useState(() => new Set((readKept(key) ?? '').split(' ').filter(Boolean)));
  const hide = (next: ReadonlySet<string>): void => {
    setHidden(new Set(next));
    keep(key, next.size > 0 ? [...next].join(' ') : null);
  };
  return [hidden, hide];
}

/** A row with the names of what it refers to. */
export interface NamedRow extends Record<'names', TableNames> {
  id: number;
  row: TableRow;
}

interface Acts {
  onEdit: (row: TableRow) => void;
  onRemove: (row: TableRow) => void;
}

function Actions({ row, table, onEdit, onRemove }: Acts & { row: TableRow; table: TableInfo }) {
  const t = useT();
  const name = `#${row.id}`;
  return (
    <span className="icon-actions" data-row={row.id}>
      {table.edits && (
        <IconAction icon={<EditIcon />} action={t('sites.edit')} name={name} onClick={() => onEdit(row)} />
      )}
      {table.deletes && (
        <IconAction icon={<TrashIcon />} action={t('sites.delete')} name={name} onClick={() => onRemove(row)} />
      )}
    </span>
  );
}

// Secrets are hidden, and JSON is not one value: the table can't be sorted by them.
const canSort = ({ kind }: TableColumn): boolean => kind !== 'secret' && kind !== 'json';

/** The button that opens the field of a value on a card. */
function EditOnCard({ row, column, cards }: { row: TableRow; column: TableColumn; cards: CardEdits }) {
  const t = useT();
  const takeFocus = (place: HTMLElement | null): void => {
    if (place && cards.takesFocus(row.id, column.name)) place.querySelector('button')?.focus();
  };
  return (
    <span ref={takeFocus}>
      <IconAction
        icon={<EditIcon />}
        action={t('sites.edit')}
        name={`${column.name} #${row.id}`}
        onClick={() => cards.open(row, column)}
      />
    </span>
  );
}

/** A cell as it is read, or its field while it is edited. */
function EditableCell({ row, names, column }: NamedRow & { column: TableColumn }) {
  const edits = useCellEdits(row.id, column.name);
  const cards = useContext(CardEditsContext);
  if (edits) return <CellEditor row={row} column={column} edits={edits} onCard={cards !== undefined} />;
  const cell = <Cell row={row} column={column} names={names} />;
  if (!cards || !column.edits) return cell;
  return (
    <span className="card-cell">
      <span>{cell}</span>
      <EditOnCard row={row} column={column} cards={cards} />
    </span>
  );
}

function columnOf(column: TableColumn): Column<NamedRow> {
  const shown: Column<NamedRow> = {
    id: column.name,
    header: { name: column.name },
    cell: (named) => <EditableCell {...named} column={column} />,
  };
  if (canSort(column)) shown.sort = column.name;
  if (column.name === 'id') shown.card = 'title';
  return shown;
}

/** Returns the columns that are shown. */
export const shownOf = (columns: readonly TableColumn[], hidden: ReadonlySet<string>): TableColumn[] =>
  columns.filter(({ name }) => name === 'id' || !hidden.has(name));

/** Returns the columns of a table for its list, and the acts of a row where there are any. */
export function useColumns(
  table: TableInfo,
  columns: readonly TableColumn[],
  hidden: ReadonlySet<string>,
  { onEdit, onRemove }: Acts,
): Column<NamedRow>[] {
  return useMemo(() => {
    const list = shownOf(columns, hidden).map(columnOf);
    if (!table.edits && !table.deletes) return list;
    return [
      ...list,
      {
        id: 'actions',
        header: 'tables.actions',
        cell: ({ row }) => <Actions row={row} table={table} onEdit={onEdit} onRemove={onRemove} />,
      },
    ];
  }, [table, columns, hidden, onEdit, onRemove]);
}
