// When a job runs next: intervals, cron lines, time zones, quiet times, jitter, what was missed, and clocks that jump.
import { describe, expect, test } from 'vitest';
import { nextRun, nextRuns, offsetOf, plannedRun } from '../../../src/operations/schedule/next-run.ts';
import type { ScheduleRule } from '../../../src/shared/system/schedules.ts';

const rule = (change: Partial<ScheduleRule>): ScheduleRule => ({
  active: true,
  cron: null,
  interval_minutes: null,
  zone: 'UTC',
  jitter_seconds: 0,
  quiet_from: null,
  quiet_until: null,
  ...change,
});
const at = (time: string): number => Date.parse(time);
const shown = (runs: (number | null)[]): (string | null)[] =>
  runs.map((run) => (run === null ? null : new Date(run).toISOString().slice(0, 16)));
const next = (change: Partial<ScheduleRule>, after: string, count = 1, offset = 0) =>
  shown(nextRuns(rule(change), at(after), offset, count));

describe('the next run', () => {
  test('of an interval stands on the same times whenever it is asked for', () => {
    expect(next({ interval_minutes: 20 }, '2026-03-01T10:07:00Z', 3)).toEqual([
      '2026-03-01T10:20',
      '2026-03-01T10:40',
      '2026-03-01T11:00',
    ]);
    expect(next({ interval_minutes: 20 }, '2026-03-01T10:20:00Z')).toEqual(['2026-03-01T10:40']);
  });

  test('of a cron line is in its zone, on both sides of a change of the clocks', () => {
    const daily = { cron: '30 2 * * *', zone: 'Europe/Berlin' };
    // 2:30 does not exist on March 29 (3:00 comes instead), and comes twice on October 25: one run each.
    expect(next(daily, '2026-03-28T00:00:00Z', 3)).toEqual([
      '2026-03-28T01:30',
      '2026-03-29T01:00',
      '2026-03-30T00:30',
    ]);
    const autumn = nextRuns(rule(daily), at('2026-10-24T12:00:00Z'), 0, 2);
    expect(shown(autumn)[0]).toMatch(/^2026-10-25T0[01]:30$/);
    expect(shown(autumn)[1]).toBe('2026-10-26T01:30');
  });

  test('of a job that is off does not exist', () => {
    expect(nextRun(rule({ interval_minutes: 5, active: false }), 0, 0)).toBeNull();
  });

  test('moves to the end of quiet times over midnight, all of them together', () => {
    const quiet = { interval_minutes: 30, quiet_from: '22:00', quiet_until: '06:15', zone: 'Europe/Moscow' };
    // 22:00 in Moscow is 19:00 UTC.
    expect(next(quiet, '2026-03-01T18:20:00Z', 4)).toEqual([
      '2026-03-01T18:30',
      '2026-03-02T03:15',
      '2026-03-02T03:30',
      '2026-03-02T04:00',
    ]);
  });

  test('quiet times that end in the hour that the clocks repeat end in both of them', () => {
    const quiet = { interval_minutes: 60, quiet_from: '22:00', quiet_until: '02:30', zone: 'Europe/Berlin' };
    expect(next(quiet, '2026-10-24T23:20:00Z', 4)).toEqual([
      '2026-10-25T00:30',
      '2026-10-25T01:30',
      '2026-10-25T02:00',
      '2026-10-25T03:00',
    ]);
  });

  test('moves to the end of quiet times within a day', () => {
    const quiet = { interval_minutes: 60, quiet_from: '09:00', quiet_until: '11:30' };
    expect(next(quiet, '2026-03-01T08:10:00Z', 2)).toEqual(['2026-03-01T11:30', '2026-03-01T12:00']);
  });

  test('has the same jitter at each time of an installation, within its bounds', () => {
    const given = rule({ interval_minutes: 60, jitter_seconds: 300 });
    const offsets = Array.from({ length: 200 }, (_, index) => offsetOf(`installation ${index}`, 'check', given));
    expect(Math.min(...offsets)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...offsets)).toBeLessThanOrEqual(300_000);
    expect(new Set(offsets).size).toBeGreaterThan(50);
    expect(offsetOf('installation 1', 'check', given)).toBe(offsets[1]);
    expect(offsetOf('one', 'check', rule({}))).toBe(0);
    expect(next({ interval_minutes: 60 }, '2026-03-01T10:00:00Z', 3, 120_000)).toEqual([
      '2026-03-01T10:02',
      '2026-03-01T11:02',
      '2026-03-01T12:02',
    ]);
  });
});

describe('a planned run', () => {
  const hourly = rule({ interval_minutes: 60 });
  const planned = (stored: string, now: string) => shown([plannedRun(hourly, at(stored), at(now), 0)])[0];

  test('that was missed for days stays due once', () => {
    expect(planned('2026-03-01T10:00:00Z', '2026-03-09T10:30:00Z')).toBe('2026-03-01T10:00');
    expect(next({ interval_minutes: 60 }, '2026-03-09T10:30:00Z')).toEqual(['2026-03-09T11:00']);
  });

  test('does not run twice where the clock is set back a little', () => {
    expect(planned('2026-03-01T12:00:00Z', '2026-03-01T10:40:00Z')).toBe('2026-03-01T12:00');
  });

  test('of every minute does not run twice either', () => {
    const minutely = rule({ cron: '* * * * *' });
    const kept = (stored: string) => shown([plannedRun(minutely, at(stored), at('2026-03-01T10:40:00Z'), 0)])[0];
    expect(kept('2026-03-01T10:43:00Z')).toBe('2026-03-01T10:43');
    expect(kept('2026-03-01T10:44:00Z')).toBe('2026-03-01T10:41');
  });

  test('is planned anew where the clock is set back far', () => {
    expect(planned('2027-03-01T12:00:00Z', '2026-03-01T10:40:00Z')).toBe('2026-03-01T11:00');
  });
});
