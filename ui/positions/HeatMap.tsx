/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-static-element-interactions -- rows and columns are drawn where they are in view, which a table can't */
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, useState, type KeyboardEvent } from 'react';
import type { PositionEvent } from '../../src/shared/positions/positions.ts';
import { useFormats, useT } from '../kit/language.ts';
import { Sparkline } from '../kit/pictures/Sparkline.tsx';
import { T } from '../kit/T.tsx';
import { bandOf, type HeatCell, type HeatRow } from './heat.ts';

const ROW = 34;
const COLUMN = 90;
const KEYWORD = 180;
const MOST_HEIGHT = 620;
const SPARK_DAYS = 30;

/** How cells are drawn: by colour, as changes, or without colour. */
export type HeatLook = 'heat' | 'change' | 'plain';

/** Returns the mark of a change: a triangle with the number of places, or a word. */
function useChange(): (change: HeatCell['change']) => string {
  const t = useT();
  return (change) => {
    if (change === null) return '';
    if (change === 'new') return `▲ ${t('positions.new')}`;
    if (change === 'out') return `▼ ${t('positions.out')}`;
    return change > 0 ? `▲${change}` : `▼${-change}`;
  };
}

/** Returns the sentence about a cell: date, place, change, address. */
function useSentence(): (cell: HeatCell, date: string, row: HeatRow) => string {
  const t = useT();
  const formats = useFormats();
  const change = useChange();
  return (cell, date, { value: keyword, best }) => {
    const parts = [keyword, formats.day(date)];
    if (cell.value === null) return [...parts, t('positions.no_check')].join(', ');
    parts.push(
      cell.value === 0
        ? t('positions.not_within', { depth: cell.depth ?? 0 })
        : t('positions.place', { n: cell.value }),
    );
    const mark = change(cell.change);
    if (mark !== '') parts.push(mark);
    if (cell.before !== null && cell.before > 0) parts.push(t('positions.before', { n: cell.before }));
    if (best !== null) parts.push(t('positions.best_is', { n: best }));
    if (cell.url !== null) parts.push(cell.url);
    if (cell.isRival) parts.push(t('positions.rival'));
    return parts.join(', ');
  };
}

interface CellProps {
  cell: HeatCell;
  look: HeatLook;
}

function CellText({ cell, look }: CellProps) {
  const change = useChange();
  if (cell.value === null) return null;
  const mark = change(cell.change);
  const value = cell.value === 0 ? `>${cell.depth ?? ''}` : String(cell.value);
  if (look === 'change') return <>{mark || '·'}</>;
  return (
    <>
      {value}
      {mark !== '' && <small>{mark}</small>}
      {cell.isRival && <small aria-hidden="true">⇄</small>}
    </>
  );
}

const classOf = ({ value, change }: HeatCell, look: HeatLook): string => {
  if (value === null) return 'heat-cell heat-unchecked';
  if (look === 'heat') return `heat-cell heat-${bandOf(value)}`;
  const isLost = change === 'out' || (typeof change === 'number' && change < 0);
  if (look === 'change' && change !== null) return `heat-cell ${isLost ? 'heat-lost' : 'heat-won'}`;
  return 'heat-cell heat-plain';
};

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
  onChoose: (keywordId: number) => void;
}

/**
 * A table of places with a column for each date, and at the end the best place and a line of the last thirty. Only what is in view is
 * drawn. The arrow keys move between cells, Enter opens the keyword.
 */
