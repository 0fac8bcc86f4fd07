import { execute, executeUnaudited, select } from '../../../db/index.ts';
import { eachParsed, newId } from '../../../db/sql.ts';
import type { CheckRow } from '../../shared/checks/tables.ts';
import type { DomainRow } from '../../shared/portfolio/tables.ts';

/**
 * The result of a look. `code` and `ms` are of an HTTP answer; `detail` is its last address, or the entry of the list. `name` is what
 * was looked at, where that takes a while: a domain that has got another name since is left out.
 */
export interface Look {
  id: number;
  verdict: string;
  code?: number | null;
  ms?: number | null;
  detail: string | null;
  name?: string;
}

/** The kind of a check. */
export type CheckKind = CheckRow['kind'];

const LAST_CHECK = { http: 'd.last_http_check_at', blocklist: 'd.last_block_check_at' } as const;

/**
 * Puts looks into the temporary table `looks` for the statements that follow, because parsing the JSON takes longer than
 * all of them. It has one look a domain, whether that domain was checked before (`is_first`), and its newest row.
 */
export async function stageLooks(kind: CheckKind, looks: readonly Look[]): Promise<void> {
  await execute(
    `CREATE TEMP TABLE IF NOT EXISTS looks
       (domain_id INTEGER PRIMARY KEY, verdict TEXT, code INTEGER, ms INTEGER, detail TEXT, is_first INTEGER, newest INTEGER)`,
  );
  await execute('DELETE FROM looks');
  const last = new Map(
    looks.map(({ id, verdict, code, ms, detail, name }) => [id, [id, verdict, code, ms, detail, name]]),
  );
  await execute(
    `INSERT INTO looks
     SELECT d.id, r.verdict, r.code, r.ms, r.detail, CASE WHEN ${LAST_CHECK[kind]} IS NULL THEN 1 ELSE 0 END,
       (SELECT id FROM checks WHERE domain_id = d.id AND kind = '${kind}' ORDER BY id DESC LIMIT 1)
     FROM (SELECT CAST(value ->> 0 AS INTEGER) AS id, value ->> 1 AS verdict, CAST(value ->> 2 AS INTEGER) AS code,
         CAST(value ->> 3 AS INTEGER) AS ms, value ->> 4 AS detail, value ->> 5 AS name
       FROM ${eachParsed('$rows')}) r JOIN domains d ON d.id = r.id AND d.domain_name = COALESCE(r.name, d.domain_name)`,
    { rows: JSON.stringify([...last.values()]) },
  );
}

// The scheme and host of an address: a site may redirect to another path at every look.
const siteOf = (address: string): string => `substr(${address}, 1, 8 + instr(substr(${address}, 9) || '/', '/') - 1)`;

/**
 * The condition for merging a look into the newest row of its domain and kind: both say the same. "blocked" looks are
 * never merged here; after a rename (`is_first`) nothing is.
 */
const IS_SAME = {
  http: `p.verdict = l.verdict AND (p.detail IS NOT DISTINCT FROM l.detail OR ${siteOf('p.detail')} = ${siteOf('l.detail')})`,
  blocklist: `p.verdict = l.verdict AND p.detail IS NOT DISTINCT FROM l.detail AND l.verdict <> 'blocked'`,
} as const;

/** Adds the staged looks to the history: one that says the same as the newest row extends it, another is a new row. */
export async function insertLooks(
  kind: CheckKind,
  list: Pick<CheckRow, 'list_version' | 'list_fetched_at' | 'checked_at'>,
): Promise<void> {
  await execute(
    `INSERT INTO checks (id, domain_id, kind, verdict, http_status_code, ms, detail, list_version, list_fetched_at, checked_at)
     SELECT COALESCE(p.id, ${newId('checks')}), l.domain_id, '${kind}', l.verdict, l.code, l.ms, l.detail, $list_version, $list_fetched_at, $checked_at
     FROM looks l LEFT JOIN checks p ON p.id = l.newest AND l.is_first = 0 AND ${IS_SAME[kind]} WHERE true
     ON CONFLICT (id) DO UPDATE SET since = COALESCE(checks.since, checks.checked_at), repeats = checks.repeats + 1,
       ms = excluded.ms, detail = excluded.detail, list_version = excluded.list_version,
       list_fetched_at = excluded.list_fetched_at, checked_at = excluded.checked_at`,
    { ...list },
  );
}

/** Adds the staged looks to the samples of a day. */
export async function addSamples(day: string): Promise<void> {
  await execute(
    `INSERT INTO check_samples (domain_id, day, checks, up, ms)
     SELECT domain_id, $day, 1, CASE WHEN code BETWEEN 200 AND 299 THEN 1 ELSE 0 END,
       CASE WHEN code IS NULL THEN '' ELSE COALESCE(CAST(ms AS TEXT), '') END
     FROM looks WHERE true
     ON CONFLICT (domain_id, day) DO UPDATE SET checks = check_samples.checks + 1, up = check_samples.up + excluded.up,
       ms = CASE WHEN excluded.ms = '' THEN check_samples.ms WHEN check_samples.ms = '' THEN excluded.ms
         ELSE check_samples.ms || ',' || excluded.ms END`,
    { day },
  );
}

/**
 * Merges "blocked" rows older than the newest three into the third. The newest three stay apart, each with its own
 * list: they are the witnesses for automatic transfers.
 */
