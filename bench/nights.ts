import { Cron } from 'croner';
import { createLog } from '../src/lib/log.ts';
import { jobs } from '../src/services/system/jobs.ts';
import { doubtOf, isSuspicious, massOf, type TakenList } from '../src/shared/checks/list-doubt.ts';
import { isFetchDue, lookAfter } from '../src/shared/checks/list-schedule.ts';
import {
  chooseAlone,
  isWitnessed,
  largestWave,
  WITNESSES,
  type MainFacts,
  type Observation,
  type ProjectFacts,
  type ReserveFacts,
} from '../src/shared/transfers/transfer-pick.ts';
import { random } from '../test/support/random.ts';

const NIGHTS = 10_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NIGHT = 8 * HOUR;
/**
 * The start of the night. The event of a night follows an hour later at the earliest, so that the jobs have run before.
 */
const START = Date.parse('2026-11-22T18:00:00Z');
const PORTFOLIO = 100;
const NAMES = 1_000_000;
const MAIN = 0;
const RESERVES = [1, 2, 3];
/** These of the portfolio have been blocked for long, one of the reserves among them. */
const LONG_BLOCKED = [3, ...Array.from({ length: 11 }, (_, i) => 50 + i)];
const FETCH_FAILS = 0.03;

/** A version of the list: its length, and the domains of the portfolio in it. */
interface Version {
  id: string;
  total: number;
  listed: ReadonlySet<number>;
}

/** Returns the version that the source serves at a time. */
type Source = (at: number) => Version;

interface Night {
  source: Source;
  /** When the list first names the main domain, rightly; null: never. */
  published: number | null;
}

type Next = () => number;
const pick = (next: Next, from: number, to: number): number => from + Math.floor(next() * (to - from));

let versions = 0;
const version = (listed: Iterable<number>, total = NAMES): Version => ({
  id: `v${++versions}`,
  total,
  listed: new Set(listed),
});

/** Serves the versions from the given times on. */
function served(steps: readonly { from: number; version: Version }[]): Source {
  const sorted = steps.toSorted((one, other) => one.from - other.from);
  return (at) => sorted.findLast(({ from }) => from <= at)!.version;
}

/** The source rewrites its file now and then, with other names that are not in the portfolio. */
function churn(next: Next, listed: Iterable<number>): { from: number; version: Version }[] {
  const times = Array.from({ length: pick(next, 0, 5) }, () => START + pick(next, 0, NIGHT));
  return [
    { from: 0, version: version(listed) },
    ...times.map((from) => ({ from, version: version(listed, NAMES + pick(next, -999, 999)) })),
  ];
}

const KINDS: Record<string, (next: Next) => Night> = {
  'a true block': (next) => {
    const published = START + HOUR + pick(next, 0, 4 * HOUR);
    const before = churn(next, LONG_BLOCKED).filter(({ from }) => from < published);
    const after = churn(next, [...LONG_BLOCKED, MAIN]).map(({ from, version }) => ({
      from: Math.max(from, published),
      version,
    }));
    return { published, source: served([...before, ...after]) };
  },
  'a poisoned list': (next) => {
    // A third of the portfolio or more, at once or in four steps; sometimes the list is half as long again.
    const from = START + HOUR + pick(next, 0, 4 * HOUR);
    const victims = Array.from({ length: pick(next, 33, PORTFOLIO) }, (_, i) => i).filter((i) => !RESERVES.includes(i));
    const parts = next() < 0.5 ? 1 : 4;
    // The main domain is in the last part, after the parts before it were believed.
    const order = victims.toReversed();
    const steps = Array.from({ length: parts }, (_, part) => ({
      from: from + part * pick(next, 10, 60) * MINUTE,
      version: version(
        [...LONG_BLOCKED, ...order.slice(0, Math.ceil((order.length * (part + 1)) / parts))],
        NAMES * (next() < 0.3 ? 1.5 : 1),
      ),
    }));
    return {
      published: null,
      source: served([...churn(next, LONG_BLOCKED).filter((step) => step.from < from), ...steps]),
    };
  },
  'a truncated list': (next) => {
    // The main domain has been blocked for long and waits for a reserve; all reserves are blocked, and a truncated list
    // frees some.
    const listed = [...LONG_BLOCKED, MAIN, ...RESERVES];
    const from = START + HOUR + pick(next, 0, 4 * HOUR);
    const share = 0.1 + next() * 0.85;
    const kept = listed.filter((id) => id === MAIN || next() < share);
    const back = from + pick(next, 1, 300) * MINUTE;
    const steps = [
      { from, version: version(kept, Math.round(NAMES * share)) },
      { from: back, version: version(listed) },
    ];
    return { published: null, source: served([...churn(next, listed).filter((step) => step.from < from), ...steps]) };
  },
  'a flapping list': (next) => {
    // The name appears for less than the ten minutes that the rule requires, and disappears for at least twenty,
    // repeatedly.
    const steps = churn(next, LONG_BLOCKED).filter(({ from }) => from < START + HOUR);
    for (let at = START + HOUR; at < START + NIGHT;) {
      steps.push({ from: at, version: version([...LONG_BLOCKED, MAIN]) });
      at += pick(next, 1, 10) * MINUTE;
      steps.push({ from: at, version: version(LONG_BLOCKED) });
      at += pick(next, 20, 90) * MINUTE;
    }
    return { published: null, source: served(steps) };
  },
};

