import { EVENT_LEVELS, type EventKind, type Level } from '../../shared/notices/events.ts';
import { ACCOUNTS, REGISTRARS, SERVERS } from '../team.ts';
import type { Block } from './blocks.ts';
import type { Move } from './moves.ts';
import type { Outage } from './outages.ts';
import { before, HOUR_MS, MINUTE_MS, type Domain } from './time.ts';
import { endOf, isAutomatic, type Numbered } from './work.ts';

/** A notice of the past: one event of each subject. A subject's `until` is its end; null: it lasts, or its kind has no end. */
export interface Told {
  kind: EventKind;
  cause: string;
  cause_name: string;
  subjects: Subject[];
}

interface Subject {
  subject: string;
  domain: Domain | null;
  project_id: number | null;
  user_id: number | null;
  name: string;
  at: number;
  until: number | null;
  level: Level;
  params: object;
}

// The second look says that a site is down.
const SECOND_LOOK_MS = 2 * MINUTE_MS;
const ofDomain = (
  kind: EventKind,
  domain: Domain,
  at: number,
  { until = null, params = {} }: { until?: number | null; params?: object } = {},
): Subject => ({
  subject: `domain:${domain.id}`,
  domain,
  project_id: domain.project_id,
  user_id: null,
  name: domain.domain_name,
  at,
  until,
  // A reserve has no visitors yet.
  level:
    (kind === 'domain_down' || kind === 'domain_blocked') && domain.type !== 'main' ? 'warning' : EVENT_LEVELS[kind],
  params,
});

const ofName = (kind: EventKind, name: string, at: number, user_id: number | null = null): Subject => ({
  subject: user_id === null ? `name:${name}` : `user:${user_id} ${name}`,
  domain: null,
  project_id: null,
  user_id,
  name,
  at,
  until: null,
  level: EVENT_LEVELS[kind],
  params: {},
});

const alone = (kind: EventKind, subject: Subject): Told => ({
  kind,
  cause: subject.subject,
  cause_name: '',
  subjects: [subject],
});

/** Puts those with the same key together. */
const grouped = <One>(all: readonly One[], keyOf: (one: One) => string): One[][] => [
  ...all
    .reduce((map, one) => map.set(keyOf(one), [...(map.get(keyOf(one)) ?? []), one]), new Map<string, One[]>())
    .values(),
];

function outageNotices(outages: readonly Outage[]): Told[] {
  const groups = grouped(outages, ({ server, from, domain }) =>
    server === null ? `${domain.id} ${from}` : `s ${server} ${from}`,
  );
  return groups.map((group) => {
    const subjects = group.map(({ domain, from, until, status, error }) =>
      ofDomain('domain_down', domain, from + SECOND_LOOK_MS, { until, params: { verdict: String(error ?? status) } }),
    );
    const [{ server }] = group as [Outage];
    if (server === null) return alone('domain_down', subjects[0]!);
    return { kind: 'domain_down', cause: `server:${server}`, cause_name: SERVERS[server - 1]?.name ?? '', subjects };
  });
}

/** The version of the list that was there at a time, as an address of a file would have it. */
const listAt = (time: number): string => `list:${Math.floor(time / HOUR_MS).toString(16)}`;

const blockNotices = (blocks: readonly Block[]): Told[] =>
  grouped(blocks, ({ from }) => listAt(from)).map((group) => ({
    kind: 'domain_blocked',
    cause: listAt(group[0]!.from),
    cause_name: '',
    subjects: group.map(({ domain, from, until }) => ofDomain('domain_blocked', domain, from, { until })),
  }));

const ENDED: Partial<Record<Numbered['state'], EventKind>> = {
  failed: 'operation_failed',
  partial: 'operation_partial',
};

function workNotice(work: Numbered): Told[] {
  const kind = ENDED[work.state];
  if (!kind) return [];
  const name = isAutomatic(work) ? work.kind : `${work.kind} #${work.id}`;
  return [alone(kind, ofName(kind, name, endOf(work), work.user))];
}

/** Sources of notices. */
export interface Happened {
  outages: readonly Outage[];
  blocks: readonly Block[];
  moves: readonly Move[];
  works: readonly Numbered[];
  bought: readonly Domain[];
}

/** When the first of its subjects began. */
export const openedAt = ({ subjects }: Told): number => Math.min(...subjects.map(({ at }) => at));

/** Returns what people were told within ninety days, the oldest first. */
export function noticesOf({ outages, blocks, moves, works, bought }: Happened, now: Date): Told[] {
  const since = before(now, 90);
  const accounts = [
    ...ACCOUNTS.filter(({ key, stored }) => key !== stored).map(({ name }) =>
      ofName('account_refused', name, before(now, 5.1)),
    ),
    ...REGISTRARS.filter(({ stored }) => stored !== undefined).map(({ name }) =>
      ofName('account_refused', name, before(now, 9.4)),
    ),
  ];
  const last = REGISTRARS.at(-1);
  const told: Told[] = [
    ...outageNotices(outages),
    ...blockNotices(blocks),
    ...moves.map(({ from, to, at }) =>
      alone('transfer_done', ofDomain('transfer_done', to, at, { params: { from: from.domain_name } })),
    ),
    ...works.flatMap(workNotice),
    ...bought.map((domain) =>
      alone('reserve_bought', {
        ...ofDomain('reserve_bought', domain, Date.parse(domain.created_at) + 2_000),
        subject: `project:${domain.project_id} ${domain.domain_name}`,
        domain: null,
      }),
    ),
    ...accounts.map((one) => alone('account_refused', one)),
    ...(last ? [alone('balance_low', ofName('balance_low', last.name, before(now, 19.1)))] : []),
  ];
  return told.filter((one) => openedAt(one) > since).toSorted((one, other) => openedAt(one) - openedAt(other));
}
