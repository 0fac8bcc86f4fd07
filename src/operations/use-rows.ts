import { execute, select } from '../../db/index.ts';
import type { Use } from './flow.ts';

/** Inserts what an operation uses. */
export async function insertUses(operation: number, uses: readonly Use[]): Promise<void> {
  await execute(
    `INSERT INTO operation_uses (operation_id, kind, used_id)
     SELECT $operation, value ->> 'kind', CAST(value ->> 'id' AS INTEGER) FROM json_each($uses)`,
    { operation, uses: JSON.stringify(uses) },
  );
}

/** Returns what an operation uses. */
export const listUses = (operation: number): Promise<Use[]> =>
  select('SELECT kind, used_id AS id FROM operation_uses WHERE operation_id = $operation ORDER BY id', { operation });
