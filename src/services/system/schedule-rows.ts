import { select } from '../../../db/index.ts';
import { NOW } from '../../operations/rows.ts';
import type { ScheduleRow } from '../../shared/system/tables.ts';

/** Returns the schedules that people have set. */
export const listScheduleRows = (): Promise<ScheduleRow[]> => select('SELECT * FROM schedules ORDER BY name');

/** Returns the schedule that somebody has set for a job; undefined: nobody has. */
export async function findScheduleRow(name: string): Promise<ScheduleRow | undefined> {
  const [row] = await select<ScheduleRow>('SELECT * FROM schedules WHERE name = $name', { name });
  return row;
}

/** When a job is planned, when its last run ended, and whether it is on; `now` is the time of the database. */
export interface JobTimes {
  name: string;
  next_at: string | null;
  ended_at: string | null;
  active: 0 | 1;
  now: string;
}

/** Returns the times of the jobs that were ever planned or run. */
export const listJobTimes = (): Promise<JobTimes[]> =>
  select(
    `SELECT r.name, r.next_at, r.ended_at, COALESCE(s.active, 1) AS active, ${NOW} AS now
     FROM schedule_runs r LEFT JOIN schedules s ON s.name = r.name ORDER BY r.name`,
  );
