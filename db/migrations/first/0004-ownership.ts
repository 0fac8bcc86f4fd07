import type { Migration } from '../index.ts';

const claim = (column: string): string =>
  `UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'domains';
   UPDATE domains SET ${column} = (SELECT seq FROM sqlite_sequence WHERE name = 'domains') WHERE id = NEW.id;`;

const CLAIMS = [
  `ALTER TABLE domains ADD COLUMN name_claim INTEGER`,
  `ALTER TABLE domains ADD COLUMN folder_claim INTEGER`,
];
// All sites of a server are read before each deploy.
const SERVER_INDEX = `CREATE INDEX domains_server ON domains (server_id) WHERE deleted_at IS NULL AND server_id IS NOT NULL`;

const isRestored = 'OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NULL';

const SEQUENCE = `pg_get_serial_sequence('domains', 'id')`;

/** Makes a trigger of PostgreSQL, which changes the row before it is written. */
const claimTrigger = (column: string, condition: string): string[] => [
  `CREATE FUNCTION domains_${column}() RETURNS trigger LANGUAGE plpgsql
   AS 'BEGIN NEW.${column} := nextval(${SEQUENCE.replaceAll("'", "''")}); RETURN NEW; END'`,
  `CREATE TRIGGER domains_${column} BEFORE UPDATE ON domains FOR EACH ROW WHEN (${condition})
   EXECUTE FUNCTION domains_${column}()`,
];

/**
 * The order in which domains took their name and their folder. Null: at the row's creation, so `COALESCE(name_claim, id)` is
 * the order. Claims and ids come from one sequence; triggers set them, so that no writer can forget to.
 */
export const ownership: Migration = {
  name: '0004-ownership',
  statements: [
    ...CLAIMS,
    `CREATE TRIGGER domains_name_claim AFTER UPDATE OF domain_name, deleted_at ON domains
     WHEN NEW.domain_name <> OLD.domain_name OR (${isRestored})
     BEGIN ${claim('name_claim')} END`,
    `CREATE TRIGGER domains_folder_claim AFTER UPDATE OF server_id, file_path, deleted_at ON domains
     WHEN NEW.server_id IS NOT OLD.server_id OR NEW.file_path <> OLD.file_path OR (${isRestored})
     BEGIN ${claim('folder_claim')} END`,
    SERVER_INDEX,
  ],
  postgres: [
    ...CLAIMS,
    ...claimTrigger('name_claim', `NEW.domain_name <> OLD.domain_name OR (${isRestored})`),
    ...claimTrigger(
      'folder_claim',
      `NEW.server_id IS DISTINCT FROM OLD.server_id OR NEW.file_path <> OLD.file_path OR (${isRestored})`,
    ),
    SERVER_INDEX,
  ],
};
