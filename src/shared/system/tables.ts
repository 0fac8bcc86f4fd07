import { audited, flag, id, integer, json, machine, optional, secret, table, text, time, type Row } from '../table.ts';
import type { JobResult } from './schedules.ts';

/** The schedules table: a row for each job whose times or settings a person has changed; other jobs have their defaults. */
export const schedules = table('schedules', audited('name', ['updated_at']), {
  id: id(),
  name: text(),
  active: flag(),
  cron: optional(text()),
  interval_minutes: optional(integer()),
  zone: text(),
  jitter_seconds: integer(),
  quiet_from: optional(text()),
  quiet_until: optional(text()),
  keep: optional(integer()),
  heartbeat: optional(secret()),
  updated_at: time(),
});
export type ScheduleRow = Row<typeof schedules>;

/**
 * The schedule_runs table: for each job when it runs next, who runs it now (a lease by the clock of the database), and how its last
 * run ended. `rule` is a hash of what `next_at` was computed by; `tries` counts runs of one slot whose process died;
 * `ended_at` stays until the next run ends.
 */
export const scheduleRuns = table(
  'schedule_runs',
  machine('when each job runs, and how its last run ended'),
  {
    name: text(),
    rule: text(),
    next_at: optional(time()),
    lease_owner: optional(text()),
    lease_until: optional(time()),
    slot_at: optional(time()),
    tries: integer(),
    started_at: optional(time()),
    ended_at: optional(time()),
    result: optional(text<JobResult>()),
    message: optional(json()),
    operation_id: optional(integer()),
    heartbeat_at: optional(time()),
    heartbeat_error: optional(text()),
  },
  { key: ['name'] },
);
export type ScheduleRunRow = Row<typeof scheduleRuns>;
