import { nextRuns, offsetOf } from '../../operations/schedule/next-run.ts';
import { readRules } from './schedules.ts';
import { listJobTimes, type JobTimes } from './schedule-rows.ts';

// A process that is started anew, or a night's update, is no silence.
const LEAST_LATE_MS = 3_600_000;

/** The milliseconds since a job's planned time, or since a later end, as of a command of cron; 0: not late; null: it is off, or was never planned. */
function lateMs({ next_at, ended_at, active, now }: JobTimes): number | null {
  if (active === 0 || next_at === null) return null;
  return Math.max(0, Date.parse(now) - Math.max(Date.parse(next_at), Date.parse(ended_at ?? next_at)));
}

/**
 * When the last ended round of checks ended, in seconds how long ago, and by how much the next one is late: 0 where it is not. All null
 * where none has run, `late_seconds` also where the job is off or no process has ever planned it.
 */
export interface CheckRounds {
  finished_at: string | null;
  age_seconds: number | null;
  late_seconds: number | null;
}

const seconds = (ms: number): number => Math.floor(ms / 1_000);

/** Returns how the rounds of checks stand, by the clock of the database; one query. */
export async function readCheckRounds(): Promise<CheckRounds> {
  const found = (await listJobTimes()).find(({ name }) => name === 'check');
  const late = found ? lateMs(found) : null;
  const finished_at = found?.ended_at ?? null;
  return {
    finished_at,
    age_seconds: found && finished_at ? Math.max(0, seconds(Date.parse(found.now) - Date.parse(finished_at))) : null,
    late_seconds: late === null ? null : seconds(late),
  };
}

/** Returns the jobs that people see and that are later than twice their interval, an hour at least, with the minutes. */
export async function listLateJobs(): Promise<{ name: string; minutes: number }[]> {
  const { rules, installation } = await readRules();
  return (await listJobTimes()).flatMap((job) => {
    const [rule, late] = [rules.get(job.name), lateMs(job)];
    if (!rule || late === null || job.next_at === null) return [];
    // The distance from the planned time to the one after, or of the next two where the rule has changed since.
    const offset = offsetOf(installation, job.name, rule);
    const [first = 0, second = first] = nextRuns(rule, Date.parse(job.next_at) - 1, offset, 2);
    if (late <= Math.max(2 * (second - first), LEAST_LATE_MS)) return [];
    return [{ name: job.name, minutes: Math.floor(late / 60_000) }];
  });
}
