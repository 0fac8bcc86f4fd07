import { select } from '../../../db/index.ts';
import type { ScheduleRow } from '../../shared/system/tables.ts';

/** Returns the schedules that people have set. */
export const listScheduleRows = (): Promise<ScheduleRow[]> => select('SELECT * FROM schedules ORDER BY name');

/** Returns the schedule that somebody has set for a job; undefined: nobody has. */
export async function findScheduleRow(name: string): Promise<ScheduleRow | undefined> {
  const [row] = await select<ScheduleRow>('SELECT * FROM schedules WHERE name = $name', { name });
  return row;
}
