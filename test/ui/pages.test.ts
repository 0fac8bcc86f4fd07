import { expect, it } from 'vitest';
import { PAGE, pagesOf, totalOf } from '../../ui/kit/table/useRows.ts';

it('asks for the pages that the visible rows are on', () => {
  expect(pagesOf(0, 0)).toEqual([0]);
  expect(pagesOf(PAGE - 1, PAGE)).toEqual([0, 1]);
  expect(pagesOf(19_950, 19_999)).toEqual([199]);
});

it('takes a list without a total for a whole one', () => {
  expect(totalOf(undefined)).toBeUndefined();
  expect(totalOf({ data: [1, 2] })).toBe(2);
  expect(totalOf({ data: [1, 2], total: 20_000 })).toBe(20_000);
});
