import type { random } from '../test/support/random.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** The length of a night. */
export const NIGHT = 8 * HOUR;
/**
 * The start of the night. The event of a night follows an hour later at the earliest, so that the jobs have run before.
 */
export const START = Date.parse('2026-11-22T18:00:00Z');
/** The number of domains, whose ids begin at 0. */
export const PORTFOLIO = 100;
export const MAIN = 0;
export const RESERVES = [1, 2, 3];
const NAMES = 1_000_000;
/** These of the portfolio have been blocked for long, one of the reserves among them. */
const LONG_BLOCKED = [3, ...Array.from({ length: 11 }, (_, i) => 50 + i)];

/** A version of the list: its length, and the domains of the portfolio in it. */
export interface Version {
  id: string;
  total: number;
  listed: ReadonlySet<number>;
}

/** Returns the version that the source serves at a time. */
export type Source = (at: number) => Version;

export interface Night {
  source: Source;
  /** When the list first names the main domain, rightly; null: never. */
  published: number | null;
}

export type Next = ReturnType<typeof random>;
/** Returns a whole number from `from` to below `to`. */
export const pick = (next: Next, from: number, to: number): number => from + Math.floor(next() * (to - from));

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

/** Make a night of each kind. */
export const KINDS: Record<string, (next: Next) => Night> = {
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
