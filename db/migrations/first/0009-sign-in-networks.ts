import type { Migration } from '../index.ts';

/** Networks from which users have signed in, which outlive sessions: they stay admitted while others guess passwords. */
export const signInNetworks: Migration = {
  name: '0009-sign-in-networks',
  statements: [
    `CREATE TABLE sign_in_networks (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      network TEXT NOT NULL,
      last_at TEXT NOT NULL
    )`,
    `CREATE UNIQUE INDEX sign_in_networks_user ON sign_in_networks (user_id, network)`,
    // IPv6 networks are added at their next sign-in.
    `INSERT INTO sign_in_networks (user_id, network, last_at)
     SELECT user_id, address, max(last_seen_at) FROM sessions WHERE address NOT LIKE '%:%' GROUP BY user_id, address`,
  ],
};
