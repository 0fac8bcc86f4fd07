import type { Migration } from '../index.ts';

/** The wait of an item of an operation, and whether the redirect of a transfer was seen from outside. */
export const moves: Migration = {
  name: '0006-moves',
  statements: [
    // A StoredWait as JSON: the act that cannot go on yet, its message, and the time limit.
    `ALTER TABLE operation_items ADD COLUMN waiting TEXT`,
    // Null: the check goes on, or an earlier version did none. The warning is a Said as JSON.
    `ALTER TABLE transfer_history ADD COLUMN outcome TEXT CHECK (outcome IN ('done', 'done_with_warning'))`,
    `ALTER TABLE transfer_history ADD COLUMN warning TEXT`,
    `ALTER TABLE transfer_history ADD COLUMN redirect_seen_at TEXT`,
  ],
};
