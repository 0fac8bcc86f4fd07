// Events become notices. A notice is told when it opens, when it grows and when it is over.
import { note } from '../../../db/audit.ts';
import { transaction } from '../../../db/index.ts';
import { ENDED_BY, type EventKind, type Level } from '../../shared/notices/events.ts';
import type { NoticeRow, NoticeSubjectRow } from '../../shared/notices/tables.ts';
import { notFound } from '../../shared/errors.ts';
import type { Actor } from '../access/scope.ts';
import { hasSuspects } from '../checks/look-rows.ts';
import { planDeliveries } from './planning.ts';
import { subjectOf, type Fact, type Grouped, type Known, type OpenNotice, type Opening } from './facts.ts';
import { FLAP_MS, groupEvents } from './grouping.ts';
import { isState } from './open-notice.ts';
import * as rows from './rows.ts';
import {
  acknowledgeForAll,
  countOpen,
  forgetAcknowledgements,
  insertAcknowledgement,
  listSeenNotices,
  listSeenSubjects,
  type SeenNotice,
} from './seen-rows.ts';

const STATES = Object.keys(ENDED_BY) as EventKind[];
// Events of one cause come within seconds: a notice waits for a pause of so long, but never for more than half a minute.
const SETTLE_MS = 8_000;
const LONGEST_WAIT_MS = 30_000;
// While other names are about to be looked at for the second time, those that went down wait for them, but for less than a minute.
const LONGEST_DOUBT_MS = 50_000;
// A suspect of an earlier look is looked at by nobody: its process has ended, or checks are off.
const DOUBT_MS = 2 * 60_000;
const MOST_AT_ONCE = 20_000;
// A notice that grows is told again after this at the earliest.
const GROWN_MS = 10 * 60_000;
// A notice of something that is over at once is acknowledged by nobody for so long: it is closed.
const MOMENTARY_MS = 7 * 86_400_000;

const CAUSES: Partial<Record<EventKind, readonly ('server' | 'account' | 'registrar')[]>> = {
  domain_down: ['account', 'server'],
  name_ends: ['registrar'],
  name_ended: ['registrar'],
  certificate_ends: ['account', 'server'],
};

const before = (now: Date, ms: number): string => new Date(now.getTime() - ms).toISOString();

const factOf = (row: rows.PendingEvent): Fact => ({
  ...row,
  subject: subjectOf(row),
  causes: (CAUSES[row.kind] ?? []).flatMap((kind) => {
    const id = row[`${kind}_id`];
    return id === null ? [] : [{ key: `${kind}:${id}`, name: row[kind] ?? '' }];
  }),
});

const rowOf = (notice_id: number, opening: Opening): Omit<NoticeSubjectRow, 'id' | 'silent'> => ({
  notice_id,
  subject: opening.subject,
  domain_id: opening.domain_id,
  project_id: opening.project_id,
  user_id: opening.user_id,
  name: opening.name,
  params: opening.params,
  opened_at: opening.at,
  closed_at: opening.closed_at,
});

/** Stores what events change, in a few statements for each notice however many subjects it has. */
async function store({ made, joined, changed, touched, left, replaced }: Grouped, now: string): Promise<void> {
  // Of several changes of one subject the last one counts; what begins again comes after what was over.
  const last = new Map<string, rows.ClosedSubject>();
  for (const { notice_id, subject, closed_at } of changed)
    last.set(`${notice_id} ${subject}`, { notice_id, subject, closed_at, silent: 0 });
  for (const { notice_id, subject, at } of replaced)
    last.set(`${notice_id} ${subject}`, { notice_id, subject, closed_at: at, silent: 1 });
  if (last.size > 0) await rows.setSubjectsClosed([...last.values()]);
  const leaving = [...replaced, ...(left.length > 0 ? await rows.endSubjects(left) : [])];
  const subjects = joined.map(({ notice_id, opening }) => rowOf(notice_id, opening));
  for (const { kind, level, cause, flapping, openings } of made) {
    const id = await rows.insertNotice({
      kind,
      level,
      cause: cause.key,
      cause_name: cause.name,
      flapping: flapping ? 1 : 0,
      opened_at: openings[0]?.at ?? now,
    });
    for (const opening of openings) subjects.push(rowOf(id, opening));
  }
  const again = joined.map(({ notice_id, opening }) => ({ notice_id, subject: opening.subject }));
  if (again.length > 0) await rows.untellSubjects(again);
  if (subjects.length > 0) await rows.upsertSubjects(subjects);
  if (again.length > 0) await forgetAcknowledgements(again);
  const ids = new Set([...subjects, ...changed, ...touched, ...leaving].map(({ notice_id }) => notice_id));
  if (ids.size > 0) await rows.countSubjects([...ids], now);
  if (leaving.length > 0) await rows.closeUntold([...new Set(leaving.map(({ notice_id }) => notice_id))], now);
}

