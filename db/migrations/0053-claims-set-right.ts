import { claimAt } from './0051-claims-of-attachments.ts';
import type { Migration } from './index.ts';

const since = (row: string): string =>
  `CASE WHEN ${row}.name_claim > ${row}.id THEN ${row}.name_claim ELSE ${row}.id END`;
const holder = (row: string): string =>
  `COALESCE((SELECT p.user_id FROM projects p WHERE p.id = ${row}.project_id), ${row}.user_id)`;

/** The claim of a name that is attached to another main domain of the row's user: what is attached to the row follows its own claim. */
const byOthers = (row: string): string => `${claimAt('above.name', row)} AND a.main_id <> ${row}.id`;

/** The claim of a name that was attached to the row itself under the name that it had until now. */
const BY_ITSELF = `SELECT min(CASE WHEN a.main_claim = ${since('OLD')} THEN a.name_claim ELSE ${since('OLD')} END)
  FROM attachments a WHERE a.domain_name = above.name AND a.main_id = OLD.id AND a.forward_to = OLD.domain_name
    AND OLD.deleted_at IS NULL AND ${holder('OLD')} = ${holder('NEW')}`;

/** The earliest of these claims at a row's name or above it. */
const attachedClaim = (
  row: string,
  ...claims: string[]
): string => `(WITH RECURSIVE above (name) AS (SELECT ${row}.domain_name
    UNION ALL SELECT substr(name, instr(name, '.') + 1) FROM above WHERE instr(name, '.') > 0)
  SELECT min(c.claim) FROM (${claims.map((claim) => `SELECT (${claim}) AS claim FROM above`).join(' UNION ALL ')}) c)`;

const take = (...claims: string[]): string => `UPDATE domains SET attached_claim = ${attachedClaim('NEW', ...claims)}
  WHERE id = NEW.id AND attached_claim IS NOT ${attachedClaim('NEW', ...claims)};`;

const LIES_AT_OR_BELOW = `substr('.' || domains.domain_name, length(domains.domain_name) - length(a.domain_name) + 1) = '.' || a.domain_name`;

/**
 * Takes from rows what can only be a claim that they had themselves before they were renamed or restored: none that they have been
 * given was later than that.
 */
const SET_RIGHT = `UPDATE domains SET attached_claim = ${attachedClaim('domains', byOthers('domains'))}
  WHERE deleted_at IS NULL AND attached_claim < name_claim AND (attached_claim = id OR EXISTS (SELECT 1 FROM attachments a
    WHERE a.main_id = domains.id AND a.forward_to = domains.domain_name AND a.main_claim <= domains.attached_claim
      AND ${LIES_AT_OR_BELOW}))`;

const plain = (row: string): string => `rtrim(${row}.file_path, '/') || '/'`;
const isDeployed = (row: string): string =>
  `EXISTS (SELECT 1 FROM sites s WHERE s.domain_id = ${row}.id AND s.release IS NOT NULL)`;
const folderClaim = (row: string): string => `COALESCE(${row}.folder_claim, ${row}.id)`;

/**
 * Takes the server from domains to which a move has given one with the folder of another user's domain, or one in its site: they
 * would hold it as soon as that one is deleted. A domain whose site was deployed keeps it.
 */
const LEAVE_FOLDERS = `UPDATE domains SET server_id = NULL
  WHERE deleted_at IS NULL AND server_id IS NOT NULL AND folder_claim IS NOT NULL AND NOT ${isDeployed('domains')}
    AND EXISTS (SELECT 1 FROM transfer_history h, domains e
      WHERE h.transfer_domain_id = domains.id AND e.id IS DISTINCT FROM h.main_domain_id AND e.server_id = domains.server_id
        AND ${folderClaim('e')} < domains.folder_claim AND (e.deleted_at IS NULL OR e.deleted_at > h.created_at)
        AND (${plain('e')} = ${plain('domains')}
          OR (substr(${plain('domains')}, 1, length(${plain('e')})) = ${plain('e')} AND ${isDeployed('e')}))
        AND ${holder('e')} <> ${holder('domains')})`;

/**
 * A row that is restored or renamed gets nothing by the names that are attached to itself: they come back with it. SQLite runs the
 * triggers of an event in no certain order, and took the row's former claim for theirs. PostgreSQL looks before the row is written.
 * Rows that are stored so are set right, and so are folders that moves have given away.
 */
export const claimsSetRight: Migration = {
  name: '0053-claims-set-right',
  statements: [
    'DROP TRIGGER domains_attached_claim',
    'DROP TRIGGER domains_taken_claim',
    `CREATE TRIGGER domains_attached_claim AFTER INSERT ON domains WHEN NEW.deleted_at IS NULL AND NEW.attached_claim IS NULL
     BEGIN ${take(byOthers('NEW'))} END`,
    `CREATE TRIGGER domains_taken_claim AFTER UPDATE OF domain_name, deleted_at ON domains
     WHEN NEW.deleted_at IS NULL AND (NEW.domain_name <> OLD.domain_name OR OLD.deleted_at IS NOT NULL)
     BEGIN ${take(byOthers('NEW'), BY_ITSELF)} END`,
    SET_RIGHT,
    LEAVE_FOLDERS,
  ],
  postgres: [SET_RIGHT, LEAVE_FOLDERS],
};
