import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Cron } from 'croner';
import { loadConfig, useConfig } from '../src/lib/config.ts';
import { createLog } from '../src/lib/log.ts';
import { jobs } from '../src/services/system/jobs.ts';
import { random } from '../test/support/random.ts';
import { KINDS, MINUTE, NIGHT, START, type Night } from './nights-lists.ts';
import { Product } from './nights-product.ts';

const NIGHTS = 10_000;

interface Turn {
  at: number;
  job: string;
}

/** Returns the times of the night at which each job of the product is due, from its own schedule. */
function dueTimes(): Turn[] {
  const table = jobs(createLog('silent'));
  const times: Turn[] = [];
  for (const { name, cron } of table) {
    if (!['blocklist', 'check', 'auto_transfer'].includes(name)) continue;
    const timer = new Cron(cron, { paused: true, timezone: 'UTC' });
    for (let at = timer.nextRun(new Date(START - 1000)); at && at.getTime() < START + NIGHT; at = timer.nextRun(at)) {
      times.push({ at: at.getTime(), job: name });
    }
  }
  return times.toSorted((one, other) => one.at - other.at);
}

/** Runs a night; returns when the site moved, or null. */
function moveIn(night: Night, due: readonly Turn[], next: () => number): number | null {
  const product = new Product(night.source, next);
  return due.find(({ job, at }) => product.run(job, at))?.at ?? null;
}

const share = (sorted: readonly number[], part: number): string =>
  `${((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN) / MINUTE).toFixed(0)} min`;

/**
 * Prints the time from a list that names a main domain to the start of its move, and how often a list that proves
 * nothing causes a move: ten thousand nights of each kind, by the product's own rules and schedule. Fails if a goal is
 * missed.
 */
export async function benchNights(): Promise<void> {
  // Read by the jobs, none of which is run.
  useConfig(loadConfig({ dataDir: join(tmpdir(), 'seo-admin-nights') }, {}));
  const due = dueTimes();
  const next = random(20_261_122);
  let isMissed = false;
  for (const [kind, make] of Object.entries(KINDS)) {
    const waits: number[] = [];
    let moves = 0;
    for (let turn = 0; turn < NIGHTS; turn++) {
      const night = make(next);
      const moved = moveIn(night, due, next);
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
