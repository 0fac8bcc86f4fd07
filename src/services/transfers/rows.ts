import { execute, select } from '../../../db/index.ts';
import type { Order } from '../../shared/lists.ts';
import type { DomainRow } from '../../shared/portfolio/tables.ts';
import type { TransferHistoryRow } from '../../shared/transfers/tables.ts';
import type { TransferHistoryEntry } from '../../shared/transfers/transfer-plan.ts';
import { bindings, VISIBLE, type Actor } from '../access/scope.ts';

/** Whether a domain has this id and name, and the actor may see it. */
export async function hasDomain(actor: Actor, { id, name }: { id: number; name: string }): Promise<boolean> {
  const rows = await select(
    `SELECT 1 FROM domains d LEFT JOIN projects p ON p.id = d.project_id
     WHERE d.id = $id AND d.domain_name = $name AND ${VISIBLE.domains(actor)}`,
    { id, name, ...bindings(actor) },
  );
  return rows.length > 0;
}

/** A domain with what a move needs to know of it. */
export type MovedRow = Pick<
  DomainRow,
  'id' | 'domain_name' | 'project_id' | 'cloudflare_account_id' | 'server_id' | 'file_path' | 'transfer_dns'
> & { has_site: 0 | 1 };

/** Returns the domains with these ids, whoever they belong to. */
export const listMovedRows = (ids: readonly number[]): Promise<MovedRow[]> =>
  select(
    `SELECT d.id, d.domain_name, d.project_id, d.cloudflare_account_id, d.server_id, d.file_path, d.transfer_dns,
       CASE WHEN EXISTS (SELECT 1 FROM sites s WHERE s.domain_id = d.id) THEN 1 ELSE 0 END AS has_site
     FROM domains d WHERE d.deleted_at IS NULL AND d.id IN (SELECT CAST(value AS INTEGER) FROM json_each($ids))`,
    { ids: JSON.stringify(ids) },
  );

/** Returns the domains of a project that took part in moves of its sites, by name. */
export const listRelatives = (
  project_id: number | null,
): Promise<(Pick<DomainRow, 'domain_name' | 'type'> & { account_id: number | null })[]> =>
  select(
    `SELECT DISTINCT d.domain_name, d.cloudflare_account_id AS account_id, d.type
     FROM transfer_history h JOIN domains d ON d.id IN (h.main_domain_id, h.transfer_domain_id)
     WHERE h.project_id = $project_id AND d.project_id = $project_id AND d.deleted_at IS NULL ORDER BY d.domain_name`,
    { project_id },
  );

/** Returns the ids of the main domains that a domain has replaced. */
export async function listFormerMains(id: number): Promise<number[]> {
  const rows = await select<{ id: number }>(
    'SELECT DISTINCT main_domain_id AS id FROM transfer_history WHERE transfer_domain_id = $id AND main_domain_id IS NOT NULL',
    { id },
  );
  return rows.map((row) => row.id);
}

/** The two domains of a move, by id. */
interface Pair {
  source: number;
  target: number;
}

/** Makes a reserve the main domain of the source's project; it gets the server, account and template that it lacks. */
export async function promoteReserve(
  { source, target }: Pair,
  lacking: Pick<DomainRow, 'server_id' | 'cloudflare_account_id'>,
): Promise<void> {
  await execute(
    `UPDATE domains AS t SET type = 'main', project_id = s.project_id, server_id = COALESCE(t.server_id, $server_id),
       cloudflare_account_id = COALESCE(t.cloudflare_account_id, $cloudflare_account_id),
       template_id = COALESCE(t.template_id, s.template_id), updated_at = $now
     FROM domains s WHERE t.id = $target AND s.id = $source`,
    { source, target, ...lacking, now: new Date().toISOString() },
  );
}

/** Makes a main domain a reserve in mode `manual`. */
export async function demoteMain(id: number): Promise<void> {
  await execute(`UPDATE domains SET type = 'transfer', transfer_type = 'manual', updated_at = $now WHERE id = $id`, {
    id,
    now: new Date().toISOString(),
  });
}

/**
 * Adds a move to the history, with the project that the target is in, and the running transfer that has the source's
 * item: an item's lock belongs to one running operation.
 */
export async function insertHistory(
  { source, target }: Pair,
  names: Pick<TransferHistoryRow, 'main_domain_name' | 'transfer_domain_name' | 'action'>,
): Promise<void> {
  await execute(
    `INSERT INTO transfer_history (project_id, main_domain_id, transfer_domain_id, main_domain_name, transfer_domain_name,
       action, operation_id, created_at)
     SELECT t.project_id, $source, $target, $main_domain_name, $transfer_domain_name, $action,
       (SELECT o.id FROM operations o JOIN operation_items i ON i.operation_id = o.id
        WHERE i.lock_kind = 'transfer' AND i.lock_name = $main_domain_name AND o.kind = 'transfer' AND o.state = 'running'
        ORDER BY o.id DESC LIMIT 1), $now
     FROM domains t WHERE t.id = $target`,
    { source, target, ...names, now: new Date().toISOString() },
  );
}

/** Stores the outcome of the newest move of a pair. */
export async function updateOutcome(
  { source, target }: Pair,
  outcome: Pick<TransferHistoryRow, 'outcome' | 'warning' | 'redirect_seen_at'>,
): Promise<void> {
  await execute(
    `UPDATE transfer_history SET outcome = $outcome, warning = $warning, redirect_seen_at = $redirect_seen_at
     WHERE id = (SELECT max(id) FROM transfer_history WHERE main_domain_id = $source AND transfer_domain_id = $target)`,
    { source, target, ...outcome },
  );
}

/** Returns the moves of an operation. */
export const listMovesOf = (operationId: number): Promise<Pick<TransferHistoryRow, 'warning' | 'main_domain_name'>[]> =>
  select('SELECT warning, main_domain_name FROM transfer_history WHERE operation_id = $operationId', { operationId });

const TOOK_PART = `(main_domain_id = $id OR transfer_domain_id = $id)
  AND ($search IS NULL OR instr(main_domain_name || ' ' || transfer_domain_name, $search) > 0)`;

/** A part of the moves that a domain took part in. `search` is lower case, and null for all. */
interface HistoryPart extends Order<keyof TransferHistoryEntry> {
  search: string | null;
  limit: number;
  offset: number;
}

/** Returns moves that a domain took part in; equal ones are ordered from the newest. */
export const listHistory = (
  id: number,
  { search, field, descending, limit, offset }: HistoryPart,
): Promise<TransferHistoryEntry[]> =>
  select(
    `SELECT id, main_domain_id, transfer_domain_id, main_domain_name, transfer_domain_name, action, operation_id, created_at,
       outcome, warning, redirect_seen_at
     FROM transfer_history WHERE ${TOOK_PART} ORDER BY ${field} ${descending ? 'DESC' : 'ASC'}, id DESC LIMIT $limit OFFSET $offset`,
    { id, search, limit, offset },
  );

/** Counts the moves that a domain took part in. */
export async function countHistory(id: number, search: string | null): Promise<number> {
  const [row] = await select<{ total: number }>(`SELECT count(*) AS total FROM transfer_history WHERE ${TOOK_PART}`, {
    id,
    search,
  });
  return row?.total ?? 0;
}
