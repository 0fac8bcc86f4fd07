import { execute, select } from '../../../db/index.ts';
import { eachParsed, memberOf } from '../../../db/sql.ts';
import type { EventKind, Level } from '../../shared/notices/events.ts';
import { noticeSubjects, type EventRow, type NoticeRow, type NoticeSubjectRow } from '../../shared/notices/tables.ts';
import { bindings, VISIBLE, type Actor } from '../access/scope.ts';

/** An event that is in no notice yet, with what its domain stands on. */
export type PendingEvent = EventRow & {
  server_id: number | null;
  server: string | null;
  account_id: number | null;
  account: string | null;
  registrar_id: number | null;
  registrar: string | null;
};

/** Returns the times of the oldest and the newest event that is in no notice; both null: there is none. */
export async function findPendingTimes(): Promise<{ oldest: string | null; newest: string | null }> {
  const [row] = await select<{ oldest: string | null; newest: string | null }>(
    'SELECT min(at) AS oldest, max(at) AS newest FROM events WHERE grouped_at IS NULL',
  );
  return row ?? { oldest: null, newest: null };
}

/** Returns the oldest events that are in no notice. */
export const listPendingEvents = (limit: number): Promise<PendingEvent[]> =>
  select(
    `SELECT e.*, d.server_id, s.name AS server, d.cloudflare_account_id AS account_id, a.name AS account,
       d.registrars_id AS registrar_id, r.name AS registrar
     FROM (SELECT * FROM events WHERE grouped_at IS NULL ORDER BY id LIMIT $limit) e
     LEFT JOIN domains d ON d.id = e.domain_id LEFT JOIN servers s ON s.id = d.server_id
     LEFT JOIN cloudflare_accounts a ON a.id = d.cloudflare_account_id LEFT JOIN registrars r ON r.id = d.registrars_id
     ORDER BY e.id`,
    { limit },
  );

/** A subject as a notice has it, with its notice. */
export type KnownRow = Pick<NoticeSubjectRow, 'notice_id' | 'subject' | 'params' | 'closed_at'> &
  Pick<NoticeRow, 'kind' | 'flapping'> & { notice_closed_at: string | null };

/** Returns subjects in open notices and in those that closed after a time, the oldest first; `names` are subjects. */
export const listKnownSubjects = (names: readonly string[], since: string): Promise<KnownRow[]> =>
  select(
    `SELECT s.notice_id, s.subject, s.params, s.closed_at, n.kind, n.flapping, n.closed_at AS notice_closed_at
     FROM notice_subjects s JOIN notices n ON n.id = s.notice_id
     WHERE s.subject IN (SELECT value FROM json_each($names)) AND (n.closed_at IS NULL OR n.closed_at > $since OR s.closed_at > $since)
     ORDER BY s.notice_id`,
    { names: JSON.stringify(names), since },
  );

/** Returns the open notices. */
export const listOpenNotices = (): Promise<NoticeRow[]> =>
  select('SELECT * FROM notices WHERE closed_at IS NULL ORDER BY id');

/** Inserts a notice without subjects and returns its id. */
export async function insertNotice(
  row: Pick<NoticeRow, 'kind' | 'level' | 'cause' | 'cause_name' | 'flapping' | 'opened_at'>,
): Promise<number> {
  const [made] = await select<{ id: number }>(
    `INSERT INTO notices (kind, level, cause, cause_name, flapping, subjects, open_subjects, opened_at, changed_at)
     VALUES ($kind, $level, $cause, $cause_name, $flapping, 0, 0, $opened_at, $opened_at) RETURNING id`,
    row,
  );
  return made!.id;
}

const SUBJECT_COLUMNS = [
  'notice_id',
  'subject',
  'domain_id',
  'project_id',
  'user_id',
  'name',
  'params',
  'opened_at',
  'closed_at',
] as const;

