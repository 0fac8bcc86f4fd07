// Operations that nobody holds: what a person has stopped, and what was left half ended.
import { execute, select } from '../../db/index.ts';
import { isFinal } from '../shared/operations.ts';
import type { OperationRow } from '../shared/operations/tables.ts';
import { OPEN } from './item-rows.ts';
import { FREE, LEASE_END, NOW, RUNNING } from './rows.ts';

/** Who holds an operation; `is_free`: nobody does by the clock of the database. */
export type Hold = Pick<OperationRow, 'id' | 'state' | 'lease_owner' | 'stopped'> & { is_free: 0 | 1 };

/** Returns who holds an operation; undefined: there is none. */
export async function findHold(id: number): Promise<Hold | undefined> {
  const [row] = await select<Hold>(
    `SELECT id, state, lease_owner, stopped, CASE WHEN ${FREE} THEN 1 ELSE 0 END AS is_free FROM operations WHERE id = $id`,
    { id },
  );
  return row;
}

/** Whether an operation has not ended and nobody holds it. */
export async function isUnheld(id: number): Promise<boolean> {
  const hold = await findHold(id);
  return hold?.is_free === 1 && !isFinal(hold.state);
}

/** Lets every process go on with an operation that a person has stopped. Returns the number of operations: 1 or 0. */
export const releaseStopped = (id: number, asked: Pick<OperationRow, 'request_id' | 'trace'>): Promise<number> =>
  execute(
    `UPDATE operations SET stopped = 0, state = 'queued', lease_owner = NULL, lease_until = NULL, changed_at = ${NOW},
       request_id = COALESCE($request_id, request_id), trace = COALESCE($trace, trace)
     WHERE id = $id AND stopped = 1 AND ${RUNNING} AND ${FREE}`,
    { id, ...asked },
  );

/** Puts back what an owner holds, for a person to go on with. Raises the fences: what is under way commits nothing more. */
export const stopAllOf = (owner: string): Promise<number> =>
  execute(
    `UPDATE operations SET stopped = 1, state = 'queued', lease_owner = NULL, lease_until = NULL, fence = fence + 1,
       changed_at = ${NOW} WHERE lease_owner = $owner AND ${RUNNING}`,
    { owner },
  );

const KILLED = `finished_at IS NULL AND state = 'running' AND stopped = 1 AND ${FREE}`;

/** Whether `requeueStopped` would put an operation back. */
export const hasKilled = async (): Promise<boolean> =>
  (await select(`SELECT 1 FROM operations WHERE ${KILLED} LIMIT 1`)).length > 0;

/** Puts back what a person has stopped and whose process was killed before it could. */
export const requeueStopped = (): Promise<number> =>
  execute(
    `UPDATE operations SET state = 'queued', lease_owner = NULL, lease_until = NULL, fence = fence + 1, changed_at = ${NOW}
     WHERE ${KILLED}`,
  );

const HALF_ENDED = `finished_at IS NULL AND NOT ${RUNNING} AND ${FREE}`;

/** Returns the operations that have a final state without the time of their end, and that nobody holds. */
export const listHalfEnded = (): Promise<Pick<OperationRow, 'id' | 'kind'>[]> =>
  select(`SELECT id, kind FROM operations WHERE ${HALF_ENDED} ORDER BY id`);

/** Takes the lease of an operation that is half ended, and raises its fence. Returns the number of operations: 1 or 0. */
export const takeHalfEnded = (id: number, owner: string): Promise<number> =>
  execute(
    `UPDATE operations SET lease_owner = $owner, lease_until = ${LEASE_END}, fence = fence + 1 WHERE id = $id AND ${HALF_ENDED}`,
    { id, owner },
  );

/**
 * Whether an operation has an item that only its work can end: the end of an act is not known, or told by a later one, or (`goesBack`)
 * what was done is to be given back.
 */
export async function hasOpenEnds(operation: number, goesBack: boolean): Promise<boolean> {
  const rows = await select(
    `SELECT 1 FROM operation_items WHERE operation_id = $operation AND ${OPEN}
       AND (state = 'intent' OR in_doubt = 1 OR waiting IS NOT NULL OR error IS NOT NULL OR touched >= $least) LIMIT 1`,
    { operation, least: goesBack ? 1 : 2 },
  );
  return rows.length > 0;
}