export async function mergeBlocked(): Promise<void> {
  const at = (place: number): string =>
    `(SELECT id FROM checks WHERE domain_id = l.domain_id AND kind = 'blocklist' ORDER BY id DESC LIMIT 1 OFFSET ${place - 1})`;
  const pairs = `looks l JOIN checks third ON third.id = ${at(3)} JOIN checks fourth ON fourth.id = ${at(4)}
    AND fourth.verdict = third.verdict AND fourth.detail IS NOT DISTINCT FROM third.detail
    WHERE l.verdict = 'blocked' AND third.verdict = 'blocked'`;
  await execute(
    `UPDATE checks SET since = f.since, repeats = checks.repeats + f.looks
     FROM (SELECT third.id AS third, COALESCE(fourth.since, fourth.checked_at) AS since, fourth.repeats AS looks FROM ${pairs}) f
     WHERE checks.id = f.third`,
  );
  await execute(`DELETE FROM checks WHERE id IN (SELECT fourth.id FROM ${pairs})`);
}

/** Adds the batch of the staged looks' domains, and deletes all but the newest `kept` batches. */
export async function addBatch(kept: number): Promise<void> {
  await execute(`INSERT INTO check_batches (domain_ids) SELECT COALESCE(json_group_array(domain_id), '[]') FROM looks`);
  await execute('DELETE FROM check_batches WHERE id <= (SELECT max(id) FROM check_batches) - $kept', { kept });
}

// The sign keeps SQLite from going through all domains and asking for the look of each.
const LOOKED_AT = '+l.domain_id';

/** Writes the staged HTTP looks into their domains' rows. */
export async function updateHealth(now: string): Promise<void> {
  await executeUnaudited(
    'check',
    `UPDATE domains SET http_status_code = l.code, http_error = CASE WHEN l.code IS NULL THEN l.verdict END,
       last_http_check_at = $now
     FROM looks l WHERE domains.id = ${LOOKED_AT}`,
    { now },
  );
}

/** Writes the staged verdicts into their domains' rows. */
export async function updateVerdicts(now: string): Promise<void> {
  await executeUnaudited(
    'check',
    `UPDATE domains SET status = l.verdict, block_entry = l.detail, last_block_check_at = $now
     FROM looks l WHERE domains.id = ${LOOKED_AT}`,
    { now },
  );
}

/** A domain whose verdict the staged looks change, or whose outage they confirm or end; `since` is when that began. */
export interface Changed extends Pick<DomainRow, 'id' | 'domain_name' | 'project_id' | 'type'> {
  verdict: string;
  since: string | null;
}

/** Returns the domains whose verdict the staged looks change; `updateVerdicts` comes after it. */
export const listChangedVerdicts = (): Promise<Changed[]> =>
  select(
    `SELECT d.id, d.domain_name, d.project_id, d.type, l.verdict, NULL AS since FROM looks l CROSS JOIN domains d
     WHERE d.id = l.domain_id AND d.deleted_at IS NULL AND d.status <> l.verdict ORDER BY d.id`,
  );

const ANSWERED = 'COALESCE(l.code, 0) BETWEEN 200 AND 299';

/**
 * Returns the domains of which the staged looks say for the second time that they are down, or that they are no longer. Goes from the
 * outages, which are few: SQLite takes the order of a CROSS JOIN as it is written.
 */
export const listChangedOutages = (): Promise<Changed[]> =>
  select(
    `SELECT d.id, d.domain_name, d.project_id, d.type, o.since, CASE WHEN ${ANSWERED} THEN 'up' ELSE l.verdict END AS verdict
     FROM domain_outages o CROSS JOIN looks l CROSS JOIN domains d
     WHERE l.domain_id = o.domain_id AND d.id = o.domain_id AND d.deleted_at IS NULL AND l.is_first = 0
       AND ((o.state = 'suspect' AND NOT (${ANSWERED})) OR (o.state = 'down' AND ${ANSWERED})) ORDER BY d.id`,
  );

/** Keeps what the staged looks say of outages: one of a domain that had answered begins; `updateHealth` comes after it. */
export async function keepOutages(now: string): Promise<void> {
  await execute(
    `UPDATE domain_outages SET state = 'down', looked_at = $now FROM looks l
     WHERE l.domain_id = +domain_outages.domain_id AND NOT (${ANSWERED})`,
    { now },
  );
  await execute(
    `DELETE FROM domain_outages WHERE EXISTS
       (SELECT 1 FROM looks l WHERE l.domain_id = domain_outages.domain_id AND (${ANSWERED} OR l.is_first = 1))`,
  );
  await execute(
    `INSERT INTO domain_outages (domain_id, state, since, looked_at)
     SELECT d.id, 'suspect', $now, $now FROM looks l CROSS JOIN domains d
     WHERE d.id = l.domain_id AND NOT (${ANSWERED}) AND d.deleted_at IS NULL AND d.http_status_code BETWEEN 200 AND 299
     ON CONFLICT (domain_id) DO NOTHING`,
    { now },
  );
}

/** Whether a domain has not answered once, at a look after `since`, and was not looked at again yet. */
export const hasSuspects = async (since: string): Promise<boolean> =>
  (await select(`SELECT 1 FROM domain_outages WHERE state = 'suspect' AND looked_at > $since LIMIT 1`, { since }))
    .length > 0;

/**
 * Returns the domains that are to be looked at out of turn: suspects that were looked at before `suspect`, and those that went down after
 * `recent` and were looked at before `down`.
 */
export const listDueOutages = (times: { suspect: string; down: string; recent: string }): Promise<{ id: number }[]> =>
  select(
    `SELECT d.id FROM domain_outages o JOIN domains d ON d.id = o.domain_id WHERE d.deleted_at IS NULL
       AND ((o.state = 'suspect' AND o.looked_at < $suspect)
         OR (o.state = 'down' AND o.looked_at < $down AND o.since > $recent)) ORDER BY d.id`,
    times,
  );
