import { select } from '../../../db/index.ts';
import type { StoredLock } from '../../operations/locks.ts';
import { CANCELLED } from '../../operations/rollback.ts';
import type { UserRow } from '../../shared/access/tables.ts';
import type { DomainRow, ProjectRow } from '../../shared/portfolio/tables.ts';
import type { ProjectFacts } from '../../shared/transfers/transfer-pick.ts';
import { bindings, VISIBLE, type Actor } from '../access/scope.ts';

/** A project and the user who owns it. */
type OwnedProject = Pick<ProjectRow, 'id' | 'user_id'> & Pick<UserRow, 'login' | 'role'>;

/** Returns the projects that the actor may see and that have a blocked main domain in mode `auto`. */
export const listCandidates = (actor: Actor): Promise<OwnedProject[]> =>
  select(
    `SELECT DISTINCT p.id, u.id AS user_id, u.login, u.role
     FROM domains d JOIN projects p ON p.id = d.project_id JOIN users u ON u.id = p.user_id
     WHERE ${VISIBLE.domains(actor)} AND ${VISIBLE.projects(actor)}
       AND d.type = 'main' AND d.transfer_type = 'auto' AND d.status = 'blocked' ORDER BY p.id`,
    bindings(actor),
  );

/** Returns the names of the reserves and the blocked domains of projects. */
export async function listListedNames(projects: readonly number[]): Promise<string[]> {
  const rows = await select<Pick<DomainRow, 'domain_name'>>(
    `SELECT domain_name FROM domains WHERE deleted_at IS NULL AND project_id IN (SELECT CAST(value AS INTEGER) FROM json_each($projects))
       AND (type = 'transfer' OR status = 'blocked')`,
    { projects: JSON.stringify(projects) },
  );
  return rows.map(({ domain_name }) => domain_name);
}

/**
 * Returns the locks of running operations and of their items, with the operation's kind (`work`), but for those of these kinds that no
 * transfer has: they may be of a whole portfolio.
 */
export const listLocksAtWork = (but: readonly string[]): Promise<(StoredLock & { work: string })[]> => {
  const counts = (kind: string): string =>
    `o.state IN ('queued', 'running') AND o.kind NOT IN (SELECT value FROM json_each($but))
       AND (o.kind = 'transfer' OR ${kind} NOT IN (SELECT value FROM json_each($but)))`;
  return select(
    `SELECT o.kind AS work, i.lock_kind AS kind, i.lock_name AS name, i.lock_part AS part
     FROM operations o CROSS JOIN operation_items i ON i.operation_id = o.id
     WHERE ${counts('i.lock_kind')} AND i.state IN ('queued', 'intent')
     UNION ALL SELECT o.kind, l.kind, l.name, l.part FROM operations o CROSS JOIN operation_locks l ON l.operation_id = o.id
     WHERE ${counts('l.kind')}`,
    { but: JSON.stringify(but) },
  );
};

// The newest $witnesses blocklist checks of `d` as JSON, newest first. The newest three "blocked" rows are never merged
// with each other, so they are three observations.
const SEEN = `(SELECT COALESCE(json_group_array(json_object('verdict', c.verdict, 'entry', c.detail,
    'list_version', c.list_version, 'list_fetched_at', c.list_fetched_at)), '[]')
  FROM (SELECT * FROM checks WHERE domain_id = d.id AND kind = 'blocklist' ORDER BY id DESC LIMIT $witnesses) c) AS seen`;
// Blocked, then free, since $since. A merged row counts by its newest look.
const FLAPPED = `CASE WHEN EXISTS (SELECT 1 FROM checks f JOIN checks b ON b.domain_id = f.domain_id AND b.id < f.id
  WHERE f.domain_id = d.id AND f.kind = 'blocklist' AND f.verdict <> 'blocked' AND f.checked_at > $since
    AND b.kind = 'blocklist' AND b.verdict = 'blocked' AND b.checked_at > $since) THEN 1 ELSE 0 END AS flapped`;

// The started move of a decision `t`, with its operation `o`, has ended, and its site has not moved.
const UNMOVED = `o.state NOT IN ('queued', 'running') AND NOT EXISTS
  (SELECT 1 FROM transfer_history h WHERE h.operation_id = o.id AND h.transfer_domain_id = t.target_id)`;
