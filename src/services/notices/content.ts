// The texts of notices, as messages that a door puts into the reader's language.
import { isKey, type Key, type Message } from '../../shared/i18n/index.ts';
import type { EventKind, UntoldKind } from '../../shared/notices/events.ts';
import type { DeliveryKind, NoticeSubjectView, NoticeView } from '../../shared/notices/notices.ts';
import type { NoticeRow, NoticeSubjectRow } from '../../shared/notices/tables.ts';
import { toUnicode } from '../../shared/portfolio/domain-name.ts';
import { isState } from './open-notice.ts';
import type { SeenNotice } from './seen-rows.ts';

/** A notice before it is put into a language. `path` leads to its subject in the interface. */
export interface Content {
  title: Message;
  lines: Message[];
  path: string;
  buttons: { label: Key; data?: string; path?: string }[];
}

const NAMES_SHOWN = 10;

type Params = Record<string, string | number>;
/** Returns the parameters of an event, with names as people read them. */
const paramsOf = ({ params }: Pick<NoticeSubjectRow, 'params'>): Params =>
  Object.fromEntries(
    Object.entries(JSON.parse(params) as Params).map(([key, value]) => [
      key,
      typeof value === 'string' ? toUnicode(value) : value,
    ]),
  );

const NOTICE_SETTINGS = '/settings?section=notices';

const OF_OPERATIONS = new Set<EventKind>(['operation_failed', 'operation_partial', 'operation_attention']);

/** The kind and the number of an operation as its events name it: `dns_change #5`, or `check` where it began by itself. */
function operationOf(name: string): { kind: string; number: string } {
  const [kind = '', number = ''] = name.split(' ');
  return { kind, number };
}

// It says what needs somebody.
const DASHBOARD = '/';
// Of kinds that are not about a domain.
const SCREENS: Partial<Record<EventKind, string>> = {
  job_failed: '/settings?section=schedule',
  purchase_failed: '/purchases',
  purchase_unknown: '/purchases',
  reserve_bought: '/purchases',
  cap_reached: '/purchases',
  new_network: '/settings?section=security',
  telegram_changed: '/settings?section=telegram',
  email_changed: NOTICE_SETTINGS,
};

/** Returns where the subject of a notice is in the interface; where there are several, the screen that has them. */
function pathOf(kind: EventKind, one: { name: string; isDomain: boolean } | null): string {
  if (one?.isDomain) return `/sites?search=${encodeURIComponent(one.name)}`;
  if (kind === 'no_reserve' && one) return `/projects?search=${encodeURIComponent(one.name)}`;
  if (!OF_OPERATIONS.has(kind)) return SCREENS[kind] ?? DASHBOARD;
  const { number } = operationOf(one?.name ?? '');
  return number === '' ? '/operations' : `/operations?operation=${number.slice(1)}`;
}

/** Returns the parameters of a title: jobs and kinds of operations have names of the catalogues. */
function namesIn(kind: EventKind, name: string): Pick<Message, 'words'> & { number: string } {
  const operation = operationOf(name);
  const key = kind === 'job_failed' ? `schedule.job_${name}` : `operation.kind_${operation.kind}`;
  if (!(kind === 'job_failed' || OF_OPERATIONS.has(kind)) || !isKey(key)) return { number: '' };
  return { words: { name: key }, number: operation.number && ` ${operation.number}` };
}

/** Returns the title of a notice about `n` subjects; `name` is one of them. */
export function titleOf(
  { kind, flapping }: Pick<NoticeRow, 'kind' | 'flapping'>,
  subject: { n: number; name: string; params: string },
  isOver: boolean,
): Message {
  const { n, name } = subject;
  const { number: at, ...words } = namesIn(kind, name);
  const params = { ...paramsOf(subject), n, name: toUnicode(name), number: at };
  const number = n === 1 ? 'one' : 'many';
  if (isOver && isState(kind)) return { key: `notice.over.${kind}.${number}`, params };
  if (flapping === 1 && kind !== 'transfer_failed')
    return { key: `notice.${kind === 'no_reserve' ? 'reserve_flaps' : 'flaps'}.${number}`, params };
  // Some kinds end a notice, and make none.
  return { key: `notice.${kind as Exclude<EventKind, UntoldKind>}.${number}`, params, ...words };
}

