import { execute, select } from '../../index.ts';
import type { Migration } from '../index.ts';

// Number of domains folded in one transaction: some hundred thousand checks in a large installation.
const DOMAINS_A_SLICE = 25;
// Each hour's checks are elsewhere in the file: unless the cache holds all pages of a slice, each is read again and again.
const CACHE = 'PRAGMA cache_size = -131072';
const USUAL_CACHE = 'PRAGMA cache_size = -2000';

// The scheme and host of an address: redirects of one site may lead to varying paths.
const SITE = (address: string): string => `substr(${address}, 1, 8 + instr(substr(${address}, 9) || '/', '/') - 1)`;

// The checks of a slice: of its domains, present when the folding began, without checks of missing domains (rows deleted by
// hand, with foreign keys off). The unary plus makes SQLite use the index on domains, whose order is needed.
const SLICE = `domain_id > $from AND domain_id <= $to AND +id <= $mark AND +domain_id IN (SELECT id FROM domains)`;

/**
 * Folds the checks of a slice: one row for equal checks in a row; of those that say "blocked" the newest two stay single. One
 * kind at a time, in the order of the index, so that nothing has to be sorted.
 */
const fold = (kind: 'http' | 'blocklist'): string => {
  const before = (id: string): string =>
    `(SELECT id FROM checks WHERE domain_id = s.domain_id AND kind = '${kind}' AND id < ${id} ORDER BY id DESC LIMIT 1)`;
  return `WITH looks AS (SELECT id, domain_id, verdict, ${kind === 'http' ? SITE('detail') : 'detail'} AS place, checked_at
    FROM checks WHERE ${SLICE} AND kind = '${kind}'),
  marked AS (SELECT *, row_number() OVER w AS n, lag(id) OVER w AS before_id, lag(verdict) OVER w AS before_verdict,
    lag(place) OVER w AS before_place FROM looks WINDOW w AS (PARTITION BY domain_id ORDER BY id)),
  starts AS (SELECT * FROM marked WHERE verdict IS NOT before_verdict OR place IS NOT before_place),
  ends AS (SELECT domain_id, max(id) AS id, count(*) AS n FROM looks GROUP BY domain_id),
  stretches AS MATERIALIZED (SELECT s.domain_id, s.verdict, s.checked_at AS since,
    COALESCE(lead(s.before_id) OVER v, e.id) AS last_id, COALESCE(lead(s.n) OVER v, e.n + 1) - s.n AS looks
    FROM starts s JOIN ends e ON e.domain_id = s.domain_id WINDOW v AS (PARTITION BY s.domain_id ORDER BY s.n)),
  rows AS (SELECT last_id AS id, since, looks FROM stretches WHERE verdict <> 'blocked'
    UNION ALL SELECT last_id, NULL, 1 FROM stretches WHERE verdict = 'blocked'
    UNION ALL SELECT ${before('s.last_id')}, NULL, 1 FROM stretches s WHERE verdict = 'blocked' AND looks > 1
    UNION ALL SELECT ${before(before('s.last_id'))}, since, looks - 2 FROM stretches s WHERE verdict = 'blocked' AND looks > 2)
  INSERT INTO checks_folded (id, domain_id, kind, verdict, http_status_code, ms, detail, list_version, checked_at, list_fetched_at,
    since, repeats)
  SELECT c.id, c.domain_id, c.kind, c.verdict, c.http_status_code, c.ms, c.detail, c.list_version, c.checked_at, c.list_fetched_at,
    CASE WHEN r.looks > 1 THEN r.since END, r.looks FROM rows r JOIN checks c ON c.id = r.id ORDER BY c.id`;
};

const DAYS = `WITH asked AS (SELECT domain_id, substr(checked_at, 1, 10) AS day, http_status_code AS code,
    CASE WHEN http_status_code IS NOT NULL THEN ms END AS ms
    FROM checks WHERE ${SLICE} AND kind = 'http' AND checked_at < $today),
  ranked AS (SELECT *, row_number() OVER (PARTITION BY domain_id, day ORDER BY ms IS NULL, ms) AS place,
    count(ms) OVER (PARTITION BY domain_id, day) AS answers FROM asked)
  INSERT INTO check_days (domain_id, day, checks, up, median_ms, worst_ms)
  SELECT domain_id, day, count(*), sum(COALESCE(code BETWEEN 200 AND 299, 0)),
    CAST(round(avg(ms) FILTER (WHERE place IN ((answers + 1) / 2, (answers + 2) / 2))) AS INTEGER), max(ms)
  FROM ranked GROUP BY domain_id, day`;

const TODAY = `INSERT INTO check_samples (domain_id, day, checks, up, ms)
  SELECT domain_id, substr(checked_at, 1, 10), count(*), sum(COALESCE(http_status_code BETWEEN 200 AND 299, 0)),
    COALESCE(group_concat(ms) FILTER (WHERE http_status_code IS NOT NULL), '')
  FROM checks WHERE ${SLICE} AND kind = 'http' AND checked_at >= $today GROUP BY 1, 2`;