export function HeatMap({ label, rows, dates, events, look, isNewestFirst, chosen, onChoose }: HeatMapProps) {
  const t = useT();
  const sentence = useSentence();
  const box = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState({ row: 0, column: 0 });
  const order = dates.map((_, index) => (isNewestFirst ? dates.length - 1 - index : index));
  const columns = dates.length + 2;
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
  const eventsOn = (date: string): PositionEvent[] => events.filter((event) => event.date === date);
  const idOf = (row: number, column: number): string => `heat-${row}-${column}`;
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
    const { row, column } = active;
    const moves: Record<string, () => void> = {
      ArrowDown: () => move(row + 1, column),
      ArrowUp: () => move(row - 1, column),
      ArrowRight: () => move(row, column + 1),
      ArrowLeft: () => move(row, column - 1),
      Home: () => move(row, 0),
      End: () => move(row, columns - 1),
      PageDown: () => move(row + 15, column),
      PageUp: () => move(row - 15, column),
      Enter: () => {
        const one = rows[row];
        if (one) onChoose(one.id);
      },
    };
    const act = moves[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
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
      aria-activedescendant={rows.length > 0 ? idOf(active.row, active.column) : undefined}
      style={{ height: Math.min(MOST_HEIGHT, (rows.length + 1) * ROW + 12) }}
      onKeyDown={onKey}
    >
      <div
        style={{ height: vertical.getTotalSize(), width: horizontal.getTotalSize(), position: 'relative' }}
        role="rowgroup"
      >
        <div role="row" aria-rowindex={1} className="heat-row heat-head" style={{ width: horizontal.getTotalSize() }}>
          <span role="columnheader" aria-colindex={1} className="heat-keyword">
            <T k="positions.keyword" />
          </span>
          {shown.map(({ index, start }) => {
            const date = dates[order[index] ?? -1];
            const marks = date === undefined ? [] : eventsOn(date);
            const told = marks.map(({ kind, domain_name, to_name }) =>
              t(`positions.event_${kind}`, { domain: domain_name, to: to_name ?? '' }),
            );
            return (
              <span
                key={index}
                role="columnheader"
                aria-colindex={index + 2}
                className={marks.length > 0 ? 'heat-date heat-marked' : 'heat-date'}
                title={told.join('; ')}
                style={{ left: start }}
              >
                {date === undefined ? (
                  <T k={index === dates.length ? 'positions.best' : 'positions.line'} />
                ) : (
                  <>
                    {`${date.slice(8)}.${date.slice(5, 7)}`}
                    {told.length > 0 && <span className="visually-hidden">{told.join('; ')}</span>}
                  </>
                )}
              </span>
            );
          })}
        </div>
        {vertical.getVirtualItems().map(({ index: at, start: top }) => {
          const row = rows[at];
          if (!row) return null;
          return (
            <div
              key={row.id}
              role="row"
              aria-rowindex={at + 2}
              className={row.id === chosen ? 'heat-row heat-chosen' : 'heat-row'}
              style={{ transform: `translateY(${top}px)`, width: horizontal.getTotalSize() }}
            >
              <span role="rowheader" aria-colindex={1} className="heat-keyword" title={row.value}>
                <button type="button" tabIndex={-1} onClick={() => onChoose(row.id)}>
                  {row.value}
                </button>
              </span>
              {shown.map(({ index, start }) => {
                const isActive = active.row === at && active.column === index;
                const cell = row.cells[order[index] ?? -1];
                const date = dates[order[index] ?? -1];
                const common = { id: idOf(at, index), role: 'gridcell', 'aria-colindex': index + 2 } as const;
                const mark = isActive ? ' heat-active' : '';
                if (!cell || date === undefined) {
                  return (
                    <span key={index} {...common} className={`heat-cell heat-plain${mark}`} style={{ left: start }}>
                      {index === dates.length ? (
                        (row.best ?? '—')
                      ) : (
                        <Sparkline
                          label={t('positions.line_of', { keyword: row.value })}
                          values={row.cells
                            .slice(-SPARK_DAYS)
                            .map(({ value }) => (value === null || value === 0 ? null : -value))}
                        />
                      )}
                    </span>
                  );
                }
                const text = sentence(cell, date, row);
                return (
                  // Keys are the grid's: its cells are no stops of the Tab key.
                  // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- see above
                  <span
                    key={index}
                    {...common}
                    className={`${classOf(cell, look)}${mark}`}
                    style={{ left: start }}
                    title={text}
                    aria-label={text}
                    onClick={() => {
                      setActive({ row: at, column: index });
                      onChoose(row.id);
                    }}
                  >
                    <CellText cell={cell} look={look} />
                  </span>
                );
              })}
            </div>
          );
        })}
      </div>
    </div>
  );
}
