import { transaction } from '../../db/index.ts';
import type { Logger } from '../lib/log.ts';
import type { Message } from '../shared/i18n/index.ts';
import type { ScheduleRule } from '../shared/system/schedules.ts';
import { messageFor } from './failure.ts';
import { digestOf, nextRun, offsetOf, plannedRun } from './schedule/next-run.ts';
import { databaseNow, listRuns, planRun, type FoundRun } from './schedule/rows.ts';
import {
  claimAsked,
  claimDead,
  claimPlanned,
  isOfCommand,
  runHeld,
  storeEnd,
  type Held,
  type Job,
  type ScheduleHooks,
} from './schedule/run.ts';

export type { Job };

// A job that was planned anew by another process, or whose runner died, is seen after so long at the latest.
const LOOKED_MS = 5_000;
// Planning all jobs takes as long as a few answers: a server that has just started gives these first.
const FIRST_LOOK_MS = 300;
const SEEN_MS = 60_000;
// A slot whose runs kill their process is not tried for ever.
const MOST_TRIES = 3;

/** The rule of a job for which nobody has set one. */
export const ruleOf = ({ cron }: Pick<Job, 'cron'>): ScheduleRule => ({
  active: true,
  cron,
  interval_minutes: null,
  zone: 'UTC',
  jitter_seconds: 0,
  quiet_from: null,
  quiet_until: null,
});

const timeOf = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

/** Hooks of a schedule whose jobs have their own lines alone. */
export const BARE: ScheduleHooks = {
  rules: async () => ({ rules: new Map(), installation: '' }),
  messageOf: (error) => messageFor(error) ?? { key: 'schedule.crashed' },
  isTold: () => false,
  ended: async () => undefined,
  told: async () => undefined,
  seen: async () => undefined,
};

/** A claimed run of a job; `gaveUp`: why it is ended instead, where its process died too often, or was a command. */
type Turn = { held: Held; gaveUp: Message | null };

function givenUp(dead: string, tries: number): Message | null {
  if (isOfCommand(dead)) return { key: 'schedule.command_killed' };
  return tries >= MOST_TRIES ? { key: 'schedule.killed' } : null;
}

/**
 * Plans a job where its rule has changed or the clock was set back, and claims what is due at `now`. Returns the time of its next run as well;
 * `row` is what was read of the job before.
 */
export async function turnOf(
  { name }: Pick<Job, 'name'>,
  rule: ScheduleRule,
  offset: number,
  row: FoundRun | undefined,
  now: number,
): Promise<{ turn: Turn | null; next: number | null }> {
  if (row && row.lease_owner !== null && row.is_free === 1) {
    const held = await claimDead(name, row.lease_owner);
    return { turn: held && { held, gaveUp: givenUp(row.lease_owner, row.tries) }, next: null };
  }
  const digest = digestOf(rule, offset);
  const stored = row?.next_at ? Date.parse(row.next_at) : null;
  const isOverdue = rule.active && stored !== null && stored <= now;
  const planned =
    row?.rule === digest || isOverdue ? plannedRun(rule, stored, now, offset) : nextRun(rule, now, offset);
  if (!row || planned !== stored || (row.rule !== digest && !isOverdue)) {
    await transaction(() => planRun(name, digest, timeOf(planned), row?.next_at ?? null));
    return { turn: null, next: planned };
  }
  if (planned === null || planned > now) return { turn: null, next: planned };
  // Its end wakes the schedule, or is seen at the next look where it runs elsewhere.
  if (row.lease_owner !== null) return { turn: null, next: null };
  const next = nextRun(rule, now, offset);
  const held = await claimPlanned({ name, seen: row.next_at, next_at: timeOf(next) });
  return { turn: held && { held, gaveUp: null }, next };
}

/** A started schedule. `look` makes it look at once; `stop` resolves when none of its jobs is running. */
export interface Schedule {
  look: () => void;
  stop: () => Promise<void>;
}

