import { expect, it } from 'vitest';
import { PAGE, pagesOf, totalOf } from '../../ui/kit/table/useRows.ts';

it('pagesOf returns the pages of the visible rows', () => {
  expect(pagesOf(0, 0)).toEqual([0]);
  expect(pagesOf(PAGE - 1, PAGE)).toEqual([0, 1]);
  expect(pagesOf(19_950, 19_999)).toEqual([199]);
});

it('totalOf takes a list without a total for the whole list', () => {
  expect(totalOf(undefined)).toBeUndefined();
  expect(totalOf({ data: [1, 2] })).toBe(2);
  expect(totalOf({ data: [1, 2], total: 20_000 })).toBe(20_000);
});
