import type { Migration } from '../migrate.ts';

/** What an item of an operation waits for, and whether the redirect of a transfer was seen from outside. */
export const moves: Migration = {
  name: '0006-moves',
  statements: [
    // JSON: the act that cannot go on yet, what it waits for in words, since when and until when.
    `ALTER TABLE operation_items ADD COLUMN waiting TEXT`,
    // Null: it is being looked for, or was not in former versions. The warning is a Said as JSON.
    `ALTER TABLE transfer_history ADD COLUMN outcome TEXT CHECK (outcome IN ('done', 'done_with_warning'))`,
    `ALTER TABLE transfer_history ADD COLUMN warning TEXT`,
    `ALTER TABLE transfer_history ADD COLUMN redirect_seen_at TEXT`,
  ],
};
