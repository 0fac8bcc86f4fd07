import type { Migration } from './index.ts';

/** Who has seen a notice: for others it stays open where they see subjects that he does not. */
export const noticeAcknowledgements: Migration = {
  name: '0033-notice-acknowledgements',
  statements: [
    `CREATE TABLE notice_acknowledgements (
      notice_id INTEGER NOT NULL REFERENCES notices(id) ON DELETE CASCADE,
      user_id INTEGER NOT NULL REFERENCES users(id) ON DELETE CASCADE,
      at TEXT NOT NULL,
      PRIMARY KEY (notice_id, user_id)
    )`,
    'CREATE INDEX notice_acknowledgements_user ON notice_acknowledgements (user_id)',
    // Whose notice an escalated delivery tells of.
    'ALTER TABLE notice_deliveries ADD COLUMN for_user_id INTEGER',
  ],
};
