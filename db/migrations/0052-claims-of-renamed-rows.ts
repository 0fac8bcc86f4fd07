import { claimAt, trigger } from './0051-claims-of-attachments.ts';
import type { Migration } from './index.ts';

/** The claim of the earliest name at a row's name or above it that the row's user has attached. */
const attachedClaim = (row: string): string => `(WITH RECURSIVE above (name) AS (SELECT ${row}.domain_name
    UNION ALL SELECT substr(name, instr(name, '.') + 1) FROM above WHERE instr(name, '.') > 0)
  SELECT min((${claimAt('above.name', row)})) FROM above)`;

// Of rows that were made before.
const COLUMN = [
  'ALTER TABLE domains ADD COLUMN attached_claim INTEGER',
  `UPDATE domains SET attached_claim = ${attachedClaim('domains')}
   WHERE deleted_at IS NULL AND ${attachedClaim('domains')} IS NOT NULL`,
];

const IS_NEW = 'NEW.deleted_at IS NULL AND NEW.attached_claim IS NULL';
const TAKES_NAME = 'NEW.deleted_at IS NULL AND (NEW.domain_name <> OLD.domain_name OR OLD.deleted_at IS NOT NULL)';
const ON_UPDATE = 'UPDATE OF domain_name, deleted_at ON domains';

const TAKE = `UPDATE domains SET attached_claim = ${attachedClaim('NEW')}
  WHERE id = NEW.id AND attached_claim IS NOT ${attachedClaim('NEW')}`;

// The same, name by name: a recursive statement costs PostgreSQL half a millisecond for each row.
const takeOfPostgres = (name: string, event: string, when: string): string[] =>
  trigger(
    name,
    event,
    when,
    `NEW.attached_claim := NULL;
     LOOP
       IF EXISTS (SELECT 1 FROM attachments WHERE domain_name = one) THEN
         NEW.attached_claim := least(NEW.attached_claim, (${claimAt('one', 'NEW')}));
       END IF;
       EXIT WHEN strpos(one, '.') = 0;
       one := substr(one, strpos(one, '.') + 1);
     END LOOP;`,
    'DECLARE one text := NEW.domain_name;',
  );

/**
 * A row that its user makes of an attached name or of one below it, adds, restores or renames, takes that name's place, and keeps it
 * whatever becomes of rule and main domain. `name_claim` stays a number of its own: it tells since when the row has its name.
 */
export const claimsOfRenamedRows: Migration = {
  name: '0052-claims-of-renamed-rows',
  statements: [
    ...COLUMN,
    `CREATE TRIGGER domains_attached_claim AFTER INSERT ON domains WHEN ${IS_NEW}
     BEGIN
       ${TAKE};
     END`,
    `CREATE TRIGGER domains_taken_claim AFTER ${ON_UPDATE} WHEN ${TAKES_NAME}
     BEGIN
       ${TAKE};
     END`,
  ],
  postgres: [
    ...COLUMN,
    ...takeOfPostgres('domains_attached_claim', 'BEFORE INSERT ON domains', IS_NEW),
    ...takeOfPostgres('domains_taken_claim', `BEFORE ${ON_UPDATE}`, TAKES_NAME),
  ],
};
