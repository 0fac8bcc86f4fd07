import { expect, test } from 'vitest';
import { BoundedMap } from '../../../src/services/access/bounded-map.ts';

const filled = (most: number): BoundedMap<number, string> => {
  const map = new BoundedMap<number, string>(most);
  for (let key = 0; key < most; key += 1) map.set(key, 'first');
  return map;
};

test('a new key drops the oldest tenth of a full map, and only that', () => {
  const map = filled(20);
  expect(map.size).toBe(20);
  map.set(20, 'new');
  expect([...map.keys()]).toEqual(Array.from({ length: 19 }, (_, index) => index + 2));
  expect(map.get(20)).toBe('new');
});

test('a key that is there takes a new value and drops none', () => {
  const map = filled(20).set(7, 'second');
  expect([map.size, map.get(7), map.get(0)]).toEqual([20, 'second', 'first']);
});

test('a map of a few entries drops one', () => {
  expect([...filled(3).set(3, 'new').keys()]).toEqual([1, 2, 3]);
});
