import { execute, select } from '../../../db/index.ts';
import { eachParsed } from '../../../db/sql.ts';
import type { Level } from '../../shared/notices/events.ts';
import type { NoticeRow, NoticeSubjectRow } from '../../shared/notices/tables.ts';
import { bindings, VISIBLE, type Actor } from '../access/scope.ts';

/**
 * The condition for the subjects `s` of notices that an actor may see, over `d` and `p`, LEFT JOINed: his domains, his projects, his own,
 * and for administrators those of the installation. `$me` is bound by `meOf`.
 */
const SEEN = (actor: Actor, isAdmin = actor.role === 'admin'): string => `(
  (s.domain_id IS NOT NULL AND d.id IS NOT NULL AND ${VISIBLE.domains(actor)})
  OR (s.domain_id IS NULL AND s.project_id IS NOT NULL AND p.id IS NOT NULL AND ${VISIBLE.projects(actor)})
  OR (s.domain_id IS NULL AND s.project_id IS NULL AND s.user_id = $me)
  OR (s.domain_id IS NULL AND s.project_id IS NULL AND s.user_id IS NULL AND ${isAdmin ? '1=1' : '1=0'}))`;

const SUBJECTS = `notice_subjects s LEFT JOIN domains d ON d.id = s.domain_id
  LEFT JOIN projects p ON p.id = COALESCE(d.project_id, s.project_id)`;

const meOf = (actor: Actor) => ({ me: actor.id ?? 0, ...bindings(actor) });

/** The condition for the subjects `s` of notices whose end is told. */
export const IS_OVER = 's.closed_at IS NOT NULL AND s.silent = 0';

/** Returns the subjects of a notice that an actor may see, those that last first. */
export const listSeenSubjects = (actor: Actor, notice_id: number, isAdmin?: boolean): Promise<NoticeSubjectRow[]> =>
  select(
    `SELECT s.* FROM ${SUBJECTS} WHERE s.notice_id = $notice_id AND ${SEEN(actor, isAdmin)}
     ORDER BY CASE WHEN s.closed_at IS NULL THEN 0 ELSE 1 END, s.name`,
    { notice_id, ...meOf(actor) },
  );

/** A notice as an actor sees it: `seen` of its subjects, `seen_open` of which last, and `seen_over` of which have an end that is told. */
export type SeenNotice = NoticeRow & {
  seen: number;
  seen_open: number;
  seen_over: number;
  first_name: string;
  first_over: string | null;
  domain_id: number | null;
  params: string;
  own_at: string | null;
};

/** Returns the newest notices of which an actor sees a subject; `open`: those that last and he has not acknowledged. */
export const listSeenNotices = (
  actor: Actor,
  filter: { open: boolean; level: Level | null; id: number | null; limit: number; offset: number },
): Promise<SeenNotice[]> =>
  select(
    `SELECT n.*, c.seen, c.seen_open, c.seen_over, c.first_name, c.first_over, c.domain_id, c.params, a.at AS own_at FROM notices n
     JOIN (SELECT s.notice_id, count(*) AS seen, count(*) FILTER (WHERE s.closed_at IS NULL) AS seen_open,
         count(*) FILTER (WHERE ${IS_OVER}) AS seen_over, min(s.name) AS first_name,
         min(CASE WHEN ${IS_OVER} THEN s.name END) AS first_over, min(s.domain_id) AS domain_id, min(s.params) AS params
       FROM ${SUBJECTS} WHERE ($id IS NULL OR s.notice_id = $id) AND ($open = 0 OR s.notice_id IN (SELECT o.id FROM notices o WHERE o.closed_at IS NULL))
         AND ${SEEN(actor)} GROUP BY s.notice_id) c ON c.notice_id = n.id
     LEFT JOIN notice_acknowledgements a ON a.notice_id = n.id AND a.user_id = $me
     WHERE ($level IS NULL OR n.level = $level) AND ($open = 0 OR (n.closed_at IS NULL AND n.acknowledged_at IS NULL AND a.at IS NULL))
     ORDER BY n.id DESC LIMIT $limit OFFSET $offset`,
    { ...filter, open: filter.open ? 1 : 0, ...meOf(actor) },
  );

// Whose a subject is; null: the installation's.
const OWNER = `CASE WHEN s.domain_id IS NOT NULL THEN COALESCE(p.user_id, d.user_id)
  WHEN s.project_id IS NOT NULL THEN p.user_id ELSE s.user_id END`;

