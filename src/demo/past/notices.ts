import { EVENT_LEVELS, LEVELS, type EventKind } from '../../shared/notices/events.ts';
import { DAY_MS } from '../../shared/time.ts';
import { before, iso, MINUTE_MS, type Row } from './time.ts';
import { noticesOf, openedAt, type Happened, type Told } from './told.ts';

// A notice of a momentary kind is closed after so many days; at level `info`, after 30 s.
const MOMENTARY_DAYS = 7;
// Older notices were seen by a person within so many minutes; the chat of the first user was told of the newer ones.
const SEEN_DAYS = 3;
const DELIVERED_DAYS = 14;

const isLasting = (kind: EventKind): boolean => kind === 'domain_down' || kind === 'domain_blocked';

/** Returns when a notice was closed; null: it is open. */
function closedOf({ kind, subjects }: Told, opened: number, now: Date): number | null {
  if (!isLasting(kind)) {
    const closed = opened + (EVENT_LEVELS[kind] === 'info' ? 30_000 : MOMENTARY_DAYS * DAY_MS);
    return closed < now.getTime() ? closed : null;
  }
  if (subjects.some(({ until }) => until === null)) return null;
  return Math.max(...subjects.map(({ until }) => until ?? 0));
}

/** Returns the events of notices, oldest first: those of lasting kinds that are over have one at their end as well. */
function eventRows(told: readonly Told[]): Row[] {
  const events = told.flatMap(({ kind, cause, subjects }) =>
    subjects.flatMap(({ domain, project_id, user_id, name, at, until, level, params }) => {
      const about = { domain_id: domain?.id ?? null, project_id, user_id, name };
      const begun = {
        kind,
        level,
        ...about,
        cause: cause.startsWith('list:') ? cause : '',
        params: JSON.stringify(params),
        at: iso(at),
        grouped_at: iso(at),
      };
      if (until === null || !isLasting(kind)) return [begun];
      const end: EventKind = kind === 'domain_down' ? 'domain_up' : 'domain_unblocked';
      return [
        begun,
        {
          ...begun,
          kind: end,
          level: EVENT_LEVELS[end],
          cause: '',
          params: '{}',
          at: iso(until),
          grouped_at: iso(until),
        },
      ];
    }),
  );
  return events.toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
}

function subjectRow(notice_id: number, one: Told['subjects'][number]): Row {
  const { subject, domain, project_id, user_id, name, at, until, params } = one;
  return {
    notice_id,
    subject,
    domain_id: domain?.id ?? null,
    project_id,
    user_id,
    name,
    params: JSON.stringify(params),
    opened_at: iso(at),
    closed_at: until === null ? null : iso(until),
  };
}

/** Returns the delivery of a notice to the chat of the first user. */
function deliveryRow(notice_id: number, opened: number): Row {
  const at = iso(opened + 10_000);
  return {
    notice_id,
    kind: 'opened',
    channel: 'telegram',
    user_id: 1,
    webhook_id: null,
    state: 'sent',
    due_at: at,
    attempts: 1,
    error: null,
    ref: null,
    lease_until: null,
    created_at: at,
    changed_at: at,
    for_user_id: null,
  };
}

/** Returns the rows of what people were told, and of the events that it was made of. */
export function noticeRows(
  happened: Happened,
  now: Date,
): Record<'events' | 'notices' | 'notice_subjects' | 'notice_deliveries', Row[]> {
  const told = noticesOf(happened, now);
  const rows = {
    events: eventRows(told),
    notices: [] as Row[],
    notice_subjects: [] as Row[],
    notice_deliveries: [] as Row[],
  };
  for (const [index, one] of told.entries()) {
    const { kind, cause, cause_name, subjects } = one;
    const id = index + 1;
    const opened = openedAt(one);
    const closed = closedOf(one, opened, now);
    const level = LEVELS.find((name) => subjects.some((subject) => subject.level === name)) ?? 'info';
    const isSeen = level !== 'info' && opened < before(now, SEEN_DAYS);
    const changed = iso(closed ?? opened);
    rows.notices.push({
      id,
      kind,
      level,
      cause,
      cause_name,
      flapping: 0,
      subjects: subjects.length,
      open_subjects: closed !== null && isLasting(kind) ? 0 : subjects.filter(({ until }) => until === null).length,
      told_subjects: subjects.length,
      told_at: changed,
      opened_at: iso(opened),
      changed_at: changed,
      closed_at: closed === null ? null : iso(closed),
      acknowledged_at: isSeen ? iso(opened + 25 * MINUTE_MS) : null,
      acknowledged_by: isSeen ? 1 : null,
    });
    for (const subject of subjects) rows.notice_subjects.push(subjectRow(id, subject));
    if (level !== 'critical' || opened < before(now, DELIVERED_DAYS)) continue;
    rows.notice_deliveries.push(deliveryRow(id, opened));
  }
  return rows;
}
