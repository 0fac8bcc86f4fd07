import { execute, select, transaction } from '../../../db/index.ts';
import { closeDays } from '../checks/check-history.ts';
import { idsInSlices, inSlices, rowsInSlices } from '../operations/slices.ts';

const CHECKS_KEPT_DAYS = 90;
const DELETED_KEPT_DAYS = 30;
const BASELINES_KEPT_DAYS = 7;
const OPERATIONS_KEPT_DAYS = 90;
// Only needed for the answer of a check that was interrupted; its domains keep the results.
const RESULTS_KEPT_DAYS = 1;
const PLANS_KEPT_DAYS = 1;
const IDEM_KEYS_KEPT_DAYS = 7;
// Less than a day, so that a command that runs daily at the same time purges daily.
const PURGED_EVERY_DAYS = 0.9;

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

// So many rows are looked at in one query, outside of any transaction.
const ROWS_A_LOOK = 20_000;

const LISTED = 'IN (SELECT value FROM json_each($ids))';

/** Deletes the rows of a table that a condition of `$before` holds for. */
const remove = (table: string, condition: string, before: string): Promise<void> =>
  rowsInSlices(table, condition, { before }, (ids) =>
    execute(`DELETE FROM ${table} WHERE rowid ${LISTED} AND ${condition}`, { ids, before }),
  );

/**
 * Deletes old checks, except for the newest three of each domain and kind, which say how it stands and whether it may
 * move. There is no index on the age, which every check would have to write: the rows are scanned instead.
 */
async function purgeChecks(before: string): Promise<void> {
  const newer = `(SELECT count(*) FROM (SELECT 1 FROM checks n WHERE n.domain_id = c.domain_id AND n.kind = c.kind AND n.id > c.id LIMIT 3))`;
  let at: number | null = 0;
  while (at !== null) {
    const [part]: { ids: string; last: number | null }[] = await select<{ ids: string; last: number | null }>(
      `SELECT max(c.id) AS last, json_group_array(c.id) FILTER (WHERE c.checked_at < $before AND ${newer} = 3) AS ids
       FROM (SELECT * FROM checks WHERE id > $at ORDER BY id LIMIT ${ROWS_A_LOOK}) c`,
      { at, before },
    );
    await idsInSlices(JSON.parse(part?.ids ?? '[]') as number[], (ids) =>
      execute(`DELETE FROM checks WHERE id ${LISTED}`, { ids }),
    );
    at = part?.last ?? null;
  }
}

/** Deletes old daily figures, some domains at a time, because they are stored by domain. */
async function purgeDays(before: string): Promise<void> {
  let at = 0;
  await inSlices(async (slice) => {
    const some = await select<{ id: number }>('SELECT id FROM domains WHERE id > $at ORDER BY id LIMIT $slice', {
      at,
      slice,
    });
    const to = some.at(-1)?.id ?? at;
    const of = 'domain_id IN (SELECT id FROM domains WHERE id > $at AND id <= $to)';
    await execute(`DELETE FROM check_days WHERE ${of} AND day < $day`, { at, to, day: before.slice(0, 10) });
    at = to;
    return some.length;
  });
}

/** Deletes domains, with their history, and projects whose undo has run out. */
async function purgeDeleted(before: string): Promise<void> {
  const gone = 'domain_id IN (SELECT id FROM domains WHERE deleted_at < $before)';
  await remove('checks', gone, before);
  // The days of one domain are ninety at most: they go with it, a few domains at a time.
  await rowsInSlices('domains', 'deleted_at < $before', { before }, async (ids) => {
    await execute(`DELETE FROM check_days WHERE domain_id ${LISTED} AND ${gone}`, { ids, before });
    await execute(`DELETE FROM domains WHERE id ${LISTED} AND deleted_at < $before`, { ids, before });
  });
  await remove('projects', 'deleted_at < $before', before);
}

/**
 * Deletes what is past its time: old checks and operations, keys of requests, sessions, and deleted rows whose undo has
 * run out. Works in slices, dependent rows first, so that no transaction is long.
 */
export async function purge(): Promise<void> {
  // Noted before it begins, so that no other process purges meanwhile.
  await notePurge();
  try {
    await purgeAll();
  } catch (error) {
    await transaction(() => execute(`DELETE FROM installation WHERE name = 'purged_at'`)).catch(() => undefined);
    throw error;
  }
}

async function purgeAll(): Promise<void> {
  await closeDays();
  await purgeChecks(daysAgo(CHECKS_KEPT_DAYS));
  await purgeDays(daysAgo(CHECKS_KEPT_DAYS));
  const operations = daysAgo(OPERATIONS_KEPT_DAYS);
  const old = 'operation_id IN (SELECT id FROM operations WHERE finished_at < $before)';
  await remove('operation_items', old, operations);
  await remove('operation_results', 'created_at < $before', daysAgo(RESULTS_KEPT_DAYS));
  await remove('operations', 'finished_at < $before', operations);
  const used = 'idem_key IS NOT NULL AND created_at < $before';
  const before = daysAgo(IDEM_KEYS_KEPT_DAYS);
  await rowsInSlices('operations', used, { before }, (ids) =>
    execute(`UPDATE operations SET idem_key = NULL WHERE rowid ${LISTED} AND ${used}`, { ids, before }),
  );
  await remove('sessions', 'expires_at < $before', daysAgo(0));
  await remove('plans', 'created_at < $before', daysAgo(PLANS_KEPT_DAYS));
  await remove('verdict_baselines', 'since < $before', daysAgo(BASELINES_KEPT_DAYS));
  await purgeDeleted(daysAgo(DELETED_KEPT_DAYS));
}

const notePurge = (): Promise<unknown> =>
  transaction(() =>
    execute(
      `INSERT INTO installation (name, value) VALUES ('purged_at', $now)
       ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
      { now: daysAgo(0) },
    ),
  );

/** Purges where no process has done so for a day: without a server, commands call it. */
export async function purgeDaily(): Promise<void> {
  const [row] = await select<{ value: string }>(`SELECT value FROM installation WHERE name = 'purged_at'`);
  // A time in the future was noted before the clock was set back.
  if (row && row.value > daysAgo(PURGED_EVERY_DAYS) && row.value <= daysAgo(0)) return;
  await purge();
}
