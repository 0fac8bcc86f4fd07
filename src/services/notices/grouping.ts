// The grouping of events into notices. Pure: stored rows are given, rows to store are returned.
import {
  ENDED_BY,
  LEVELS,
  type EventKind,
  type Level,
  type StateKind,
  type UntoldKind,
} from '../../shared/notices/events.ts';
import type { Cause, Fact, Known, OpenNotice, Opening, Grouped } from './facts.ts';
import { finder, isState, later } from './open-notice.ts';

/** A subject that begins again within this time after its end flaps. */
export const FLAP_MS = 60 * 60_000;

// The end of what was never told is no news.
const UNTOLD: ReadonlySet<EventKind> = new Set<EventKind>([
  'domain_up',
  'reserve_ready',
  'domain_renamed',
  'transfer_over',
] satisfies UntoldKind[]);

/** Returns the states that a kind ends. */
const endedBy = (kind: EventKind): StateKind[] =>
  (Object.keys(ENDED_BY) as StateKind[]).filter((state) => (ENDED_BY[state] as readonly EventKind[]).includes(kind));

/** Where a subject of a lasting kind stands: in a stored notice, or in one that is being made. */
interface Standing {
  flapping: boolean;
  isOpen: boolean;
  closedAt: string | null;
  notice_id: number | null;
  noticeOpen: boolean;
  opening: Opening | null;
}

const standingOf = (known: Known): Standing => ({
  flapping: known.flapping,
  isOpen: known.is_open,
  closedAt: known.closed_at,
  notice_id: known.notice_id,
  noticeOpen: known.notice_open,
  opening: null,
});

/** Plays an event that begins a state. */
function begin(fact: Fact, now: Standing | undefined, result: Grouped): Standing {
  if (now?.isOpen) return now;
  // A flapping notice stays open between two changes.
  if (now?.flapping && now.noticeOpen && now.notice_id !== null) {
    result.changed.push({ notice_id: now.notice_id, subject: fact.subject, at: fact.at, closed_at: null });
    return { ...now, isOpen: true };
  }
  const again = now?.closedAt !== null && now !== undefined && later(now.closedAt, FLAP_MS) > fact.at;
  // One subject has one place in a notice, however often it began since events were grouped last.
  if (now?.opening) {
    const flapping = now.opening.flapping || again;
    Object.assign(now.opening, { flapping, at: fact.at, closed_at: null });
    return { ...now, flapping, isOpen: true };
  }
  const opening: Opening = { ...fact, flapping: again, closed_at: null };
  return { flapping: again, isOpen: true, closedAt: null, notice_id: null, noticeOpen: true, opening };
}

/** Plays an event that ends a state. */
function end({ subject, at }: Fact, now: Standing, result: Grouped): Standing {
  if (!now.isOpen) return now;
  if (now.opening) now.opening.closed_at = at;
  if (now.notice_id !== null) result.changed.push({ notice_id: now.notice_id, subject, at, closed_at: at });
  return { ...now, isOpen: false, closedAt: at };
}

/** Plays a failed move. Each one is told anew, in the place of the one before, of which nothing more is told. */
function fail(fact: Fact, now: Standing | undefined, result: Grouped): Standing {
  if (now?.opening) {
    Object.assign(now.opening, fact, { closed_at: null });
    return { ...now, isOpen: true };
  }
  if (now?.isOpen && now.notice_id !== null) {
    result.replaced.push({ notice_id: now.notice_id, subject: fact.subject, at: fact.at });
  }
  return begin(fact, undefined, result);
}

/** A domain has another name: what lasted under the former one is over, and the new one has nothing in common with it. */
function leave({ subject, name, at }: Fact, standings: Map<string, Standing>, result: Grouped): void {
  for (const kind of Object.keys(ENDED_BY)) {
    const key = `${kind} ${subject}`;
    const opening = standings.get(key)?.opening;
    if (opening) Object.assign(opening, { subject: `${subject} ${name}`, closed_at: opening.closed_at ?? at });
    standings.delete(key);
  }
  result.left.push({ subject, at });
}

/** Plays the events of lasting states, and returns the subjects that begin. */
function playStates(facts: readonly Fact[], known: readonly Known[], result: Grouped): Opening[] {
  const standings = new Map<string, Standing>();
  // The newest counts: what is known comes oldest first.
  for (const one of known) standings.set(`${one.kind} ${one.subject}`, standingOf(one));
  const openings = new Set<Opening>();
  for (const fact of facts) {
    if (fact.kind === 'domain_renamed') {
      leave(fact, standings, result);
      continue;
    }
    for (const state of endedBy(fact.kind)) {
      const key = `${state} ${fact.subject}`;
      const now = standings.get(key);
      if (now) standings.set(key, end(fact, now, result));
    }
    if (!isState(fact.kind)) continue;
    const key = `${fact.kind} ${fact.subject}`;
    const next = (fact.kind === 'transfer_failed' ? fail : begin)(fact, standings.get(key), result);
    standings.set(key, next);
    if (next.opening) openings.add(next.opening);
  }
  return [...openings];
}

