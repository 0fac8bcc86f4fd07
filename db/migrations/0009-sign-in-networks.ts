import type { Migration } from '../migrate.ts';

/** From where each user has signed in, which outlives the sessions: those who did are let in while strangers guess. */
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
    // A network of IPv6 is known from its next sign-in on.
    `INSERT INTO sign_in_networks (user_id, network, last_at)
     SELECT user_id, address, max(last_seen_at) FROM sessions WHERE address NOT LIKE '%:%' GROUP BY user_id, address`,
  ],
};
