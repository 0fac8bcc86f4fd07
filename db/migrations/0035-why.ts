import type { Migration } from './index.ts';

/** The last diagnosis of each domain, and the certificates that were seen. */
export const why: Migration = {
  name: '0035-why',
  statements: [
    `CREATE TABLE diagnoses (
      domain_id INTEGER PRIMARY KEY REFERENCES domains(id) ON DELETE CASCADE,
      domain_name TEXT NOT NULL,
      asked_at TEXT NOT NULL,
      broken TEXT,
      steps TEXT NOT NULL
    )`,
    `CREATE TABLE certificates (
      domain_id INTEGER NOT NULL REFERENCES domains(id) ON DELETE CASCADE,
      side TEXT NOT NULL,
      domain_name TEXT NOT NULL,
      issuer TEXT,
      names_ok INTEGER,
      fault TEXT,
      not_after TEXT,
      looked_at TEXT NOT NULL,
      error TEXT,
      told INTEGER,
      PRIMARY KEY (domain_id, side)
    )`,
  ],
};
