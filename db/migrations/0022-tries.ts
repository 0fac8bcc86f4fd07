import type { Migration } from '../migrate.ts';

/** How often an operation was tried again: work that it starts has another key each time. */
export const tries: Migration = {
  name: '0022-tries',
  statements: [`ALTER TABLE operations ADD COLUMN tries INTEGER NOT NULL DEFAULT 0`],
};
