import { describe, expect, it } from 'vitest';
import {
  doubtOf,
  isAsLong,
  isSuspicious,
  massOf,
  type MassChange,
  type TakenList,
} from '../../../src/shared/checks/list-doubt.ts';

const NOW = Date.parse('2026-11-20T12:00:00.000Z');
const DAY = 86_400_000;
const taken = (total: number, age: number, judged = false): TakenList => ({
  list_version: `v${total}`,
  total,
  taken_at: new Date(NOW - age).toISOString(),
  ...(judged && { judged: true }),
});

describe('isSuspicious', () => {
  it('needs at least five names and more than a fifth of all', () => {
    expect([isSuspicious(4, 10), isSuspicious(5, 10)]).toEqual([false, true]);
    expect([isSuspicious(20, 100), isSuspicious(21, 100)]).toEqual([false, true]);
  });
});

describe('isAsLong', () => {
  it('needs one list among the refused that differs by a twentieth of it at most', () => {
    expect([94, 95, 105, 106].map((total) => isAsLong(total, [100]))).toEqual([false, true, true, false]);
    expect([isAsLong(100, [50, 100, 200]), isAsLong(100, [])]).toEqual([true, false]);
  });
});

describe('doubtOf', () => {
  const doubt = (total: number, ...lists: TakenList[]) => doubtOf(total, lists, NOW);

  it('has nothing to measure the first list by', () => {
    expect(doubt(1)).toBeNull();
  });

  it('doubts a list that has lost or gained more than a fifth', () => {
    const before = taken(100, DAY);
    expect(doubt(79, before)).toEqual({ reason: 'shrunk', found: 79, expected: 100 });
    expect(doubt(80, before)).toBeNull();
    expect(doubt(120, before)).toBeNull();
    expect(doubt(121, before)).toEqual({ reason: 'grown', found: 121, expected: 100 });
  });

  it('measures by the newest list of at least seven days ago', () => {
    const lists = [taken(10, 9 * DAY), taken(100, 7 * DAY), taken(119, 7 * DAY - 1)];
    expect(doubt(121, ...lists)).toMatchObject({ reason: 'grown', expected: 100 });
    expect(doubt(120, ...lists)).toBeNull();
    // If the list is a millisecond younger, the one before it is the measure.
    expect(doubt(121, taken(10, 9 * DAY), taken(100, 7 * DAY - 1))).toMatchObject({ expected: 10 });
  });

  it('takes a list that is as long as one taken over since the measure', () => {
    const shrunk = [taken(100, 8 * DAY), taken(60, DAY), taken(90, 0)];
    expect([doubt(60, ...shrunk), doubt(59, ...shrunk)?.reason]).toEqual([null, 'shrunk']);
    const grown = [taken(100, 8 * DAY), taken(150, DAY), taken(110, 0)];
    expect([doubt(150, ...grown), doubt(151, ...grown)?.reason]).toEqual([null, 'grown']);
  });

  it('measures by the last list that a person judged, where no list after it is seven days old', () => {
    const judged = [taken(1000, 8 * DAY), taken(200, 3 * DAY, true), taken(100, 2 * DAY, true), taken(110, DAY)];
    expect(doubt(121, ...judged)).toMatchObject({ reason: 'grown', expected: 100 });
    expect(doubt(99, ...judged)).toBeNull();
    const older = [taken(1000, 10 * DAY, true), taken(100, 8 * DAY)];
    expect(doubt(121, ...older)).toMatchObject({ expected: 100 });
  });

  it('measures by the first list where all are younger than seven days', () => {
    expect(doubt(121, taken(100, 2 * DAY), taken(110, DAY))).toMatchObject({ expected: 100 });
  });
});

describe('massOf', () => {
  const mass = (change: Partial<MassChange>) =>
    massOf({
      total: 100,
      blocked_before: 30,
      blocked_since: 40,
      blocked: 0,
      blocked_now: 0,
      freed: 0,
      freed_since: 0,
      freed_now: 0,
      ...change,
    });

  it('reports a result that adds to more than a fifth of the portfolio blocked within seven days', () => {
    expect(mass({ blocked: 21, blocked_now: 1 })).toEqual({ change: 'blocked', count: 21, total: 100 });
    expect(mass({ blocked: 20, blocked_now: 20 })).toBeNull();
    expect(mass({ blocked: 21, blocked_now: 0 })).toBeNull();
  });

  it('reports a result that adds to more than a fifth of the blocked freed within seven days', () => {
    expect(mass({ freed: 7, freed_now: 1 })).toEqual({ change: 'freed', count: 7, total: 30 });
    expect(mass({ freed: 6, freed_now: 6 })).toBeNull();
    expect(mass({ freed: 7, freed_now: 0 })).toBeNull();
  });

  it('reports as well a result that adds to more than a fifth freed of what was blocked at any time within seven days', () => {
    expect(mass({ freed: 6, freed_since: 9, freed_now: 1 })).toEqual({ change: 'freed', count: 9, total: 40 });
    expect(mass({ freed_since: 8, freed_now: 8 })).toBeNull();
    expect(mass({ freed_since: 9, freed_now: 0 })).toBeNull();
    expect(mass({ blocked_since: 4, freed_since: 4, freed_now: 4 })).toBeNull();
  });
});
