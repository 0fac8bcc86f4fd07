// Operations as they lie in the database after a process has died.
import { execute, transaction } from '../../db/index.ts';
import { cancelOperation } from '../../src/operations/queue.ts';
import type { StoredAct } from '../../src/shared/operations.ts';

/** Leaves an item as a process that has died with these acts leaves it, and gives the operation up since. */
export async function leaveActs(id: number, acts: readonly StoredAct[]): Promise<void> {
  await transaction(async () => {
    await execute(`UPDATE operations SET state = 'running', fence = 1 WHERE id = $id`, { id });
    await execute(`UPDATE operation_items SET state = 'intent', acts = $acts WHERE operation_id = $id`, {
      id,
      acts: JSON.stringify(acts),
    });
  });
  await cancelOperation(id);
}