const knownOf = (row: rows.KnownRow): Known => ({
  ...row,
  flapping: row.flapping === 1,
  is_open: row.closed_at === null && row.notice_closed_at === null,
  notice_open: row.notice_closed_at === null,
});

const openOf = (row: NoticeRow): OpenNotice => ({ ...row, flapping: row.flapping === 1 });

/** Groups the oldest pending events. Returns whether there may be more. */
async function groupSome(now: Date): Promise<boolean> {
  const pending = await rows.listPendingEvents(MOST_AT_ONCE);
  const last = pending.at(-1);
  if (!last) return false;
  const facts = pending.map(factOf);
  const known = await rows.listKnownSubjects([...new Set(facts.map(({ subject }) => subject))], before(now, FLAP_MS));
  const open = await rows.listOpenNotices();
  const grouped = groupEvents(facts, known.map(knownOf), open.map(openOf));
  await store(grouped, now.toISOString());
  await rows.markGrouped(last.id, now.toISOString());
  return pending.length === MOST_AT_ONCE;
}

/** Whether what happened has come to a pause, or has waited for long enough. */
async function isSettled(now: Date): Promise<boolean> {
  const { oldest, newest, down } = await rows.findPendingTimes();
  if (oldest === null || newest === null) return false;
  const age = (at: string): number => now.getTime() - Date.parse(at);
  // A time in the future was stored before the clock was set back.
  if (age(newest) < 0) return true;
  if (down !== null && age(down) < LONGEST_DOUBT_MS && (await hasSuspects(before(now, DOUBT_MS)))) return false;
  return age(newest) >= SETTLE_MS || age(oldest) >= LONGEST_WAIT_MS;
}

/**
 * Makes notices of the events that have happened, closes those that are over, and plans what is to be told of them, in one transaction: a
 * process that dies leaves all of it to the next.
 */
export async function groupPending(now: Date = new Date()): Promise<void> {
  const settled = await isSettled(now);
  const at = now.toISOString();
  const due = { calm: before(now, FLAP_MS), grown: before(now, GROWN_MS), momentary: before(now, MOMENTARY_MS) };
  if (!settled && !(await rows.hasDue(STATES, due))) return;
  await transaction(async () => {
    // Several processes may have come here: the first one has done it.
    for (let more = settled; more;) more = (await isSettled(now)) && (await groupSome(now));
    const ended = await rows.closeEnded(STATES, at, due);
    await rows.closeMomentary(STATES, null, due.momentary, at);
    const untold = await rows.listUntold(
      ended.map(({ id }) => id),
      due.grown,
    );
    await planDeliveries(untold, now);
    await rows.markTold(
      untold.map(({ id }) => id),
      at,
    );
    // Good news need no answer.
    await rows.closeMomentary(STATES, 'info', at, at);
  });
}

/** Filters of the notices. */
export interface NoticeSelection {
  open?: boolean | undefined;
  level?: Level | undefined;
  limit?: number | undefined;
  offset?: number | undefined;
}

/** Returns the notices that an actor sees, the newest first, and how many of them wait for him. */
export async function listNotices(
  actor: Actor,
  { open = false, level, limit = 50, offset = 0 }: NoticeSelection,
): Promise<{ notices: SeenNotice[]; waiting: number }> {
  const notices = await listSeenNotices(actor, { open, level: level ?? null, id: null, limit, offset });
  return { notices, waiting: await countOpen(actor) };
}

/** Returns what a notice is about, as far as an actor sees it, what lasts first. Throws AppError `not_found` where he sees nothing of it. */
export async function listNoticeSubjects(
  actor: Actor,
  id: number,
): Promise<{ kind: EventKind; subjects: NoticeSubjectRow[] }> {
  const notice = await rows.findNotice(id);
  const subjects = notice ? await listSeenSubjects(actor, id) : [];
  if (!notice || subjects.length === 0) throw notFound();
  return { kind: notice.kind, subjects };
}

/**
 * Acknowledges a notice for who has seen it: nobody else is told of it on his behalf any more. Where he sees all that it is about it is for everybody.
 * Throws AppError `not_found`.
 */
export async function acknowledgeNotice(actor: Actor, id: number): Promise<void> {
  await transaction(async () => {
    const [notice] = await listSeenNotices(actor, { open: false, level: null, id, limit: 1, offset: 0 });
    if (!notice) throw notFound();
    const at = new Date().toISOString();
    note({ action: 'accept', object: 'notices', id, name: notice.kind });
    if (actor.id !== null) await insertAcknowledgement(id, actor.id, at);
    if (notice.seen === notice.subjects) await acknowledgeForAll(id, actor.id, at, !isState(notice.kind));
  });
}
