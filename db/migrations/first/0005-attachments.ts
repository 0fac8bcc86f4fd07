import type { Migration } from '../index.ts';

const TABLES = [
  // A rule of `domain_name` forwards to `forward_to`. Both by name: neither has to be in the portfolio.
  `CREATE TABLE attachments (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    domain_name TEXT NOT NULL,
    forward_to TEXT NOT NULL,
    cloudflare_account_id INTEGER REFERENCES cloudflare_accounts (id) ON DELETE SET NULL,
    created_at TEXT NOT NULL
  )`,
  `CREATE UNIQUE INDEX attachments_pair ON attachments (domain_name, forward_to)`,
  `CREATE INDEX attachments_forward_to ON attachments (forward_to)`,
  // Results of an operation, in batches as stored, so that the process that ends it can return all of them.
  `CREATE TABLE operation_results (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    operation_id INTEGER NOT NULL REFERENCES operations (id) ON DELETE CASCADE,
    results TEXT NOT NULL,
    created_at TEXT NOT NULL
  )`,
  `CREATE INDEX operation_results_operation ON operation_results (operation_id)`,
];

// Attached names of the stored operations.
const TAKE_OVER = `INSERT INTO attachments (domain_name, forward_to, cloudflare_account_id, created_at)
   SELECT i.data ->> 'domain', i.data ->> 'forward_to',
     (SELECT a.id FROM cloudflare_accounts a WHERE a.id = i.data ->> 'account_id'), i.changed_at
   FROM operation_items i JOIN operations o ON o.id = i.operation_id AND o.kind = 'dns_change'
   WHERE i.state IN ('done', 'noop') AND i.data ->> 'forward_to' IS NOT NULL ORDER BY i.id
   ON CONFLICT (domain_name, forward_to) DO UPDATE SET cloudflare_account_id = excluded.cloudflare_account_id`;

/** Names attached to a main domain, which outlive the operations that attached them; results of check operations. */
export const attachments: Migration = {
  name: '0005-attachments',
  statements: [...TABLES, TAKE_OVER],
  // No installation on PostgreSQL is older than the table.
  postgres: TABLES,
};
