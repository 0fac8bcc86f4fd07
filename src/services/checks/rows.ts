import { execute, select } from '../../../db/index.ts';
import type { CheckRunRow, VerdictBaselineRow } from '../../shared/checks/tables.ts';
import type { MassChange } from '../../shared/checks/list-doubt.ts';
import type { OperationRow } from '../../shared/operations/tables.ts';
import type { DomainFilter } from '../../shared/portfolio/domains.ts';
import type { DomainRow } from '../../shared/portfolio/tables.ts';
import { bindings, VISIBLE, type Actor } from '../access/scope.ts';
import { filters } from '../portfolio/filters.ts';

/** A domain that is to be checked, with what the last check of that kind left. */
export type Target = Pick<DomainRow, 'id' | 'domain_name' | 'status' | 'http_error'> & { checked_at: string | null };

/** A part of the portfolio: a user's, a project, a status filter, only these domains. */
interface Part {
  holder?: number;
  project_id?: number;
  status?: DomainFilter;
  domain_ids?: number[];
}

// The user of whose portfolio a domain is, as `OWN` has it.
const HOLDER = 'COALESCE(p.user_id, d.user_id)';

/** Returns the domains of a part of the portfolio that the actor may see, by id. */
export const listTargets = (
  actor: Actor,
  { holder, project_id, status = 'all', domain_ids }: Part,
  checkedAt: 'last_http_check_at' | 'last_block_check_at',
): Promise<Target[]> =>
  select(
    `SELECT d.id, d.domain_name, d.status, d.http_error, d.${checkedAt} AS checked_at
     FROM domains d LEFT JOIN projects p ON p.id = d.project_id
     WHERE ${VISIBLE.domains(actor)} AND ${filters()[status]} AND ($project IS NULL OR d.project_id = $project)
       AND ($holder IS NULL OR ${HOLDER} = $holder)
       AND ($ids IS NULL OR d.id IN (SELECT CAST(value AS INTEGER) FROM json_each($ids))) ORDER BY d.id`,
    {
      project: project_id ?? null,
      holder: holder ?? null,
      ids: domain_ids ? JSON.stringify(domain_ids) : null,
      ...bindings(actor),
    },
  );

/** A domain with the error of its last HTTP check. */
export type KnownHost = Pick<DomainRow, 'id' | 'domain_name' | 'http_error'>;

/** Returns those of the hosts that are domains which the actor may see. */
export const listKnownHosts = (actor: Actor, hosts: readonly string[]): Promise<KnownHost[]> =>
  select(
    `SELECT d.id, d.domain_name, d.http_error FROM domains d LEFT JOIN projects p ON p.id = d.project_id
     WHERE ${VISIBLE.domains(actor)} AND d.domain_name IN (SELECT value FROM json_each($hosts))`,
    { hosts: JSON.stringify(hosts), ...bindings(actor) },
  );

/** Adds a packed batch of an operation's results. */
export async function insertResults(operationId: number, results: string): Promise<void> {
  await execute(
    'INSERT INTO operation_results (operation_id, results, created_at) VALUES ($operationId, $results, $now)',
    { operationId, results, now: new Date().toISOString() },
  );
}

/** Returns the packed batches of an operation's results, in the order in which they were stored. */
export async function listResults(operationId: number): Promise<string[]> {
  const rows = await select<{ results: string }>(
    'SELECT results FROM operation_results WHERE operation_id = $operationId ORDER BY id',
    { operationId },
  );
  return rows.map(({ results }) => results);
}

/** The verdict of a list about a domain. */
export type NewVerdict = Pick<VerdictBaselineRow, 'status'> & { id: number };

/**
 * Stores the status that domains have before `rows` change it; one that was stored after `measured` stays. A row counts from the first
 * change, or from the last one that has freed its domain, so that it tells of each domain whether it was blocked since `measured`.
 */
export async function upsertBaselines(rows: readonly NewVerdict[], measured: string): Promise<void> {
  await execute(
    `INSERT INTO verdict_baselines (domain_id, status, since)
     SELECT d.id, d.status, $now FROM json_each($rows) r JOIN domains d ON d.id = CAST(r.value ->> 'id' AS INTEGER)
     WHERE d.status <> r.value ->> 'status'
     ON CONFLICT (domain_id) DO UPDATE SET since = excluded.since,
       status = CASE WHEN verdict_baselines.since <= $measured THEN excluded.status ELSE verdict_baselines.status END
       WHERE verdict_baselines.since <= $measured OR excluded.status = 'blocked'`,
    { rows: JSON.stringify(rows), now: new Date().toISOString(), measured },
  );
}

/**
 * Counts what verdicts would change in the portfolio of each holder of domains that the actor may see, compared with the
 * baselines since `measured`.
 */
