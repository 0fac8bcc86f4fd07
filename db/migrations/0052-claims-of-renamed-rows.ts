import { attachedClaim, trigger } from './0051-claims-of-attachments.ts';
import type { Migration } from './index.ts';

// Of rows that were restored or renamed before.
const COLUMN = [
  'ALTER TABLE domains ADD COLUMN attached_claim INTEGER',
  `UPDATE domains SET attached_claim = (${attachedClaim.replaceAll('NEW', 'domains')})
   WHERE deleted_at IS NULL AND name_claim IS NOT NULL AND domain_name IN (SELECT domain_name FROM attachments)`,
];

const TAKES_NAME = 'NEW.deleted_at IS NULL AND (NEW.domain_name <> OLD.domain_name OR OLD.deleted_at IS NOT NULL)';

/**
 * A row that its user restores or renames to an attached name takes that name's place as well, and keeps it whatever becomes of the main
 * domain. `name_claim` stays a number of its own: it tells since when the row has its name.
 */
export const claimsOfRenamedRows: Migration = {
  name: '0052-claims-of-renamed-rows',
  statements: [
    ...COLUMN,
    `CREATE TRIGGER domains_taken_claim AFTER UPDATE OF domain_name, deleted_at ON domains WHEN ${TAKES_NAME}
     BEGIN
       UPDATE domains SET attached_claim = (${attachedClaim})
       WHERE id = NEW.id AND (attached_claim IS NOT NULL OR EXISTS (SELECT 1 FROM attachments a WHERE a.domain_name = NEW.domain_name));
     END`,
  ],
  postgres: [
    ...COLUMN,
    ...trigger(
      'domains_taken_claim',
      'BEFORE UPDATE OF domain_name, deleted_at ON domains',
      TAKES_NAME,
      `NEW.attached_claim := (${attachedClaim});`,
    ),
  ],
};