/** A pause that can be ended: `ring` ends it, and any that begins before the next `reset`. */
interface Bell {
  ring: () => void;
  reset: () => void;
  /** Waits for so long, or until the bell has rung; not at all after the signal. The timer does not keep the process alive. */
  pause: (ms: number) => Promise<void>;
}

function bellOf(ending: AbortSignal): Bell {
  let wake: () => void = () => undefined;
  let isWoken = false;
  return {
    ring: () => {
      isWoken = true;
      wake();
    },
    reset: () => {
      isWoken = false;
    },
    pause: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, ms);
        timer.unref();
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
        if (isWoken || ending.aborted) wake();
      }),
  };
}

/** State that the looks of a schedule share: `wanted` are the jobs that became due at once, `start` begins a claimed run. */
interface Looks {
  jobs: readonly Job[];
  hooks: ScheduleHooks;
  ending: AbortSignal;
  wanted: Set<string>;
  start: (job: Job, turn: Turn) => void;
}

/** Returns the look of a schedule: it starts what is due and returns how long nothing more will be. */
function looksOf({ jobs, hooks, ending, wanted, start }: Looks): () => Promise<number> {
  let seenAt = -Infinity;
  return async () => {
    if (performance.now() - seenAt > SEEN_MS) {
      await hooks.seen();
      seenAt = performance.now();
    }
    const { rules, installation } = await hooks.rules();
    const rows = new Map((await listRuns()).map((row) => [row.name, row]));
    const now = Date.parse(await databaseNow());
    let wait = LOOKED_MS;
    for (const job of jobs) {
      if (ending.aborted) return wait;
      const rule = rules.get(job.name) ?? ruleOf(job);
      const isWanted = wanted.delete(job.name) && rule.active;
      const held = isWanted ? await claimAsked(job.name) : null;
      if (held) {
        start(job, { held, gaveUp: null });
        continue;
      }
      // It runs elsewhere, perhaps since before it became due.
      if (isWanted) wanted.add(job.name);
      const found = await turnOf(job, rule, offsetOf(installation, job.name, rule), rows.get(job.name), now);
      if (found.turn) start(job, found.turn);
      if (found.next !== null) wait = Math.min(wait, Math.max(found.next - now, 0));
    }
    return wait;
  };
}

/**
 * Starts the schedule of this process. However many processes run one, each slot is claimed in the database and run by one of them;
 * slots that were missed, or that fall into a run of the same job, are made up for by one run. An error is logged and stored.
 */
export function startSchedule(jobs: readonly Job[], log: Logger, hooks: ScheduleHooks = BARE): Schedule {
  const running = new Set<Promise<unknown>>();
  const ending = new AbortController();
  const wanted = new Set<string>();
  const bell = bellOf(ending.signal);
  for (const { name, due } of jobs) {
    due?.(() => {
      wanted.add(name);
      bell.ring();
    });
  }

  const start = (job: Job, { held, gaveUp }: Turn): void => {
    const ended = gaveUp
      ? storeEnd(held, { result: 'failed', message: gaveUp }, hooks)
      : runHeld(job, held, { hooks, log, ending: ending.signal });
    const settled = ended
      .catch((error: unknown) => log.warn({ err: error, job: job.name }, 'the end of a job was not stored'))
      .finally(() => {
        running.delete(settled);
        bell.ring();
      });
    running.add(settled);
  };

  const look = looksOf({ jobs, hooks, ending: ending.signal, wanted, start });
  const loop = async (): Promise<void> => {
    await bell.pause(FIRST_LOOK_MS);
    while (!ending.signal.aborted) {
      bell.reset();
      const wait = await look().catch((error: unknown) => {
        log.warn({ err: error }, 'the schedule could not be read');
        return LOOKED_MS;
      });
      if (!ending.signal.aborted) await bell.pause(wait);
    }
  };
  const looping = loop();

  return {
    look: bell.ring,
    stop: async () => {
      ending.abort();
      for (const { due } of jobs) due?.(() => undefined);
      bell.ring();
      await looping;
      await Promise.all(running);
    },
  };
}
