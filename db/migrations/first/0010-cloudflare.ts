import type { Migration } from '../index.ts';

/** Accounts that a login sees, the time until which work waits, and plans that were shown. */
export const cloudflare: Migration = {
  name: '0010-cloudflare',
  statements: [
    // Stored values were not chosen by anybody: they are the account that was listed first.
    `UPDATE cloudflare_accounts SET cf_account_id = NULL`,
    `ALTER TABLE cloudflare_accounts ADD COLUMN cf_accounts TEXT NOT NULL DEFAULT '[]'`,
    `ALTER TABLE operations ADD COLUMN waits_until TEXT`,
    // Plans that were shown: by item the digest of its acts, and its zone.
    `CREATE TABLE plans (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      hash TEXT NOT NULL UNIQUE,
      items TEXT NOT NULL,
      created_at TEXT NOT NULL
    )`,
  ],
};