// That tells nothing of its reserve: a person has cancelled it, or its error names the main domain. As `sparesReserve` of `blame.ts`.
const SPARES = `EXISTS (SELECT 1 FROM operation_items i WHERE i.operation_id = o.id AND i.lane = 'transfer:' || t.domain_id
  AND (i.state = 'cancelled' OR i.error_key IN (${CANCELLED.map((key) => `'${key}'`).join(', ')})
    OR i.error -> 'params' ->> 'domain' = i.lock_name))`;
const STARTED_OF_MAIN = `FROM transfer_decisions t JOIN operations o ON o.id = t.operation_id
  WHERE t.domain_id = d.id AND t.decision = 'started' AND t.created_at > $since AND ${UNMOVED}`;

/**
 * A blocked main domain: its newest observations (JSON, newest first), the ids of the main domains that it has replaced
 * (JSON), whether it was blocked and then free, how many automatic moves have failed through no fault of their reserves, and whether a person
 * has cancelled one.
 */
type BlockedMainRow = Pick<
  DomainRow,
  'id' | 'domain_name' | 'type' | 'transfer_type' | 'status' | 'cloudflare_account_id' | 'server_id'
> & { seen: string; former: string; flapped: 0 | 1; tried: number; called_off: 0 | 1 };

/** Returns the blocked main domains of a project; `flapped`, `tried` and `called_off` look at what came after `since`. */
export const listBlockedMains = (project: number, since: string, witnesses: number): Promise<BlockedMainRow[]> =>
  select(
    `SELECT d.id, d.domain_name, d.type, d.transfer_type, d.status, d.cloudflare_account_id, d.server_id, ${SEEN}, ${FLAPPED},
       (SELECT count(*) ${STARTED_OF_MAIN} AND o.asked_by <> 'person' AND ${SPARES}) AS tried,
       CASE WHEN EXISTS (SELECT 1 ${STARTED_OF_MAIN} AND o.cancel_requested = 1) THEN 1 ELSE 0 END AS called_off,
       (SELECT COALESCE(json_group_array(h.main_domain_id), '[]') FROM transfer_history h
        WHERE h.transfer_domain_id = d.id AND h.main_domain_id IS NOT NULL) AS former
     FROM domains d
     WHERE d.project_id = $project AND d.type = 'main' AND d.status = 'blocked' AND d.deleted_at IS NULL ORDER BY d.id`,
    { project, since, witnesses },
  );

/** Returns the servers of a project's main domains. */
export const listMainServers = (project: number): Promise<{ server_id: number }[]> =>
  select(
    `SELECT DISTINCT server_id FROM domains
     WHERE project_id = $project AND type = 'main' AND deleted_at IS NULL AND server_id IS NOT NULL`,
    { project },
  );

/** Returns the blocked main domains in mode `auto`, with their newest observations (JSON, newest first). */
export const listSuspects = (witnesses: number): Promise<Pick<BlockedMainRow, 'id' | 'domain_name' | 'seen'>[]> =>
  select(
    `SELECT d.id, d.domain_name, ${SEEN} FROM domains d JOIN projects p ON p.id = d.project_id AND p.deleted_at IS NULL
     WHERE d.type = 'main' AND d.transfer_type = 'auto' AND d.status = 'blocked' AND d.deleted_at IS NULL ORDER BY d.id`,
    { witnesses },
  );

/**
 * A reserve. `failed`: an automatic transfer to it ended without a move, for a reason that may be its own; `blocked_lately`: its block
 * ended lately.
 */
export type ReserveRow = Pick<
  DomainRow,
  | 'id'
  | 'domain_name'
  | 'type'
  | 'transfer_type'
  | 'status'
  | 'expired_at'
  | 'http_status_code'
  | 'http_error'
  | 'server_id'
  | 'file_path'
> & { failed: 0 | 1; blocked_lately: 0 | 1 };

/** The reserves on which an automatic transfer has failed since `$since`, for a reason that may be theirs: each rests for a day. */
export const RESTING = `SELECT t.target_id FROM transfer_decisions t JOIN operations o ON o.id = t.operation_id
  WHERE t.target_id IS NOT NULL AND t.decision = 'started' AND t.created_at > $since AND ${UNMOVED} AND NOT ${SPARES}`;
