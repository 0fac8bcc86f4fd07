// A day on paper, minute by minute: the product's own schedule, paces and limits, and nobody outside who is slower than they allow.
import { nextRuns, offsetOf } from '../src/operations/schedule/next-run.ts';
import { findRegistry } from '../src/providers/registry.ts';
import { DEFAULTS } from '../src/services/system/schedules.ts';
import type { JobName } from '../src/shared/system/job-names.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const START = Date.parse('2026-11-23T00:00:00.000Z');

/** Assumptions: the shares of names by zone, of mains, of names that end soon and of dead ones, and the time that hosts take. */
export const ASSUMED = {
  zones: { ru: 0.6, com: 0.25, other: 0.15 },
  mains: 0.2,
  // A date within 30 days of a year.
  endsSoon: 30 / 365,
  dead: 0.02,
  deadSeconds: 10,
  aliveSeconds: 0.4,
  handshakeSeconds: 0.3,
} as const;

/** The product's limits: checks at once and per second (as `bench health` measures), certificates (`certificates.ts`), look-ups a day. */
const CHECKS = { atOnce: 1_500, perSecond: 10_000 / 5.5 };
const CERTIFICATES = { atOnce: 20, runs: { main: 20, reserve: 120 }, least: 50, sides: 2, reserveDays: 7 };
const LOOKUPS = { usual: 1, soon: 4 };

/** A day of so many names. Calls are by service; `busy` and `longest` are minutes. */
export interface Day {
  names: number;
  calls: Record<'http' | 'list' | 'whois' | 'rdap' | 'certificates', number>;
  rounds: { planned: number; done: number; minutes: number };
  registries: { server: string; due: number; done: number; days: number }[];
  /** The most outside calls of a minute. */
  peak: number;
  runs: number;
}

/** Returns the minutes of the day at which a job begins. */
function slotsOf(name: JobName): number[] {
  const rule = DEFAULTS[name];
  const times = nextRuns(rule, START - 1, offsetOf('bench', name, rule), 2_000);
  return times.filter((at) => at < START + DAY_MS).map((at) => Math.floor((at - START) / MINUTE_MS));
}

interface Registry {
  server: string;
  perMinute: number;
  waiting: number;
  due: number;
  done: number;
}

async function registriesOf(names: number): Promise<Registry[]> {
  const whois = await findRegistry('ru');
  const rdap = await findRegistry('com', { rdapUrl: 'http://127.0.0.1:9' });
  const { zones, endsSoon } = ASSUMED;
  return Object.entries(zones).map(([zone, share]) => {
    const { pace, key } = zone === 'ru' ? whois : rdap;
    const due = Math.round(names * share * (LOOKUPS.usual * (1 - endsSoon) + LOOKUPS.soon * endsSoon));
    const perMinute = (pace.calls / pace.seconds) * 60;
    return { server: `${key.split(' ')[0]} of .${zone}`, perMinute, waiting: 0, due, done: 0 };
  });
}

/** Returns how many checks and handshakes a minute allows, and how many certificates are due in the day and in a run. */
function limitsOf(names: number) {
  const meanSeconds = ASSUMED.dead * ASSUMED.deadSeconds + (1 - ASSUMED.dead) * ASSUMED.aliveSeconds;
  const [mains, reserves] = [names * ASSUMED.mains, names * (1 - ASSUMED.mains)];
  const inARun = mains / CERTIFICATES.runs.main + reserves / CERTIFICATES.runs.reserve;
  return {
    checksPerMinute: 60 * Math.min(CHECKS.perSecond, CHECKS.atOnce / meanSeconds),
    handshakesPerMinute: (CERTIFICATES.atOnce / ASSUMED.handshakeSeconds) * 60,
    // Reserves have one side: on most of them no site was deployed.
    certificatesDue: mains * CERTIFICATES.sides + reserves / CERTIFICATES.reserveDays,
    aRun: Math.max(CERTIFICATES.least, inARun) * CERTIFICATES.sides,
  };
}

/** Simulates a day of so many names. */
export async function simulateDay(names: number): Promise<Day> {
  const slots = Object.fromEntries(
    (Object.keys(DEFAULTS) as JobName[]).map((name) => [name, new Set(slotsOf(name))]),
  ) as Record<JobName, Set<number>>;
  const registries = await registriesOf(names);
  const { checksPerMinute, handshakesPerMinute, certificatesDue, aRun } = limitsOf(names);
  const calls: Day['calls'] = { http: 0, list: 0, whois: 0, rdap: 0, certificates: 0 };
  let [checking, handshakes, taken, peak, done, busy] = [0, 0, 0, 0, 0, 0];
  for (let minute = 0; minute < DAY_MS / MINUTE_MS; minute += 1) {
    let now = 0;
    if (slots.check.has(minute) && checking <= 0) checking = names;
    if (checking > 0) {
      const asked = Math.min(checking, checksPerMinute);
      checking -= asked;
      calls.http += asked;
      now += asked;
      busy += asked / checksPerMinute;
      if (checking <= 0) done += 1;
    }
    if (slots.blocklist.has(minute)) calls.list += 1;
    if (slots.expiry.has(minute)) {
      for (const one of registries) one.waiting = Math.max(one.waiting, one.due / slots.expiry.size + one.waiting);
    }
    for (const one of registries) {
      const asked = Math.min(one.waiting, one.perMinute);
      one.waiting -= asked;
      one.done += asked;
      calls[one.server.startsWith('whois') ? 'whois' : 'rdap'] += asked;
      now += asked;
    }
    if (minute % 60 === 33 && taken < certificatesDue) {
      const due = Math.min(aRun, certificatesDue - taken);
      handshakes += due;
      taken += due;
    }
    const shaken = Math.min(handshakes, handshakesPerMinute);
    handshakes -= shaken;
    calls.certificates += shaken;
    peak = Math.max(peak, now + shaken);
  }
  return {
    names,
    calls,
    rounds: { planned: slots.check.size, done, minutes: busy / Math.max(1, done) },
    registries: registries.map(({ server, due, done: asked, perMinute }) => ({
      server,
      due,
      done: asked,
      days: Math.max(1, due / (perMinute * 60 * 24)),
    })),
    peak,
    runs: Object.values(slots).reduce((sum, { size }) => sum + size, 0),
  };
}
