/* oxlint-disable jsx-a11y/prefer-tag-over-role -- rows and columns are drawn where they are in view, which a table can't */
import { memo } from 'react';
import type { VirtualItem } from '@tanstack/react-virtual';
import { useT } from '../kit/language.ts';
import { Sparkline } from '../kit/pictures/Sparkline.tsx';
import { bandOf, type HeatCell, type HeatRow } from './heat.ts';
import { placeText, useChange, useSentence } from './heatText.ts';

const SPARK_DAYS = 30;

/** How cells are drawn: by colour, as changes, or without colour. */
export type HeatLook = 'heat' | 'change' | 'plain';

/** The figures behind the dates: best place, change over all dates, and sparkline. */
export const FIGURES = ['best', 'total', 'line'] as const;
type Figure = (typeof FIGURES)[number];

const classOf = ({ value, change }: HeatCell, look: HeatLook): string => {
  if (value === null) return 'heat-cell heat-unchecked';
  if (look === 'heat') return `heat-cell heat-${bandOf(value)}`;
  const isLost = change === 'out' || (typeof change === 'number' && change < 0);
  if (look === 'change' && change !== null) return `heat-cell ${isLost ? 'heat-lost' : 'heat-won'}`;
  return 'heat-cell heat-plain';
};

function CellText({ cell, look }: { cell: HeatCell; look: HeatLook }) {
  const change = useChange();
  if (cell.value === null) return null;
  const mark = change(cell.change);
  if (look === 'change') return <>{mark || '·'}</>;
  return (
    <>
      {placeText(cell)}
      {cell.isRival && <span aria-hidden="true">*</span>}
      {mark !== '' && <small>{mark}</small>}
    </>
  );
}

/** The values of a row as a sparkline has them, the best on top; a gap where there is no place. */
export const sparkValues = ({ cells }: HeatRow): (number | null)[] =>
  cells.slice(-SPARK_DAYS).map(({ value }) => (value === null || value === 0 ? null : -value));

function FigureText({ figure, row }: { figure: Figure; row: HeatRow }) {
  const t = useT();
  const change = useChange();
  if (figure === 'best') return <>{row.best ?? '—'}</>;
  if (figure === 'total') return <>{change(row.total) || '—'}</>;
  return <Sparkline label={t('positions.line_of', { keyword: row.value })} values={sparkValues(row)} />;
}

/** Returns the id of a cell, to which the grid points as its active one. */
export const cellIdOf = (grid: string, row: number, column: number): string => `${grid}-${row}-${column}`;

interface CellViewProps {
  id: string;
  row: HeatRow;
  /** Undefined, as its date: a figure. */
  cell: HeatCell | undefined;
  date: string | undefined;
  figure: Figure | undefined;
  at: number;
  column: number;
  left: number;
  look: HeatLook;
  isActive: boolean;
  onPick: (row: number, column: number) => void;
}

/** A cell. Memoized: while the grid scrolls sideways, only columns that come into view are rendered. */
const CellView = memo(function CellView({ id, row, cell, date, figure, at, column, left, ...props }: CellViewProps) {
  const { look, isActive, onPick } = props;
  const sentence = useSentence();
  const text = cell && date !== undefined ? sentence(cell, date, row) : undefined;
  const ground = cell ? classOf(cell, look) : 'heat-cell heat-plain';
  return (
    // Keys are the grid's: its cells are no stops of the Tab key.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- see above
    <span
      id={id}
      role="gridcell"
      aria-colindex={column + 2}
      className={isActive ? `${ground} heat-active` : ground}
      style={{ left }}
      title={text}
      aria-label={text}
      onClick={() => onPick(at, column)}
    >
      {cell && <CellText cell={cell} look={look} />}
      {figure && <FigureText figure={figure} row={row} />}
    </span>
  );
});

interface HeatRowProps {
  grid: string;
  row: HeatRow;
  /** Its number, and its distance from the top in pixels. */
  at: number;
  top: number;
  width: number;
  dates: readonly string[];
  /** The index of each date by its column. */
  order: readonly number[];
  columns: readonly VirtualItem[];
  look: HeatLook;
  isChosen: boolean;
  /** The column of the active cell; undefined: it is in another row. */
  active: number | undefined;
  onPick: (row: number, column: number) => void;
}

/** A keyword with the cells that are in view. Memoized: while the grid scrolls, only rows that come into view are rendered. */
export const HeatRowView = memo(function HeatRowView({
  grid,
  row,
  at,
  top,
  width,
  dates,
  order,
  ...props
}: HeatRowProps) {
  const { columns, look, isChosen, active, onPick } = props;
  return (
    <div
      role="row"
      aria-rowindex={at + 2}
      className={isChosen ? 'heat-row heat-chosen' : 'heat-row'}
      style={{ transform: `translateY(${top}px)`, width }}
    >
      <span role="rowheader" aria-colindex={1} className="heat-keyword" title={row.value}>
        <button type="button" tabIndex={-1} onClick={() => onPick(at, 0)}>
          {row.value}
        </button>
      </span>
      {columns.map(({ index, start }) => (
        <CellView
          key={index}
          id={cellIdOf(grid, at, index)}
          row={row}
          cell={row.cells[order[index] ?? -1]}
          date={dates[order[index] ?? -1]}
          figure={FIGURES[index - order.length]}
          at={at}
          column={index}
          left={start}
          look={look}
          isActive={active === index}
          onPick={onPick}
        />
      ))}
    </div>
  );
});
