import { execute, transaction } from '../../db/index.ts';

const CHECKS_KEPT_DAYS = 90;
const DELETED_KEPT_DAYS = 30;
const BASELINES_KEPT_DAYS = 7;
const OPERATIONS_KEPT_DAYS = 90;
// For the answer of a check that was interrupted; what it found stays on its domains.
const RESULTS_KEPT_DAYS = 1;
const IDEM_KEYS_KEPT_DAYS = 7;

// A slice grows or shrinks until it takes about so long: other writers wait for one slice at most.
const SLICE_MS = 25;
const LARGEST_SLICE = 2_000;

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

/** Runs a statement that changes at most `$slice` rows until it finds fewer, each time in a transaction of its own. */
async function inSlices(sql: string, before: string): Promise<void> {
  let slice = 20;
  for (;;) {
    let took = 0;
    const changed = await transaction(async () => {
      const start = performance.now();
      const count = await execute(sql, { before, slice });
      took = performance.now() - start;
      return count;
    });
    if (changed < slice) return;
    slice = took > SLICE_MS ? Math.max(1, Math.floor(slice / 2)) : Math.min(LARGEST_SLICE, slice * 2);
    // Writers of other processes come back after a pause, and would not meet a gap that is shorter.
    await new Promise((resolve) => setTimeout(resolve, took));
  }
}

const remove = (table: string, condition: string): string =>
  `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE ${condition} LIMIT $slice)`;

/**
 * Lets go of what is past its time: old checks and operations, keys of requests, and deleted rows whose undo has run out.
 * It goes in slices, and what goes with a row goes before it, so that no transaction is long.
 */
export async function purge(): Promise<void> {
  await inSlices(remove('checks', 'checked_at < $before'), daysAgo(CHECKS_KEPT_DAYS));
  const operations = daysAgo(OPERATIONS_KEPT_DAYS);
  const old = 'operation_id IN (SELECT id FROM operations WHERE finished_at < $before)';
  await inSlices(remove('operation_items', old), operations);
  await inSlices(remove('operations', 'finished_at < $before'), operations);
  await inSlices(
    `UPDATE operations SET idem_key = NULL WHERE rowid IN
       (SELECT rowid FROM operations WHERE idem_key IS NOT NULL AND created_at < $before LIMIT $slice)`,
    daysAgo(IDEM_KEYS_KEPT_DAYS),
  );
  await inSlices(remove('operation_results', 'created_at < $before'), daysAgo(RESULTS_KEPT_DAYS));
  await inSlices(remove('verdict_baselines', 'since < $before'), daysAgo(BASELINES_KEPT_DAYS));
  const deleted = daysAgo(DELETED_KEPT_DAYS);
  await inSlices(remove('checks', 'domain_id IN (SELECT id FROM domains WHERE deleted_at < $before)'), deleted);
  await inSlices(remove('domains', 'deleted_at < $before'), deleted);
  await inSlices(remove('projects', 'deleted_at < $before'), deleted);
}
