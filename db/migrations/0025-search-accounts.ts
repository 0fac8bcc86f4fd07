import type { Migration } from './index.ts';

const tableOf = (name: string, login: string): string =>
  `CREATE TABLE ${name} (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      user_id INTEGER REFERENCES users(id) ON DELETE SET NULL,
      name TEXT NOT NULL,
      ${login},
      balance TEXT,
      balance_currency TEXT,
      created_at TEXT NOT NULL,
      checked_at TEXT,
      check_error TEXT
    )`;

/** Accounts at the sources of positions. */
export const searchAccounts: Migration = {
  name: '0025-search-accounts',
  statements: [
    tableOf(
      'xmlriver_accounts',
      `login TEXT NOT NULL,
      key TEXT NOT NULL`,
    ),
    tableOf('arsenkin_accounts', 'token TEXT NOT NULL'),
  ],
};
