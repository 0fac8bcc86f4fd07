import { describe, expect, it } from 'vitest';
import type { ProjectPositions } from '../../src/shared/positions/positions.ts';
import {
  averageOf,
  bandOf,
  distributionOf,
  filterRows,
  linesOf,
  pageChanges,
  rowsOf,
  tableOf,
} from '../../ui/positions/heat.ts';

const PAGES = ['https://a.example/', 'https://a.example/b'];

/** Returns the positions of keywords by their values on each day, oldest first. */
function positionsOf(days: (number | null)[][], found: (number | null)[][] = []): ProjectPositions {
  const names = days[0]?.map((_, k) => `word ${k}`) ?? [];
  return {
    engine: 'yandex',
    region: '213',
    device: 'desktop',
    keywords: names.map((value, k) => ({
      id: k + 1,
      value,
      tags: k === 0 ? ['Brand'] : [],
      target_url: null,
      frequency: null,
    })),
    dates: days.map((_, d) => `2026-11-0${d + 1}`),
    values: days,
    depths: days.map((day) => day.map((value) => (value === null ? null : 50))),
    pages: PAGES,
    found,
    rivals: [],
    events: [],
  };
}
const NO_FILTER = { search: '', tag: '', band: null, hasFallen: false, isRival: false };
const names = (rows: readonly { value: string }[]): string[] => rows.map(({ value }) => value);

describe('bandOf', () => {
  it('ends bands at 3, 10, 30, 50 and 100; what is not within the depth is in the last', () => {
    expect([1, 3, 4, 10, 11, 30, 31, 50, 51, 100, 101, 0].map(bandOf)).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]);
  });
});

describe('rowsOf', () => {
  it('compares with the last check, over days without one', () => {
    const [row] = rowsOf(positionsOf([[8], [null], [5], [0], [12], [12]]));
    expect(row?.cells.map(({ change }) => change)).toEqual([null, null, 3, 'out', 'new', null]);
    expect(row?.cells.map(({ before }) => before)).toEqual([null, 8, 8, 5, 0, 12]);
  });

  it('does not take "not within the depth" for a best place, nor a day without a check for the last', () => {
    const [row, never] = rowsOf(
      positionsOf([
        [0, null],
        [7, null],
        [9, null],
        [null, null],
      ]),
    );
    expect(row).toMatchObject({ best: 7, last: 9, change: -2 });
    expect(never).toMatchObject({ best: null, last: null, change: null });
  });

  it('finds the address of a place; the first one is no change of the page', () => {
    const [row] = rowsOf(positionsOf([[4], [4], [null], [6]], [[0], [0], [null], [1]]));
    expect(row?.cells.map(({ url }) => url)).toEqual([PAGES[0], PAGES[0], null, PAGES[1]]);
    expect(row && pageChanges(row)).toEqual([{ at: 3, url: PAGES[1] }]);
  });
});

describe('filterRows', () => {
  const rows = rowsOf(
    positionsOf([
      [2, 5, 20, 9, null],
      [2, 16, 30, 0, null],
    ]),
  );

  it('searches keywords and tags without regard to case', () => {
    expect(names(filterRows(rows, { ...NO_FILTER, search: ' BRAND ' }))).toEqual(['word 0']);
    expect(names(filterRows(rows, { ...NO_FILTER, search: 'WORD 3' }))).toEqual(['word 3']);
  });

  it('keeps keywords that were never checked out of every band', () => {
    expect(names(filterRows(rows, { ...NO_FILTER, band: 3 }))).toEqual(['word 1', 'word 2']);
    expect(names(filterRows(rows, { ...NO_FILTER, band: 6 }))).toEqual(['word 3']);
  });

  it('takes a tag as it is written', () => {
    expect(names(filterRows(rows, { ...NO_FILTER, tag: 'Brand' }))).toEqual(['word 0']);
    expect(names(filterRows(rows, { ...NO_FILTER, tag: 'brand' }))).toEqual([]);
  });

  it('has fallen: by more than ten places, or out of the depth', () => {
    expect(names(filterRows(rows, { ...NO_FILTER, hasFallen: true }))).toEqual(['word 1', 'word 3']);
  });
});

describe('figures of a day', () => {
  it('counts no day without a check, and averages places alone', () => {
    expect(distributionOf([1, 10, 0, null, 60])).toEqual([1, 1, 0, 0, 1, 1]);
    expect(averageOf([1, 10, 0, null])).toBe(5.5);
    expect(averageOf([0, null])).toBeNull();
  });
});

describe('tableOf', () => {
  it('tells no check, an empty cell, from 0', () => {
    const { dates, ...rest } = positionsOf([[3], [0], [null]]);
    expect(tableOf('Keyword', dates, rowsOf({ dates, ...rest }))).toEqual([
      ['Keyword', ...dates],
      ['word 0', '3', '0', ''],
    ]);
  });
});

describe('linesOf', () => {
  it('trims, drops empty lines, and counts repetitions that differ in case and blanks alone', () => {
    expect(linesOf(' one  two\r\n\n\tOne Two \nthree\n')).toEqual({ lines: ['one  two', 'three'], repeated: 1 });
    expect(linesOf('\n \n')).toEqual({ lines: [], repeated: 0 });
  });
});
