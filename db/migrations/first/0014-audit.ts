import type { Migration } from '../index.ts';

const REFUSAL = 'rows of the audit are never changed';

const refusing = (change: 'UPDATE' | 'DELETE'): string =>
  `CREATE TRIGGER audit_no_${change.toLowerCase()} BEFORE ${change} ON audit BEGIN SELECT RAISE(ABORT, '${REFUSAL}'); END`;

const TABLES = [
  // Numbered by the writer, without gaps. No references: a row outlives what it tells of.
  `CREATE TABLE audit (
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    user_id INTEGER,
    login TEXT NOT NULL,
    door TEXT NOT NULL,
    call TEXT NOT NULL,
    address TEXT,
    operation_id INTEGER,
    action TEXT NOT NULL,
    object TEXT NOT NULL,
    object_id INTEGER,
    object_ids TEXT,
    object_name TEXT,
    before TEXT,
    after TEXT,
    outcome TEXT NOT NULL,
    hash TEXT NOT NULL
  )`,
  `CREATE INDEX audit_object ON audit (object, object_id)`,
  `CREATE INDEX audit_login ON audit (login COLLATE NOCASE)`,
  `CREATE TABLE audit_head (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    last_id INTEGER NOT NULL,
    hash TEXT NOT NULL
  )`,
];

/** The audit: rows that are only added, and the head of their chain. */
export const audit: Migration = {
  name: '0014-audit',
  statements: [...TABLES, refusing('UPDATE'), refusing('DELETE')],
  postgres: [
    ...TABLES,
    `CREATE FUNCTION audit_no_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''${REFUSAL}''; END'`,
    `CREATE TRIGGER audit_no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON audit FOR EACH STATEMENT
     EXECUTE FUNCTION audit_no_change()`,
  ],
};
