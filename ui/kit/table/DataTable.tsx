import { Button, Callout, ProgressBar } from '@blueprintjs/core';
import { useVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { useEffect, useRef, type FocusEvent, type ReactElement, type ReactNode } from 'react';
import type { Key } from '../../../src/shared/i18n/index.ts';
import { useFormats, useT } from '../language.ts';
import { EmptyState } from '../EmptyState.tsx';
import { Cards } from './Cards.tsx';
import type { Grid } from './grid.ts';
import { Message, T } from '../T.tsx';
import { Table } from './Table.tsx';
import { totalOf, useFirstPage, usePages, type RowsSource } from './useRows.ts';
import { useNarrow } from '../useNarrow.ts';

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
  /** Shown in this form only. */
  only?: 'table' | 'card';
}

/** Chosen rows. What `put` chooses or gives free may be more than is in view; `clear` gives all of them free. */
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
}

/** The rendered part of a list: the visible rows, and the height of the space before and after them in pixels. */
export interface Window<Row> {
  items: VirtualItem[];
  rowAt: (index: number) => Row | undefined;
  total: number;
  before: number;
  after: number;
  measure: (element: Element | null) => void;
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

/** Scrolls a focused element out from under the sticky last column: the browser counts it as visible there. */
function uncover({ currentTarget, target }: FocusEvent<HTMLElement>): void {
  const held = currentTarget.querySelector('table:has(.icon-actions) thead th:last-child');
  if (!held || !(target instanceof Element) || target === currentTarget || target.closest('td:has(.icon-actions)'))
    return;
  const covered = target.getBoundingClientRect().right - held.getBoundingClientRect().left;
  if (covered > 0) currentTarget.scrollLeft += covered;
}

/**
 * A list of any length: pages of 100 rows are loaded as they scroll into view, and only the visible rows are rendered,
 * as a table, or as cards in a narrow window.
 */
export function DataTable<Row extends { id: number }>(props: DataTableProps<Row>) {
  const { label, source, empty, failed, height = 'list' } = props;
  const t = useT();
  const first = useFirstPage(source);
  const total = totalOf(first.data);
  if (first.isError)
    return <Failed sentence={failed} reason={first.error.message} retry={() => void first.refetch()} />;
  if (total === undefined) return <Skeleton label={t('ui.loading')} />;
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
      <Rows {...props} total={total} height={height} />
    </div>
  );
}

function Rows<Row extends { id: number }>(props: DataTableProps<Row> & { total: number; height: 'page' | 'list' }) {
  const { label, source, total, height, grid } = props;
  const narrow = useNarrow();
  const formats = useFormats();
  const region = useRef<HTMLDivElement>(null);
  // oxlint-disable-next-line react/incompatible-library -- the React Compiler, which this is about, is not used
  const virtualizer = useVirtualizer<HTMLDivElement, Element>({
    count: total,
    getScrollElement: () => region.current,
    estimateSize: () => (narrow ? 160 : 40),
    initialRect: { width: 0, height: 480 },
    overscan: narrow ? 2 : 4,
  });
  const list = JSON.stringify(source.key);
  useEffect(() => {
    region.current?.scrollTo(0, 0);
  }, [list]);
  useEffect(() => grid?.settle({ region, toRow: (row) => virtualizer.scrollToIndex(row) }));
  const items = virtualizer.getVirtualItems();
  const start = items[0]?.index ?? 0;
  const rowAt = usePages(source, start, items.at(-1)?.index ?? 0);
  const view: Window<Row> = {
    items,
    rowAt,
    total,
    before: items[0]?.start ?? 0,
    after: virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0),
    measure: virtualizer.measureElement,
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it looks where the focus is, and takes none
    <section
      ref={region}
      onFocus={uncover}
      className={`rows rows-${height}`}
      aria-label={`${label}: ${formats.number(total)}`}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reachable by keyboard
      tabIndex={0}
      {...(!narrow && grid?.section)}
    >
      {narrow ? <Cards {...props} view={view} /> : <Table {...props} view={view} />}
    </section>
  );
}
