import { expect, test } from 'vitest';
import { byName } from '../../src/shared/lists.ts';

test('names are in the order of people, whatever their case and alphabet', () => {
  const names = ['яблоко', 'Ель', 'ёлка', 'ПРОЕКТ', 'Альфа', 'Zebra', 'альфа', 'site 10', 'site 9'];
  const rows = names.map((name, id) => ({ id, name }));
  const sorted = ['альфа', 'Альфа', 'ёлка', 'Ель', 'ПРОЕКТ', 'яблоко', 'site 9', 'site 10', 'Zebra'];
  expect(rows.toSorted(byName).map(({ name }) => name)).toEqual(sorted);
  const same = [2, 1].map((id) => ({ id, name: 'one' }));
  expect(same.toSorted(byName).map(({ id }) => id)).toEqual([1, 2]);
});
