import type { Migration } from './index.ts';

const OF_USER = 'user_id INTEGER NOT NULL REFERENCES users(id) ON DELETE CASCADE';

/** Secrets of authenticator apps, passkeys, recovery codes, and sign-ins that wait for one of them. */
export const secondFactor: Migration = {
  name: '0037-second-factor',
  statements: [
    `CREATE TABLE totp_secrets (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      ${OF_USER},
      secret TEXT NOT NULL,
      confirmed_at TEXT,
      last_step INTEGER NOT NULL,
      created_at TEXT NOT NULL
    )`,
    'CREATE UNIQUE INDEX totp_secrets_user ON totp_secrets (user_id)',
    `CREATE TABLE passkeys (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      ${OF_USER},
      name TEXT NOT NULL,
      rp_id TEXT NOT NULL,
      credential_id TEXT NOT NULL,
      public_key TEXT NOT NULL,
      counter INTEGER NOT NULL,
      transports TEXT NOT NULL,
      created_at TEXT NOT NULL,
      last_used_at TEXT
    )`,
    'CREATE UNIQUE INDEX passkeys_credential ON passkeys (credential_id)',
    'CREATE INDEX passkeys_user ON passkeys (user_id)',
    `CREATE TABLE recovery_codes (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      ${OF_USER},
      code_hash TEXT NOT NULL,
      used_at TEXT
    )`,
    'CREATE UNIQUE INDEX recovery_codes_hash ON recovery_codes (user_id, code_hash)',
    `CREATE TABLE sign_in_challenges (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      ${OF_USER},
      kind TEXT NOT NULL,
      token_hash TEXT NOT NULL,
      tries INTEGER NOT NULL,
      expires_at TEXT NOT NULL
    )`,
    'CREATE UNIQUE INDEX sign_in_challenges_hash ON sign_in_challenges (token_hash)',
    'CREATE INDEX sign_in_challenges_user ON sign_in_challenges (user_id)',
  ],
};
