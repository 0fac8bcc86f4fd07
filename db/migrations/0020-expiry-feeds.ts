import type { Migration } from './index.ts';

/** The token of a user's feed of expiries, as a hash. */
export const expiryFeeds: Migration = {
  name: '0020-expiry-feeds',
  statements: [
    `CREATE TABLE expiry_feeds (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      user_id INTEGER NOT NULL REFERENCES users(id) ON DELETE CASCADE,
      token_hash TEXT NOT NULL,
      created_at TEXT NOT NULL
    )`,
    'CREATE UNIQUE INDEX expiry_feeds_user ON expiry_feeds (user_id)',
    'CREATE UNIQUE INDEX expiry_feeds_token ON expiry_feeds (token_hash)',
  ],
};
