import type { Migration } from '../index.ts';
import { FUNCTIONS } from '../../postgres-functions.ts';

const STATEMENTS = [
  `CREATE TABLE users (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    login TEXT NOT NULL COLLATE NOCASE UNIQUE,
    password TEXT NOT NULL,
    telegram TEXT,
    role TEXT NOT NULL CHECK (role IN ('admin', 'user')),
    active INTEGER NOT NULL DEFAULT 1,
    created_at TEXT NOT NULL
  )`,
  `CREATE TABLE sessions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    sid_hash TEXT NOT NULL UNIQUE,
    address TEXT NOT NULL,
    created_at TEXT NOT NULL,
    last_seen_at TEXT NOT NULL,
    expires_at TEXT NOT NULL
  )`,
  `CREATE INDEX sessions_user ON sessions (user_id)`,
  `CREATE TABLE setup_links (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    token_hash TEXT NOT NULL,
    expires_at TEXT NOT NULL
  )`,
  `CREATE TABLE servers (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
    name TEXT NOT NULL,
    ssh_host TEXT NOT NULL,
    ssh_user TEXT NOT NULL,
    ssh_password TEXT NOT NULL,
    created_at TEXT NOT NULL
  )`,
  `CREATE TABLE cloudflare_accounts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
    name TEXT NOT NULL,
    email TEXT NOT NULL,
    api_key TEXT NOT NULL,
    ns_1 TEXT,
    ns_2 TEXT,
    created_at TEXT NOT NULL
  )`,
  `CREATE TABLE registrars (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
    type TEXT NOT NULL,
    name TEXT NOT NULL,
    login TEXT NOT NULL,
    password TEXT NOT NULL,
    created_at TEXT NOT NULL
  )`,
  `CREATE TABLE templates (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
    name TEXT NOT NULL,
    file_path TEXT NOT NULL,
    created_at TEXT NOT NULL
  )`,
  `CREATE TABLE projects (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE RESTRICT,
    name TEXT NOT NULL,
    created_at TEXT NOT NULL,
    deleted_at TEXT,
    deleted_domains TEXT
  )`,
  `CREATE INDEX projects_user ON projects (user_id) WHERE deleted_at IS NULL`,
  `CREATE TABLE imports (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    source TEXT NOT NULL,
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    before TEXT NOT NULL,
    created_at TEXT NOT NULL,
    undone_at TEXT
  )`,
  `CREATE TABLE domains (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE RESTRICT,
    project_id INTEGER REFERENCES projects (id) ON DELETE SET NULL,
    domain_name TEXT NOT NULL,
    unicode_name TEXT NOT NULL,
    file_path TEXT NOT NULL,
    type TEXT NOT NULL CHECK (type IN ('main', 'transfer')),
    transfer_type TEXT NOT NULL CHECK (transfer_type IN ('auto', 'manual')),
    transfer_dns TEXT NOT NULL CHECK (transfer_dns IN ('on', 'off')),
    server_id INTEGER REFERENCES servers (id) ON DELETE RESTRICT,
    cloudflare_account_id INTEGER REFERENCES cloudflare_accounts (id) ON DELETE RESTRICT,
    registrars_id INTEGER REFERENCES registrars (id) ON DELETE RESTRICT,
    template_id INTEGER REFERENCES templates (id) ON DELETE RESTRICT,
    status TEXT NOT NULL CHECK (status IN ('available', 'blocked')),
    block_entry TEXT,
    last_block_check_at TEXT,
    http_status_code INTEGER,
    http_error TEXT,
    last_http_check_at TEXT,
    google_indexation INTEGER,
    yandex_indexation INTEGER,
    last_check_indexation TEXT,
    expired_at TEXT,
    import_id INTEGER REFERENCES imports (id) ON DELETE SET NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    deleted_at TEXT
  )`,
  // A name is unique in the portfolio, for all owners; deleted rows, kept for an undo, do not count.
  `CREATE UNIQUE INDEX domains_name ON domains (domain_name) WHERE deleted_at IS NULL`,
  `CREATE INDEX domains_project ON domains (project_id, type) WHERE deleted_at IS NULL`,
  `CREATE INDEX domains_blocked ON domains (status) WHERE deleted_at IS NULL AND status = 'blocked'`,
  `CREATE INDEX domains_expired ON domains (expired_at) WHERE deleted_at IS NULL AND expired_at IS NOT NULL`,
  `CREATE TABLE checks (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    domain_id INTEGER NOT NULL REFERENCES domains (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('http', 'blocklist')),
    verdict TEXT NOT NULL,
    http_status_code INTEGER,
    ms INTEGER,
    detail TEXT,
    list_version TEXT,
    checked_at TEXT NOT NULL
  )`,
  `CREATE INDEX checks_domain ON checks (domain_id, id)`,
  `CREATE INDEX checks_age ON checks (checked_at)`,
  `CREATE TABLE operations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    user_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
    input TEXT NOT NULL,
    state TEXT NOT NULL,
    total INTEGER NOT NULL DEFAULT 0,
    done INTEGER NOT NULL DEFAULT 0,
    failed INTEGER NOT NULL DEFAULT 0,
    steps TEXT NOT NULL,
    message TEXT NOT NULL,
    held TEXT,
    lease_owner TEXT,
    lease_until TEXT,
    fence INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL,
    finished_at TEXT
  )`,
  // The same work runs once at a time: a second request finds the first.
  `CREATE UNIQUE INDEX operations_running ON operations (kind, subject) WHERE state IN ('queued', 'running')`,
  `CREATE INDEX operations_user ON operations (user_id, id)`,
];

/** Users and sessions, the portfolio and the tables it refers to, checks, imports, operations. */
export const portfolio: Migration = {
  name: '0001-portfolio',
  statements: STATEMENTS,
  postgres: [...FUNCTIONS, ...STATEMENTS],
};
