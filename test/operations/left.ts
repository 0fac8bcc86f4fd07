// Operations in the state that a dead process leaves in the database.
import { execute, transaction } from '../../db/index.ts';
import { cancelOperation } from '../../src/operations/queue.ts';
import type { StoredAct } from '../../src/shared/operations.ts';

/** Stores an item of the operation as if its process had died after these acts, and cancels the operation. */
export async function leaveActs(id: number, acts: readonly StoredAct[]): Promise<void> {
  await transaction(async () => {
    await execute(`UPDATE operations SET state = 'running', fence = 1 WHERE id = $id`, { id });
    await execute(
      `UPDATE operation_items SET state = 'intent', acts = $acts, in_doubt = 1, touched = 1 WHERE operation_id = $id`,
      {
        id,
        acts: JSON.stringify(acts),
      },
    );
  });
  await cancelOperation(id);
}
