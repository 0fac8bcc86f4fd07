import { note } from '../../../db/audit.ts';
import { transaction } from '../../../db/index.ts';
import { inSlices } from '../operations/slices.ts';
import { deleteRowsUpTo, findAnchor, findLastBefore, findRowAt, listIdsAfter, setAnchor } from './rows.ts';

/**
 * Deletes the rows of the audit from before a time, the oldest first. The decision is audited before the first of them goes, with the
 * number and the hash of the last one, against which a verification holds the anchor: rows that went without a decision are missed.
 */
export async function pruneAudit(before: string): Promise<void> {
  const anchor = await findAnchor();
  const last = await findLastBefore(before);
  if (!last || last.id <= anchor.last_id) return;
  await transaction(async () => {
    const after = { last_id: last.id, hash: last.hash };
    note({ action: 'delete', object: 'audit', name: `1–${last.id}`, before: { first_id: anchor.last_id + 1 }, after });
  });
  let at = anchor.last_id;
  await inSlices(async (slice) => {
    const some = await listIdsAfter(at, last.id, slice);
    const end = some.at(-1)?.id;
    const row = end === undefined ? undefined : await findRowAt(end);
    if (!row) return 0;
    await setAnchor({ last_id: row.id, hash: row.hash });
    await deleteRowsUpTo(row.id);
    at = row.id;
    return some.length;
  });
}