// A server of the earlier version, still running or started again meanwhile, writes only to the old table: its checks come
// after the mark. They are copied unfolded; the next closing of days makes figures of their samples.
const LATE = `FROM checks WHERE id > (SELECT mark FROM checks_fold) AND domain_id IN (SELECT id FROM domains)`;
const LATE_LOOKS = [
  `INSERT INTO checks_folded (id, domain_id, kind, verdict, http_status_code, ms, detail, list_version, checked_at, list_fetched_at)
   SELECT id, domain_id, kind, verdict, http_status_code, ms, detail, list_version, checked_at, list_fetched_at ${LATE} ORDER BY id`,
  `INSERT INTO check_samples (domain_id, day, checks, up, ms)
   SELECT domain_id, substr(checked_at, 1, 10), count(*), sum(COALESCE(http_status_code BETWEEN 200 AND 299, 0)),
     COALESCE(group_concat(ms) FILTER (WHERE http_status_code IS NOT NULL), '')
   ${LATE} AND kind = 'http' GROUP BY 1, 2
   ON CONFLICT (domain_id, day) DO UPDATE SET checks = checks + excluded.checks, up = up + excluded.up,
     ms = CASE WHEN excluded.ms = '' THEN ms WHEN ms = '' THEN excluded.ms ELSE ms || ',' || excluded.ms END`,
];

const TABLES = [
  // A row stands for `repeats` equal checks in a row, from `since` (null for one) to `checked_at`, with the values of the last.
  `CREATE TABLE checks_folded (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    domain_id INTEGER NOT NULL REFERENCES domains (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('http', 'blocklist')),
    verdict TEXT NOT NULL,
    http_status_code INTEGER,
    ms INTEGER,
    detail TEXT,
    list_version TEXT,
    checked_at TEXT NOT NULL,
    list_fetched_at TEXT,
    since TEXT,
    repeats INTEGER NOT NULL DEFAULT 1
  )`,
  // HTTP checks of a domain in a day (UTC); times in ms count answers only.
  `CREATE TABLE check_days (
    domain_id INTEGER NOT NULL REFERENCES domains (id) ON DELETE CASCADE,
    day TEXT NOT NULL,
    checks INTEGER NOT NULL,
    up INTEGER NOT NULL,
    median_ms INTEGER,
    worst_ms INTEGER,
    PRIMARY KEY (domain_id, day)
  ) WITHOUT ROWID`,
  // Samples of a day that is not over: `ms` has the times of its answers, separated by commas.
  `CREATE TABLE check_samples (
    domain_id INTEGER NOT NULL REFERENCES domains (id) ON DELETE CASCADE,
    day TEXT NOT NULL,
    checks INTEGER NOT NULL,
    up INTEGER NOT NULL,
    ms TEXT NOT NULL,
    PRIMARY KEY (domain_id, day)
  ) WITHOUT ROWID`,
  // The domains of the last checks, for those who listen to changes.
  `CREATE TABLE check_batches (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    domain_ids TEXT NOT NULL
  )`,
];
const FOLDING = [
  // The last folded domain, and the newest check when the folding began.
  `CREATE TABLE checks_fold (domain_id INTEGER NOT NULL, mark INTEGER NOT NULL)`,
  `INSERT INTO checks_fold SELECT 0, COALESCE(max(id), 0) FROM checks`,
];

/** Folds the checks of the next few domains; false if there are none left. */
async function foldSlice(): Promise<boolean> {
  const begun = await select(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'checks_fold'`);
  if (begun.length === 0) for (const table of [...TABLES, ...FOLDING]) await execute(table);
  const [slice] = await select<{ from: number; to: number | null; mark: number }>(
    `SELECT f.mark, f.domain_id AS "from", (SELECT max(id) FROM
       (SELECT id FROM domains WHERE id > f.domain_id ORDER BY id LIMIT ${DOMAINS_A_SLICE})) AS "to" FROM checks_fold f`,
  );
  if (!slice || slice.to === null) return false;
  await execute(CACHE);
  const bind = { from: slice.from, to: slice.to, mark: slice.mark };
  const today = new Date().toISOString().slice(0, 10);
  for (const kind of ['http', 'blocklist'] as const) await execute(fold(kind), bind);
  await execute(DAYS, { ...bind, today });
  await execute(TODAY, { ...bind, today });
  await execute('UPDATE checks_fold SET domain_id = $to', { to: bind.to });
  return true;
}

const RENAME = `ALTER TABLE checks_folded RENAME TO checks`;
const INDEX = `CREATE INDEX checks_domain ON checks (domain_id, kind, id)`;

/** Stores checks as stretches of equal results, and as figures by day. */
export const history: Migration = {
  name: '0011-history',
  slice: foldSlice,
  statements: [...LATE_LOOKS, `DROP TABLE checks`, RENAME, `DROP TABLE checks_fold`, INDEX, USUAL_CACHE],
  // No installation on PostgreSQL has checks to fold.
  postgres: [`DROP TABLE checks`, ...TABLES, RENAME, INDEX],
};
