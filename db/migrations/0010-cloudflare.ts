import type { Migration } from '../migrate.ts';

/** Accounts that a login sees, until when work waits, and plans that were shown. */
export const cloudflare: Migration = {
  name: '0010-cloudflare',
  statements: [
    // Nobody chose what is there: it was the account that happened to be listed first.
    `UPDATE cloudflare_accounts SET cf_account_id = NULL`,
    `ALTER TABLE cloudflare_accounts ADD COLUMN cf_accounts TEXT NOT NULL DEFAULT '[]'`,
    `ALTER TABLE operations ADD COLUMN waits_until TEXT`,
    // What was shown: by item the digest of its acts, and the id of its zone.
    `CREATE TABLE plans (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      hash TEXT NOT NULL UNIQUE,
      items TEXT NOT NULL,
      created_at TEXT NOT NULL
    )`,
  ],
};
