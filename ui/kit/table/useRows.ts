import { keepPreviousData, useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query';
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

const pageQuery = <Row>({ key, load }: RowsSource<Row>, page: number) => ({
  queryKey: [...key, { page }],
  queryFn: ({ signal }: { signal: AbortSignal }) => load({ limit: PAGE, offset: page * PAGE }, signal),
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

/** Loads the pages of the visible rows; the result returns a row by its index, undefined while it is loading. */
export function usePages<Row>(source: RowsSource<Row>, start: number, end: number): (index: number) => Row | undefined {
  const pages = pagesOf(start, end);
  const results = useQueries({ queries: pages.map((page) => pageQuery(source, page)) });
  return (index) => results[pages.indexOf(Math.floor(index / PAGE))]?.data?.data[index % PAGE];
}
