import { execute, select } from '../../../db/index.ts';
import { eachParsed, memberOf } from '../../../db/sql.ts';
import type { EventKind, Level } from '../../shared/notices/events.ts';
import { IS_OVER } from './seen-rows.ts';
import { noticeSubjects, type EventRow, type NoticeRow, type NoticeSubjectRow } from '../../shared/notices/tables.ts';

/** An event that is in no notice yet, with what its domain stands on. */
export type PendingEvent = EventRow & {
  server_id: number | null;
  server: string | null;
  account_id: number | null;
  account: string | null;
  registrar_id: number | null;
  registrar: string | null;
};

/** Times of events that are in no notice; null: there is none. `down`: the oldest one of a domain that went down. */
export interface PendingTimes {
  oldest: string | null;
  newest: string | null;
  down: string | null;
}

/** Returns the times of the events that are in no notice. */
export async function findPendingTimes(): Promise<PendingTimes> {
  const [row] = await select<PendingTimes>(
    `SELECT min(at) AS oldest, max(at) AS newest, min(CASE WHEN kind = 'domain_down' THEN at END) AS down
     FROM events WHERE grouped_at IS NULL`,
  );
  return row ?? { oldest: null, newest: null, down: null };
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
export async function upsertSubjects(rows: readonly Omit<NoticeSubjectRow, 'id' | 'silent'>[]): Promise<void> {
  const cells = SUBJECT_COLUMNS.map((name, at) => memberOf('value', at, noticeSubjects.columns[name]));
  await execute(
    `INSERT INTO notice_subjects (${SUBJECT_COLUMNS.join(', ')}) SELECT ${cells.join(', ')} FROM ${eachParsed('$rows')} WHERE true
     ON CONFLICT (notice_id, subject) DO UPDATE SET params = excluded.params, opened_at = excluded.opened_at,
       closed_at = excluded.closed_at`,
    { rows: JSON.stringify(rows.map((row) => SUBJECT_COLUMNS.map((name) => row[name]))) },
  );
}

/** Counts subjects that their notices have already, and that begin again, as not told of. */
export async function untellSubjects(again: readonly Pick<NoticeSubjectRow, 'notice_id' | 'subject'>[]): Promise<void> {
  await execute(
    `UPDATE notices SET told_subjects = told_subjects - c.n
     FROM (SELECT s.notice_id, count(*) AS n FROM notice_subjects s
       JOIN (SELECT CAST(value ->> 0 AS INTEGER) AS notice_id, value ->> 1 AS subject FROM ${eachParsed('$rows')}) r
         ON s.notice_id = r.notice_id AND s.subject = r.subject
       GROUP BY s.notice_id) c
     WHERE notices.id = c.notice_id AND notices.told_subjects >= c.n`,
    { rows: JSON.stringify(again.map(({ notice_id, subject }) => [notice_id, subject])) },
  );
}

/** Ends subjects whose domain has another name from now on, which begins anew in no notice; returns their notices. */
export const endSubjects = (left: readonly { subject: string; at: string }[]): Promise<{ notice_id: number }[]> =>
  select(
    `UPDATE notice_subjects SET closed_at = COALESCE(closed_at, r.at), silent = CASE WHEN closed_at IS NULL THEN 1 ELSE silent END,
       subject = notice_subjects.subject || ' ' || notice_subjects.name
     FROM (SELECT value ->> 0 AS subject, value ->> 1 AS at FROM ${eachParsed('$rows')}) r
     WHERE notice_subjects.subject = r.subject RETURNING notice_subjects.notice_id`,
    { rows: JSON.stringify(left.map(({ subject, at }) => [subject, at])) },
  );

/** Closes notices of which each subject has ended silently, without telling so. */
export async function closeUntold(ids: readonly number[], now: string): Promise<void> {
  await execute(
    `UPDATE notices SET closed_at = $now, told_at = $now WHERE closed_at IS NULL AND open_subjects = 0
       AND id IN (SELECT CAST(value AS INTEGER) FROM json_each($ids))
       AND NOT EXISTS (SELECT 1 FROM notice_subjects s WHERE s.notice_id = notices.id AND s.silent = 0)`,
    { ids: JSON.stringify(ids), now },
  );
}

/** When a subject of a notice was over, and whether silently; null: it is not. */
export type ClosedSubject = Pick<NoticeSubjectRow, 'notice_id' | 'subject' | 'closed_at' | 'silent'>;

/** Sets when subjects of notices were over. */
export async function setSubjectsClosed(rows: readonly ClosedSubject[]): Promise<void> {
  await execute(
    `UPDATE notice_subjects SET closed_at = r.closed_at, silent = r.silent
     FROM (SELECT CAST(value ->> 0 AS INTEGER) AS notice_id, value ->> 1 AS subject, value ->> 2 AS closed_at,
       CAST(value ->> 3 AS INTEGER) AS silent FROM ${eachParsed('$rows')}) r
     WHERE notice_subjects.notice_id = r.notice_id AND notice_subjects.subject = r.subject`,
    {
      rows: JSON.stringify(
        rows.map(({ notice_id, subject, closed_at, silent }) => [notice_id, subject, closed_at, silent]),
      ),
    },
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

/** The times before which a notice that flaps has calmed, one that grew is told again, and one of what is over at once is closed. */
export type Due = Record<'calm' | 'grown' | 'momentary', string>;

// A failed move that was told before `$momentary` lasts while its domain is a blocked main one: the owner of another one has given it up.
// An event that is still to be grouped tells the end.
const IS_WANTED = `notices.kind <> 'transfer_failed' OR COALESCE(notices.told_at, $momentary) >= $momentary
  OR (d.type = 'main' AND d.status = 'blocked')
  OR EXISTS (SELECT 1 FROM events e WHERE e.grouped_at IS NULL AND e.domain_id = s.domain_id)`;

// Whether a subject of a notice lasts. A deleted one does not: nobody sees it, and no check ends it.
const LASTS = `EXISTS (SELECT 1 FROM notice_subjects s LEFT JOIN domains d ON d.id = s.domain_id AND d.deleted_at IS NULL
  LEFT JOIN projects p ON p.id = s.project_id AND p.deleted_at IS NULL
  WHERE s.notice_id = notices.id AND s.closed_at IS NULL AND (s.domain_id IS NULL OR d.id IS NOT NULL)
    AND (s.domain_id IS NOT NULL OR s.project_id IS NULL OR p.id IS NOT NULL) AND (${IS_WANTED}))`;

/**
 * Closes notices of lasting kinds of which no subject lasts, and returns them; those that flap only if nothing has changed since `calm`.
 */
export const closeEnded = (
  kinds: readonly EventKind[],
  now: string,
  { calm, momentary }: Pick<Due, 'calm' | 'momentary'>,
): Promise<{ id: number }[]> =>
  select(
    `UPDATE notices SET closed_at = $now WHERE closed_at IS NULL
       AND kind IN (SELECT value FROM json_each($kinds)) AND (flapping = 0 OR changed_at < $calm) AND NOT ${LASTS} RETURNING id`,
    { kinds: JSON.stringify(kinds), now, calm, momentary },
  );

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

/** The statement of `listUntold`: each part has an index of its own, which it would not have as one of several conditions, or in an order. */
export const UNTOLD = `SELECT * FROM notices WHERE told_at IS NULL
   UNION ALL SELECT * FROM notices WHERE closed_at IS NULL AND subjects > told_subjects AND told_at < $grown
   UNION ALL SELECT * FROM notices WHERE told_at IS NOT NULL AND id IN (SELECT CAST(value AS INTEGER) FROM json_each($ended))
     AND EXISTS (SELECT 1 FROM notice_subjects s WHERE s.notice_id = notices.id AND ${IS_OVER})`;

/**
 * Returns the notices of which something is to be told: new ones, those that grew and were told before `grown`, and those of `ended` with a
 * subject that has not ended silently.
 */
export const listUntold = async (ended: readonly number[], grown: string): Promise<NoticeRow[]> =>
  (await select<NoticeRow>(UNTOLD, { ended: JSON.stringify(ended), grown })).toSorted(
    (one, other) => one.id - other.id,
  );

/** Stores that notices were told as they are. */
export async function markTold(ids: readonly number[], now: string): Promise<void> {
  await execute(
    `UPDATE notices SET told_at = $now, told_subjects = subjects WHERE id IN (SELECT CAST(value AS INTEGER) FROM json_each($ids))`,
    { ids: JSON.stringify(ids), now },
  );
}

/** The statement of `hasDue`, in parts as that of `listUntold`. */
export const ANY_DUE = `SELECT 1 AS due FROM notices WHERE told_at IS NULL
   UNION ALL SELECT 1 FROM notices WHERE closed_at IS NULL AND ((subjects > told_subjects AND told_at < $grown)
     OR (kind IN (SELECT value FROM json_each($kinds)) AND (flapping = 0 OR changed_at < $calm) AND NOT ${LASTS})
     OR (kind NOT IN (SELECT value FROM json_each($kinds)) AND opened_at < $momentary)) LIMIT 1`;

/** Whether a notice is to be closed or told, by the same times as `closeEnded`, `listUntold` and `closeMomentary`. */
export const hasDue = async (kinds: readonly EventKind[], due: Due): Promise<boolean> =>
  (await select(ANY_DUE, { kinds: JSON.stringify(kinds), ...due })).length > 0;

/** Returns a notice; undefined: there is none. */
export async function findNotice(id: number): Promise<NoticeRow | undefined> {
  const [row] = await select<NoticeRow>('SELECT * FROM notices WHERE id = $id', { id });
  return row;
}