export const listChanges = (
  actor: Actor,
  rows: readonly NewVerdict[],
  measured: string,
): Promise<(MassChange & { holder: number })[]> =>
  select(
    `WITH said AS MATERIALIZED (SELECT CAST(value ->> 'id' AS INTEGER) AS id, value ->> 'status' AS status FROM json_each($rows)),
       stood AS (SELECT ${HOLDER} AS holder, d.status AS current, COALESCE(b.status, d.status) AS before, COALESCE(s.status, d.status) AS after,
           d.status = 'blocked' OR b.status IS NOT NULL AS was_blocked
         FROM domains d LEFT JOIN projects p ON p.id = d.project_id LEFT JOIN said s ON s.id = d.id
         LEFT JOIN verdict_baselines b ON b.domain_id = d.id AND b.since > $measured WHERE ${VISIBLE.domains(actor)})
     SELECT holder, count(*) AS total, count(*) FILTER (WHERE before = 'blocked') AS blocked_before,
       count(*) FILTER (WHERE before <> 'blocked' AND after = 'blocked') AS blocked,
       count(*) FILTER (WHERE before <> 'blocked' AND after = 'blocked' AND current <> 'blocked') AS blocked_now,
       count(*) FILTER (WHERE was_blocked) AS blocked_since,
       count(*) FILTER (WHERE before = 'blocked' AND after <> 'blocked') AS freed,
       count(*) FILTER (WHERE was_blocked AND after <> 'blocked') AS freed_since,
       count(*) FILTER (WHERE current = 'blocked' AND after <> 'blocked') AS freed_now FROM stood
     GROUP BY holder ORDER BY holder`,
    { rows: JSON.stringify(rows), measured, ...bindings(actor) },
  );

/** Returns those of the domains that are in the portfolios of these users, with whose each is. */
export const listHoldersOf = (
  ids: readonly number[],
  holders: readonly number[],
): Promise<{ id: number; holder: number }[]> =>
  select(
    `SELECT d.id, ${HOLDER} AS holder FROM json_each($ids) i JOIN domains d ON d.id = CAST(i.value AS INTEGER)
       LEFT JOIN projects p ON p.id = d.project_id
     WHERE ${HOLDER} IN (SELECT CAST(value AS INTEGER) FROM json_each($holders)) ORDER BY d.id`,
    { ids: JSON.stringify(ids), holders: JSON.stringify(holders) },
  );

/** Deletes the baselines of domains. */
export async function deleteBaselines(ids: readonly number[]): Promise<void> {
  await execute(
    'DELETE FROM verdict_baselines WHERE domain_id IN (SELECT CAST(value AS INTEGER) FROM json_each($ids))',
    { ids: JSON.stringify(ids) },
  );
}

/** The domains that a check covers; a null field does not narrow them. */
export type CheckScope = Pick<CheckRunRow, 'user_id' | 'project_id' | 'part'>;

/** Inserts the scope of a check. */
export async function insertCheckRun(operation_id: number, scope: CheckScope): Promise<void> {
  await execute(
    `INSERT INTO check_runs (operation_id, user_id, project_id, part) VALUES ($operation_id, $user_id, $project_id, $part)`,
    { operation_id, ...scope },
  );
}

/** Notes that the verdicts of a check were stored. */
export async function noteVerdictsStored(operation_id: number): Promise<void> {
  await execute('UPDATE check_runs SET stored_at = $now WHERE operation_id = $operation_id', {
    operation_id,
    now: new Date().toISOString(),
  });
}

/** Returns the scope of a check; undefined: there is none. */
export async function findCheckScope(operation_id: number): Promise<CheckScope | undefined> {
  const [scope] = await select<CheckScope>(
    'SELECT user_id, project_id, part FROM check_runs WHERE operation_id = $operation_id',
    { operation_id },
  );
  return scope;
}

/** A check with a held result, which is a `Held` as JSON. */
type HeldCheck = CheckScope & Pick<OperationRow, 'id'> & { held: string };

/** Returns the checks whose results are held, the newest first. */
export const listHeldChecks = (): Promise<HeldCheck[]> =>
  select(
    `SELECT o.id, o.held, r.user_id, r.project_id, r.part
     FROM operations o JOIN check_runs r ON r.operation_id = o.id WHERE o.held IS NOT NULL ORDER BY o.id DESC`,
  );

/** Clears the held results of operations, and returns how many had one. */
export const clearHeld = (ids: readonly number[]): Promise<number> =>
  execute(
    `UPDATE operations SET held = NULL, changed_at = $now
     WHERE id IN (SELECT CAST(value AS INTEGER) FROM json_each($ids)) AND held IS NOT NULL`,
    { ids: JSON.stringify(ids), now: new Date().toISOString() },
  );

/** Returns the checks after an operation whose verdicts were stored. */
export const listPassedChecks = (after: number): Promise<(CheckScope & Pick<OperationRow, 'id'>)[]> =>
  select(
    `SELECT o.id, r.user_id, r.project_id, r.part FROM check_runs r JOIN operations o ON o.id = r.operation_id
     WHERE r.operation_id > $after AND r.stored_at IS NOT NULL AND o.held IS NULL`,
    { after },
  );

/** Returns those of the decisions about lists that the audit has. */
export const listAuditedDecisions = async (ids: readonly string[]): Promise<string[]> => {
  const rows = await select<{ decision: string }>(
    `SELECT after ->> 'decision' AS decision FROM audit
     WHERE object = 'blocklist' AND after ->> 'decision' IN (SELECT value FROM json_each($ids))`,
    { ids: JSON.stringify(ids) },
  );
  return rows.map(({ decision }) => decision);
};
