import type { Migration } from './index.ts';

/** Registrations of domains as registrars and registries tell them, and pauses of the registries' servers. */
export const registrations: Migration = {
  name: '0017-registrations',
  statements: [
    `CREATE TABLE domain_registrations (
      domain_id INTEGER PRIMARY KEY REFERENCES domains(id) ON DELETE CASCADE,
      looked_up_at TEXT NOT NULL,
      source TEXT,
      expires_at TEXT,
      found_at TEXT,
      registry_at TEXT,
      state TEXT,
      statuses TEXT NOT NULL DEFAULT '[]',
      name_servers TEXT NOT NULL DEFAULT '[]',
      registrar TEXT,
      free_at TEXT,
      suspect_date TEXT,
      suspect_source TEXT,
      suspect_since TEXT,
      ignored_date TEXT,
      error TEXT
    )`,
    `CREATE TABLE registry_pauses (
      server TEXT PRIMARY KEY,
      until TEXT NOT NULL,
      refusals INTEGER NOT NULL
    )`,
  ],
};
