import { HTMLTable } from '@blueprintjs/core';
import { useMemo, useRef, useState, type ReactNode, type RefObject } from 'react';
import { ArrowDownIcon, ArrowUpIcon, SortIcon } from '../icons.tsx';
import { useLanguage } from '../language.ts';
import type { Column, DataTableProps, Window } from './DataTable.tsx';
import type { Fitted } from './fit.ts';
import { HeaderText } from './HeaderText.tsx';
import { SelectInView, useRowSelection, type RowSelection } from './selection.tsx';
import { placeOf, TableRow } from './TableRow.tsx';
import { useCellMenu } from './useCellMenu.tsx';
import { useFrozen, type Widths } from './useFrozen.ts';
import { useStableKeys } from './useRows.ts';

const SORTED = {
  asc: { aria: 'ascending', icon: <ArrowUpIcon size={12} /> },
  desc: { aria: 'descending', icon: <ArrowDownIcon size={12} /> },
  none: { aria: 'none', icon: <SortIcon size={12} className="unsorted" /> },
} as const;

/** Returns the order after a press of a column's header: ascending, then descending, then none (''). */
export function sortAfter(sort: string, field: string): string {
  if (sort === field) return `-${field}`;
  return sort === `-${field}` ? '' : field;
}

interface HeaderCellProps<Row> {
  column: Column<Row>;
  sort: string;
  onSort: ((sort: string) => void) | undefined;
}

function HeaderCell<Row>({ column, sort, onSort }: HeaderCellProps<Row>) {
  const field = column.sort;
  const label = <HeaderText column={column} />;
  if (field === undefined) {
    return (
      <th scope="col" className={placeOf(column)}>
        {label}
      </th>
    );
  }
  const { aria, icon } = SORTED[sort === field ? 'asc' : sort === `-${field}` ? 'desc' : 'none'];
  return (
    <th scope="col" className={placeOf(column)} aria-sort={aria}>
      <button type="button" className="sort-button" onClick={() => onSort?.(sortAfter(sort, field))}>
        {label}
        {icon}
      </button>
    </th>
  );
}

interface HeadProps<Row> extends Omit<HeaderCellProps<Row>, 'column'> {
  columns: readonly Column<Row>[];
  /** The checkbox of all rows, where rows can be chosen. */
  select: ReactNode;
}

function Head<Row>({ columns, select, sort, onSort }: HeadProps<Row>) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        {select && <td className="select-cell">{select}</td>}
        {columns.map((column) => (
          <HeaderCell key={column.id} column={column} sort={sort} onSort={onSort} />
        ))}
      </tr>
    </thead>
  );
}

const Space = ({ height, span }: { height: number; span: number }) =>
  height > 0 && (
    <tr aria-hidden="true" className="space">
      {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- a cell that only takes room */}
      <td colSpan={span} style={{ height }} />
    </tr>
  );

const Columns = ({ widths }: { widths: Fitted<unknown>['widths'] }) => (
  <colgroup>
    {widths.map((width, place) => (
      // oxlint-disable-next-line react/no-array-index-key -- a column is its place
      <col key={place} style={{ width }} />
    ))}
  </colgroup>
);

/** Returns the same functions at every rendering, which do what those of the last one do: rows need not be drawn anew. */
function useSteady(selection: RowSelection): RowSelection {
  /* oxlint-disable react/refs -- rows that are drawn in this rendering ask already */
  const last = useRef(selection);
  last.current = selection;
  const [steady] = useState(
    () => new Proxy(selection, { get: (_, name) => Reflect.get(last.current, name) as unknown }),
  );
  /* oxlint-enable react/refs */
  return steady;
}

interface TableProps<Row extends { id: number }> extends DataTableProps<Row> {
  view: Window<Row>;
  /** The box that scrolls around rows of one height: the widths of the columns are kept. */
  region?: RefObject<HTMLElement | null>;
  /** The columns that have room, where they have widths of their own. */
  fitted?: Fitted<Row> | undefined;
}

/** Returns the widths at which the browser has laid the columns out first; undefined where they are not kept. */
function useLaidOut<Row extends { id: number }>(
  table: RefObject<HTMLTableElement | null>,
  { view, selection, region, fitted }: TableProps<Row>,
  columns: readonly Column<Row>[],
): Widths | undefined {
  const language = useLanguage();
  const layout = [language, selection !== undefined, ...columns.map(({ id }) => id)].join(' ');
  const isReady = view.items[0] !== undefined && view.rowAt(view.items[0].index) !== undefined;
  return useFrozen(table, fitted ? undefined : region, { layout, isReady });
}

/** The visible rows as a real table, between two spacer rows for those not rendered; the server sorts them. */
export function Table<Row extends { id: number }>(props: TableProps<Row>) {
  const { columns: all, view, label, selection, name, grid, sort = '', onSort, fitted } = props;
  const table = useRef<HTMLTableElement>(null);
  const columns = useMemo(() => fitted?.columns ?? all.filter(({ only }) => only !== 'card'), [all, fitted]);
  const choose = useRowSelection(props, view.rowAt);
  const steady = useSteady(choose);
  const frozen = useLaidOut(table, props, columns);
  const keyOf = useStableKeys(view);
  const { handlers, menu } = useCellMenu(props, columns, view.rowAt);
  const span = columns.length + (selection ? 1 : 0);
  const hold = fitted ? 'fitted' : columns.some(placeOf) && 'holds';
  const looks = [grid && 'grid', (fitted ?? frozen) && 'frozen', hold].filter(Boolean);
  const widths = fitted?.widths ?? frozen;
  return (
    <>
      <HTMLTable
        compact
        interactive
        ref={table}
        {...handlers}
        aria-label={label}
        aria-rowcount={view.total + 1}
        className={looks.join(' ')}
        style={frozen && { width: frozen.reduce((sum, width) => sum + width, 0) }}
        {...(grid && { role: 'grid', 'aria-multiselectable': true })}
      >
        {widths && <Columns widths={widths} />}
        <Head
          columns={columns}
          select={selection && <SelectInView choose={choose} view={view} />}
          sort={sort}
          onSort={onSort}
        />
        <tbody>
          <Space height={view.before} span={span} />
          {view.items.map(({ index }) => {
            const row = view.rowAt(index);
            return (
              <TableRow
                key={keyOf(index)}
                index={index}
                row={row}
                columns={columns}
                choose={selection && steady}
                isChosen={row !== undefined && choose.has(row.id)}
                name={name}
                grid={grid}
                measure={view.measure}
                pace={view.pace}
              />
            );
          })}
          <Space height={view.after} span={span} />
        </tbody>
      </HTMLTable>
      {menu}
    </>
  );
}
