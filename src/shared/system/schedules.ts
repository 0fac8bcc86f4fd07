import { z } from 'zod';
import type { Message } from '../i18n/index.ts';
import { line, message } from '../text.ts';
import type { JobName } from './job-names.ts';

/** The end of a run: `skipped` had nothing to work on, and says why. */
export type JobResult = 'ok' | 'failed' | 'skipped';

/** When a job runs: by a cron line of five fields in a time zone, or each so many minutes. */
export interface ScheduleRule {
  active: boolean;
  cron: string | null;
  interval_minutes: number | null;
  /** An IANA name. */
  zone: string;
  /** At most so many seconds are added to each time, always the same ones in one installation. */
  jitter_seconds: number;
  /** From this time of the day (`HH:MM` in the zone) until that one nothing is begun; over midnight too. */
  quiet_from: string | null;
  quiet_until: string | null;
}

/** Unit of a job's `keep`: backups that stay, or days that the log is kept. */
export type Keeps = 'backups' | 'days';

/** A job that people see, the least minutes between two of its runs, and what of it can be set. */
export interface JobFacts {
  name: JobName;
  least_minutes: number;
  /** The job may wait for the end of quiet times. Jobs that keep traffic safe, and the heartbeat, may not. */
  quiet: boolean;
  keeps: Keeps | null;
  /** The numbers that `keep` may have. */
  keep_least: number;
  keep_most: number;
}

const job = (
  name: JobName,
  least_minutes: number,
  more: Partial<Omit<JobFacts, 'name' | 'least_minutes'>> = {},
): JobFacts => ({ name, least_minutes, quiet: true, keeps: null, keep_least: 0, keep_most: 0, ...more });

/** The facts of each job that people see. */
export const JOBS: Readonly<Record<JobName, JobFacts>> = {
  check: job('check', 5),
  blocklist: job('blocklist', 5, { quiet: false }),
  expiry: job('expiry', 60),
  indexation: job('indexation', 60),
  positions: job('positions', 60),
  auto_transfer: job('auto_transfer', 1, { quiet: false }),
  auto_buy: job('auto_buy', 5),
  backup: job('backup', 60, { keeps: 'backups', keep_least: 1, keep_most: 365 }),
  drill: job('drill', 60),
  purge: job('purge', 60, { keeps: 'days', keep_least: 30, keep_most: 36_500 }),
  heartbeat: job('heartbeat', 1, { quiet: false }),
};

/** The most seconds that a jitter may have. */
export const MOST_JITTER = 3_600;
const MOST_MINUTES = 44_640;

const Time = z
  .union([
    z.literal('').transform(() => null),
    z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, message('schedule.time_invalid')),
  ])
  .nullable();

/**
 * A caller's edit of a schedule. Absent fields keep their value. `cron` or `interval_minutes` ends the other. The rest (zone, cron line,
 * distance of two runs) is validated by the service.
 */
export const ScheduleInput = z
  .object({
    active: z.boolean(),
    cron: line(100).nullable(),
    interval_minutes: z
      .number({ error: message('schedule.interval_invalid') })
      .int(message('schedule.interval_invalid'))
      .min(1, message('schedule.interval_invalid'))
      .max(MOST_MINUTES, message('schedule.interval_invalid'))
      .nullable(),
    zone: line(60),
    jitter_seconds: z
      .number({ error: message('schedule.jitter_invalid') })
      .int(message('schedule.jitter_invalid'))
      .min(0, message('schedule.jitter_invalid'))
      .max(MOST_JITTER, message('schedule.jitter_invalid')),
    quiet_from: Time,
    quiet_until: Time,
    keep: z
      .number({ error: message('schedule.keep_invalid') })
      .int(message('schedule.keep_invalid'))
      .nullable(),
    heartbeat: line(500).nullable(),
  })
  .partial();
export type ScheduleInput = z.infer<typeof ScheduleInput>;

/** A job as people see it. `heartbeat` is the mask, or '' where there is none; `message` says how the last run ended. */
export interface ScheduleView<Text = Message> extends ScheduleRule {
  name: JobName;
  keep: number | null;
  heartbeat: string;
  is_default: boolean;
  next_at: string | null;
  is_running: boolean;
  started_at: string | null;
  ended_at: string | null;
  result: JobResult | null;
  message: Text | null;
  operation_id: number | null;
  heartbeat_at: string | null;
  heartbeat_error: string | null;
}

/** Whether some process runs the schedule, and when one was last seen to. */
export interface SchedulerView {
  is_on: boolean;
  seen_at: string | null;
}
