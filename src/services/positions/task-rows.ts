import { execute, select } from '../../../db/index.ts';
import type { Engine } from '../../shared/engines.ts';
import type { SearchTaskSpendingRow } from '../../shared/positions/tables.ts';

/** Adds keywords that were sent to Arsenkin, and limits, to a day of a project; less than zero gives them back. */
export async function addTaskSpending(row: SearchTaskSpendingRow): Promise<void> {
  await execute(
    `INSERT INTO search_task_spending (project_id, day, arsenkin_id, requests, limits)
     VALUES ($project_id, $day, $arsenkin_id, $requests, $limits)
     ON CONFLICT (project_id, day, arsenkin_id) DO UPDATE SET requests = search_task_spending.requests + excluded.requests,
       limits = search_task_spending.limits + excluded.limits`,
    { ...row },
  );
}

/** The spending of an account: requests, and the limits that they have cost. */
export interface TaskSpending {
  id: number;
  requests: number;
  limits: number;
}

/** Returns what each Arsenkin account has spent since a day. */
export const listTaskSpentSince = (day: number): Promise<TaskSpending[]> =>
  select(
    `SELECT arsenkin_id AS id, CAST(SUM(requests) AS INTEGER) AS requests, CAST(SUM(limits) AS INTEGER) AS limits
     FROM search_task_spending WHERE day > $day GROUP BY arsenkin_id ORDER BY arsenkin_id`,
    { day },
  );

/** Returns what the Arsenkin accounts were last known to have. */
export const listLimits = (): Promise<{ id: number; balance: string | null }[]> =>
  select('SELECT id, balance FROM arsenkin_accounts ORDER BY id');

/** Returns the queries of a project that operations could not read since a day, each with its operation. */
export const listFailedSince = (
  project_id: number,
  engine: Engine,
  day: number,
): Promise<{ query_id: number; operation_id: number }[]> =>
  select(
    `SELECT f.query_id, f.operation_id FROM search_failures f JOIN search_queries q ON q.id = f.query_id AND q.engine = $engine
     JOIN keywords k ON k.id = q.keyword_id AND k.project_id = $project_id WHERE f.day >= $day`,
    { project_id, engine, day },
  );

/** Returns the tasks of operations that were sent, or may have been; `members` is JSON. */
export const listSentTasks = (operations: readonly number[]): Promise<{ operation_id: number; members: string }[]> =>
  select(
    `SELECT operation_id, members FROM search_tasks WHERE state <> 'reserved'
       AND operation_id IN (SELECT CAST(value AS INTEGER) FROM json_each($ids))`,
    { ids: JSON.stringify(operations) },
  );

/** Whether keywords of a project were sent for a day by a task of which is not known whether it was begun. */
export const hasUnknownTask = async (project_id: number, engine: Engine, day: number): Promise<boolean> =>
  (
    await select(
      `SELECT 1 FROM search_failures f JOIN search_queries q ON q.id = f.query_id AND q.engine = $engine
       JOIN keywords k ON k.id = q.keyword_id AND k.project_id = $project_id
       JOIN search_tasks t ON t.operation_id = f.operation_id AND t.state = 'unknown'
       WHERE f.day = $day LIMIT 1`,
      { project_id, engine, day },
    )
  ).length > 0;