/** Returns the times of the night at which each job of the product is due, from its own schedule. */
function dueTimes(): { at: number; name: string }[] {
  const table = jobs(createLog('silent'));
  const times: { at: number; name: string }[] = [];
  for (const { name, cron } of table) {
    if (!['blocklist', 'check', 'auto_transfer'].includes(name)) continue;
    const timer = new Cron(cron, { paused: true, timezone: 'UTC' });
    for (let at = timer.nextRun(new Date(START - 1000)); at && at.getTime() < START + NIGHT; at = timer.nextRun(at)) {
      times.push({ at: at.getTime(), name });
    }
  }
  return times.toSorted((one, other) => one.at - other.at);
}

/**
 * Simulates the product for a night with its own rules and only the state it keeps. Returns when the site moved, or
 * null.
 */
function simulate(night: Night, due: readonly { at: number; name: string }[], next: Next): number | null {
  let list = night.source(0);
  let taken: TakenList[] = [
    { list_version: list.id, total: list.total, taken_at: new Date(START - 8 * DAY).toISOString() },
  ];
  let fetchedAt = START - MINUTE * pick(next, 0, 15);
  let attempted: number | null = null;
  let failures = 0;
  let looked = list.id;
  let held: string | null = null;
  const statuses = Array.from({ length: PORTFOLIO }, (_, id) => list.listed.has(id));
  const baselines = [...statuses];
  const since = statuses.map((blocked) => (blocked ? START - 30 * DAY : 0));
  const looks = Array.from({ length: WITNESSES }, (_, i) => lookOf(statuses[MAIN]!, list, START - (30 - i) * DAY));
  const mainFacts = (): MainFacts => ({
    ...base(MAIN, 'main', statuses[MAIN]!, list),
    observations: looks.toReversed(),
    flapped: flappedAt > now - DAY,
    came_from: [],
    cloudflare_account_id: 1,
  });
  const suspected = (): boolean => statuses[MAIN]! && list.listed.has(MAIN) && !isWitnessed(mainFacts());
  const lastBlocked = statuses.map((blocked) => (blocked ? START : 0));
  let flappedAt = 0;
  let now = START;

  /** The blocklist step of a check. */
  const look = (ids: readonly number[]): void => {
    const change = { total: PORTFOLIO, blocked_before: 0, blocked: 0, blocked_now: 0, freed: 0, freed_now: 0 };
    for (let id = 0; id < PORTFOLIO; id++) {
      const after = ids === ALL || ids.includes(id) ? list.listed.has(id) : statuses[id]!;
      if (baselines[id]) change.blocked_before += 1;
      if (!baselines[id] && after) {
        change.blocked += 1;
        if (!statuses[id]) change.blocked_now += 1;
      }
      if (baselines[id] && !after) {
        change.freed += 1;
        if (statuses[id]) change.freed_now += 1;
      }
    }
    if (massOf(change)) {
      held = list.id;
      return;
    }
    if (ids === ALL) held = null;
    for (const id of ids) {
      const isBlocked = list.listed.has(id);
      if (isBlocked && !statuses[id]) since[id] = now;
      statuses[id] = isBlocked;
      if (isBlocked) lastBlocked[id] = now;
      else if (id === MAIN && lastBlocked[id]! > now - DAY) flappedAt = now;
      // The looks at the others are never read.
      if (id === MAIN) {
        looks.shift();
        looks.push(lookOf(isBlocked, list, fetchedAt));
      }
    }
  };
  /** Runs automatic transfer; returns whether the site moves. */
  const moves = (): boolean => {
    if (!statuses[MAIN] || held !== null) return false;
    const turned = since.filter((at, id) => statuses[id] && at > START);
    const isMany = isSuspicious(turned.length, PORTFOLIO);
    if (isMany && isSuspicious(largestWave(turned.map((at) => new Date(at).toISOString())), PORTFOLIO)) return false;
    const facts = (id: number): ReserveFacts => ({
      ...base(id, 'transfer', statuses[id]!, list),
      failed: false,
      blocked_lately: lastBlocked[id]! > now - DAY,
      expired_at: null,
      http_status_code: 200,
      http_error: null,
    });
    const reserves = RESERVES.map(facts);
    const project: ProjectFacts = {
      last_reserve: 'on',
      moving: false,
      moved: { project: 0, overall: 0 },
      mains: [mainFacts()],
      reserves,
    };
    return chooseAlone(project, now).some(({ decision }) => decision === 'started');
  };
  const fetch = (): void => {
    attempted = now;
    if (next() < FETCH_FAILS) {
      failures += 1;
      return;
    }
    failures = 0;
    const found = night.source(now);
    if (found.id !== list.id && doubtOf(found.total, taken, now)) return;
    if (found.id !== list.id) {
      list = found;
      taken = [...taken, { list_version: found.id, total: found.total, taken_at: new Date(now).toISOString() }];
    }
    fetchedAt = now;
  };

  for (const turn of due) {
    now = turn.at;
    let hasLooked = false;
    if (turn.name === 'blocklist') {
      const before = fetchedAt;
      const isSuspected = suspected();
      const facts = {
        attempted_at: attempted,
        failures,
        fetched_at: fetchedAt,
        conditional: true,
        suspected: isSuspected,
      };
      if (isFetchDue(facts, now)) fetch();
      const what = lookAfter({ changed: list.id !== looked, confirmed: fetchedAt !== before, suspected: isSuspected });
      looked = list.id;
      if (what === 'all') look(ALL);
      if (what === 'suspected') look([MAIN]);
      hasLooked = what !== null;
    } else if (turn.name === 'check') {
      look(ALL);
      hasLooked = true;
    }
    // Automatic transfer runs after each check.
    if ((hasLooked || turn.name === 'auto_transfer') && moves()) return now;
  }
  return null;
}

