import { select } from '../../../db/index.ts';
import type { OperationItemRow } from '../../shared/operations/tables.ts';
import type { TransferHistoryRow } from '../../shared/transfers/tables.ts';

/** A move of a transfer without its acts. */
export type MoveNameRow = Pick<OperationItemRow, 'id' | 'state' | 'data' | 'lock_name'>;

/** Returns the first moves of an operation, in the order in which they were queued. */
export const listMoveNames = (operation: number, limit: number): Promise<MoveNameRow[]> =>
  select(
    'SELECT id, state, data, lock_name FROM operation_items WHERE operation_id = $operation ORDER BY id LIMIT $limit',
    { operation, limit },
  );

/** Returns a move of an operation, the first one without a number; undefined: there is none. */
export async function findMoveRow(operation: number, id: number | null): Promise<OperationItemRow | undefined> {
  const [row] = await select<OperationItemRow>(
    `SELECT * FROM operation_items WHERE operation_id = $operation AND ($id IS NULL OR id = $id) ORDER BY id LIMIT 1`,
    { operation, id },
  );
  return row;
}

/** Returns what the history tells of the move of an operation from a name; undefined: it has not moved. */
export async function findMoved(
  operation: number,
  source: string,
): Promise<Pick<TransferHistoryRow, 'outcome' | 'warning' | 'redirect_seen_at'> | undefined> {
  const [row] = await select<Pick<TransferHistoryRow, 'outcome' | 'warning' | 'redirect_seen_at'>>(
    `SELECT outcome, warning, redirect_seen_at FROM transfer_history
     WHERE operation_id = $operation AND main_domain_name = $source ORDER BY id DESC LIMIT 1`,
    { operation, source },
  );
  return row;
}