function causeLine({ cause, cause_name }: NoticeRow): Message[] {
  const [kind] = cause.split(':');
  if (kind !== 'server' && kind !== 'account' && kind !== 'registrar') return [];
  return [{ key: `notice.cause.${kind}`, params: { name: cause_name } }];
}

/** Returns how long something lasted. */
function lastedLine(from: string, to: string): Message {
  const minutes = Math.max(1, Math.round((Date.parse(to) - Date.parse(from)) / 60_000));
  return minutes < 120
    ? { key: 'notice.lasted_minutes', params: { n: minutes } }
    : { key: 'notice.lasted_hours', params: { n: Math.round(minutes / 60) } };
}

/** Returns the reason of what happened to a subject, if it is known. */
function whyOf(params: Params): Pick<Message, 'params' | 'words'> | null {
  const { why } = params;
  return typeof why === 'string' && isKey(why) ? { params, words: { why } } : null;
}

const OF_MOVES = new Set<EventKind>(['transfer_waits', 'transfer_failed']);

/** Returns what is known of a subject that is alone in its notice: the verdict about it, the other domain of its move, and the reason. */
function factLines({ kind }: NoticeRow, subjects: readonly NoticeSubjectRow[]): Message[] {
  const [one] = subjects;
  if (subjects.length !== 1 || !one) return [];
  const params = paramsOf(one);
  const { verdict, from, to } = params;
  if (kind === 'domain_down' && verdict !== undefined) return [{ key: 'notice.verdict', params: { verdict } }];
  if (!OF_MOVES.has(kind)) return [];
  const why = whyOf(params);
  return [
    ...(from === undefined
      ? []
      : [{ key: params.retry === undefined ? 'notice.move_warned' : 'notice.move_half', params } as const]),
    ...(to === undefined ? [] : [{ key: 'notice.move_to', params } as const]),
    ...(why ? [{ key: 'notice.why', ...why } as const] : []),
  ];
}

/** Returns the line of one of several names: with the domain that it was moved from, and the reason. */
function nameLine(kind: EventKind, row: NoticeSubjectRow): Message {
  const name = toUnicode(row.name);
  if (!OF_MOVES.has(kind)) return { key: 'notice.name', params: { name } };
  // A reason may tell a name of its own.
  const params: Params = { ...paramsOf(row), subject: name };
  const why = whyOf(params);
  const isMoved = 'from' in params;
  if (why) return { key: isMoved ? 'notice.subject_from_why' : 'notice.subject_why', ...why };
  return isMoved ? { key: 'notice.subject_from', params } : { key: 'notice.name', params: { name } };
}

function nameLines({ kind }: NoticeRow, subjects: readonly NoticeSubjectRow[]): Message[] {
  if (subjects.length < 2) return [];
  const shown = subjects.slice(0, NAMES_SHOWN).map((row) => nameLine(kind, row));
  const left = subjects.length - shown.length;
  return left === 0 ? shown : [...shown, { key: 'notice.more', params: { n: left } }];
}

/** Whether a site can move for what is told: a main domain of a project is blocked. A block of another one is a warning. */
const canMove = ({ kind, level }: NoticeRow, { domain_id, project_id }: NoticeSubjectRow): boolean =>
  kind === 'domain_blocked' && level === 'critical' && domain_id !== null && project_id !== null;