const ALL = Array.from({ length: PORTFOLIO }, (_, id) => id);
const nameOf = (id: number): string => `name-${id}.example`;

const lookOf = (blocked: boolean, { id: list_version }: Version, fetched: number): Observation => ({
  verdict: blocked ? 'blocked' : 'available',
  entry: blocked ? nameOf(MAIN) : null,
  list_version,
  list_fetched_at: new Date(fetched).toISOString(),
});

const base = <Type extends 'main' | 'transfer'>(id: number, type: Type, blocked: boolean, { listed }: Version) => ({
  id,
  domain_name: nameOf(id),
  type,
  transfer_type: 'auto' as const,
  status: blocked ? ('blocked' as const) : ('available' as const),
  zone: nameOf(id),
  listed: listed.has(id) ? ('blocked' as const) : ('free' as const),
  busy: false,
});

const share = (sorted: readonly number[], part: number): string =>
  `${((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN) / MINUTE).toFixed(0)} min`;

/**
 * Prints the time from a list that names a main domain to the start of its move, and how often a list that proves
 * nothing causes a move: ten thousand nights of each kind, by the product's own rules and schedule. Fails if a goal is
 * missed.
 */
export async function benchNights(): Promise<void> {
  const due = dueTimes();
  const next = random(20_261_122);
  let isMissed = false;
  for (const [kind, make] of Object.entries(KINDS)) {
    const waits: number[] = [];
    let moves = 0;
    for (let turn = 0; turn < NIGHTS; turn++) {
      const night = make(next);
      const moved = simulate(night, due, next);
      if (moved !== null) moves += 1;
      if (moved !== null && night.published !== null) waits.push(moved - night.published);
    }
    const sorted = waits.toSorted((one, other) => one - other);
    const times =
      sorted.length === 0
        ? ''
        : `; median ${share(sorted, 0.5)}, 99 % ${share(sorted, 0.99)}, worst ${share(sorted, 1)}`;
    console.log(`${kind}: ${NIGHTS} nights, ${moves} moves${times}`);
    const isLate = sorted.length > 0 && (sorted.at(-1)! > 45 * MINUTE || sorted[sorted.length >> 1]! > 30 * MINUTE);
    isMissed ||= kind === 'a true block' ? moves < NIGHTS || isLate : moves > 0;
  }
  if (isMissed)
    throw new Error('A goal is missed: every true block within 45 minutes, half within 30, and no other move.');
}
