import { execute, select } from '../../../db/index.ts';
import { NOW } from '../../operations/rows.ts';
import type { SearchTaskRow } from '../../shared/accounts/tables.ts';

/** A task that is to be stored. */
export type NewSearchTask = Pick<SearchTaskRow, 'operation_id' | 'tries' | 'arsenkin_id' | 'members'>;

/** Returns the tasks of an operation, as they were made. */
export const listTasks = (operation_id: number): Promise<SearchTaskRow[]> =>
  select('SELECT * FROM search_tasks WHERE operation_id = $operation_id ORDER BY id', { operation_id });

/** Returns how many tasks of an account are under way in operations that somebody works on now. */
export async function countUnderWay(arsenkin_id: number): Promise<number> {
  const [row] = await select<{ n: number }>(
    `SELECT CAST(COUNT(*) AS INTEGER) AS n FROM search_tasks t JOIN operations o ON o.id = t.operation_id
     WHERE t.arsenkin_id = $arsenkin_id AND t.state IN ('reserved', 'sent', 'running') AND o.lease_until >= ${NOW}`,
    { arsenkin_id },
  );
  return row?.n ?? 0;
}

/** Stores a task that is about to be sent, and returns it. */
export async function insertTask(task: NewSearchTask): Promise<SearchTaskRow> {
  const row = { ...task, state: 'reserved' as const, task_id: null, error: null, created_at: new Date().toISOString() };
  const [made] = await select<{ id: number }>(
    `INSERT INTO search_tasks (operation_id, tries, arsenkin_id, state, task_id, members, error, created_at)
     VALUES ($operation_id, $tries, $arsenkin_id, $state, $task_id, $members, $error, $created_at) RETURNING id`,
    row,
  );
  return { ...row, id: made?.id ?? 0 };
}

/** Notes that a task is sent now. */
export async function setSent(id: number): Promise<void> {
  await execute(`UPDATE search_tasks SET state = 'sent' WHERE id = $id AND state = 'reserved'`, { id });
}

/** Stores the number of a task that was begun, also of one that was given up meanwhile. */
export async function setBegun(id: number, task_id: string): Promise<void> {
  await execute(
    `UPDATE search_tasks SET state = 'running', task_id = $task_id, error = NULL WHERE id = $id AND task_id IS NULL`,
    { id, task_id },
  );
}

/** Stores how a task stands: `unknown`, or `ended`, with the reason for what was left open. */
export async function setEnded({ id, state, tries, error }: Pick<SearchTaskRow, 'id' | 'state' | 'tries' | 'error'>) {
  await execute('UPDATE search_tasks SET state = $state, tries = $tries, error = $error WHERE id = $id', {
    id,
    state,
    tries,
    error,
  });
}

/** Deletes a task. */
export async function deleteTask(id: number): Promise<void> {
  await execute('DELETE FROM search_tasks WHERE id = $id', { id });
}

/** Deletes tasks of operations that ended before a time, `limit` at most, and returns how many there were. */
export const deleteLeftTasks = (before: string, limit: number): Promise<number> =>
  execute(
    `DELETE FROM search_tasks WHERE id IN (SELECT t.id FROM search_tasks t JOIN operations o ON o.id = t.operation_id
       WHERE o.finished_at < $before LIMIT $limit)`,
    { before, limit },
  );