/** Returns those events that are over at once and not told already. */
function playMoments(facts: readonly Fact[], known: readonly Known[], result: Grouped): Opening[] {
  const told = new Map<string, number>(
    known.flatMap((one) =>
      one.notice_open ? [[`${one.kind} ${one.subject} ${one.params}`, one.notice_id] as const] : [],
    ),
  );
  const openings = new Map<string, Opening>();
  for (const fact of facts) {
    const notice_id = told.get(`${fact.kind} ${fact.subject} ${fact.params}`);
    if (notice_id !== undefined) result.touched.push({ notice_id, at: fact.at });
    // Of several the last one counts.
    else openings.set(`${fact.kind} ${fact.subject}`, { ...fact, flapping: false, closed_at: null });
  }
  return [...openings.values()];
}

/** Returns the cause that most of them have, by their weights, where two at least have one. */
function commonest<One extends Caused>(all: readonly One[], weigh: (one: One) => number): Cause | undefined {
  const counts = new Map<string, { cause: Cause; n: number }>();
  for (const one of all) {
    for (const cause of one.causes) {
      const found = counts.get(cause.key);
      counts.set(cause.key, { cause, n: (found?.n ?? 0) + weigh(one) });
    }
  }
  const best = [...counts.values()].reduce<{ cause: Cause; n: number } | undefined>(
    (most, one) => (most && most.n >= one.n ? most : one),
    undefined,
  );
  return best && best.n > 1 ? best.cause : undefined;
}

/** Something with what could be the cause of it, the likeliest first. */
type Caused = Pick<Fact, 'causes'>;

/**
 * Takes out those with the commonest cause, again and again, until no two have one: what is left is `rest`. `weigh` tells for how many one of them
 * stands.
 */
export function divideByCause<One extends Caused>(
  all: readonly One[],
  weigh: (one: One) => number = () => 1,
): { groups: [Cause, One[]][]; rest: One[] } {
  const groups: [Cause, One[]][] = [];
  let rest = [...all];
  for (let cause = commonest(rest, weigh); cause !== undefined; cause = commonest(rest, weigh)) {
    const { key } = cause;
    const has = (one: One): boolean => one.causes.some((other) => other.key === key);
    groups.push([cause, rest.filter(has)]);
    rest = rest.filter((one) => !has(one));
  }
  return { groups, rest };
}

const worst = (openings: readonly Opening[]): Level =>
  LEVELS.find((level) => openings.some((opening) => opening.level === level)) ?? 'info';

const causeOf = ({ cause, subject, id }: Opening, isAlone: boolean): Cause =>
  cause !== '' ? { key: cause, name: '' } : { key: isAlone ? subject : `event:${id}`, name: '' };

const pushTo = <K, V>(map: Map<K, V[]>, key: K, value: V): void => {
  const found = map.get(key);
  if (found) found.push(value);
  else map.set(key, [value]);
};

/** Divides openings of one kind by their causes: those that are told, then the commonest, then the rest together. */
function divide(openings: readonly Opening[]): [Cause, Opening[]][] {
  const groups: [Cause, Opening[]][] = [];
  const told = new Map<string, Opening[]>();
  for (const one of openings) if (one.cause !== '') pushTo(told, one.cause, one);
  for (const some of told.values()) groups.push([causeOf(some[0]!, false), some]);
  const { groups: common, rest } = divideByCause(openings.filter(({ cause }) => cause === ''));
  groups.push(...common);
  if (rest.length > 0) groups.push([causeOf(rest[0]!, rest.length === 1), rest]);
  return groups;
}

const bucketOf = ({ kind, flapping, user_id, domain_id }: Opening): string =>
  `${kind} ${String(flapping)} ${domain_id === null ? (user_id ?? '') : ''}`;

/**
 * Groups events, in the order in which they happened, into notices: one for all that one cause explains. A subject that begins again
 * within an hour flaps: its notice then stays open, and all further changes are part of it. `known` are the same subjects in
 * open notices and in those that ended within the hour, the oldest first; `open` are all open notices.
 */
export function groupEvents(facts: readonly Fact[], known: readonly Known[], open: readonly OpenNotice[]): Grouped {
  const result: Grouped = { made: [], joined: [], changed: [], touched: [], left: [], replaced: [] };
  const has = new Set(known.map(({ kind, subject }) => `${kind} ${subject}`));
  const begun = new Set(facts.map(({ kind, subject }) => `${kind} ${subject}`));
  const isOfState = ({ kind, subject }: Fact): boolean => {
    if (kind === 'domain_renamed') return true;
    const ends = endedBy(kind).map((state) => `${state} ${subject}`);
    return isState(kind) || ends.some((key) => has.has(key) || begun.has(key));
  };
  const openings = [
    ...playStates(facts.filter(isOfState), known, result),
    ...playMoments(
      facts.filter((fact) => !isOfState(fact) && !UNTOLD.has(fact.kind)),
      known,
      result,
    ),
  ];
  const buckets = new Map<string, Opening[]>();
  const find = finder(open);
  for (const opening of openings) {
    // Each failed move is told at once, in a notice of its own operation's end.
    const notice_id = opening.kind === 'transfer_failed' ? undefined : find(opening);
    if (notice_id === undefined) pushTo(buckets, bucketOf(opening), opening);
    else result.joined.push({ notice_id, opening });
  }
  for (const bucket of buckets.values()) {
    for (const [cause, some] of divide(bucket)) {
      const [{ kind, flapping }] = some as [Opening];
      result.made.push({ kind, flapping, cause, level: worst(some), openings: some });
    }
  }
  return result;
}
