import { createHash } from 'node:crypto';
import { Cron } from 'croner';
import type { ScheduleRule } from '../../shared/system/schedules.ts';
import { clockTime } from '../../shared/time.ts';

const MINUTE_MS = 60_000;
const MINUTES_A_DAY = 1_440;
// The clocks of a database and of the one that takes its place differ by less: a plan so near was not made before the clock was set back.
const CLOCKS_MS = 3 * MINUTE_MS;

const cronOf = (line: string, zone: string): Cron => new Cron(line, { paused: true, timezone: zone });

/** Returns the first time of a rule after another, before jitter and quiet times; null: there is none. */
function nextSlot({ cron, interval_minutes, zone }: ScheduleRule, after: number): number | null {
  if (interval_minutes !== null) {
    const step = interval_minutes * MINUTE_MS;
    return (Math.floor(after / step) + 1) * step;
  }
  return cron === null ? null : (cronOf(cron, zone).nextRun(new Date(after))?.getTime() ?? null);
}

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** Returns the minutes from one time of day to the next time that it is another one. */
const minutesBetween = (from: string, until: string): number =>
  (minutesOf(until) - minutesOf(from) + MINUTES_A_DAY) % MINUTES_A_DAY;

/** Returns the end of the quiet time that an instant falls into; null: it falls into none. */
export function quietEnd({ quiet_from, quiet_until, zone }: ScheduleRule, at: number): number | null {
  if (quiet_from === null || quiet_until === null) return null;
  const time = clockTime(at, zone);
  const isQuiet =
    quiet_from < quiet_until ? quiet_from <= time && time < quiet_until : quiet_from <= time || time < quiet_until;
  if (!isQuiet) return null;
  const [hour, minute] = quiet_until.split(':').map(Number);
  // In an hour that the clocks repeat, a cron line would wait for the next day.
  const soon = Math.floor(at / MINUTE_MS) * MINUTE_MS + minutesBetween(time, quiet_until) * MINUTE_MS;
  if (clockTime(soon, zone) === quiet_until) return soon;
  return cronOf(`${minute} ${hour} * * *`, zone).nextRun(new Date(at))?.getTime() ?? null;
}

/** Returns the milliseconds that an installation adds to the times of a job: always the same, at most its jitter. */
export function offsetOf(installation: string, name: string, { jitter_seconds }: ScheduleRule): number {
  const number = createHash('sha256').update(`${installation} ${name}`).digest().readUInt32BE(0);
  return (number % (jitter_seconds + 1)) * 1_000;
}

/** Returns what a plan is known by: another rule or jitter has another one. */
export const digestOf = (rule: ScheduleRule, offset: number): string =>
  createHash('sha256')
    .update(JSON.stringify([rule, offset]))
    .digest('base64url')
    .slice(0, 16);

/**
 * Returns when a job runs next after a time, with an offset of its jitter. A time that falls into quiet times moves to their end,
 * together with all others that do. Null: it is off, or never runs.
 */
export function nextRun(rule: ScheduleRule, after: number, offset: number): number | null {
  if (!rule.active) return null;
  const slot = nextSlot(rule, after - offset);
  if (slot === null) return null;
  const end = quietEnd(rule, slot + offset);
  return end === null ? slot + offset : end + offset;
}

/** Returns a job's next run. A time that another rule has planned is planned anew, unless it is due or no rule has planned it. */
export function replanned(
  rule: ScheduleRule,
  planned: { rule: string; next_at: string | null },
  offset: number,
  now: number,
): string | null {
  const { next_at } = planned;
  const isOverdue = rule.active && next_at !== null && Date.parse(next_at) <= now;
  if (planned.rule === '' || isOverdue || planned.rule === digestOf(rule, offset)) return next_at;
  const next = nextRun(rule, now, offset);
  return next === null ? null : new Date(next).toISOString();
}

/** Returns the next runs of a job after a time. */
export function nextRuns(rule: ScheduleRule, after: number, offset: number, count: number): number[] {
  const runs: number[] = [];
  for (let at = nextRun(rule, after, offset); at !== null && runs.length < count; at = nextRun(rule, at, offset)) {
    runs.push(at);
  }
  return runs;
}

/**
 * Returns the next run of a job, given the planned one. Missed runs are made up for by one: a planned time stays, however long ago. A
 * planned time beyond the second run from now, and more than three minutes ahead, was planned before the clock was set back, and is
 * planned anew.
 */
export function plannedRun(rule: ScheduleRule, planned: number | null, now: number, offset: number): number | null {
  const next = nextRun(rule, now, offset);
  if (planned === null || next === null || planned <= next) return next === null ? null : (planned ?? next);
  const second = nextRun(rule, next, offset);
  return second !== null && planned > Math.max(second, now + CLOCKS_MS) ? next : planned;
}

/** Returns why a rule's cron line can't be read; null: it can. */
export function cronFault(line: string, zone: string): 'fields' | 'never' | null {
  if (line.trim().split(/\s+/).length !== 5) return 'fields';
  try {
    return cronOf(line, zone).nextRun() === null ? 'never' : null;
  } catch {
    return 'fields';
  }
}
