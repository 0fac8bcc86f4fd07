import { execute, select } from '../../db/index.ts';
import { closeDays } from './check-history.ts';
import { inSlices } from './slices.ts';

const CHECKS_KEPT_DAYS = 90;
const DELETED_KEPT_DAYS = 30;
const BASELINES_KEPT_DAYS = 7;
const OPERATIONS_KEPT_DAYS = 90;
// For the answer of a check that was interrupted; what it found stays on its domains.
const RESULTS_KEPT_DAYS = 1;
const IDEM_KEYS_KEPT_DAYS = 7;

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

// So many rows are looked at in one query, outside of any transaction.
const ROWS_A_LOOK = 20_000;

const remove = (table: string, condition: string): string =>
  `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE ${condition} LIMIT $slice)`;

/**
 * The newest three rows of a domain and kind stay however old they are: they say how it stands, and whether it may move.
 * There is no index on the age, which every check would have to write: the rows are read through instead.
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
    const ids = JSON.parse(part?.ids ?? '[]') as number[];
    await inSlices((slice) =>
      execute('DELETE FROM checks WHERE id IN (SELECT value FROM json_each($ids))', {
        ids: JSON.stringify(ids.splice(0, slice)),
      }),
    );
    at = part?.last ?? null;
  }
}

/** A few domains after the other, because days are stored by domain. */
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

/** Lets go of what checks have found: after a day, and where nobody has asked for it once the check has ended. */
export async function purgeResults(): Promise<void> {
  await inSlices((slice) =>
    execute(remove('operation_results', 'created_at < $before'), { before: daysAgo(RESULTS_KEPT_DAYS), slice }),
  );
  const ended = 'operation_id IN (SELECT id FROM operations WHERE user_id IS NULL AND finished_at IS NOT NULL)';
  await inSlices((slice) => execute(remove('operation_results', ended), { slice }));
}

/**
 * Lets go of what is past its time: old checks and operations, keys of requests, and deleted rows whose undo has run out.
 * It goes in slices, and what goes with a row goes before it, so that no transaction is long.
 */
export async function purge(): Promise<void> {
  await closeDays();
  await purgeChecks(daysAgo(CHECKS_KEPT_DAYS));
  await purgeDays(daysAgo(CHECKS_KEPT_DAYS));
  const clear = (sql: string, before: string): Promise<void> => inSlices((slice) => execute(sql, { before, slice }));
  const operations = daysAgo(OPERATIONS_KEPT_DAYS);
  const old = 'operation_id IN (SELECT id FROM operations WHERE finished_at < $before)';
  await clear(remove('operation_items', old), operations);
  await clear(remove('operations', 'finished_at < $before'), operations);
  await clear(
    `UPDATE operations SET idem_key = NULL WHERE rowid IN
       (SELECT rowid FROM operations WHERE idem_key IS NOT NULL AND created_at < $before LIMIT $slice)`,
    daysAgo(IDEM_KEYS_KEPT_DAYS),
  );
  await purgeResults();
  await clear(remove('verdict_baselines', 'since < $before'), daysAgo(BASELINES_KEPT_DAYS));
  const deleted = daysAgo(DELETED_KEPT_DAYS);
  const gone = 'domain_id IN (SELECT id FROM domains WHERE deleted_at < $before)';
  await clear(remove('checks', gone), deleted);
  await clear(
    `DELETE FROM check_days WHERE (domain_id, day) IN (SELECT domain_id, day FROM check_days WHERE ${gone} LIMIT $slice)`,
    deleted,
  );
  await clear(remove('domains', 'deleted_at < $before'), deleted);
  await clear(remove('projects', 'deleted_at < $before'), deleted);
}
