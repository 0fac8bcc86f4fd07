import type { Migration } from './index.ts';

const LIVE = `'awaiting_approval', 'reserved', 'sending', 'unknown', 'pending'`;

/** The ledger of purchases, and the caps that it keeps to. Sums are whole numbers of the currency's smallest unit. */
export const purchases: Migration = {
  name: '0018-purchases',
  statements: [
    `CREATE TABLE budget_settings (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      state TEXT NOT NULL CHECK (state IN ('on', 'off')),
      reason TEXT,
      changed_at TEXT,
      names_day INTEGER NOT NULL,
      names_project INTEGER NOT NULL,
      pause_minutes INTEGER NOT NULL,
      last_day TEXT NOT NULL
    )`,
    `CREATE TABLE budget_caps (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      scope TEXT NOT NULL,
      scope_id INTEGER NOT NULL,
      currency TEXT NOT NULL,
      amount INTEGER NOT NULL CHECK (amount >= 0),
      changed_at TEXT NOT NULL
    )`,
    `CREATE UNIQUE INDEX budget_caps_scope ON budget_caps (scope, scope_id, currency)`,
    // Charges beyond a quote stand apart, in `beyond`: they are recorded whatever the cap is.
    `CREATE TABLE budget_periods (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      scope TEXT NOT NULL,
      scope_id INTEGER NOT NULL,
      currency TEXT NOT NULL,
      day TEXT NOT NULL,
      cap INTEGER,
      reserved INTEGER NOT NULL DEFAULT 0,
      spent INTEGER NOT NULL DEFAULT 0,
      beyond INTEGER NOT NULL DEFAULT 0,
      CHECK (reserved >= 0 AND spent >= 0 AND beyond >= 0 AND (cap IS NULL OR reserved + spent <= cap))
    )`,
    `CREATE UNIQUE INDEX budget_periods_scope ON budget_periods (day, scope, scope_id, currency)`,
    `CREATE TABLE purchases (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL CHECK (kind IN ('register', 'renew')),
      domain_name TEXT NOT NULL,
      state TEXT NOT NULL,
      registrar_id INTEGER REFERENCES registrars (id) ON DELETE SET NULL,
      registrar_type TEXT NOT NULL,
      project_id INTEGER REFERENCES projects (id) ON DELETE SET NULL,
      user_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
      asker_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
      asked_by TEXT NOT NULL,
      operation_id INTEGER REFERENCES operations (id) ON DELETE SET NULL,
      domain_id INTEGER REFERENCES domains (id) ON DELETE SET NULL,
      years INTEGER NOT NULL CHECK (years BETWEEN 1 AND 10),
      currency TEXT NOT NULL,
      price INTEGER NOT NULL CHECK (price >= 0),
      cap INTEGER,
      charged INTEGER,
      periods TEXT NOT NULL,
      day TEXT NOT NULL,
      reference TEXT NOT NULL UNIQUE,
      order_id TEXT,
      expires_before TEXT,
      balance_before TEXT,
      sent_at TEXT,
      look_at TEXT,
      looks INTEGER NOT NULL DEFAULT 0,
      absent_at TEXT,
      error TEXT,
      evidence TEXT NOT NULL DEFAULT '[]',
      approver_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
      approved_at TEXT,
      resolver_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
      resolved_at TEXT,
      created_at TEXT NOT NULL,
      changed_at TEXT NOT NULL,
      CHECK (cap IS NULL OR price <= cap)
    )`,
    `CREATE UNIQUE INDEX purchases_live ON purchases (domain_name) WHERE state IN (${LIVE})`,
    // A name is registered once; what was bought is renewed.
    `CREATE UNIQUE INDEX purchases_registered ON purchases (domain_name)
     WHERE kind = 'register' AND state IN (${LIVE}, 'committed')`,
    `CREATE INDEX purchases_day ON purchases (day, project_id)`,
    `CREATE INDEX purchases_operation ON purchases (operation_id)`,
    `CREATE INDEX purchases_look ON purchases (look_at) WHERE look_at IS NOT NULL`,
    `CREATE INDEX purchases_project ON purchases (project_id)`,
    `CREATE INDEX purchases_domain ON purchases (domain_id)`,
  ],
};
