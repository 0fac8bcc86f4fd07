import type { Migration } from '../index.ts';

/** Host keys of servers, archives of templates, sites and their releases, transfers and their decisions. */
export const sites: Migration = {
  name: '0003-sites',
  statements: [
    // The pinned host key of a server, and a different one that it has shown since; null: none.
    `ALTER TABLE servers ADD COLUMN host_key TEXT`,
    `ALTER TABLE servers ADD COLUMN host_key_seen TEXT`,
    `ALTER TABLE servers ADD COLUMN checked_at TEXT`,
    `ALTER TABLE servers ADD COLUMN check_error TEXT`,
    `ALTER TABLE templates DROP COLUMN file_path`,
    `ALTER TABLE templates ADD COLUMN file_name TEXT NOT NULL DEFAULT ''`,
    `ALTER TABLE templates ADD COLUMN sha256 TEXT NOT NULL DEFAULT ''`,
    `ALTER TABLE templates ADD COLUMN size INTEGER NOT NULL DEFAULT 0`,
    `ALTER TABLE templates ADD COLUMN files INTEGER NOT NULL DEFAULT 0`,
    `ALTER TABLE templates ADD COLUMN placeholders TEXT NOT NULL DEFAULT '[]'`,
    `ALTER TABLE templates ADD COLUMN updated_at TEXT NOT NULL DEFAULT ''`,
    // The ZIP is in a table of its own, so that lists don't read it, and in the database, so that a backup has it.
    `CREATE TABLE template_archives (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      template_id INTEGER NOT NULL UNIQUE REFERENCES templates (id) ON DELETE CASCADE,
      archive BLOB NOT NULL
    )`,
    // The sources of a domain's site, and the release that was switched to last.
    `CREATE TABLE sites (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      domain_id INTEGER NOT NULL UNIQUE REFERENCES domains (id) ON DELETE CASCADE,
      template_id INTEGER NOT NULL REFERENCES templates (id) ON DELETE RESTRICT,
      html_name TEXT NOT NULL,
      html TEXT NOT NULL,
      release TEXT,
      deployed_at TEXT,
      updated_at TEXT NOT NULL
    )`,
    `CREATE INDEX sites_template ON sites (template_id)`,
    // Names, besides those of its items, that no other operation may work on meanwhile.
    `ALTER TABLE operations ADD COLUMN locks TEXT NOT NULL DEFAULT '[]'`,
    `ALTER TABLE projects ADD COLUMN last_reserve TEXT NOT NULL DEFAULT 'off' CHECK (last_reserve IN ('on', 'off'))`,
    // When the list of a verdict was fetched: two verdicts of one fetch count as one witness.
    `ALTER TABLE checks ADD COLUMN list_fetched_at TEXT`,
    `CREATE TABLE transfer_history (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      project_id INTEGER REFERENCES projects (id) ON DELETE SET NULL,
      main_domain_id INTEGER REFERENCES domains (id) ON DELETE SET NULL,
      transfer_domain_id INTEGER REFERENCES domains (id) ON DELETE SET NULL,
      main_domain_name TEXT NOT NULL,
      transfer_domain_name TEXT NOT NULL,
      action TEXT NOT NULL CHECK (action IN ('explicit', 'auto')),
      operation_id INTEGER REFERENCES operations (id) ON DELETE SET NULL,
      created_at TEXT NOT NULL
    )`,
    `CREATE INDEX transfer_history_main ON transfer_history (main_domain_id)`,
    `CREATE INDEX transfer_history_transfer ON transfer_history (transfer_domain_id)`,
    // Decisions of automatic transfer about blocked domains: a row for each change.
    `CREATE TABLE transfer_decisions (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      domain_id INTEGER NOT NULL REFERENCES domains (id) ON DELETE CASCADE,
      target_id INTEGER REFERENCES domains (id) ON DELETE SET NULL,
      decision TEXT NOT NULL CHECK (decision IN ('started', 'declined')),
      reason TEXT NOT NULL,
      operation_id INTEGER REFERENCES operations (id) ON DELETE SET NULL,
      created_at TEXT NOT NULL
    )`,
    `CREATE INDEX transfer_decisions_domain ON transfer_decisions (domain_id, id)`,
    // Periods without automatic transfers, and their cause; a row without an end is in force.
    `CREATE TABLE transfer_stops (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      cause TEXT NOT NULL CHECK (cause IN ('list', 'held', 'wave')),
      blocked INTEGER NOT NULL,
      total INTEGER NOT NULL,
      created_at TEXT NOT NULL,
      ended_at TEXT
    )`,
  ],
};
