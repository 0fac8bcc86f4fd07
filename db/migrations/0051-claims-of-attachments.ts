import type { Migration } from './index.ts';

/** Since when a domain's row has its name: a number that no other row, and no earlier time of this one, has. */
const since = (row: string): string =>
  `CASE WHEN ${row}.name_claim > ${row}.id THEN ${row}.name_claim ELSE ${row}.id END`;
const holder = (row: string): string =>
  `COALESCE((SELECT p.user_id FROM projects p WHERE p.id = ${row}.project_id), ${row}.user_id)`;

/** Has the names whose main domain has its name no more follow the row that the same user has in its place. */
const FOLLOW_ROWS = `UPDATE attachments SET main_id = l.id FROM domains l, domains m
  WHERE l.domain_name = attachments.forward_to AND l.deleted_at IS NULL AND m.id = attachments.main_id AND m.id <> l.id
    AND ${holder('m')} = ${holder('l')}`;

const COLUMNS = [
  'ALTER TABLE attachments ADD COLUMN main_id INTEGER REFERENCES domains (id) ON DELETE SET NULL',
  'ALTER TABLE attachments ADD COLUMN main_claim INTEGER',
  'ALTER TABLE attachments ADD COLUMN name_claim INTEGER',
  'CREATE INDEX attachments_main ON attachments (main_id)',
  // After every domain that was there when it was attached, as before: in one pass, since each attachment may be older than most domains.
  `UPDATE attachments SET name_claim = n.claim
   FROM (SELECT attachment, COALESCE(max(domain) OVER (ORDER BY moment), 0) AS claim
     FROM (SELECT created_at AS moment, id AS domain, NULL AS attachment FROM domains
       UNION ALL SELECT created_at, NULL, id FROM attachments) e) n
   WHERE n.attachment = attachments.id`,
  // The main domain is the row that had its name then, in the portfolio or deleted since. A row that has it for a shorter time was restored.
  `UPDATE attachments SET main_id = n.id, main_claim = n.claim,
     name_claim = CASE WHEN n.claim > name_claim THEN n.claim ELSE name_claim END
   FROM (SELECT a.id AS attachment, m.id, ${since('m')} AS claim, row_number() OVER (PARTITION BY a.id
       ORDER BY CASE WHEN ${since('m')} > a.name_claim THEN 1 ELSE 0 END, m.deleted_at NULLS FIRST, m.id DESC) AS place
     FROM attachments a JOIN domains m ON m.domain_name = a.forward_to AND m.created_at <= a.created_at
       AND (m.deleted_at IS NULL OR m.deleted_at > a.created_at)) n
   WHERE n.attachment = attachments.id AND n.place = 1`,
  FOLLOW_ROWS,
];

// PostgreSQL plans a subquery for a value by the index alone; joined, it reads all domains while it has no statistics.
/** The claim of an attached name where the user of a row has attached it. */
export const claimAt = (name: string, row: string): string => `SELECT min(
    (SELECT CASE WHEN a.main_claim = ${since('m')} THEN a.name_claim ELSE ${since('m')} END
     FROM domains m WHERE m.id = a.main_id AND m.domain_name = a.forward_to AND m.deleted_at IS NULL
       AND ${holder('m')} = ${holder(row)}))
  FROM attachments a WHERE a.domain_name = ${name}`;

/** The same for the new row. */
const FOLLOW = `UPDATE attachments SET main_id = NEW.id WHERE forward_to = NEW.domain_name
  AND (SELECT ${holder('m')} FROM domains m WHERE m.id = attachments.main_id) = ${holder('NEW')}`;

const mainOf = (what: string): string =>
  `(SELECT ${what} FROM domains m WHERE m.domain_name = NEW.forward_to AND m.deleted_at IS NULL)`;

/** Makes a trigger of PostgreSQL with its function. */
export const trigger = (name: string, event: string, when: string, body: string, declare = ''): string[] => [
  `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql
   AS '${`${declare} BEGIN ${body} RETURN NEW; END`.replaceAll("'", "''")}'`,
  `CREATE TRIGGER ${name} ${event} FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION ${name}()`,
];

/**
 * An attached name has its main domain by id and its place in the order of claims, which are those of the domains. Triggers set
 * them. Who is given the main domain has the place as well, so that nothing is written then.
 */
export const claimsOfAttachments: Migration = {
  name: '0051-claims-of-attachments',
  statements: [
    ...COLUMNS,
    `CREATE TRIGGER attachments_claim AFTER INSERT ON attachments WHEN NEW.name_claim IS NULL
     BEGIN
       UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'domains';
       UPDATE attachments SET main_id = ${mainOf('m.id')}, main_claim = ${mainOf(since('m'))},
         name_claim = COALESCE((SELECT seq FROM sqlite_sequence WHERE name = 'domains'), 0)
       WHERE id = NEW.id;
     END`,
    ...['INSERT', 'UPDATE OF domain_name, deleted_at'].map(
      (
        event,
        index,
      ) => `CREATE TRIGGER domains_followed${index ? '_again' : ''} AFTER ${event} ON domains WHEN NEW.deleted_at IS NULL
     BEGIN
       ${FOLLOW};
     END`,
    ),
  ],
  postgres: [
    ...COLUMNS,
    ...trigger(
      'attachments_claim',
      'BEFORE INSERT ON attachments',
      'NEW.name_claim IS NULL',
      `NEW.main_id := ${mainOf('m.id')}; NEW.main_claim := ${mainOf(since('m'))};
       NEW.name_claim := nextval(pg_get_serial_sequence('domains', 'id'));`,
    ),
    ...trigger(
      'domains_followed',
      'AFTER INSERT OR UPDATE OF domain_name, deleted_at ON domains',
      'NEW.deleted_at IS NULL',
      `IF EXISTS (SELECT 1 FROM attachments WHERE forward_to = NEW.domain_name) THEN ${FOLLOW}; END IF;`,
    ),
  ],
};
