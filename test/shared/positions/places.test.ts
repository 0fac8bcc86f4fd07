// Days, the mains of a project on a day, and whose place a result is.
import { describe, expect, test } from 'vitest';
import {
  dateOf,
  dayOf,
  hostIn,
  mainsOn,
  PAGE_SIZE,
  placesIn,
  type Move,
} from '../../../src/shared/positions/places.ts';

describe('a day', () => {
  test('is counted from 1970-01-01 in UTC, from a text and from a number', () => {
    expect(dayOf('1970-01-02T23:59:59.999Z')).toBe(1);
    expect(dayOf('2026-01-05T00:00:00.000Z')).toBe(20_458);
    expect(dayOf(Date.UTC(2026, 0, 5, 23))).toBe(20_458);
    expect([dateOf(0), dateOf(20_458)]).toEqual(['1970-01-01', '2026-01-05']);
  });
});

describe('the mains of a day', () => {
  const move = (day: number, main_domain_id: number | null, transfer_domain_id: number | null): Move => ({
    day,
    main_domain_id,
    transfer_domain_id,
  });
  const on = (day: number, moves: readonly Move[], now: readonly number[] = [3, 9]): number[] =>
    [...mainsOn(day, now, moves)].toSorted((one, other) => one - other);
  // 1 moved to 2 on the tenth day, and 2 to 3 on the twentieth.
  const moves = [move(10, 1, 2), move(20, 2, 3)];

  test.each([
    [25, [3, 9]],
    [21, [3, 9]],
    [20, [2, 3, 9]],
    [19, [2, 9]],
    [11, [2, 9]],
    [10, [1, 2, 9]],
    [9, [1, 9]],
  ])('%i are those of now without the moves since, and both on the day of a move', (day, mains) => {
    expect(on(day, moves)).toEqual(mains);
  });

  test('are without domains that are gone for good', () => {
    expect(on(5, [move(10, null, 3)])).toEqual([9]);
    expect(on(5, [move(10, 1, null)])).toEqual([1, 3, 9]);
  });

  test('do not change those of now', () => {
    const now = [3, 9];
    on(1, moves, now);
    expect(now).toEqual([3, 9]);
  });
});

describe('a place', () => {
  const placed = (urls: readonly string[], ...names: string[]) =>
    placesIn(
      urls,
      names.map((domain_name, id) => ({ id, domain_name })),
    ).map(({ domain_id, place, url }) => [names[domain_id], place, url]);

  test('is that of the first result, and later ones do not count', () => {
    const urls = ['https://x.ru/', 'https://m.a.ru/1', 'https://a.ru/2'];
    expect(placed(urls, 'a.ru')).toEqual([['a.ru', 2, 'https://m.a.ru/1']]);
  });

  test('of a list that was looked through before is that of the new results', () => {
    const sought = [{ id: 1, domain_name: 'a.ru' }];
    expect(placesIn(['https://a.ru/'], sought)).toHaveLength(1);
    expect(placesIn(['https://b.ru/'], sought)).toEqual([]);
    expect(placesIn(['https://b.ru/', 'https://a.ru/'], sought)).toMatchObject([{ place: 2 }]);
  });

  test('is never that of a whole zone, an address by number or nothing', () => {
    expect(placed(['https://a.ru/', 'http://1.2.3.4/', '', 'nowhere', 'http://ru/'], 'ru', '')).toEqual([]);
  });

  test('counts ten results on a page', () => {
    expect(PAGE_SIZE).toEqual({ yandex: 10, google: 10 });
  });
});

test.each([
  ['https://www.a.ru:80/x', 'a.ru'],
  ['https://a.ru./', 'a.ru'],
  ['https://www.www.a.ru/', 'www.a.ru'],
  ['https://www.ru/', 'www.ru'],
  ['https://xwww.a.ru/', 'xwww.a.ru'],
  ['https://ann:secret@a.ru/', 'a.ru'],
  ['https://a.ru\\@b.ru/', 'a.ru'],
  ['https://A.ru?q=b.ru', 'a.ru'],
  ['https://пример.рф/', 'xn--e1afmkfd.xn--p1ai'],
  ['https://xn--a.ru/', ''],
  ['https://1.2.3/', '1.2.0.3'],
  ['nothing', ''],
])('the host in %s is %s', (url, host) => {
  expect(hostIn(url)).toBe(host);
});