/** Takes back the acknowledgements of those whose subjects have begun since: they have not seen these. */
export async function forgetAcknowledgements(
  begun: readonly Pick<NoticeSubjectRow, 'notice_id' | 'subject'>[],
): Promise<void> {
  await execute(
    `DELETE FROM notice_acknowledgements WHERE EXISTS (
       SELECT 1 FROM ${SUBJECTS}
       JOIN (SELECT CAST(value ->> 0 AS INTEGER) AS notice_id, value ->> 1 AS subject FROM ${eachParsed('$rows')}) r
         ON r.notice_id = s.notice_id AND r.subject = s.subject
       WHERE s.notice_id = notice_acknowledgements.notice_id AND ${OWNER} = notice_acknowledgements.user_id)`,
    { rows: JSON.stringify(begun.map(({ notice_id, subject }) => [notice_id, subject])) },
  );
}

/**
 * Whose subjects notices have, and those of `over` have whose end is told; `user_id` null: of the installation, which administrators see.
 * `personal`: of nobody else.
 */
export const listOwners = (
  ids: readonly number[],
  over: readonly number[],
): Promise<{ notice_id: number; user_id: number | null; personal: number }[]> =>
  select(
    `SELECT s.notice_id, ${OWNER} AS user_id,
       max(CASE WHEN s.domain_id IS NULL AND s.project_id IS NULL AND s.user_id IS NOT NULL THEN 1 ELSE 0 END) AS personal
     FROM ${SUBJECTS} WHERE s.notice_id IN (SELECT CAST(value AS INTEGER) FROM json_each($ids))
       AND (s.domain_id IS NULL OR (d.id IS NOT NULL AND d.deleted_at IS NULL))
       AND (s.domain_id IS NOT NULL OR s.project_id IS NULL OR (p.id IS NOT NULL AND p.deleted_at IS NULL))
       AND (s.notice_id NOT IN (SELECT CAST(value AS INTEGER) FROM json_each($over)) OR (${IS_OVER})) GROUP BY 1, 2`,
    { ids: JSON.stringify(ids), over: JSON.stringify(over) },
  );

/** Returns which of some notices have a subject that an actor may see. */
export const listSeenIds = (actor: Actor, ids: readonly number[]): Promise<{ id: number }[]> =>
  select(
    `SELECT DISTINCT s.notice_id AS id FROM ${SUBJECTS}
     WHERE s.notice_id IN (SELECT CAST(value AS INTEGER) FROM json_each($ids)) AND ${SEEN(actor)} ORDER BY 1`,
    { ids: JSON.stringify(ids), ...meOf(actor) },
  );

/** Returns how many notices an actor has not acknowledged that last. */
export async function countOpen(actor: Actor): Promise<number> {
  const [row] = await select<{ n: number }>(
    `SELECT count(*) AS n FROM notices n WHERE n.closed_at IS NULL AND n.acknowledged_at IS NULL
       AND NOT EXISTS (SELECT 1 FROM notice_acknowledgements a WHERE a.notice_id = n.id AND a.user_id = $me)
       AND EXISTS (SELECT 1 FROM ${SUBJECTS} WHERE s.notice_id = n.id AND ${SEEN(actor)})`,
    meOf(actor),
  );
  return row?.n ?? 0;
}

/** Stores that a user has seen a notice. */
export async function insertAcknowledgement(notice_id: number, user_id: number, at: string): Promise<void> {
  await execute(
    `INSERT INTO notice_acknowledgements (notice_id, user_id, at) VALUES ($notice_id, $user_id, $at)
     ON CONFLICT (notice_id, user_id) DO NOTHING`,
    { notice_id, user_id, at },
  );
}

/** Stores that a notice was acknowledged for everybody, and closes it where its kind is over at once. The first one counts. */
export async function acknowledgeForAll(
  id: number,
  user_id: number | null,
  at: string,
  closes: boolean,
): Promise<void> {
  await execute(
    `UPDATE notices SET acknowledged_at = $at, acknowledged_by = $user_id, closed_at = CASE WHEN $closes = 1 THEN COALESCE(closed_at, $at) ELSE closed_at END
     WHERE id = $id AND acknowledged_at IS NULL`,
    { id, user_id, at, closes: closes ? 1 : 0 },
  );
}
