import type { Migration } from '../index.ts';

/** The status of domains before the lists of the last seven days changed it. */
export const lists: Migration = {
  name: '0007-lists',
  statements: [
    `CREATE TABLE verdict_baselines (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      domain_id INTEGER NOT NULL UNIQUE REFERENCES domains (id) ON DELETE CASCADE,
      status TEXT NOT NULL CHECK (status IN ('available', 'blocked')),
      since TEXT NOT NULL
    )`,
    `CREATE INDEX verdict_baselines_since ON verdict_baselines (since)`,
  ],
};
