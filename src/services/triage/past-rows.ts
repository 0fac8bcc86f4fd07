import { select } from '../../../db/index.ts';
import { secondsBetween } from '../../../db/sql.ts';
import type { OperationRow } from '../../shared/operations/tables.ts';
import type { Repair } from '../../shared/triage/triage.ts';
import { bindings, isAdmin, OWN, VISIBLE, type Actor } from '../access/scope.ts';

/** Work that has ended other than as it should, or whose result is held; `total` counts all of it. */
export type WaitingRow = Pick<OperationRow, 'id' | 'kind' | 'message' | 'held' | 'total' | 'done' | 'failed'> & {
  ended_at: string;
  all: number;
};

// As `subjectOf` of the notices names the subject of an event about an operation.
const SUBJECT = `CASE WHEN o.user_id IS NULL THEN 'name:' ELSE 'user:' || o.user_id || ' ' END || o.kind || ' #' || o.id`;

// A move `h` whose site has a new name, but what follows has failed: older names may still lead through the former one.
const IS_OPEN = `EXISTS (SELECT 1 FROM operation_items i WHERE i.operation_id = h.operation_id AND i.lock_kind = 'transfer'
  AND i.lock_name = h.main_domain_name AND i.state IN ('failed', 'cancelled'))`;
// Nothing but its operation ends such a move, as long as the site has no newer name: the same is never done again, however long it waits.
const moved = (
  how: string,
): string => `o.id IN (SELECT h.operation_id FROM transfer_history h JOIN domains d ON d.id = h.transfer_domain_id
  WHERE d.type = 'main' AND d.deleted_at IS NULL AND ${how})`;
const IS_HALF_MOVED = moved(IS_OPEN);
// All is done, but visitors of the old name are not seen to come: there is nothing to try again.
const IS_WARNED = moved('h.warning IS NOT NULL');
// Transfers are told by their domains: their notices have the operation as the cause.
const SEEN_CAUSES = `SELECT n.cause FROM notices n LEFT JOIN notice_acknowledgements a ON a.notice_id = n.id AND a.user_id = $me
  WHERE n.cause LIKE 'operation:%' GROUP BY n.cause HAVING count(*) FILTER (WHERE n.acknowledged_at IS NULL AND a.at IS NULL) = 0`;

const IS_UNSEEN = `'operation:' || o.id NOT IN (${SEEN_CAUSES}) AND NOT EXISTS (
  SELECT 1 FROM notice_subjects s JOIN notices n ON n.id = s.notice_id
  LEFT JOIN notice_acknowledgements a ON a.notice_id = n.id AND a.user_id = $me
  WHERE s.subject = ${SUBJECT} AND (n.acknowledged_at IS NOT NULL OR a.at IS NOT NULL))`;

/**
 * Returns the work of an actor's that waits for a person, the newest first: a move that ended half done, and what has ended since a time with a held
 * result, as a move with a warning, or failed at least in part, where the same was not done again and it did not begin by itself. Of what has no held
 * result nobody has acknowledged the notices.
 */
export const listWaiting = (actor: Actor, since: string, limit: number): Promise<WaitingRow[]> =>
  select(
    `SELECT o.id, o.kind, o.message, o.held, o.total, o.done, o.failed, COALESCE(o.finished_at, o.changed_at) AS ended_at, count(*) OVER () AS "all"
     FROM (SELECT o.id, o.user_id, o.kind, o.state, o.asked_by, o.message, o.held, o.total, o.done, o.failed, o.finished_at, o.changed_at,
         row_number() OVER (PARTITION BY o.kind, o.subject ORDER BY o.id DESC) AS place
       FROM operations o WHERE (o.changed_at > $since OR ${IS_HALF_MOVED}) AND ${OWN.operations(actor)}) o
     WHERE (o.state IN ('failed', 'partial') AND ${IS_HALF_MOVED} AND ${IS_UNSEEN})
       OR (o.state NOT IN ('queued', 'running') AND COALESCE(o.finished_at, o.changed_at) > $since AND (o.held IS NOT NULL
         OR (((o.state IN ('failed', 'partial') AND o.place = 1 AND o.asked_by <> 'automation') OR ${IS_WARNED}) AND ${IS_UNSEEN})))
     ORDER BY o.id DESC LIMIT $limit`,
    { since, limit, me: actor.id ?? 0, ...bindings(actor) },
  );

const SEEN = VISIBLE.domains;

// A move is its project's: its domains may be gone.
const OWN_MOVES = (actor: Actor): string => (isAdmin(actor) ? '1=1' : OWN.projects(actor));

/**
 * Returns what was repaired in an actor's portfolio since a time, the newest first: names of one server within ten minutes are one row, and so is each
 * move that ended neither half done nor with a warning.
 */
