import { execute, select } from '../../../db/index.ts';
import type { PositionCap } from '../../shared/positions/positions.ts';
import type { SearchSpendingRow } from '../../shared/positions/tables.ts';

/** Adds paid requests to a day of a project. */
export async function addSpending(row: SearchSpendingRow): Promise<void> {
  await execute(
    `INSERT INTO search_spending (project_id, day, xmlriver_id, requests) VALUES ($project_id, $day, $xmlriver_id, $requests)
     ON CONFLICT (project_id, day, xmlriver_id) DO UPDATE SET requests = search_spending.requests + excluded.requests`,
    { ...row },
  );
}

/** Returns how many paid requests a project has made on a day, at all sources. */
export async function countSpent(project_id: number, day: number): Promise<number> {
  const [row] = await select<{ n: number | null }>(
    `SELECT CAST(SUM(requests) AS INTEGER) AS n FROM (
       SELECT requests FROM search_spending WHERE project_id = $project_id AND day = $day
       UNION ALL SELECT requests FROM search_task_spending WHERE project_id = $project_id AND day = $day) s`,
    { project_id, day },
  );
  return row?.n ?? 0;
}

/** Returns the cap of each project, `usual` where it never saved one, and how many paid requests it has made on a day. */
export const listCapsOn = (day: number, usual: number): Promise<Omit<PositionCap, 'left'>[]> =>
  select(
    `SELECT p.id, p.name, COALESCE(t.daily_cap, CAST($usual AS INTEGER)) AS daily_cap,
       CAST(COALESCE(s.requests, 0) AS INTEGER) AS used
     FROM projects p LEFT JOIN position_settings t ON t.project_id = p.id
       LEFT JOIN (SELECT project_id, SUM(requests) AS requests FROM (
           SELECT project_id, requests FROM search_spending WHERE day = $day
           UNION ALL SELECT project_id, requests FROM search_task_spending WHERE day = $day) r
         GROUP BY project_id) s ON s.project_id = p.id
     WHERE p.deleted_at IS NULL ORDER BY p.name, p.id`,
    { day, usual },
  );

/** Returns the paid requests of each account since a day. */
export const listSpentSince = (day: number): Promise<{ id: number; requests: number }[]> =>
  select(
    `SELECT xmlriver_id AS id, CAST(SUM(requests) AS INTEGER) AS requests FROM search_spending WHERE day > $day
     GROUP BY xmlriver_id ORDER BY xmlriver_id`,
    { day },
  );

/** Returns what the XMLRiver accounts were last known to have. */
export const listBalances = (): Promise<{ id: number; balance: string | null }[]> =>
  select('SELECT id, balance FROM xmlriver_accounts ORDER BY id');
