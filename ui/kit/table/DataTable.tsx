import { Button, Callout, ProgressBar } from '@blueprintjs/core';
import { lazy, Suspense, type ReactElement, type ReactNode } from 'react';
import type { Density } from '../../../src/shared/access/list-views.ts';
import type { Key } from '../../../src/shared/i18n/index.ts';
import { ApiError } from '../api.ts';
import { useT } from '../language.ts';
import { EmptyState } from '../EmptyState.tsx';
import { FixedRows } from './FixedRows.tsx';
import type { Grid } from './grid.ts';
import type { Box } from './ListFoot.tsx';
import type { Pace } from './pace.ts';
import { Message, T } from '../T.tsx';
import { totalOf, useFirstPage, type RowsSource } from './useRows.ts';
import { useMiddling, useNarrow } from '../useNarrow.ts';

/** A column of a list, and a line of its cards. */
export interface Column<Row> {
  id: string;
  /** A key of the catalogue, or a name that is the same in every language. */
  header: Key | { name: string };
  cell: (row: Row) => ReactNode;
  /** The field that the server sorts by; absent, the column can't be sorted. */
  sort?: string;
  /** On a card: `title` is the heading, `status` stands beside it; absent, the column is a line of its own. */
  card?: 'title' | 'status';
  /**
   * Its line of a card, where the card of a list has three: the name and its status, then these, without headings. Columns without
   * a line are behind a button of the card.
   */
  line?: 2 | 3;
  /** Shown in this form only. */
  only?: 'table' | 'card';
  /** The fields of a file that has this column. */
  fields?: readonly string[];
  /** The least width in pixels. Where all columns of a `oneLine` list have one, the columns that have room are shown, and nothing scrolls sideways. */
  width?: number;
  /** The share of the room that is left. */
  grow?: number;
  /** The width that it may shrink to, where not even the columns of priority 0 fit beside each other; absent: it does not shrink. */
  least?: number;
  /** 0, the default, always has room; of the others the highest goes first. */
  priority?: number;
}

/** The value of a cell, for its menu. */
export interface CellValue {
  /** As people read it. */
  text: string;
  /** Narrows the list to this value alone, or to all but it; absent, it can't. */
  narrow?: (not: boolean) => void;
}

/** Returns the value of a cell; undefined: the cell has no menu. */
export type CellMenu<Row> = (row: Row, column: string) => CellValue | undefined;

/** Chosen rows. `put` selects or deselects rows, also outside of the view; `clear` deselects all. */
export interface Selection<Row> {
  has: (id: number) => boolean;
  put: (rows: readonly Row[], on: boolean) => void;
  clear: () => void;
}

export interface DataTableProps<Row extends { id: number }> {
  /** The name of the list, for a screen reader. */
  label: string;
  source: RowsSource<Row>;
  /** Must be a constant or memoized. */
  columns: readonly Column<Row>[];
  /** `field` or `-field`; `onSort` gets the new value when a header is pressed. */
  sort?: string;
  onSort?: (sort: string) => void;
  selection?: Selection<Row>;
  /** The name of a row, for its checkbox. */
  name?: (row: Row) => string;
  /** Content in place of an empty list; a key stands for its text. */
  empty: Key | ReactElement | null;
  /** The sentence for a list that could not be loaded. */
  failed: Key;
  /** `page` takes the height of the window, `list` at most 480 px. */
  height?: 'page' | 'list';
  /** Makes the table a grid: its cells are walked by keys. */
  grid?: Grid;
  /** Every row is one line high, and what is too long for its column is cut: the way to show thousands of rows. */
  oneLine?: boolean;
  /** Absent, cells have no menu. */
  cellMenu?: CellMenu<Row>;
  /** Its columns do not fit beside each other in less than 900 px: cards replace the table there, too. */
  isWide?: boolean;
  /** How the list is to be shown is not known yet. */
  isLoading?: boolean;
  /** The height of the rows; the least one where they differ. */
  density?: Density;
  /** The columns of all lists that stand below one another, as one grid. Must be a constant or memoized. */
  among?: readonly Column<Row>[];
}

export interface RowsProps<Row extends { id: number }> extends DataTableProps<Row> {
  total: number;
  height: 'page' | 'list';
  isNarrow?: boolean;
}

/** The rendered part of a list: the visible rows, and the height of the space before and after them in pixels. */
export interface Window<Row> {
  items: readonly { index: number }[];
  rowAt: (index: number) => Row | undefined;
  total: number;
  before: number;
  after: number;
  /** Absent where all rows are of one height. */
  measure?: (element: Element | null) => void;
  /** How fast it is scrolled; absent: every row is drawn whole. */
  pace?: Pace;
  /** Where all rows are of one height: some are drawn that are not in sight. */
  box?: Box;
}

/** Stands in place of a list that could not be loaded. */
export function Failed({ sentence, reason, retry }: { sentence: Key; reason: string; retry: () => void }) {
  const t = useT();
  return (
    <Callout intent="danger" role="alert" className="list-failed">
      <T k={sentence} />
      {reason !== t(sentence) && (
        <div className="failure-reason">
          <Message text={reason} />
        </div>
      )}
      <Button size="small" onClick={retry} text={<T k="ui.retry" />} />
    </Callout>
  );
}

/** Eight grey rows while a list is loading; the label can be seen, too, when that takes more than three seconds. */
export function Skeleton({ label }: { label: string }) {
  return (
    <div className="skeleton-rows" aria-busy="true">
      <span className="visually-hidden">{label}</span>
      {Array.from({ length: 8 }, (_, index) => (
        <div key={index} className="bp6-skeleton skeleton-row" />
      ))}
      <p className="skeleton-label" aria-hidden="true">
        {label}
      </p>
    </div>
  );
}

// Cards, and rows that may have more than one line, are measured.
const MeasuredRows = lazy(async () => ({ default: (await import('./MeasuredRows.tsx')).MeasuredRows })) as <
  Row extends { id: number },
>(
  props: RowsProps<Row>,
) => ReactElement;

/**
 * A list of any length: pages of 100 rows are loaded as they scroll into view, and only the visible rows are rendered,
 * as a table, or as cards in a narrow window.
 */
export function DataTable<Row extends { id: number }>(props: DataTableProps<Row>) {
  const { label, source, empty, failed, height = 'list' } = props;
  const t = useT();
  const [isPhone, isMiddling] = [useNarrow(), useMiddling()];
  const isNarrow = isPhone || (isMiddling && props.isWide === true);
  const first = useFirstPage(source);
  const total = totalOf(first.data);
  // Rows that are here stay while the server does not answer; the bar of the connection says how old they are.
  const isAway = first.error instanceof ApiError && first.error.status === 0 && total !== undefined;
  if (first.isError && !isAway)
    return <Failed sentence={failed} reason={first.error.message} retry={() => void first.refetch()} />;
  if (total === undefined || props.isLoading === true) return <Skeleton label={t('ui.loading')} />;
  if (total === 0) {
    if (typeof empty !== 'string') return empty;
    return (
      <EmptyState>
        <T k={empty} />
      </EmptyState>
    );
  }
  return (
    <div className="data-table">
      {first.isFetching && <ProgressBar className="refreshing" aria-label={t('ui.refreshing', { list: label })} />}
      {isNarrow || !props.oneLine ? (
        <Suspense fallback={<Skeleton label={t('ui.loading')} />}>
          <MeasuredRows {...props} total={total} height={height} isNarrow={isNarrow} />
        </Suspense>
      ) : (
        <FixedRows {...props} total={total} height={height} />
      )}
    </div>
  );
}
