import { select } from '../../../db/index.ts';
import { hasStepLeft } from '../../operations/notes.ts';
import { EXPIRING_DAYS } from '../../shared/portfolio/expiry-day.ts';
import { DAY_MS } from '../../shared/time.ts';

/**
 * Numbers of a project's reserves: `ready` are those that automatic transfer may take, whether their sites answer yet or not,
 * because another one is no help for these; `under_way` are being bought; `orders` are all that the ledger has for it.
 */
export interface ReserveCounts {
  ready: number;
  under_way: number;
  orders: number;
}

// As `pickReserve` chooses, without what a look outside tells: neither by hand alone, nor blocked, nor about to expire.
/** A subquery of the number of those `ready`, for the project of the alias `p`. Binds `$soon`. */
export const READY_RESERVES = `SELECT COUNT(*) FROM domains d WHERE d.project_id = p.id AND d.deleted_at IS NULL AND d.type = 'transfer'
  AND d.transfer_type = 'auto' AND d.status = 'available' AND (d.expired_at IS NULL OR d.expired_at > $soon)`;
const UNDER_WAY = `SELECT COUNT(*) FROM purchases b WHERE b.project_id = p.id AND b.kind = 'register'
  AND b.state NOT IN ('committed', 'released', 'simulated')`;

/** A subquery that finds the main domains of the project of the alias `p`. */
const MAINS = `SELECT 1 FROM domains m WHERE m.project_id = p.id AND m.deleted_at IS NULL AND m.type = 'main'`;

/** Returns the time before whose end a name must not expire to be ready. */
export const soon = (): string => new Date(Date.now() + EXPIRING_DAYS * DAY_MS).toISOString();

/** Counts the reserves of a project; `own` is an operation whose purchase is not under way for this purpose. */
export async function countReserves(project_id: number, own = 0): Promise<ReserveCounts> {
  const [row] = await select<ReserveCounts>(
    `SELECT (${READY_RESERVES}) AS ready, (${UNDER_WAY} AND (b.operation_id IS NULL OR b.operation_id <> $own)) AS under_way,
       (SELECT COUNT(*) FROM purchases b WHERE b.project_id = p.id) AS orders
     FROM projects p WHERE p.id = $project_id`,
    { project_id, own, soon: soon() },
  );
  return row ?? { ready: 0, under_way: 0, orders: 0 };
}

/** Whether a project has a main domain. */
export const hasMain = async (project_id: number): Promise<boolean> =>
  (await select(`SELECT 1 FROM projects p WHERE p.id = $project_id AND EXISTS (${MAINS})`, { project_id })).length > 0;

/**
 * Returns the projects with a main domain whose settings are complete and on, that are short of reserves, and for which no run has begun since
 * `since`, but one whose name has become a main domain since.
 */
export const listShortProjects = (since: string): Promise<{ id: number; user_id: number }[]> =>
  select(
    `SELECT p.id, p.user_id FROM projects p JOIN auto_buy a ON a.project_id = p.id
     WHERE p.deleted_at IS NULL AND a.state = 'on' AND a.registrars_id IS NOT NULL AND a.cloudflare_groups_id IS NOT NULL
       AND EXISTS (${MAINS}) AND (${READY_RESERVES}) + (${UNDER_WAY}) < a.wanted_reserves
       AND NOT EXISTS (SELECT 1 FROM operations o
         WHERE o.kind = 'buy_reserve' AND o.subject = CAST(p.id AS TEXT) AND o.created_at > $since
           AND NOT EXISTS (SELECT 1 FROM purchases b JOIN domains m ON m.id = b.domain_id
             WHERE b.operation_id = o.id AND m.type = 'main'))
     ORDER BY p.id`,
    { since, soon: soon() },
  );

/**
 * Returns the runs begun since `since` that have bought a name, ended before `before`, and have left its zone or its
 * site undone.
 */
export async function listUnfinishedRuns(since: string, before: string): Promise<{ id: number; project_id: number }[]> {
  const rows = await select<{ id: number; project_id: number; steps: string }>(
    `SELECT o.id, CAST(o.subject AS INTEGER) AS project_id, o.steps FROM operations o
     WHERE o.kind = 'buy_reserve' AND o.state = 'partial' AND o.created_at > $since AND o.finished_at < $before
       AND EXISTS (SELECT 1 FROM purchases b WHERE b.operation_id = o.id AND b.state = 'committed')
     ORDER BY o.id`,
    { since, before },
  );
  return rows.filter(({ steps }) => hasStepLeft(steps));
}

/** Returns the ids of the CDN accounts of a group. */
export async function listGroupAccounts(group_id: number): Promise<number[]> {
  const rows = await select<{ id: number }>(
    `SELECT cloudflare_account_id AS id FROM cloudflare_group_accounts WHERE cloudflare_group_id = $group_id
     ORDER BY cloudflare_account_id`,
    { group_id },
  );
  return rows.map(({ id }) => id);
}

/** A main domain of a project with its server; `has_site`: a site was made of a template here. */
export interface ProjectMain {
  id: number;
  domain_name: string;
  file_path: string;
  ssh_host: string;
  has_site: 0 | 1;
}

/** Returns the main domain after which a project's reserves are made: one with a site before one without. */
export async function findProjectMain(project_id: number): Promise<ProjectMain | undefined> {
  const [row] = await select<ProjectMain>(
    `SELECT d.id, d.domain_name, d.file_path, s.ssh_host, CASE WHEN EXISTS (SELECT 1 FROM sites t WHERE t.domain_id = d.id) THEN 1 ELSE 0 END AS has_site
     FROM domains d JOIN servers s ON s.id = d.server_id
     WHERE d.project_id = $project_id AND d.deleted_at IS NULL AND d.type = 'main'
     ORDER BY has_site DESC, d.id LIMIT 1`,
    { project_id },
  );
  return row;
}
