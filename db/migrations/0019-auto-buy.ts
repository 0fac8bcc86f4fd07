import type { Migration } from './index.ts';

/** How reserves of a project are bought. */
export const autoBuy: Migration = {
  name: '0019-auto-buy',
  statements: [
    `CREATE TABLE auto_buy (
      project_id INTEGER PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
      template TEXT NOT NULL,
      registrars_id INTEGER REFERENCES registrars (id) ON DELETE SET NULL,
      cloudflare_groups_id INTEGER REFERENCES cloudflare_groups (id) ON DELETE SET NULL,
      state TEXT NOT NULL,
      wanted_reserves INTEGER NOT NULL,
      updated_at TEXT NOT NULL
    )`,
  ],
};
