import type { Migration } from './index.ts';

const REFUSAL = 'rows of the audit are never changed';

// Rows up to the anchor may be deleted, and no others.
const ANCHORED = 'COALESCE((SELECT max(last_id) FROM audit_anchor), 0)';

const TABLE = `CREATE TABLE audit_anchor (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  last_id INTEGER NOT NULL,
  hash TEXT NOT NULL
)`;

/** The beginning of the audit moves on: the oldest rows are deleted, and the hash of the last one of them stays. */
export const auditAnchor: Migration = {
  name: '0031-audit-anchor',
  statements: [
    TABLE,
    'DROP TRIGGER audit_no_delete',
    `CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit WHEN OLD.id > ${ANCHORED}
     BEGIN SELECT RAISE(ABORT, '${REFUSAL}'); END`,
  ],
  postgres: [
    TABLE,
    'DROP TRIGGER audit_no_change ON audit',
    `CREATE TRIGGER audit_no_change BEFORE UPDATE OR TRUNCATE ON audit FOR EACH STATEMENT
     EXECUTE FUNCTION audit_no_change()`,
    `CREATE FUNCTION audit_no_delete() RETURNS trigger LANGUAGE plpgsql AS
     'BEGIN IF OLD.id > ${ANCHORED} THEN RAISE EXCEPTION ''${REFUSAL}''; END IF; RETURN OLD; END'`,
    `CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit FOR EACH ROW EXECUTE FUNCTION audit_no_delete()`,
  ],
};
