import type { Migration } from './index.ts';

/** The bot: linked chats, what leads to a link, who polls, updates that were handled, messages that are to be sent. */
export const telegram: Migration = {
  name: '0034-telegram',
  statements: [
    `CREATE TABLE telegram_links (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      user_id INTEGER NOT NULL UNIQUE REFERENCES users(id) ON DELETE CASCADE,
      telegram_id INTEGER NOT NULL UNIQUE,
      chat_id INTEGER NOT NULL UNIQUE,
      name TEXT NOT NULL,
      username TEXT,
      language TEXT NOT NULL,
      gone_at TEXT,
      linked_at TEXT NOT NULL
    )`,
    `CREATE TABLE telegram_claims (
      user_id INTEGER PRIMARY KEY REFERENCES users(id) ON DELETE CASCADE,
      code_hash TEXT UNIQUE,
      expires_at TEXT
    )`,
    `CREATE TABLE telegram_pendings (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      user_id INTEGER NOT NULL REFERENCES users(id) ON DELETE CASCADE,
      telegram_id INTEGER NOT NULL,
      chat_id INTEGER NOT NULL,
      name TEXT NOT NULL,
      username TEXT,
      language TEXT NOT NULL,
      code_hash TEXT NOT NULL,
      created_at TEXT NOT NULL,
      expires_at TEXT NOT NULL,
      UNIQUE (user_id, telegram_id)
    )`,
    `CREATE TABLE telegram_bots (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      bot_id TEXT NOT NULL UNIQUE,
      username TEXT,
      state TEXT NOT NULL,
      lease_owner TEXT,
      lease_until TEXT
    )`,
    `CREATE TABLE telegram_updates (
      bot_id TEXT NOT NULL,
      update_id INTEGER NOT NULL,
      at TEXT NOT NULL,
      PRIMARY KEY (bot_id, update_id)
    )`,
    `CREATE TABLE telegram_messages (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      chat_id INTEGER NOT NULL,
      language TEXT NOT NULL,
      lines TEXT NOT NULL,
      buttons TEXT NOT NULL,
      created_at TEXT NOT NULL,
      due_at TEXT NOT NULL,
      tries INTEGER NOT NULL
    )`,
    'CREATE INDEX telegram_messages_chat ON telegram_messages (chat_id, id)',
  ],
};
