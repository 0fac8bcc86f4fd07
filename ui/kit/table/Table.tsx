import { HTMLTable } from '@blueprintjs/core';
import { ArrowDownIcon, ArrowUpIcon, SortIcon } from '../icons.tsx';
import {
  FlexRender,
  rowSortingFeature,
  tableFeatures,
  useTable,
  type ColumnDef,
  type Header,
} from '@tanstack/react-table';
import { useMemo } from 'react';
import type { Column, DataTableProps, Window } from './DataTable.tsx';
import { SelectInView, SelectRow, useRowSelection } from './selection.tsx';
import { HeaderText } from './HeaderText.tsx';

const features = tableFeatures({ rowSortingFeature });
type Features = typeof features;

/** A position in the list; its row may still be loading. */
interface Slot<Row> {
  index: number;
  row: Row | undefined;
}

const columnDefs = <Row,>(columns: readonly Column<Row>[]): ColumnDef<Features, Slot<Row>>[] =>
  columns.map((column) => ({
    id: column.id,
    header: () => <HeaderText column={column} />,
    // A column without an accessor can't be sorted; the server sorts, so any value will do.
    accessorFn: ({ index }) => index,
    enableSorting: column.sort !== undefined,
    sortDescFirst: false,
    cell: ({ row }) =>
      row.original.row ? column.cell(row.original.row) : <span className="bp6-skeleton">{'\u00a0'.repeat(12)}</span>,
  }));

const ARIA_SORT = { asc: 'ascending', desc: 'descending' } as const;
const SORT_ICON = {
  asc: <ArrowUpIcon size={12} />,
  desc: <ArrowDownIcon size={12} />,
  none: <SortIcon size={12} className="unsorted" />,
};

function HeaderCell<Row>({ header }: { header: Header<Features, Slot<Row>> }) {
  const sorted = header.column.getIsSorted();
  const label = <FlexRender header={header} />;
  if (!header.column.getCanSort()) return <th scope="col">{label}</th>;
  return (
    <th scope="col" aria-sort={sorted === false ? 'none' : ARIA_SORT[sorted]}>
      <button type="button" className="sort-button" onClick={header.column.getToggleSortingHandler()}>
        {label}
        {SORT_ICON[sorted === false ? 'none' : sorted]}
      </button>
    </th>
  );
}

const Space = ({ height, span }: { height: number; span: number }) =>
  height > 0 && (
    <tr aria-hidden="true" className="space">
      {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- a cell that only takes room */}
      <td colSpan={span} style={{ height }} />
    </tr>
  );

interface TableProps<Row extends { id: number }> extends DataTableProps<Row> {
  view: Window<Row>;
}

/** Returns the table of the visible rows; the server sorts them. */
function useSortedTable<Row extends { id: number }>({ columns, view, sort = '', onSort }: TableProps<Row>) {
  const defs = useMemo(() => columnDefs(columns), [columns]);
  const fieldOf = (id: string): string => columns.find((column) => column.id === id)?.sort ?? id;
  const sorting = columns
    .filter((column) => column.sort !== undefined && column.sort === sort.replace(/^-/, ''))
    .map((column) => ({ id: column.id, desc: sort.startsWith('-') }));
  return useTable({
    features,
    columns: defs,
    data: view.items.map(({ index }) => ({ index, row: view.rowAt(index) })),
    getRowId: ({ index }) => String(index),
    manualSorting: true,
    state: { sorting },
    onSortingChange: (change) => {
      const [next] = typeof change === 'function' ? change(sorting) : change;
      onSort?.(next ? `${next.desc ? '-' : ''}${fieldOf(next.id)}` : '');
    },
  });
}

/** The visible rows as a real table, between two spacer rows for those not rendered. */
export function Table<Row extends { id: number }>(props: TableProps<Row>) {
  const { columns: all, view, label, selection, name, grid } = props;
  const columns = useMemo(() => all.filter(({ only }) => only !== 'card'), [all]);
  const table = useSortedTable({ ...props, columns });
  const choose = useRowSelection(props, view.rowAt);
  const span = columns.length + (selection ? 1 : 0);
  return (
    <HTMLTable
      compact
      interactive
      aria-label={label}
      aria-rowcount={view.total + 1}
      {...(grid && { role: 'grid', 'aria-multiselectable': true, className: 'grid' })}
    >
      <thead>
        {table.getHeaderGroups().map((group) => (
          <tr key={group.id} aria-rowindex={1}>
            {selection && (
              <td className="select-cell">
                <SelectInView choose={choose} items={view.items} />
              </td>
            )}
            {group.headers.map((header) => (
              <HeaderCell key={header.id} header={header} />
            ))}
          </tr>
        ))}
      </thead>
      <tbody>
        <Space height={view.before} span={span} />
        {table.getRowModel().rows.map((row) => {
          const { index, row: item } = row.original;
          return (
            <tr
              key={row.id}
              ref={view.measure}
              data-index={index}
              aria-rowindex={index + 2}
              className={item && choose.has(item.id) ? 'chosen' : undefined}
            >
              {selection && (
                <td className="select-cell">
                  {item && <SelectRow row={item} index={index} choose={choose} name={name} />}
                </td>
              )}
              {row.getAllCells().map((cell, column) => (
                // oxlint-disable-next-line jsx-a11y/control-has-associated-label -- no control; its column draws the text
                <td key={cell.id} {...grid?.cell({ row: index, column })}>
                  <table.FlexRender cell={cell} />
                </td>
              ))}
            </tr>
          );
        })}
        <Space height={view.after} span={span} />
      </tbody>
    </HTMLTable>
  );
}
