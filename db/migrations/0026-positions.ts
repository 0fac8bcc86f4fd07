import type { Migration } from './index.ts';

/** Keywords, their positions in search engines, and what these have cost. */
export const positions: Migration = {
  name: '0026-positions',
  statements: [
    `CREATE TABLE keywords (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
      value TEXT NOT NULL,
      normalized TEXT NOT NULL,
      tags TEXT NOT NULL DEFAULT '[]',
      target_url TEXT,
      frequency INTEGER,
      created_at TEXT NOT NULL
    )`,
    'CREATE UNIQUE INDEX keywords_value ON keywords (project_id, normalized)',
    `CREATE TABLE position_settings (
      project_id INTEGER PRIMARY KEY REFERENCES projects(id) ON DELETE CASCADE,
      yandex_region TEXT NOT NULL,
      google_region TEXT NOT NULL,
      device TEXT NOT NULL,
      depth INTEGER NOT NULL,
      daily_cap INTEGER NOT NULL,
      every_days INTEGER NOT NULL
    )`,
    `CREATE TABLE search_queries (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      keyword_id INTEGER NOT NULL REFERENCES keywords(id) ON DELETE CASCADE,
      engine TEXT NOT NULL,
      region TEXT NOT NULL,
      device TEXT NOT NULL
    )`,
    'CREATE UNIQUE INDEX search_queries_of ON search_queries (keyword_id, engine, region, device)',
    `CREATE TABLE search_scopes (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
      domain_ids TEXT NOT NULL
    )`,
    'CREATE INDEX search_scopes_project ON search_scopes (project_id)',
    `CREATE TABLE search_days (
      query_id INTEGER NOT NULL REFERENCES search_queries(id) ON DELETE CASCADE,
      day INTEGER NOT NULL,
      depth INTEGER NOT NULL,
      requests INTEGER NOT NULL,
      source TEXT NOT NULL,
      checked_at TEXT NOT NULL,
      scope_id INTEGER NOT NULL,
      results TEXT,
      PRIMARY KEY (query_id, day)
    )`,
    'CREATE INDEX search_days_kept ON search_days (day) WHERE results IS NOT NULL',
    // The one table with millions of rows: its key is its order in the file, and a grid reads pieces of it.
    `CREATE TABLE positions (
      query_id INTEGER NOT NULL REFERENCES search_queries(id) ON DELETE CASCADE,
      day INTEGER NOT NULL,
      domain_id INTEGER NOT NULL,
      place INTEGER NOT NULL,
      page_id INTEGER,
      PRIMARY KEY (query_id, day, domain_id)
    ) WITHOUT ROWID`,
    `CREATE TABLE found_pages (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      domain_id INTEGER NOT NULL REFERENCES domains(id) ON DELETE CASCADE,
      url TEXT NOT NULL
    )`,
    'CREATE UNIQUE INDEX found_pages_url ON found_pages (domain_id, url)',
    `CREATE TABLE search_pages (
      operation_id INTEGER NOT NULL REFERENCES operations(id) ON DELETE CASCADE,
      query_id INTEGER NOT NULL REFERENCES search_queries(id) ON DELETE CASCADE,
      page INTEGER NOT NULL,
      urls TEXT NOT NULL,
      is_last INTEGER NOT NULL,
      PRIMARY KEY (operation_id, query_id, page)
    )`,
    `CREATE TABLE search_failures (
      operation_id INTEGER NOT NULL REFERENCES operations(id) ON DELETE CASCADE,
      query_id INTEGER NOT NULL REFERENCES search_queries(id) ON DELETE CASCADE,
      day INTEGER NOT NULL,
      error TEXT NOT NULL,
      PRIMARY KEY (operation_id, query_id)
    )`,
    'CREATE INDEX search_failures_query ON search_failures (query_id, day)',
    `CREATE TABLE search_spending (
      project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
      day INTEGER NOT NULL,
      xmlriver_id INTEGER NOT NULL,
      requests INTEGER NOT NULL,
      PRIMARY KEY (project_id, day, xmlriver_id)
    )`,
  ],
};
