import { mock } from 'node:test';
import { closeDatabase, execute, select, transaction } from '../db/index.ts';
import { storeHealth } from '../src/services/checks/check-http.ts';
import { keepFound } from '../src/services/checks/check-results.ts';
import { storeLooks } from '../src/services/checks/check-store.ts';
import type { Look } from '../src/services/checks/look-rows.ts';
import { purge } from '../src/services/system/purge.ts';
import { startChild } from '../test/support/child.ts';
import { timed } from './serving.ts';
import { addDomains, openPortfolio, random } from './store-portfolio.ts';

const NAMES = 500;
const PORTFOLIO = 10_000;
const DAYS = 90;
const HOUR = 3_600_000;
const START = Date.parse('2026-01-01T00:37:00.000Z');

const fileBytes = async (): Promise<number> => {
  const [row] = await select<{ bytes: number }>(
    'SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size',
  );
  return row?.bytes ?? 0;
};
const megabytes = (bytes: number): string => (bytes / 1024 / 1024).toFixed(1);

// The probability that an hourly check finds another result: 90 % change once a month, 8 % once a day, 2 % every four
// hours.
const changesAt = (id: number): number => (id % 50 === 0 ? 1 / 4 : id % 12 === 0 ? 1 / 24 : 1 / 720);

/** A name with its last looks. */
export interface Named {
  look: Look;
  verdict: Look;
}

/** Returns so many names before their first looks. */
export const statesOf = (count: number): Named[] =>
  Array.from({ length: count }, (_, index) => {
    const id = index + 1;
    const detail = id % 5 === 0 ? `https://www.shop-${id}.example/` : null;
    const blocked = id % 20 === 0;
    const entry = blocked ? `shop-${id}.example` : null;
    return {
      look: { id, verdict: '200', code: 200, ms: 100, detail },
      verdict: { id, verdict: blocked ? 'blocked' : 'available', detail: entry },
    };
  });

/** Simulates hourly HTTP and blocklist checks, stored as `serve` does, for 90 days. */
async function simulate(): Promise<void> {
  const next = random(90);
  const states = statesOf(NAMES);
  mock.timers.enable({ apis: ['Date'], now: START });
  for (let hour = 0; hour < DAYS * 24; hour += 1) {
    mock.timers.setTime(START + hour * HOUR);
    for (const { look, verdict } of states) step(look, verdict, next);
    await checkOnce(hour + 1, states);
    if (hour % 24 === 3) await purge();
  }
}

/** Lets an hour pass: what the next looks at a name find. */
export function step(look: Look, verdict: Look, next: () => number): void {
  if (next() < changesAt(look.id)) {
    const code = look.code === 200 ? (next() < 0.5 ? 503 : null) : 200;
    Object.assign(look, { code, verdict: code === null ? 'timeout' : String(code) });
  }
  look.ms = look.code === null ? 10_000 : 40 + Math.floor(next() ** 3 * 900);
  // A site in five redirects to a path that differs each time.
  if (look.detail) look.detail = `https://www.shop-${look.id}.example/${Math.floor(next() * 1e9)}`;
  // One name in a hundred is listed and unlisted, every other day.
  if (verdict.id % 100 === 50 && next() < 1 / 48) {
    const blocked = verdict.verdict !== 'blocked';
    Object.assign(verdict, {
      verdict: blocked ? 'blocked' : 'available',
      detail: blocked ? `shop-${verdict.id}.example` : null,
    });
  }
}

