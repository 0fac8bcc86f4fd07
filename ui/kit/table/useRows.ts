import { keepPreviousData, useQueries, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { ListOf } from '../../../src/shared/lists.ts';

/** Rows per request. */
export const PAGE = 100;

/** A list that the server pages. `key` starts with the call's name, so that `refresh` finds it. */
export interface RowsSource<Row> {
  key: readonly unknown[];
  load: (page: { limit: number; offset: number }, signal: AbortSignal) => Promise<ListOf<Row>>;
}

/** Returns a page of rows that were all loaded at once. */
export const pageOf = <Row>(
  rows: readonly Row[],
  { limit, offset }: { limit: number; offset: number },
): ListOf<Row> => ({
  data: rows.slice(offset, offset + limit),
  total: rows.length,
});

/** Wraps rows that are already loaded as a source. `key` has to change with them. */
export const localRows = <Row>(key: readonly unknown[], rows: readonly Row[]): RowsSource<Row> => ({
  key,
  load: (page) => Promise.resolve(pageOf(rows, page)),
});

// Pages that were scrolled past are kept for a moment only: a long list would fill the memory.
const KEPT_MS = 60_000;

const pageKey = <Row>({ key }: RowsSource<Row>, page: number): readonly unknown[] => [...key, { page }];

const pageQuery = <Row>(source: RowsSource<Row>, page: number) => ({
  queryKey: pageKey(source, page),
  gcTime: KEPT_MS,
  queryFn: ({ signal }: { signal: AbortSignal }) => source.load({ limit: PAGE, offset: page * PAGE }, signal),
});

/** Loads the first page of a list, which also tells its length. While `enabled` is false nothing is requested. */
export const useFirstPage = <Row>(source: RowsSource<Row>, enabled = true): UseQueryResult<ListOf<Row>> =>
  useQuery<ListOf<Row>>({ ...pageQuery(source, 0), enabled, placeholderData: keepPreviousData });

/** Returns the length of a list from its first page; undefined while it is loading. */
export const totalOf = (first: ListOf<unknown> | undefined): number | undefined => first?.total ?? first?.data.length;

/** Returns the page numbers of the rows from `start` to `end`. */
export const pagesOf = (start: number, end: number): number[] => {
  const first = Math.floor(start / PAGE);
  return Array.from({ length: Math.floor(end / PAGE) - first + 1 }, (_, index) => first + index);
};

// Rows before the end of the loaded pages from which the next page is asked for.
const AHEAD = 30;
const REST_MS = 80;

/** Returns a text after it has stayed the same for a moment; the first one at once. */
function useRested(text: string): string {
  const [rested, rest] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => rest(text), REST_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}

/** Returns the pages of some rows, and the one that follows in the direction of the scrolling. */
export const wantedPages = (start: number, end: number, total: number, isDown: boolean): number[] =>
  pagesOf(Math.max(0, isDown ? start : start - AHEAD), Math.max(0, Math.min(total - 1, isDown ? end + AHEAD : end)));

/**
 * Loads the pages of the visible rows of a list once the scrolling rests: those that fly past are not asked for. The result
 * returns a row by its index, undefined while it is not here.
 */
export function usePages<Row>(
  source: RowsSource<Row>,
  { start, end, total, isDown }: { start: number; end: number; total: number; isDown: boolean },
): (index: number) => Row | undefined {
  const rested = useRested(wantedPages(start, end, total, isDown).join(','));
  const pages = useMemo(() => rested.split(',').map(Number), [rested]);
  const cache = useQueryClient();
  const results = useQueries({ queries: pages.map((page) => pageQuery(source, page)) });
  return (index) => {
    const page = Math.floor(index / PAGE);
    const at = pages.indexOf(page);
    const loaded = at < 0 ? cache.getQueryData<ListOf<Row>>(pageKey(source, page)) : results[at]?.data;
    return loaded?.data[index % PAGE];
  };
}

interface View {
  items: readonly { index: number }[];
  rowAt: (index: number) => { id: number } | undefined;
}

/**
 * Returns the React key of each row in view by its index: a row that moves, because others come or go above it, takes its focus and
 * what is open in it along. A row that was awaited keeps the key of its place.
 */
export function useStableKeys({ items, rowAt }: View): (index: number) => string {
  const [kept] = useState(() => ({ byId: new Map<number, string>(), awaited: new Set<number>() }));
  const keys = new Map<number, string>();
  const used = new Set<string>();
  for (const { index } of items) {
    const row = rowAt(index);
    const ofPlace = `at ${index}`;
    let key = !row || kept.awaited.delete(index) ? ofPlace : (kept.byId.get(row.id) ?? String(row.id));
    // Between the readings of two pages a row may be on both.
    while (used.has(key)) key += '+';
    used.add(key);
    keys.set(index, key);
    if (row) kept.byId.set(row.id, key);
    else kept.awaited.add(index);
  }
  return (index) => keys.get(index) ?? '';
}
