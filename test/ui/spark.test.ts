import { describe, expect, it } from 'vitest';
import { sparkOf } from '../../ui/kit/pictures/spark.ts';

describe('sparkOf', () => {
  it('draws the lowest value at the bottom and the highest at the top, from edge to edge', () => {
    const { lines, areas, last } = sparkOf([10, 20, 30], 26, 16);
    expect(lines).toEqual(['M3 13L13 8L23 3']);
    expect(areas).toEqual(['M3 13L13 8L23 3L23 16L3 16Z']);
    expect(last).toEqual({ x: 23, y: 3 });
  });

  it('leaves a gap where a value is not known, and does not draw zero', () => {
    const { lines, last } = sparkOf([10, null, null, 30], 36, 16);
    expect(lines).toEqual(['M3 13', 'M33 3']);
    expect(last).toEqual({ x: 33, y: 3 });
  });

  it('has no last point where the last value is not known', () => {
    expect(sparkOf([10, 20, null], 26, 16).last).toBeUndefined();
  });

  it('draws equal values as a line in the middle, and one value as a point', () => {
    expect(sparkOf([5, 5], 26, 16).lines).toEqual(['M3 8L23 8']);
    expect(sparkOf([5], 26, 16).last).toEqual({ x: 3, y: 8 });
  });

  it.each([{ values: [] }, { values: [null, null] }])('draws nothing for $values', ({ values }) => {
    expect(sparkOf(values, 26, 16)).toEqual({ lines: [], areas: [], last: undefined });
  });
});
