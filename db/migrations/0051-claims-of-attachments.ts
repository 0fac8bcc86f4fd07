import type { Migration } from './index.ts';

/** Since when a domain's row has its name: a number that no other row, and no earlier time of this one, has. */
const since = (row: string): string =>
  `CASE WHEN ${row}.name_claim > ${row}.id THEN ${row}.name_claim ELSE ${row}.id END`;
const holder = (row: string): string =>
  `COALESCE((SELECT p.user_id FROM projects p WHERE p.id = ${row}.project_id), ${row}.user_id)`;

const live = 'm.domain_name = attachments.forward_to AND m.deleted_at IS NULL';

const COLUMNS = [
  'ALTER TABLE attachments ADD COLUMN main_id INTEGER REFERENCES domains (id) ON DELETE SET NULL',
  'ALTER TABLE attachments ADD COLUMN main_claim INTEGER',
  'ALTER TABLE attachments ADD COLUMN name_claim INTEGER',
  'CREATE INDEX attachments_main ON attachments (main_id)',
  // After every domain that was there when it was attached, as before.
  `UPDATE attachments SET main_id = (SELECT m.id FROM domains m WHERE ${live}),
     main_claim = (SELECT ${since('m')} FROM domains m WHERE ${live}),
     name_claim = COALESCE((SELECT max(d.id) FROM domains d WHERE d.created_at <= attachments.created_at), 0)`,
];

// PostgreSQL plans a subquery for a value by the id alone; joined, it reads all domains while it has no statistics.
/** The claim of a name that the user of the new row has attached. */
export const attachedClaim = `SELECT min(
    (SELECT CASE WHEN a.main_claim = ${since('m')} THEN a.name_claim ELSE ${since('m')} END
     FROM domains m WHERE m.id = a.main_id AND m.domain_name = a.forward_to AND m.deleted_at IS NULL
       AND ${holder('m')} = ${holder('NEW')}))
  FROM attachments a WHERE a.domain_name = NEW.domain_name`;

/** Has the names that were attached to a row which has the name no more follow the one that the same user has in its place. */
const FOLLOW = `UPDATE attachments SET main_id = NEW.id WHERE forward_to = NEW.domain_name
  AND (SELECT ${holder('m')} FROM domains m WHERE m.id = attachments.main_id) = ${holder('NEW')}`;

/** The names that were attached to a row which changes hands, and that its former user has in the portfolio. */
const KEPT = `main_id = NEW.id AND (SELECT ${holder('d')} FROM domains d
  WHERE d.domain_name = attachments.domain_name AND d.deleted_at IS NULL) = ${holder('OLD')}`;

const NEXT = `UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'domains'`;
const SEQ = `COALESCE((SELECT seq FROM sqlite_sequence WHERE name = 'domains'), 0)`;
const NEXTVAL = `nextval(pg_get_serial_sequence(''domains'', ''id''))`;

const mainOf = (what: string): string =>
  `(SELECT ${what} FROM domains m WHERE m.domain_name = NEW.forward_to AND m.deleted_at IS NULL)`;

/** Makes a trigger of PostgreSQL with its function. */
export const trigger = (name: string, event: string, when: string, body: string): string[] => [
  `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN ${body} RETURN NEW; END'`,
  `CREATE TRIGGER ${name} ${event} FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION ${name}()`,
];

/**
 * An attached name has its main domain by id and its place in the order of claims, which are those of the domains. Triggers set
 * them. A row that its user makes of such a name takes that place, and keeps it whatever becomes of the main domain.
 */
export const claimsOfAttachments: Migration = {
  name: '0051-claims-of-attachments',
  statements: [
    ...COLUMNS,
    `CREATE TRIGGER attachments_claim AFTER INSERT ON attachments WHEN NEW.name_claim IS NULL
     BEGIN
       ${NEXT};
       UPDATE attachments SET main_id = ${mainOf('m.id')}, main_claim = ${mainOf(since('m'))}, name_claim = ${SEQ}
       WHERE id = NEW.id;
     END`,
    `CREATE TRIGGER domains_attached_claim AFTER INSERT ON domains WHEN NEW.name_claim IS NULL
     BEGIN
       UPDATE domains SET name_claim = (${attachedClaim})
       WHERE id = NEW.id AND EXISTS (SELECT 1 FROM attachments a WHERE a.domain_name = NEW.domain_name);
       ${FOLLOW};
     END`,
    `CREATE TRIGGER domains_followed AFTER UPDATE OF domain_name, deleted_at ON domains WHEN NEW.deleted_at IS NULL
     BEGIN
       ${FOLLOW};
     END`,
    `CREATE TRIGGER domains_handed_over AFTER UPDATE OF project_id, user_id ON domains
     WHEN EXISTS (SELECT 1 FROM attachments WHERE main_id = NEW.id) AND ${holder('NEW')} <> ${holder('OLD')}
     BEGIN
       ${NEXT};
       UPDATE attachments SET main_claim = ${since('NEW')}, name_claim = ${SEQ} WHERE ${KEPT};
     END`,
  ],
  postgres: [
    ...COLUMNS,
    ...trigger(
      'attachments_claim',
      'BEFORE INSERT ON attachments',
      'NEW.name_claim IS NULL',
      `NEW.main_id := ${mainOf('m.id')}; NEW.main_claim := ${mainOf(since('m'))}; NEW.name_claim := ${NEXTVAL};`,
    ),
    ...trigger(
      'domains_attached_claim',
      'BEFORE INSERT ON domains',
      'NEW.name_claim IS NULL',
      `IF EXISTS (SELECT 1 FROM attachments WHERE domain_name = NEW.domain_name) THEN NEW.name_claim := (${attachedClaim}); END IF;`,
    ),
    ...trigger(
      'domains_followed',
      'AFTER INSERT OR UPDATE OF domain_name, deleted_at ON domains',
      'NEW.deleted_at IS NULL',
      `IF EXISTS (SELECT 1 FROM attachments WHERE forward_to = NEW.domain_name) THEN ${FOLLOW}; END IF;`,
    ),
    ...trigger(
      'domains_handed_over',
      'AFTER UPDATE OF project_id, user_id ON domains',
      'NEW.project_id IS DISTINCT FROM OLD.project_id OR NEW.user_id <> OLD.user_id',
      `IF ${holder('NEW')} <> ${holder('OLD')} THEN
         UPDATE attachments SET main_claim = ${since('NEW')}, name_claim = ${NEXTVAL} WHERE ${KEPT};
       END IF;`,
    ),
  ],
};