/** Adds subjects to notices; one that a notice has already begins again. */
export async function upsertSubjects(rows: readonly Omit<NoticeSubjectRow, 'id'>[]): Promise<void> {
  const cells = SUBJECT_COLUMNS.map((name, at) => memberOf('value', at, noticeSubjects.columns[name]));
  await execute(
    `INSERT INTO notice_subjects (${SUBJECT_COLUMNS.join(', ')}) SELECT ${cells.join(', ')} FROM ${eachParsed('$rows')} WHERE true
     ON CONFLICT (notice_id, subject) DO UPDATE SET params = excluded.params, opened_at = excluded.opened_at,
       closed_at = excluded.closed_at`,
    { rows: JSON.stringify(rows.map((row) => SUBJECT_COLUMNS.map((name) => row[name]))) },
  );
}

/** Sets when subjects of notices were over; null: they are not. */
export async function setSubjectsClosed(
  rows: readonly Pick<NoticeSubjectRow, 'notice_id' | 'subject' | 'closed_at'>[],
): Promise<void> {
  await execute(
    `UPDATE notice_subjects SET closed_at = r.closed_at
     FROM (SELECT CAST(value ->> 0 AS INTEGER) AS notice_id, value ->> 1 AS subject, value ->> 2 AS closed_at FROM ${eachParsed('$rows')}) r
     WHERE notice_subjects.notice_id = r.notice_id AND notice_subjects.subject = r.subject`,
    { rows: JSON.stringify(rows.map(({ notice_id, subject, closed_at }) => [notice_id, subject, closed_at])) },
  );
}

/** Counts the subjects of notices anew, and stores that they have changed. */
export async function countSubjects(ids: readonly number[], changed_at: string): Promise<void> {
  await execute(
    `UPDATE notices SET subjects = c.n, open_subjects = c.open, changed_at = $changed_at
     FROM (SELECT notice_id, count(*) AS n, count(*) FILTER (WHERE closed_at IS NULL) AS open FROM notice_subjects
       WHERE notice_id IN (SELECT CAST(value AS INTEGER) FROM json_each($ids)) GROUP BY notice_id) c
     WHERE notices.id = c.notice_id`,
    { ids: JSON.stringify(ids), changed_at },
  );
}

/** Marks the oldest events, up to the one with this id, as those of notices. */
export async function markGrouped(last: number, now: string): Promise<void> {
  await execute('UPDATE events SET grouped_at = $now WHERE grouped_at IS NULL AND id <= $last', { last, now });
}

/**
 * Closes notices of lasting kinds of which no subject is open; those that flap only if nothing has changed since `calm`. `momentary` closes
 * all others of the level that are open since a time.
 */
export async function closeEnded(kinds: readonly EventKind[], now: string, calm: string): Promise<void> {
  await execute(
    `UPDATE notices SET closed_at = $now WHERE closed_at IS NULL AND open_subjects = 0
       AND kind IN (SELECT value FROM json_each($kinds)) AND (flapping = 0 OR changed_at < $calm)`,
    { kinds: JSON.stringify(kinds), now, calm },
  );
}

/** Closes open notices of kinds that are over at once: those of a level, or those opened before a time. */
export async function closeMomentary(
  kinds: readonly EventKind[],
  level: Level | null,
  before: string,
  now: string,
): Promise<void> {
  await execute(
    `UPDATE notices SET closed_at = $now WHERE closed_at IS NULL AND kind NOT IN (SELECT value FROM json_each($kinds))
       AND opened_at < $before AND (level = $level OR $level IS NULL)`,
    { kinds: JSON.stringify(kinds), level, before, now },
  );
}

/** Returns the notices of which something is to be told: new ones, those that grew and were told before `grown`, and closed ones. */
export const listUntold = (kinds: readonly EventKind[], grown: string): Promise<NoticeRow[]> =>
  select(
    `SELECT * FROM notices WHERE told_at IS NULL OR (closed_at IS NULL AND subjects > told_subjects AND told_at < $grown)
       OR (closed_at > told_at AND kind IN (SELECT value FROM json_each($kinds))) ORDER BY id`,
    { kinds: JSON.stringify(kinds), grown },
  );

/** Stores that notices were told as they are. */
export async function markTold(ids: readonly number[], now: string): Promise<void> {
  await execute(
    `UPDATE notices SET told_at = $now, told_subjects = subjects WHERE id IN (SELECT CAST(value AS INTEGER) FROM json_each($ids))`,
    { ids: JSON.stringify(ids), now },
  );
}

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

