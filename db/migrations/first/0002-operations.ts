import type { Migration } from '../index.ts';

/** Items of operations with their before-images, CDN accounts and groups, security levels replaced by Under Attack mode. */
export const operations: Migration = {
  name: '0002-operations',
  statements: [
    // The client's idempotency key, or a derived one: for a week the same request finds its operation.
    `ALTER TABLE operations ADD COLUMN idem_key TEXT`,
    `ALTER TABLE operations ADD COLUMN request_hash TEXT`,
    `ALTER TABLE operations ADD COLUMN cancel_requested INTEGER NOT NULL DEFAULT 0`,
    // Changes of other processes are found by this time.
    `ALTER TABLE operations ADD COLUMN changed_at TEXT NOT NULL DEFAULT ''`,
    `CREATE UNIQUE INDEX operations_idem ON operations (kind, idem_key) WHERE idem_key IS NOT NULL`,
    `CREATE INDEX operations_changed ON operations (changed_at)`,
    `CREATE INDEX domains_updated ON domains (updated_at)`,
    `CREATE TABLE operation_items (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      operation_id INTEGER NOT NULL REFERENCES operations (id) ON DELETE CASCADE,
      item TEXT NOT NULL,
      lane TEXT NOT NULL,
      data TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('queued', 'intent', 'done', 'noop', 'failed', 'cancelled')),
      acts TEXT NOT NULL,
      attempt INTEGER NOT NULL DEFAULT 0,
      not_before TEXT,
      error TEXT,
      changed_at TEXT NOT NULL
    )`,
    `CREATE UNIQUE INDEX operation_items_item ON operation_items (operation_id, item)`,
    `CREATE INDEX operation_items_state ON operation_items (operation_id, state)`,
    // Named values of the installation, such as the fingerprint by which a wrong key is recognised.
    `CREATE TABLE installation (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL UNIQUE,
      value TEXT NOT NULL
    )`,
    `ALTER TABLE cloudflare_accounts ADD COLUMN cf_account_id TEXT`,
    `ALTER TABLE cloudflare_accounts ADD COLUMN zones INTEGER`,
    `ALTER TABLE cloudflare_accounts ADD COLUMN checked_at TEXT`,
    `ALTER TABLE cloudflare_accounts ADD COLUMN check_error TEXT`,
    `CREATE TABLE cloudflare_groups (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      user_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
      name TEXT NOT NULL,
      created_at TEXT NOT NULL
    )`,
    `CREATE TABLE cloudflare_group_accounts (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      cloudflare_group_id INTEGER NOT NULL REFERENCES cloudflare_groups (id) ON DELETE CASCADE,
      cloudflare_account_id INTEGER NOT NULL REFERENCES cloudflare_accounts (id) ON DELETE RESTRICT
    )`,
    `CREATE UNIQUE INDEX cloudflare_group_accounts_pair ON cloudflare_group_accounts (cloudflare_group_id, cloudflare_account_id)`,
    `CREATE INDEX cloudflare_group_accounts_account ON cloudflare_group_accounts (cloudflare_account_id)`,
    // The security level of a zone before Under Attack mode: restored when that is switched off.
    `CREATE TABLE zone_levels (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      zone_id TEXT NOT NULL UNIQUE,
      security_level TEXT NOT NULL,
      changed_at TEXT NOT NULL
    )`,
  ],
};