export const listRepairs = (actor: Actor, since: string): Promise<Repair[]> =>
  select(
    `SELECT CASE e.kind WHEN 'domain_up' THEN 'up' ELSE 'unblocked' END AS kind, min(d.unicode_name) AS name, NULL AS "to", s.name AS server,
       count(*) AS count, max(e.at) AS at
     FROM events e JOIN domains d ON d.id = e.domain_id LEFT JOIN projects p ON p.id = d.project_id LEFT JOIN servers s ON s.id = d.server_id
     WHERE e.kind IN ('domain_up', 'domain_unblocked') AND e.at > $since AND ${SEEN(actor)} GROUP BY e.kind, s.name, substr(e.at, 1, 15)
     UNION ALL SELECT 'moved', h.main_domain_name, h.transfer_domain_name, NULL, 1, h.created_at
     FROM transfer_history h LEFT JOIN projects p ON p.id = h.project_id
     WHERE h.created_at > $since AND ${OWN_MOVES(actor)} AND h.warning IS NULL AND NOT ${IS_OPEN}
     ORDER BY 6 DESC, 1, 2`,
    { since, ...bindings(actor) },
  );

/** A number of a day. */
interface DayCount {
  name: 'blocked' | 'down' | 'moved';
  day: string;
  n: number;
}

/** Returns how many names of an actor's were blocked, fell silent and were moved by day (UTC) since a time; days without any are left out. */
export const listDayCounts = (actor: Actor, since: string): Promise<DayCount[]> =>
  select(
    `SELECT CASE e.kind WHEN 'domain_blocked' THEN 'blocked' ELSE 'down' END AS name, substr(e.at, 1, 10) AS day, count(*) AS n
     FROM events e JOIN domains d ON d.id = e.domain_id LEFT JOIN projects p ON p.id = d.project_id
     WHERE e.kind IN ('domain_blocked', 'domain_down') AND e.at >= $since AND ${SEEN(actor)} GROUP BY 1, 2
     UNION ALL SELECT 'moved', substr(h.created_at, 1, 10), count(*) FROM transfer_history h LEFT JOIN projects p ON p.id = h.project_id
     WHERE h.created_at >= $since AND ${OWN_MOVES(actor)} GROUP BY 1, 2`,
    { since, ...bindings(actor) },
  );

// Until a silent name answered, and until a blocked main domain was moved.
const repairs = (actor: Actor): string => `
  SELECT substr(s.closed_at, 1, 10) AS day, ${secondsBetween('s.opened_at', 's.closed_at')} AS seconds
  FROM notice_subjects s JOIN notices n ON n.id = s.notice_id JOIN domains d ON d.id = s.domain_id LEFT JOIN projects p ON p.id = d.project_id
  WHERE s.closed_at >= $since AND n.kind = 'domain_down' AND ${SEEN(actor)}
  UNION ALL SELECT substr(h.created_at, 1, 10), ${secondsBetween('h.blocked_at', 'h.created_at')}
  FROM (SELECT h.created_at, (SELECT max(s.opened_at) FROM notice_subjects s JOIN notices n ON n.id = s.notice_id
      WHERE s.subject = 'domain:' || h.main_domain_id AND n.kind = 'domain_blocked' AND s.opened_at <= h.created_at) AS blocked_at
    FROM transfer_history h LEFT JOIN projects p ON p.id = h.project_id WHERE h.created_at >= $since AND ${OWN_MOVES(actor)}) h
  WHERE h.blocked_at IS NOT NULL`;

/** Returns the seconds until something was repaired, separated by commas, by the day (UTC) of its end since a time. */
export const listRepairTimes = (actor: Actor, since: string): Promise<{ day: string; seconds: string }[]> =>
  select(
    `SELECT day, string_agg(CAST(seconds AS TEXT), ',') AS seconds FROM (${repairs(actor)}) r GROUP BY day ORDER BY day`,
    { since, ...bindings(actor) },
  );

/**
 * Returns those of the days (UTC) on which a check of all of an actor's domains has ended, since events are recorded: on others nothing is known of how many were blocked.
 */
export const listCheckedDays = (actor: Actor, days: readonly string[]): Promise<{ day: string }[]> =>
  select(
    `SELECT t.value AS day FROM json_each($days) t
     WHERE t.value >= (SELECT substr(COALESCE(min(at), '9999'), 1, 10) FROM (SELECT min(applied_at) AS at FROM migrations WHERE name = '0032-notices'
         UNION ALL SELECT at FROM (SELECT at FROM events ORDER BY id LIMIT 1) first_event) begun)
       AND EXISTS (SELECT 1 FROM operations o JOIN check_runs r ON r.operation_id = o.id LEFT JOIN users u ON u.id = o.user_id
         WHERE o.changed_at >= t.value AND o.changed_at < t.value || 'U' AND o.kind = 'check' AND o.state IN ('succeeded', 'partial')
           AND r.project_id IS NULL AND r.part IS NULL AND (r.user_id IS NULL OR r.user_id = $me))`,
    { days: JSON.stringify(days), me: actor.id ?? 0 },
  );