/** Returns the subjects of a notice that an actor may see, those that last first. */
export const listSeenSubjects = (actor: Actor, notice_id: number, isAdmin?: boolean): Promise<NoticeSubjectRow[]> =>
  select(
    `SELECT s.* FROM ${SUBJECTS} WHERE s.notice_id = $notice_id AND ${SEEN(actor, isAdmin)}
     ORDER BY CASE WHEN s.closed_at IS NULL THEN 0 ELSE 1 END, s.name`,
    { notice_id, ...meOf(actor) },
  );

/** A notice as an actor sees it: `seen` of its subjects, `seen_open` of which last. */
export type SeenNotice = NoticeRow & {
  seen: number;
  seen_open: number;
  first_name: string;
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
    `SELECT n.*, c.seen, c.seen_open, c.first_name, c.domain_id, c.params, a.at AS own_at FROM notices n
     JOIN (SELECT s.notice_id, count(*) AS seen, count(*) FILTER (WHERE s.closed_at IS NULL) AS seen_open, min(s.name) AS first_name,
         min(s.domain_id) AS domain_id, min(s.params) AS params
       FROM ${SUBJECTS} WHERE ($id IS NULL OR s.notice_id = $id) AND ($open = 0 OR s.notice_id IN (SELECT o.id FROM notices o WHERE o.closed_at IS NULL))
         AND ${SEEN(actor)} GROUP BY s.notice_id) c ON c.notice_id = n.id
     LEFT JOIN notice_acknowledgements a ON a.notice_id = n.id AND a.user_id = $me
     WHERE ($level IS NULL OR n.level = $level) AND ($open = 0 OR (n.closed_at IS NULL AND n.acknowledged_at IS NULL AND a.at IS NULL))
     ORDER BY n.id DESC LIMIT $limit OFFSET $offset`,
    { ...filter, open: filter.open ? 1 : 0, ...meOf(actor) },
  );

/** Whether a notice is to be closed or told, by the same times as `closeEnded`, `listUntold` and `closeMomentary`. */
export async function hasDue(
  kinds: readonly EventKind[],
  calm: string,
  grown: string,
  momentary: string,
): Promise<boolean> {
  const found = await select(
    `SELECT 1 FROM notices WHERE told_at IS NULL OR (closed_at IS NULL AND (
       (subjects > told_subjects AND told_at < $grown)
       OR (kind IN (SELECT value FROM json_each($kinds)) AND open_subjects = 0 AND (flapping = 0 OR changed_at < $calm))
       OR (kind NOT IN (SELECT value FROM json_each($kinds)) AND opened_at < $momentary))) LIMIT 1`,
    { kinds: JSON.stringify(kinds), calm, grown, momentary },
  );
  return found.length > 0;
}

/** Whose subjects notices have; `user_id` null: of the installation, which administrators see. `personal`: of nobody else. */
export const listOwners = (
  ids: readonly number[],
): Promise<{ notice_id: number; user_id: number | null; personal: number }[]> =>
  select(
    `SELECT s.notice_id, CASE WHEN s.domain_id IS NOT NULL THEN COALESCE(p.user_id, d.user_id)
         WHEN s.project_id IS NOT NULL THEN p.user_id ELSE s.user_id END AS user_id,
       max(CASE WHEN s.domain_id IS NULL AND s.project_id IS NULL AND s.user_id IS NOT NULL THEN 1 ELSE 0 END) AS personal
     FROM ${SUBJECTS} WHERE s.notice_id IN (SELECT CAST(value AS INTEGER) FROM json_each($ids))
       AND (s.domain_id IS NULL OR (d.id IS NOT NULL AND d.deleted_at IS NULL))
       AND (s.domain_id IS NOT NULL OR s.project_id IS NULL OR (p.id IS NOT NULL AND p.deleted_at IS NULL)) GROUP BY 1, 2`,
    { ids: JSON.stringify(ids) },
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

/** Returns a notice; undefined: there is none. */
export async function findNotice(id: number): Promise<NoticeRow | undefined> {
  const [row] = await select<NoticeRow>('SELECT * FROM notices WHERE id = $id', { id });
  return row;
}
