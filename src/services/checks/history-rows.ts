import { execute, select } from '../../../db/index.ts';
import type { CheckDayRow, CheckRow, CheckSampleRow } from '../../shared/checks/tables.ts';

/** Returns the stored checks of a domain, by kind, the newest first. */
export const listCheckRows = (domainId: number): Promise<CheckRow[]> =>
  select('SELECT * FROM checks WHERE domain_id = $domainId ORDER BY kind, id DESC', { domainId });

/** Returns a domain's figures of closed days, the newest first. */
export const listDayRows = (domainId: number): Promise<CheckDayRow[]> =>
  select('SELECT * FROM check_days WHERE domain_id = $domainId ORDER BY day DESC', { domainId });

/** Returns a domain's samples of days that are not closed, the newest first. */
export const listSampleRows = (domainId: number): Promise<CheckSampleRow[]> =>
  select('SELECT * FROM check_samples WHERE domain_id = $domainId ORDER BY day DESC', { domainId });

/** Returns samples of days before `today`, `limit` at most. */
export const listSamplesBefore = (today: string, limit: number): Promise<CheckSampleRow[]> =>
  select('SELECT * FROM check_samples WHERE day < $today ORDER BY domain_id LIMIT $limit', { today, limit });

/** Adds figures to closed days. After a clock was set back a day is closed twice: the part with more checks sets the median. */
export async function addDays(days: readonly CheckDayRow[]): Promise<void> {
  await execute(
    `INSERT INTO check_days (domain_id, day, checks, up, median_ms, worst_ms)
     SELECT CAST(value ->> 'domain_id' AS INTEGER), value ->> 'day', CAST(value ->> 'checks' AS INTEGER),
       CAST(value ->> 'up' AS INTEGER), CAST(value ->> 'median_ms' AS INTEGER), CAST(value ->> 'worst_ms' AS INTEGER)
     FROM json_each($rows) WHERE true
     ON CONFLICT (domain_id, day) DO UPDATE SET checks = check_days.checks + excluded.checks, up = check_days.up + excluded.up,
       median_ms = CASE WHEN check_days.median_ms IS NULL OR excluded.checks > check_days.checks THEN excluded.median_ms
         ELSE check_days.median_ms END,
       worst_ms = CASE WHEN check_days.worst_ms IS NULL OR excluded.worst_ms > check_days.worst_ms THEN excluded.worst_ms
         ELSE check_days.worst_ms END`,
    { rows: JSON.stringify(days) },
  );
}

/** Deletes the samples of domains' days and returns their number. */
export const deleteSamples = (days: readonly Pick<CheckDayRow, 'domain_id' | 'day'>[]): Promise<number> =>
  execute(
    `DELETE FROM check_samples WHERE (domain_id, day) IN
       (SELECT CAST(value ->> 'domain_id' AS INTEGER), value ->> 'day' FROM json_each($rows))`,
    { rows: JSON.stringify(days.map(({ domain_id, day }) => ({ domain_id, day }))) },
  );
