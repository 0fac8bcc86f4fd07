/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-static-element-interactions -- rows and columns are drawn where they are in view, which a table can't */
import { useVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { useCallback, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import type { PositionEvent } from '../../src/shared/positions/positions.ts';
import { useT } from '../kit/language.ts';
import { T } from '../kit/T.tsx';
import { shortDay, type HeatRow } from './heat.ts';
import { cellIdOf, FIGURES, HeatRowView, type HeatLook } from './HeatRow.tsx';
import { placeEvents } from './series.ts';

const ROW = 34;
const COLUMN = 90;
const KEYWORD = 180;
const MOST_HEIGHT = 620;
const PAGE = 15;

interface HeatMapProps {
  label: string;
  rows: readonly HeatRow[];
  dates: readonly string[];
  events: readonly PositionEvent[];
  look: HeatLook;
  /** The newest date stands first. */
  isNewestFirst: boolean;
  /** The keyword whose chart is open. */
  chosen: number | undefined;
  /** Undefined closes the chart. */
  onChoose: (keywordId: number | undefined) => void;
}

interface HeadProps {
  /** Undefined: a figure. */
  date: string | undefined;
  index: number;
  figure: (typeof FIGURES)[number] | undefined;
  left: number;
  events: readonly PositionEvent[];
}

/** The head of a column: a date with what happened then, or a figure. */
function Head({ date, index, figure, left, events }: HeadProps) {
  const t = useT();
  const told = events.map(({ kind, domain_name, to_name }) =>
    t(`positions.event_${kind}`, { domain: domain_name, to: to_name ?? '' }),
  );
  return (
    <span
      role="columnheader"
      aria-colindex={index + 2}
      className={told.length > 0 ? 'heat-date heat-marked' : 'heat-date'}
      title={told.join('; ')}
      style={{ left }}
    >
      {date !== undefined && shortDay(date)}
      {figure && <T k={`positions.${figure}`} />}
      {told.length > 0 && <span className="visually-hidden">{told.join('; ')}</span>}
    </span>
  );
}

interface HeadRowProps extends Pick<HeatMapProps, 'dates' | 'events'> {
  /** The index of each date by its column. */
  order: readonly number[];
  /** Those that are in view. */
  columns: readonly VirtualItem[];
  width: number;
}

/** The heads of the keywords and of the columns that are in view. */
function HeadRow({ dates, order, events, columns, width }: HeadRowProps) {
  const marked = useMemo(() => placeEvents(events, dates), [events, dates]);
  return (
    <div role="row" aria-rowindex={1} className="heat-row heat-head" style={{ width }}>
      <span role="columnheader" aria-colindex={1} className="heat-keyword">
        <T k="positions.keyword" />
      </span>
      {columns.map(({ index, start }) => {
        const date = dates[order[index] ?? -1];
        return (
          <Head
            key={index}
            date={date}
            index={index}
            figure={FIGURES[index - dates.length]}
            left={start}
            events={marked.filter(({ at: day }) => dates[day] === date)}
          />
        );
      })}
    </div>
  );
}

/** The scrolled box of the grid, with the rows and the columns that are in view. */
function useViewport(rows: number, columns: number) {
  const box = useRef<HTMLDivElement>(null);
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoized by it
  const vertical = useVirtualizer({
    count: rows,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    overscan: 8,
    paddingStart: ROW,
    scrollPaddingStart: ROW,
  });
  const horizontal = useVirtualizer({
    horizontal: true,
    count: columns,
    getScrollElement: () => box.current,
    estimateSize: () => COLUMN,
    overscan: 4,
    paddingStart: KEYWORD,
    scrollPaddingStart: KEYWORD,
  });
  return { box, vertical, horizontal };
}

interface Cell {
  row: number;
  column: number;
}

/** Returns the cell that a key leads to from another one, perhaps beyond the edge; undefined: the key does not move. */
function cellAfter(key: string, { row, column }: Cell, columns: number): Cell | undefined {
  const cells: Record<string, Cell> = {
    ArrowDown: { row: row + 1, column },
    ArrowUp: { row: row - 1, column },
    ArrowRight: { row, column: column + 1 },
    ArrowLeft: { row, column: column - 1 },
    Home: { row, column: 0 },
    End: { row, column: columns - 1 },
    PageDown: { row: row + PAGE, column },
    PageUp: { row: row - PAGE, column },
  };
  return cells[key];
}

/**
 * The active cell of the grid. The keys of `onKey` move it, open its keyword or close the chart; `pick` makes another cell active and
 * opens its keyword.
 */
function useActiveCell(
  { rows, chosen, onChoose }: Pick<HeatMapProps, 'rows' | 'chosen' | 'onChoose'>,
  columns: number,
  { box, vertical, horizontal }: ReturnType<typeof useViewport>,
) {
  const [last, setLast] = useState<Cell>({ row: 0, column: 0 });
  const pick = useCallback(
    (row: number, column: number): void => {
      setLast({ row, column });
      // From here the keys of the grid work, and here the focus returns to.
      box.current?.focus({ preventScroll: true });
      onChoose(rows[row]?.id);
    },
    [box, onChoose, rows],
  );
  // Fewer rows or columns may be left by a filter or a shorter period.
  const active = { row: Math.min(last.row, rows.length - 1), column: Math.min(last.column, columns - 1) };
  const move = ({ row, column }: Cell): void => {
    const next = {
      row: Math.min(Math.max(row, 0), rows.length - 1),
      column: Math.min(Math.max(column, 0), columns - 1),
    };
    setLast(next);
    vertical.scrollToIndex(next.row);
    horizontal.scrollToIndex(next.column);
  };
  const onKey = (event: KeyboardEvent<HTMLDivElement>): void => {
    const next = cellAfter(event.key, active, columns);
    const acts: Record<string, () => void> = {
      Enter: () => onChoose(rows[active.row]?.id),
      // Without an open chart it is the dialog's around the grid.
      ...(chosen !== undefined && { Escape: () => onChoose(undefined) }),
    };
    const act = next ? () => move(next) : acts[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  return { active, pick, onKey };
}

/**
 * A table of places with a column for each date, and at the end the best place, the change of the period and a line of the last
 * thirty. Only what is in view is drawn. The arrow keys move between cells, Enter opens the keyword, Esc closes it.
 */
export function HeatMap({ label, rows, dates, events, look, isNewestFirst, chosen, onChoose }: HeatMapProps) {
  const id = useId();
  const order = useMemo(
    () => dates.map((_, index) => (isNewestFirst ? dates.length - 1 - index : index)),
    [dates, isNewestFirst],
  );
  const columns = dates.length + FIGURES.length;
  const viewport = useViewport(rows.length, columns);
  const { box, vertical, horizontal } = viewport;
  const { active, pick, onKey } = useActiveCell({ rows, chosen, onChoose }, columns, viewport);
  const shown = horizontal.getVirtualItems();
  const width = horizontal.getTotalSize();
  return (
    <div
      ref={box}
      className="heat"
      role="grid"
      tabIndex={0}
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-colcount={columns + 1}
      aria-activedescendant={rows.length > 0 ? cellIdOf(id, active.row, active.column) : undefined}
      style={{ height: Math.min(MOST_HEIGHT, (rows.length + 1) * ROW + 12) }}
      onKeyDown={onKey}
    >
      <div style={{ height: vertical.getTotalSize(), width, position: 'relative' }} role="rowgroup">
        <HeadRow dates={dates} order={order} events={events} columns={shown} width={width} />
        {vertical.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          return (
            row && (
              <HeatRowView
                key={row.id}
                grid={id}
                row={row}
                at={index}
                top={start}
                width={width}
                dates={dates}
                order={order}
                columns={shown}
                look={look}
                isChosen={row.id === chosen}
                active={index === active.row ? active.column : undefined}
                onPick={pick}
              />
            )
          );
        })}
      </div>
    </div>
  );
}
