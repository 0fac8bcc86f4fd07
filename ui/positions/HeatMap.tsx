/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-static-element-interactions -- rows and columns are drawn where they are in view, which a table can't */
import { useVirtualizer } from '@tanstack/react-virtual';
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

/**
 * A table of places with a column for each date, and at the end the best place, the change of the period and a line of the last
 * thirty. Only what is in view is drawn. The arrow keys move between cells, Enter opens the keyword, Esc closes it.
 */
export function HeatMap({ label, rows, dates, events, look, isNewestFirst, chosen, onChoose }: HeatMapProps) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState({ row: 0, column: 0 });
  const order = useMemo(
    () => dates.map((_, index) => (isNewestFirst ? dates.length - 1 - index : index)),
    [dates, isNewestFirst],
  );
  const marked = useMemo(() => placeEvents(events, dates), [events, dates]);
  const columns = dates.length + FIGURES.length;
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoized by it
  const vertical = useVirtualizer({
    count: rows.length,
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
  const shown = horizontal.getVirtualItems();
  const width = horizontal.getTotalSize();
  const pick = useCallback(
    (row: number, column: number): void => {
      setActive({ row, column });
      // From here the keys of the grid work, and here the focus returns to.
      box.current?.focus({ preventScroll: true });
      onChoose(rows[row]?.id);
    },
    [onChoose, rows],
  );
  // Fewer rows or columns may be left by a filter or a shorter period.
  const atRow = Math.min(active.row, rows.length - 1);
  const atColumn = Math.min(active.column, columns - 1);
  const move = (row: number, column: number): void => {
    const next = {
      row: Math.min(Math.max(row, 0), rows.length - 1),
      column: Math.min(Math.max(column, 0), columns - 1),
    };
    setActive(next);
    vertical.scrollToIndex(next.row);
    horizontal.scrollToIndex(next.column);
  };
  const onKey = (event: KeyboardEvent<HTMLDivElement>): void => {
    const moves: Record<string, () => void> = {
      ArrowDown: () => move(atRow + 1, atColumn),
      ArrowUp: () => move(atRow - 1, atColumn),
      ArrowRight: () => move(atRow, atColumn + 1),
      ArrowLeft: () => move(atRow, atColumn - 1),
      Home: () => move(atRow, 0),
      End: () => move(atRow, columns - 1),
      PageDown: () => move(atRow + PAGE, atColumn),
      PageUp: () => move(atRow - PAGE, atColumn),
      Enter: () => onChoose(rows[atRow]?.id),
      // Without an open chart it is the dialog's around the grid.
      ...(chosen !== undefined && { Escape: () => onChoose(undefined) }),
    };
    const act = moves[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  return (
    <div
      ref={box}
      className="heat"
      role="grid"
      tabIndex={0}
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-colcount={columns + 1}
      aria-activedescendant={rows.length > 0 ? cellIdOf(id, atRow, atColumn) : undefined}
      style={{ height: Math.min(MOST_HEIGHT, (rows.length + 1) * ROW + 12) }}
      onKeyDown={onKey}
    >
      <div style={{ height: vertical.getTotalSize(), width, position: 'relative' }} role="rowgroup">
        <div role="row" aria-rowindex={1} className="heat-row heat-head" style={{ width }}>
          <span role="columnheader" aria-colindex={1} className="heat-keyword">
            <T k="positions.keyword" />
          </span>
          {shown.map(({ index, start }) => {
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
                active={index === atRow ? atColumn : undefined}
                onPick={pick}
              />
            )
          );
        })}
      </div>
    </div>
  );
}
