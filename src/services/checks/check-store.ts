import { execute } from '../../../db/index.ts';

/**
 * The result of a look. `code` and `ms` are of an HTTP answer; `detail` is its last address, or the entry of the list.
 */
export interface Look {
  id: number;
  verdict: string;
  code?: number | null;
  ms?: number | null;
  detail: string | null;
}

/** The list that verdicts come from. */
interface ListOfVerdicts {
  list_version: string | null;
  fetched_at: string | null;
}

// Listeners read once a second: fewer batches come in between.
const BATCHES_KEPT = 200;

const LAST_CHECK = { http: 'd.last_http_check_at', blocklist: 'd.last_block_check_at' } as const;

// The scheme and host of an address: a site may redirect to another path at every look.
const siteOf = (address: string): string => `substr(${address}, 1, 8 + instr(substr(${address}, 9) || '/', '/') - 1)`;

/**
 * The condition for merging a look into the newest row of its domain and kind: both say the same. "blocked" looks are
 * never merged here; after a rename (`is_first`) nothing is.
 */
const BEFORE = {
  http: `p.verdict = l.verdict AND ${siteOf('p.detail')} IS ${siteOf('l.detail')}`,
  blocklist: `p.verdict = l.verdict AND p.detail IS l.detail AND l.verdict <> 'blocked'`,
} as const;

/**
 * Puts looks into a temporary table for the statements that follow, because parsing the JSON takes longer than all of
 * them.
 */
async function stage(kind: 'http' | 'blocklist', looks: readonly Look[]): Promise<void> {
  await execute(
    `CREATE TEMP TABLE IF NOT EXISTS looks
       (domain_id INTEGER PRIMARY KEY, verdict TEXT, code INTEGER, ms INTEGER, detail TEXT, is_first INTEGER, newest INTEGER)`,
  );
  await execute('DELETE FROM temp.looks');
  await execute(
    `INSERT OR REPLACE INTO temp.looks
     SELECT d.id, r.verdict, r.code, r.ms, r.detail, ${LAST_CHECK[kind]} IS NULL,
       (SELECT max(id) FROM checks WHERE domain_id = d.id AND kind = '${kind}')
     FROM (SELECT value ->> 0 AS id, value ->> 1 AS verdict, value ->> 2 AS code, value ->> 3 AS ms, value ->> 4 AS detail
       FROM json_each($rows)) r JOIN domains d ON d.id = r.id`,
    { rows: JSON.stringify(looks.map(({ id, verdict, code, ms, detail }) => [id, verdict, code, ms, detail])) },
  );
}

/**
 * Stores looks at domains as history: a look that says the same as the newest row extends it, else it begins a new row.
 * Returns the time that it stores. The caller updates the domains themselves; `temp.looks` has the looks until the next
 * call. Only inside a transaction.
 */
export async function storeLooks(
  kind: 'http' | 'blocklist',
  looks: readonly Look[],
  { list_version, fetched_at }: ListOfVerdicts = { list_version: null, fetched_at: null },
): Promise<string> {
  const now = new Date().toISOString();
  await stage(kind, looks);
  await execute(
    `INSERT INTO checks (id, domain_id, kind, verdict, http_status_code, ms, detail, list_version, list_fetched_at, checked_at)
     SELECT p.id, l.domain_id, '${kind}', l.verdict, l.code, l.ms, l.detail, $list, $fetched, $now
     FROM temp.looks l LEFT JOIN checks p ON p.id = l.newest AND l.is_first = 0 AND ${BEFORE[kind]} WHERE true
     ON CONFLICT (id) DO UPDATE SET since = COALESCE(since, checked_at), repeats = repeats + 1,
       ms = excluded.ms, detail = excluded.detail, list_version = excluded.list_version,
       list_fetched_at = excluded.list_fetched_at, checked_at = excluded.checked_at`,
    { list: list_version, fetched: fetched_at, now },
  );
  if (kind === 'http') await sample(now);
  else await foldBlocked();
  await execute('INSERT INTO check_batches (domain_ids) SELECT json_group_array(domain_id) FROM temp.looks');
  await execute('DELETE FROM check_batches WHERE id <= (SELECT max(id) FROM check_batches) - $kept', {
    kept: BATCHES_KEPT,
  });
  return now;
}

/** Adds the looks to the samples of their day. */
async function sample(now: string): Promise<void> {
  await execute(
    `INSERT INTO check_samples (domain_id, day, checks, up, ms)
     SELECT domain_id, $day, 1, COALESCE(code BETWEEN 200 AND 299, 0), CASE WHEN code IS NULL THEN '' ELSE COALESCE(ms, '') END
     FROM temp.looks WHERE true
     ON CONFLICT (domain_id, day) DO UPDATE SET checks = checks + 1, up = up + excluded.up,
       ms = CASE WHEN excluded.ms = '' THEN ms WHEN ms = '' THEN excluded.ms ELSE ms || ',' || excluded.ms END`,
    { day: now.slice(0, 10) },
  );
}

/**
 * Merges "blocked" rows older than the newest three into the third. The newest three stay apart, each with its own
 * list: they are the witnesses for automatic transfers.
 */
async function foldBlocked(): Promise<void> {
  const at = (place: number): string =>
    `(SELECT id FROM checks WHERE domain_id = l.domain_id AND kind = 'blocklist' ORDER BY id DESC LIMIT 1 OFFSET ${place - 1})`;
  const pairs = `temp.looks l JOIN checks third ON third.id = ${at(3)} JOIN checks fourth ON fourth.id = ${at(4)}
    AND fourth.verdict = third.verdict AND fourth.detail IS third.detail WHERE l.verdict = 'blocked' AND third.verdict = 'blocked'`;
  await execute(
    `UPDATE checks SET since = f.since, repeats = repeats + f.looks
     FROM (SELECT third.id AS third, COALESCE(fourth.since, fourth.checked_at) AS since, fourth.repeats AS looks FROM ${pairs}) f
     WHERE checks.id = f.third`,
  );
  await execute(`DELETE FROM checks WHERE id IN (SELECT fourth.id FROM ${pairs})`);
}
