// The day of an expiry is the registry's; what is past or near is by the reader's own calendar.
import { afterEach, describe, expect, it } from 'vitest';
import {
  dayAfter,
  dayAfterYears,
  dayOf,
  daysBetween,
  expiryDay,
  nearnessOf,
} from '../../../src/shared/portfolio/expiry-day.ts';

const ZONES = ['Asia/Vladivostok', 'Europe/Moscow', 'UTC', 'America/New_York'];
const before = process.env['TZ'];

afterEach(() => {
  process.env['TZ'] = before ?? 'UTC';
});

describe('expiryDay', () => {
  it.each([
    ['midnight in Moscow for .ru', 'shop.ru', '2027-02-13T21:00:00.000Z', '2027-02-14'],
    ['midnight in Moscow for .su', 'shop.su', '2027-02-13T21:00:00.000Z', '2027-02-14'],
    ['midnight in Moscow for .рф', 'xn--80aswg.xn--p1ai', '2027-02-13T21:00:00.000Z', '2027-02-14'],
    ['midnight in Moscow for .рф in Unicode', 'сайт.рф', '2027-02-13T21:00:00.000Z', '2027-02-14'],
    ['a second earlier in Moscow', 'shop.ru', '2027-02-13T20:59:59.000Z', '2027-02-13'],
    ['a day typed by hand for .ru', 'shop.ru', '2027-02-14T00:00:00.000Z', '2027-02-14'],
    ['a day typed by hand for .com', 'shop.com', '2027-02-14T00:00:00.000Z', '2027-02-14'],
    ['the evening in UTC for .com', 'shop.com', '2027-02-13T21:00:00.000Z', '2027-02-13'],
    ['a name that only contains ru', 'shop.ru.com', '2027-02-13T21:00:00.000Z', '2027-02-13'],
    ['the last evening of a leap February', 'shop.ru', '2028-02-28T21:00:00.000Z', '2028-02-29'],
  ])('%s is the same day for every reader', (_, domain_name, expired_at, day) => {
    for (const zone of ZONES) {
      process.env['TZ'] = zone;
      expect(expiryDay({ domain_name, expired_at })).toBe(day);
    }
  });
});

describe('nearnessOf', () => {
  it.each([
    ['2027-02-13', 'past'],
    ['2027-02-14', 'today'],
    ['2027-02-15', 'soon'],
    ['2027-03-16', 'soon'],
    ['2027-03-17', 'later'],
  ])('%s is %s on 14 February', (day, near) => {
    expect(nearnessOf(day, '2027-02-14')).toBe(near);
  });

  it('the today of a reader is their own: the same moment is two days for Vladivostok and New York', () => {
    const moment = Date.parse('2027-02-13T20:00:00Z');
    process.env['TZ'] = 'Asia/Vladivostok';
    expect(dayOf(moment)).toBe('2027-02-14');
    expect(nearnessOf('2027-02-14', dayOf(moment))).toBe('today');
    process.env['TZ'] = 'America/New_York';
    expect(dayOf(moment)).toBe('2027-02-13');
    expect(nearnessOf('2027-02-14', dayOf(moment))).toBe('soon');
  });
});

it('days are counted by the calendar, over a change of the clock as well', () => {
  process.env['TZ'] = 'America/New_York';
  expect(daysBetween('2027-03-13', '2027-03-15')).toBe(2);
  expect(dayAfter('2027-03-13', 2)).toBe('2027-03-15');
  expect(dayAfter('2028-02-28', 1)).toBe('2028-02-29');
});

it.each([
  ['2027-02-14', 1, '2028-02-14'],
  ['2028-02-29', 1, '2029-02-28'],
  ['2028-02-29', 4, '2032-02-29'],
  ['2027-12-31', 10, '2037-12-31'],
])('%s, renewed for %i years, is %s', (day, years, next) => {
  expect(dayAfterYears(day, years)).toBe(next);
});
