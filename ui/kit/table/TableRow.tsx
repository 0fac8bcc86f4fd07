import { memo, type ReactNode } from 'react';
import type { Column } from './DataTable.tsx';
import type { Grid } from './grid.ts';
import { useWhole, type Pace } from './pace.ts';
import { SelectRow, type RowSelection } from './selection.tsx';

export interface TableRowProps<Row extends { id: number }> {
  index: number;
  /** Undefined while it is loading. */
  row: Row | undefined;
  columns: readonly Column<Row>[];
  /** Present where rows are chosen; the same object at every rendering. */
  choose: RowSelection | undefined;
  isChosen: boolean;
  name: ((row: Row) => string) | undefined;
  grid: Grid | undefined;
  measure: ((element: Element | null) => void) | undefined;
  /** The same object at every rendering. */
  pace: Pace | undefined;
}

/** The class of a column's cells: that of the actions stays in sight. */
export const placeOf = ({ id }: { id: string }): string | undefined => (id === 'actions' ? 'held' : undefined);

function TableRowView<Row extends { id: number }>(props: TableRowProps<Row>) {
  const { index, row, columns, choose, isChosen, name, grid, measure, pace } = props;
  const isWhole = useWhole(pace);
  const cellOf = (column: Column<Row>, shown: Row): ReactNode =>
    isWhole || column.card === 'title' ? column.cell(shown) : null;
  return (
    <tr ref={measure} data-index={index} aria-rowindex={index + 2} className={isChosen ? 'chosen' : undefined}>
      {choose && (
        <td className="select-cell">
          {row && isWhole && <SelectRow row={row} index={index} choose={choose} name={name} />}
        </td>
      )}
      {columns.map((column, place) => (
        // oxlint-disable-next-line jsx-a11y/control-has-associated-label -- no control; its column draws the text
        <td key={column.id} className={placeOf(column)} {...grid?.cell({ row: index, column: place })}>
          {row ? cellOf(column, row) : <span className="bp6-skeleton">{'\u00a0'.repeat(12)}</span>}
        </td>
      ))}
    </tr>
  );
}

/** A row of a table; drawn anew only when what it shows has changed. */
export const TableRow = memo(TableRowView) as typeof TableRowView;
