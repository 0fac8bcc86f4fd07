// When quiet hours end, also in a night in which the clocks change.
import { expect, test } from 'vitest';
import { DEFAULT_PREFERENCES, dueAt, isQuiet, type Preferences } from '../../../src/shared/notices/preferences.ts';

const MINUTE = 60_000;
const night = (quiet_until: string, zone = 'Europe/Berlin'): Preferences => ({
  ...DEFAULT_PREFERENCES,
  quiet_from: '22:00',
  quiet_until,
  zone,
  critical_always: true,
});
const due = (preferences: Preferences, from: string): string =>
  new Date(dueAt(preferences, 'warning', Date.parse(from))).toISOString();

test.each([
  ['in winter', '2026-01-10T22:00:00.000Z', '2026-01-11T07:00:00.000Z'],
  ['in summer', '2026-07-10T21:00:00.000Z', '2026-07-11T06:00:00.000Z'],
  ['in the night that is an hour shorter', '2026-03-28T22:00:00.000Z', '2026-03-29T06:00:00.000Z'],
  ['in the night that is an hour longer', '2026-10-24T21:00:00.000Z', '2026-10-25T07:00:00.000Z'],
])('quiet until eight ends at eight by the clock on the wall %s', (_title, from, ends) => {
  expect(due(night('08:00'), from)).toBe(ends);
});

test('the last minute that the clocks leave out ends the quiet within an hour after it, one that comes twice at the first time', () => {
  const skipped = due(night('02:30'), '2026-03-28T22:00:00.000Z');
  expect(skipped >= '2026-03-29T01:00:00.000Z' && skipped <= '2026-03-29T02:00:00.000Z').toBe(true);
  expect(due(night('02:30'), '2026-10-24T21:00:00.000Z')).toBe('2026-10-25T00:30:00.000Z');
});

test.each(['Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'UTC'])(
  'a notice that is held back in %s is sent in the first minute that is not quiet, from whatever minute of a night with a change',
  (zone) => {
    const preferences = night('08:00', zone);
    for (const day of ['2026-03-08', '2026-03-29', '2026-04-05', '2026-10-04', '2026-10-25', '2026-11-01']) {
      const noon = Date.parse(`${day}T12:00:00.000Z`);
      for (let time = noon - 1_440 * MINUTE; time < noon; time += 173 * MINUTE) {
        let first = time;
        while (isQuiet(preferences, first)) first += MINUTE;
        expect([time, dueAt(preferences, 'warning', time)]).toEqual([time, first]);
        expect(dueAt(preferences, 'critical', time)).toBe(time);
      }
    }
  },
);
