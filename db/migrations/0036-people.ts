import type { Migration } from './index.ts';

/** The browser of a session, and tokens for programs. */
export const people: Migration = {
  name: '0036-people',
  statements: [
    'ALTER TABLE sessions ADD COLUMN agent TEXT',
    `CREATE TABLE api_tokens (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      user_id INTEGER NOT NULL REFERENCES users(id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      scope TEXT NOT NULL,
      token_hash TEXT NOT NULL,
      hint TEXT NOT NULL,
      created_at TEXT NOT NULL,
      expires_at TEXT,
      last_used_at TEXT
    )`,
    'CREATE UNIQUE INDEX api_tokens_hash ON api_tokens (token_hash)',
    'CREATE INDEX api_tokens_user ON api_tokens (user_id)',
  ],
};
