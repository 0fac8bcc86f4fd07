import { select } from '../../../db/index.ts';
import type { MainCounts } from '../../shared/timeline/project-page.ts';
import type { ReserveFacts } from '../../shared/transfers/reserve-states.ts';
import { bindings, OWN, type Actor } from '../access/scope.ts';
import { filters } from '../portfolio/filters.ts';
import type { MovingRow } from './page-rows.ts';
import { before, type Before, type BoughtRow, type MoveRow, type Rows } from './timeline-rows.ts';

// The project is one that the actor may see, and so are its domains.
const MAINS = `FROM domains d WHERE d.project_id = $project_id AND d.type = 'main' AND d.deleted_at IS NULL`;

/** Counts the main domains of a project. */
export async function countMains(project_id: number): Promise<MainCounts> {
  const { blocked, broken } = filters();
  const [row] = await select<MainCounts>(
    `SELECT count(*) AS total, count(*) FILTER (WHERE ${blocked}) AS blocked, count(*) FILTER (WHERE ${broken}) AS broken ${MAINS}`,
    { project_id },
  );
  return row ?? { total: 0, blocked: 0, broken: 0 };
}

/** Returns some main domains of a project: blocked ones first, then those that do not answer, by name. */
export const listMainFacts = (project_id: number, limit: number): Promise<ReserveFacts[]> => {
  const { blocked, broken } = filters();
  return select(
    `SELECT d.id, d.domain_name, d.unicode_name, d.transfer_type, d.status, d.http_status_code, d.http_error,
       d.last_http_check_at, d.expired_at ${MAINS}
     ORDER BY CASE WHEN ${blocked} THEN 0 WHEN ${broken} THEN 1 ELSE 2 END, d.domain_name LIMIT $limit`,
    { project_id, limit },
  );
};

/** Returns the running transfers that move a domain of a project, whoever has begun them; those that the actor may open first. */
export const listMovingIn = (actor: Actor, project_id: number): Promise<MovingRow[]> =>
  select(
    `SELECT DISTINCT o.id, CASE WHEN ${OWN.operations(actor)} THEN 1 ELSE 0 END AS is_own FROM operations o JOIN operation_items i ON i.operation_id = o.id
       JOIN domains d ON d.domain_name = i.lock_name AND d.project_id = $project_id AND d.deleted_at IS NULL
     WHERE o.kind = 'transfer' AND o.state IN ('queued', 'running') AND i.lock_kind = 'transfer'
     ORDER BY is_own DESC, o.id DESC LIMIT 5`,
    { project_id, ...bindings(actor) },
  );

/** Something that has happened to a domain of a project, as long as events are kept. */
export interface ProjectEventRow {
  kind: string;
  unicode_name: string;
}

const KINDS = {
  blocks: `'domain_blocked', 'domain_unblocked'`,
  checks: `'domain_down', 'domain_up'`,
} as const;

/** Returns what has happened to the domains of a project. */
export const listProjectEvents = (project_id: number, kind: keyof typeof KINDS, place: Before): Rows<ProjectEventRow> =>
  before(
    `SELECT e.id AS row, e.at, e.kind, d.unicode_name FROM domains d JOIN events e ON e.domain_id = d.id
     WHERE d.project_id = $project_id AND d.deleted_at IS NULL AND e.kind IN (${KINDS[kind]}) AND e.at <= $at`,
    place,
    { project_id },
  );

/** Returns the moves of a project; who asked, and by which operation, for who may open that. */
export const listProjectMoves = (actor: Actor, project_id: number, place: Before): Rows<MoveRow> =>
  before(
    `SELECT h.id AS row, h.created_at AS at, h.main_domain_id, h.main_domain_name, h.transfer_domain_name, h.action, h.outcome, h.redirect_seen_at,
       o.id AS operation_id, u.login
     FROM transfer_history h LEFT JOIN operations o ON o.id = h.operation_id AND ${OWN.operations(actor)}
     LEFT JOIN users u ON u.id = o.user_id AND o.asked_by = 'person'
     WHERE h.project_id = $project_id`,
    place,
    { project_id, ...bindings(actor) },
  );

/** Returns the purchases and renewals of a project, with their names. */
export const listProjectBought = (
  actor: Actor,
  project_id: number,
  place: Before,
): Rows<BoughtRow & { domain_name: string }> =>
  before(
    `SELECT x.id AS row, x.changed_at AS at, x.kind, x.state, x.registrar_type, x.currency, x.price, x.charged, x.years, x.domain_name,
       o.id AS operation_id, u.login
     FROM purchases x LEFT JOIN operations o ON o.id = x.operation_id AND ${OWN.operations(actor)}
     LEFT JOIN users u ON u.id = x.asker_id AND x.asked_by = 'person'
     WHERE x.project_id = $project_id AND x.state <> 'simulated'`,
    place,
    { project_id, ...bindings(actor) },
  );
