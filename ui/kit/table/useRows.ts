import { keepPreviousData, useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { ListOf } from '../../../src/shared/lists.ts';

/** How many rows a request brings. */
export const PAGE = 100;

/** A list that the server pages. `key` starts with the call's name, so that `refresh` finds it. */
export interface RowsSource<Row> {
  key: readonly unknown[];
  load: (page: { limit: number; offset: number }, signal: AbortSignal) => Promise<ListOf<Row>>;
}

/** A list that is here already. `key` has to change with it. */
export const localRows = <Row>(key: readonly unknown[], rows: readonly Row[]): RowsSource<Row> => ({
  key,
  load: ({ limit, offset }) => Promise.resolve({ data: rows.slice(offset, offset + limit), total: rows.length }),
});

const pageQuery = <Row>({ key, load }: RowsSource<Row>, page: number) => ({
  queryKey: [...key, { page }],
  queryFn: ({ signal }: { signal: AbortSignal }) => load({ limit: PAGE, offset: page * PAGE }, signal),
});

/** The first page of a list, and with it how long the list is. Nothing is asked while `enabled` is false. */
export const useFirstPage = <Row>(source: RowsSource<Row>, enabled = true): UseQueryResult<ListOf<Row>> =>
  useQuery<ListOf<Row>>({ ...pageQuery(source, 0), enabled, placeholderData: keepPreviousData });

/** How many rows a list has, by its first page. */
export const totalOf = (first: ListOf<unknown> | undefined): number | undefined => first?.total ?? first?.data.length;

/** The pages that the rows from `start` to `end` are on. */
export const pagesOf = (start: number, end: number): number[] => {
  const first = Math.floor(start / PAGE);
  return Array.from({ length: Math.floor(end / PAGE) - first + 1 }, (_, index) => first + index);
};

/** Reads a row of the pages around the visible ones, asking for what is not there yet. */
export function usePages<Row>(source: RowsSource<Row>, start: number, end: number): (index: number) => Row | undefined {
  const pages = pagesOf(start, end);
  const results = useQueries({ queries: pages.map((page) => pageQuery(source, page)) });
  return (index) => results[pages.indexOf(Math.floor(index / PAGE))]?.data?.data[index % PAGE];
}
