import { expect, test } from 'vitest';
import { outdated } from '../../../../src/services/system/backups/rotation.ts';

const backup = (at: string) => ({ name: at, at: new Date(`${at}Z`) });
const KEEP = { hours: 3, days: 2, weeks: 2 };

const stay = (times: readonly string[], proved: string | null = null): string[] => {
  const gone = new Set(outdated(times.map(backup), KEEP, proved).map(({ name }) => name));
  return times.filter((time) => !gone.has(time));
};

test('the last one of each hour, day and week stays, of as many as are kept', () => {
  const times = [
    '2026-11-01T02:00', // a Sunday, the week of 26 October
    '2026-11-08T02:00', // the Sunday of the next one
    '2026-11-15T02:00',
    '2026-11-16T02:00', // a Monday
    '2026-11-17T02:00',
    '2026-11-17T22:05',
    '2026-11-18T07:10',
    '2026-11-18T08:10',
    '2026-11-18T10:05',
    '2026-11-18T10:50',
  ];
  // Hours: 8 to 10, of which 9 has none. Days: the 17th and 18th. Weeks: that of the 16th, and the one before.
  expect(stay(times)).toEqual(['2026-11-15T02:00', '2026-11-17T22:05', '2026-11-18T08:10', '2026-11-18T10:50']);
});

test('a pause costs none, and the newest and the last proved one always stay', () => {
  expect(stay(['2026-01-05T02:00', '2026-01-06T02:00', '2026-11-18T02:00'])).toEqual([
    '2026-01-06T02:00',
    '2026-11-18T02:00',
  ]);
  expect(outdated([backup('2026-01-05T02:00')], { hours: 0, days: 0, weeks: 0 }, null)).toEqual([]);
  const hourly = Array.from({ length: 60 }, (_, n) => new Date(Date.UTC(2026, 10, 16, n)).toISOString().slice(0, 16));
  expect(stay(hourly, hourly[1])).toContain(hourly[1]);
  expect(stay(hourly)).not.toContain(hourly[1]);
});
