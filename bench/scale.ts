// A day of a large portfolio: what is stored is measured, with the product's own statements; what is asked outside is simulated by its schedule and limits.
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { closeDatabase, commitCount, execute, select, transaction } from '../db/index.ts';
import { storeHealth } from '../src/services/checks/check-http.ts';
import { keepFound } from '../src/services/checks/check-results.ts';
import { storeLooks } from '../src/services/checks/check-store.ts';
import { ASSUMED, simulateDay, type Day } from './scale-day.ts';
import { statesOf, step, type Named } from './store-history.ts';
import { openPortfolio, random } from './store-portfolio.ts';

const SIZES = [1_000, 20_000, 200_000, 1_000_000];
// Number of results stored at once, as by `check-http.ts`.
const BATCH = 2_000;
const HOUR = 3_600_000;
const START = Date.parse('2026-01-01T00:37:00.000Z');
// The share of a day that the largest measured portfolio is stored for: its rounds are alike.
const ROUNDS: Record<number, number> = { 1_000: 24, 20_000: 24, 200_000: 4 };

interface Stored {
  names: number;
  /** Per round: processor time and time, in ms, and transactions. */
  cpuMs: number;
  ms: number;
  commits: number;
  /** How long the verdicts of the list hold the one writer: they are stored at once, so that a broken list changes nothing. */
  heldMs: number;
  /** Of a day. */
  rows: number;
  bytes: number;
}

const countRows = async (): Promise<number> => {
  const tables = ['checks', 'check_days', 'check_samples', 'check_batches', 'operations', 'operation_results'];
  const counts = tables.map((name) => `(SELECT COUNT(*) FROM ${name})`);
  const [row] = await select<{ n: number }>(`SELECT ${counts.join(' + ')} AS n`);
  return row?.n ?? 0;
};

const fileBytes = async (): Promise<number> => {
  const [row] = await select<{ bytes: number }>(
    'SELECT (page_count - freelist_count) * page_size AS bytes FROM pragma_page_count, pragma_page_size, pragma_freelist_count',
  );
  return row?.bytes ?? 0;
};

/** Stores a round of HTTP checks and the verdicts of the list, with what the operation keeps. Returns how long the latter took, in ms. */
async function storeRound(operation: number, states: readonly Named[]): Promise<number> {
  const now = new Date().toISOString();
  await transaction(() =>
    execute(
      `INSERT INTO operations (id, kind, subject, input, state, steps, message, created_at, finished_at)
       VALUES ($operation, 'check', 'all/http+blocklist///', '{}', 'succeeded', '[]', '{}', $now, $now)`,
      { operation, now },
    ),
  );
  for (let from = 0; from < states.length; from += BATCH) {
    const part = states.slice(from, from + BATCH);
    await storeHealth(part.map(({ look }) => look));
    await keepFound(
      operation,
      part.map(({ look: { id, code, ms } }) => ({ domain: `shop-${id}.example`, http_status_code: code, ms })),
    );
  }
  const list = { list_version: now.slice(0, 13), fetched_at: now };
  const start = performance.now();
  await transaction(() =>
    storeLooks(
      'blocklist',
      states.map(({ verdict }) => verdict),
      list,
    ),
  );
  return performance.now() - start;
}

/** Stores rounds of so many names as `serve` does, on SQLite, and returns what they cost. */
async function measureStoring(folder: string, names: number, rounds: number): Promise<Stored> {
  const file = await openPortfolio(folder, names);
  const next = random(90);
  const states = statesOf(names);
  mock.timers.enable({ apis: ['Date'], now: START });
  try {
    // In the first round no name has a row to extend.
    await storeRound(1, states);
    const [rows, bytes, commits, cpu, start] = [
      await countRows(),
      await fileBytes(),
      commitCount(),
      process.cpuUsage(),
      performance.now(),
    ];
    let heldMs = 0;
    for (let round = 1; round <= rounds; round += 1) {
      mock.timers.setTime(START + round * HOUR);
      for (const { look, verdict } of states) step(look, verdict, next);
      heldMs += (await storeRound(round + 1, states)) / rounds;
    }
    const { user, system } = process.cpuUsage(cpu);
    const day = 24 / rounds;
    return {
      names,
      cpuMs: (user + system) / 1_000 / rounds,
      ms: (performance.now() - start) / rounds,
      commits: (commitCount() - commits) / rounds,
      heldMs,
      rows: ((await countRows()) - rows) * day,
      bytes: ((await fileBytes()) - bytes) * day,
    };
  } finally {
    mock.timers.reset();
    await closeDatabase();
    rmSync(file);
  }
}

const whole = (value: number): string => Math.round(value).toLocaleString('en');
const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`;

// Measured by `bench health`: the processor time of a check, without its storing.
const CHECK_CPU_MS = 0.27;

function line(day: Day, stored: Stored): string[] {
  const share = day.names / stored.names;
  const calls = Object.values(day.calls).reduce((sum, n) => sum + n, 0);
  const cpuSeconds = (day.calls.http * CHECK_CPU_MS + stored.cpuMs * share * day.rounds.done) / 1_000;
  return [
    whole(day.names),
    `${day.rounds.done} of ${day.rounds.planned}`,
    day.rounds.minutes.toFixed(1),
    whole(calls),
    whole(day.peak),
    whole(stored.rows * share),
    megabytes(stored.bytes * share),
    whole(stored.commits * share * day.rounds.done),
    (cpuSeconds / 86_400).toFixed(3),
  ];
}

const HEADINGS = ['names', 'rounds', 'minutes a round', 'calls a day', 'calls, busiest minute'];
const MORE = ['rows a day', 'bytes a day', 'transactions a day', 'cores, mean'];

/**
 * Prints a day of 1,000 to 1,000,000 names: what storing a round costs, measured up to 200,000, and what is asked outside, simulated minute by minute with
 * the product's schedule, paces and limits.
 */
export async function benchScale(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'seo-admin-scale-'));
  try {
    const measured: Stored[] = [];
    for (const [names, rounds] of Object.entries(ROUNDS)) {
      const stored = await measureStoring(folder, Number(names), rounds);
      measured.push(stored);
      const { ms, cpuMs, commits, heldMs, rows, bytes } = stored;
      console.log(
        `measured: ${whole(stored.names)} names, a round stored in ${whole(ms)} ms (processor ${whole(cpuMs)} ms, ${whole(commits)} transactions, the longest ${whole(heldMs)} ms); ` +
          `a day: ${whole(rows)} rows, ${megabytes(bytes)}`,
      );
    }
    console.log(`${availableParallelism()} cores; assumed: ${JSON.stringify(ASSUMED)}`);
    console.log(`\n| ${[...HEADINGS, ...MORE].join(' | ')} |`);
    const days = await Promise.all(SIZES.map(simulateDay));
    for (const day of days) {
      const stored = measured.findLast(({ names }) => names <= day.names) ?? measured[0];
      if (stored) console.log(`| ${line(day, stored).join(' | ')} |`);
    }
    for (const { names, registries, calls } of days) {
      const told = registries.map(
        ({ server, due, done, days: age }) =>
          `${server} ${whole(due)} due, ${whole(done)} asked, each within ${age.toFixed(1)} days`,
      );
      console.log(
        `${whole(names)}: ${told.join('; ')}; certificates ${whole(calls.certificates)}, list ${whole(calls.list)}`,
      );
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}