async function checkOnce(operation: number, states: readonly Named[]): Promise<void> {
  const now = new Date().toISOString();
  await transaction(() =>
    execute(
      `INSERT INTO operations (id, kind, subject, input, state, steps, message, created_at, finished_at)
       VALUES ($operation, 'check', 'all/http+blocklist///', '{}', 'succeeded', '[]', '{}', $now, $now)`,
      { operation, now },
    ),
  );
  await storeHealth(states.map(({ look }) => look));
  await keepFound(
    operation,
    states.map(({ look }) => {
      const { code, ms, detail } = look;
      return {
        domain: `shop-${look.id}.example`,
        url: `https://shop-${look.id}.example/`,
        http_status_code: code,
        error: null,
        ms,
        redirects: [],
        final_url: detail,
      };
    }),
  );
  const list = { list_version: now.slice(0, 13), fetched_at: now };
  await transaction(async () => {
    await storeLooks(
      'blocklist',
      states.map(({ verdict }) => verdict),
      list,
    );
    await execute(
      `UPDATE domains SET status = l.verdict, block_entry = l.detail, last_block_check_at = $now FROM looks l WHERE domains.id = l.domain_id`,
      { now },
    );
  });
  await keepFound(
    operation,
    states.map(({ verdict }) => ({
      domain: `shop-${verdict.id}.example`,
      status: verdict.verdict,
      entry: verdict.detail,
      url_listed: false,
    })),
  );
}

/** Copies the history of the simulated names to all others of a whole portfolio. */
async function fillPortfolio(): Promise<void> {
  await addDomains(NAMES, PORTFOLIO);
  const columns =
    'kind, verdict, http_status_code, ms, detail, list_version, checked_at, list_fetched_at, since, repeats';
  for (let offset = NAMES; offset < PORTFOLIO; offset += NAMES) {
    const bind = { offset, names: NAMES };
    await transaction(async () => {
      await execute(
        `INSERT INTO checks (domain_id, ${columns}) SELECT domain_id + $offset, ${columns} FROM checks WHERE domain_id <= $names ORDER BY id`,
        bind,
      );
      await execute(
        `INSERT INTO check_days (domain_id, day, checks, up, median_ms, worst_ms)
         SELECT domain_id + $offset, day, checks, up, median_ms, worst_ms FROM check_days WHERE domain_id <= $names`,
        bind,
      );
      await execute(
        `INSERT INTO check_samples (domain_id, day, checks, up, ms)
         SELECT domain_id + $offset, day, checks, up, ms FROM check_samples WHERE domain_id <= $names`,
        bind,
      );
    });
  }
}

/** Returns the longest wait of a writer in another process during the work. */
async function longestWait(file: string, work: () => Promise<unknown>): Promise<number> {
  const writer = startChild('bench/store-writer.ts', [file]);
  await writer.line();
  await work();
  writer.process.kill('SIGTERM');
  return (JSON.parse(await writer.line()) as { longest: number }).longest;
}

/** Prints the size of the history of 90 days, and how long a purge blocks a writer. */
export async function benchHistory(folder: string): Promise<void> {
  const file = await openPortfolio(folder, NAMES);
  const empty = await fileBytes();
  await simulate();
  const played = await fileBytes();
  const [rows] = await select<{ checks: number; days: number }>(
    'SELECT (SELECT count(*) FROM checks) AS checks, (SELECT count(*) FROM check_days) AS days',
  );
  const whole = ((played - empty) * PORTFOLIO) / NAMES;
  console.log(
    `store: ${NAMES} names, ${DAYS} days, hourly, 2 kinds: ${megabytes(played)} MB (${rows?.checks} stretches, ${rows?.days} days), ` +
      `so ${megabytes(whole + empty)} MB for ${PORTFOLIO} names (goal 150)`,
  );
  await fillPortfolio();
  console.log(`store: filled up to ${PORTFOLIO} names: ${megabytes(await fileBytes())} MB`);
  const wait = await longestWait(file, () => new Promise((resolve) => setTimeout(resolve, 2_000)));
  for (const days of [1, 30]) {
    mock.timers.setTime(START + (DAYS + days) * 24 * HOUR);
    const before = await select<{ n: number }>('SELECT count(*) AS n FROM check_days');
    let took = 0;
    const longest = await longestWait(file, async () => {
      took = await timed(purge);
    });
    const after = await select<{ n: number }>('SELECT count(*) AS n FROM check_days');
    console.log(
      `store: purging ${days} days (${(before[0]?.n ?? 0) - (after[0]?.n ?? 0)} figures) took ${took.toFixed(0)} ms; a writer of another process ` +
        `waited ${longest.toFixed(0)} ms at most, ${wait.toFixed(0)} ms without it (goal 100)`,
    );
  }
  mock.timers.reset();
  await closeDatabase();
}