/** Returns what a notice says to somebody who sees these of its subjects, of which there is one at least. */
export function contentOf(
  notice: NoticeRow,
  seen: readonly NoticeSubjectRow[],
  kind: DeliveryKind,
  first: string | null,
): Content {
  const isOver = kind === 'closed';
  const lasting = seen.filter(({ closed_at }) => closed_at === null);
  const subjects = isOver || lasting.length === 0 ? seen : lasting;
  const [one] = subjects as [NoticeSubjectRow];
  const isAlone = subjects.length === 1;
  const path = pathOf(notice.kind, isAlone ? { name: one.name, isDomain: one.domain_id !== null } : null);
  return {
    title: titleOf(notice, { n: subjects.length, name: one.name, params: one.params }, isOver),
    lines: [
      ...(kind === 'escalated' && first !== null
        ? [{ key: 'notice.escalated', params: { login: first } } as Message]
        : []),
      ...causeLine(notice),
      ...(isOver ? [] : factLines(notice, subjects)),
      ...(isOver && notice.closed_at !== null ? [lastedLine(notice.opened_at, notice.closed_at)] : []),
      ...nameLines(notice, subjects),
    ],
    path,
    buttons: [
      { label: 'notice.open', path },
      ...(isOver ? [] : [{ label: 'notice.acknowledge' as const, data: `ack:${notice.id}` }]),
      ...(isAlone && one.domain_id !== null && notice.kind === 'domain_down' && !isOver
        ? [{ label: 'notice.check' as const, data: `check:${one.domain_id}` }]
        : []),
      ...(isAlone && canMove(notice, one) && !isOver
        ? [{ label: 'telegram.start_transfer' as const, data: `move:${one.domain_id}` }]
        : []),
    ],
  };
}

/** The content of a test of a channel. */
export const testContent = (): Content => ({
  title: { key: 'notice.test' },
  lines: [],
  path: NOTICE_SETTINGS,
  buttons: [],
});

/** The content of the mail to an address whose place another one has taken, or none. */
export const replacedContent = (login: string): Content => ({
  title: { key: 'notice.replaced', params: { login } },
  lines: [{ key: 'notice.replaced_why' }],
  path: NOTICE_SETTINGS,
  buttons: [],
});

/** The content of the mail with a code. */
export const codeContent = (code: string): Pick<Content, 'title' | 'lines'> => ({
  title: { key: 'notice.code', params: { code } },
  lines: [{ key: 'notice.code_why' }],
});

/** Returns what a notice of a kind is about as a reader sees it: domains by their names and what is known of them, all else in the words of its title. */
export function subjectViewOf(kind: EventKind, row: NoticeSubjectRow): NoticeSubjectView<Message> {
  const { name, params } = row;
  const isDomain = row.domain_id !== null;
  const words = titleOf({ kind, flapping: 0 }, { n: 1, name, params }, false);
  return {
    id: row.id,
    name: isDomain ? nameLine(kind, row) : words,
    path: pathOf(kind, { name, isDomain }),
    closed_at: row.closed_at,
  };
}

/** Returns a notice as the lister of `row` sees it. */
export function viewOf(row: SeenNotice): NoticeView<Message> {
  // Where each subject has ended silently, nothing is over.
  const over = row.closed_at !== null && isState(row.kind) ? row.first_over : null;
  const about = over === null ? { n: row.seen, name: row.first_name } : { n: row.seen_over, name: over };
  const isOne = row.seen === 1 && row.domain_id !== null;
  return {
    id: row.id,
    kind: row.kind,
    level: row.level,
    title: titleOf(row, { ...about, params: row.params }, over !== null),
    cause: row.cause_name,
    subjects: row.seen,
    open_subjects: row.seen_open,
    domain_id: isOne ? row.domain_id : null,
    path: pathOf(row.kind, row.seen === 1 ? { name: row.first_name, isDomain: isOne } : null),
    opened_at: row.opened_at,
    closed_at: row.closed_at,
    acknowledged_at: row.acknowledged_at ?? row.own_at,
  };
}