/** Returns the condition that the block of the reserve of an alias has ended since `$since`. */
export const isFreeLately = (
  d: string,
): string => `(SELECT min(COALESCE(c.since, c.checked_at)) FROM checks c WHERE c.domain_id = ${d}.id AND c.kind = 'blocklist' AND c.id >
  (SELECT max(id) FROM checks WHERE domain_id = ${d}.id AND kind = 'blocklist' AND verdict = 'blocked')) > $since`;

/** Returns the reserves of a project; `failed` and `blocked_lately` look at the time after `since`. */
export const listReserves = (project: number, since: string): Promise<ReserveRow[]> =>
  select(
    `SELECT d.id, d.domain_name, d.type, d.transfer_type, d.status, d.expired_at, d.http_status_code, d.http_error,
       d.server_id, d.file_path, CASE WHEN d.id IN (${RESTING}) THEN 1 ELSE 0 END AS failed,
       CASE WHEN ${isFreeLately('d')} THEN 1 ELSE 0 END AS blocked_lately
     FROM domains d WHERE d.project_id = $project AND d.type = 'transfer' AND d.deleted_at IS NULL ORDER BY d.id`,
    { project, since },
  );

/**
 * Counts the transfers that have begun by themselves since a time, in a project and overall: not those that a person has asked for, nor
 * those that were none through no fault of the reserve, which their main domain alone answers for.
 */
export async function countStarted(project: number, since: string): Promise<ProjectFacts['moved']> {
  const [row] = await select<ProjectFacts['moved']>(
    `SELECT count(*) AS overall, count(*) FILTER (WHERE d.project_id = $project) AS project
     FROM transfer_decisions t JOIN domains d ON d.id = t.domain_id
     WHERE t.decision = 'started' AND t.created_at >= $since
       AND NOT EXISTS (SELECT 1 FROM operations o WHERE o.id = t.operation_id AND (o.asked_by = 'person' OR (${UNMOVED} AND ${SPARES})))`,
    { project, since },
  );
  return row ?? { project: 0, overall: 0 };
}

/** Counts the domains of all users, and those of them that are blocked. */
export async function countBlocked(): Promise<{ total: number; blocked: number }> {
  const [row] = await select<{ total: number; blocked: number }>(
    `SELECT count(*) AS total, count(*) FILTER (WHERE status = 'blocked') AS blocked FROM domains WHERE deleted_at IS NULL`,
  );
  return row ?? { total: 0, blocked: 0 };
}

/**
 * Returns since when blocked domains are blocked, as far as their checks are kept, but for those that somebody has judged since by
 * starting a transfer: their holder, or an administrator, as whom the command line acts.
 */
export const listBlockedSince = async (): Promise<string[]> => {
  const rows = await select<{ since: string }>(
    `WITH blocked AS (SELECT COALESCE(p.user_id, d.user_id) AS holder,
       (SELECT min(COALESCE(c.since, c.checked_at)) FROM checks c WHERE c.domain_id = d.id AND c.kind = 'blocklist' AND c.id >
         COALESCE((SELECT f.id FROM checks f WHERE f.domain_id = d.id AND f.kind = 'blocklist' AND f.verdict <> 'blocked'
           ORDER BY f.id DESC LIMIT 1), 0)) AS since
       FROM domains d LEFT JOIN projects p ON p.id = d.project_id WHERE d.deleted_at IS NULL AND d.status = 'blocked'),
     asked AS (SELECT o.user_id, u.role, max(o.created_at) AS at FROM operations o LEFT JOIN users u ON u.id = o.user_id
       WHERE o.kind = 'transfer' AND o.asked_by = 'person' GROUP BY o.user_id, u.role)
     SELECT b.since FROM blocked b WHERE b.since IS NOT NULL AND NOT EXISTS (SELECT 1 FROM asked a
       WHERE a.at >= b.since AND (a.user_id IS NULL OR a.role = 'admin' OR a.user_id = b.holder))`,
  );
  return rows.map(({ since }) => since);
};
