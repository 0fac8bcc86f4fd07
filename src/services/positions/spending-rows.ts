import { execute, select } from '../../../db/index.ts';
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
