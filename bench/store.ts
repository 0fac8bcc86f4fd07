import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { closeDatabase, execute, openDatabase, select, transaction } from '../db/index.ts';
import { migrate } from '../db/migrate.ts';
import { inTransaction, modelOf } from '../db/rows.ts';
import { storeHealth } from '../src/services/checks/check-http.ts';
import { keepFound } from '../src/services/checks/check-results.ts';
import { storeLooks } from '../src/services/checks/check-store.ts';
import type { Look } from '../src/services/checks/look-rows.ts';
import { purge } from '../src/services/system/purge.ts';
import { checks } from '../src/shared/checks/tables.ts';
import { domains } from '../src/shared/portfolio/tables.ts';
import { startChild } from '../test/support/child.ts';
import { median } from './serving.ts';

const RESULTS = 10_000;
const ROUNDS = 7;
const BATCH = 1_000;

const NAMES = 500;
const PORTFOLIO = 10_000;
const DAYS = 90;
const HOUR = 3_600_000;
const START = Date.parse('2026-01-01T00:37:00.000Z');

/** Returns a generator of random numbers, equal for equal seeds. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

async function open(folder: string, domains: number): Promise<string> {
  const file = join(folder, `${domains}.sqlite`);
  await openDatabase(file);
  await migrate();
  await transaction(async () => {
    await execute(
      `INSERT INTO users (id, login, password, role, active, created_at) VALUES (1, 'bench', '', 'admin', 1, '')`,
    );
    await execute(`INSERT INTO installation (name, value) VALUES ('bench', '')`);
  });
  await addDomains(0, domains);
  return file;
}

const addDomains = (from: number, to: number): Promise<number> =>
  transaction(() =>
    execute(
      `WITH RECURSIVE n (i) AS (SELECT $from + 1 UNION ALL SELECT i + 1 FROM n WHERE i < $to)
       INSERT INTO domains (id, user_id, domain_name, unicode_name, file_path, type, transfer_type, transfer_dns, status,
         last_http_check_at, last_block_check_at, created_at, updated_at)
       SELECT i, 1, 'shop-' || i || '.example', 'shop-' || i || '.example', '/var/www/www-root/data/www/shop-' || i || '.example', 'main',
         'auto', 'off', 'available', '', '', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z' FROM n`,
      { from, to },
    ),
  );

const fileBytes = async (): Promise<number> => {
  const [row] = await select<{ bytes: number }>(
    'SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size',
  );
  return row?.bytes ?? 0;
};
const megabytes = (bytes: number): string => (bytes / 1024 / 1024).toFixed(1);

/** Sequelize's own method: a row for each result, and its domain, a thousand per statement. */
async function bulkCreate(looks: readonly Look[], rows: readonly object[]): Promise<void> {
  const checked_at = new Date().toISOString();
  await transaction(async () => {
    for (let from = 0; from < looks.length; from += BATCH) {
      const part = looks.slice(from, from + BATCH);
      const results = part.map(({ id, verdict, code, ms, detail }) => {
        return {
          domain_id: id,
          kind: 'http' as const,
          verdict,
          http_status_code: code ?? null,
          ms: ms ?? null,
          detail,
          checked_at,
        };
      });
      await (await modelOf(checks)).bulkCreate(results, await inTransaction());
      const updated = part.map(({ code }, index) =>
        Object.assign({}, rows[from + index], {
          http_status_code: code,
          http_error: null,
          last_http_check_at: checked_at,
        }),
      );
      await (
        await modelOf(domains)
      ).bulkCreate(updated, {
        updateOnDuplicate: ['http_status_code', 'http_error', 'last_http_check_at'],
        ...(await inTransaction()),
      });
    }
  });
}

const timed = async (work: () => Promise<void>): Promise<number> => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};

/**
 * Stores 10,000 results, a share of which differ from the previous ones; the product and the peer use one half of the
 * domains each.
 */
async function benchStoring(folder: string, changing: number): Promise<void> {
  await open(folder, RESULTS * 2);
  const next = random(7);
  const looks = (from: number): Look[] =>
    Array.from({ length: RESULTS }, (_, index) => {
      const code = next() < changing ? 503 : 200;
      return { id: from + index + 1, verdict: String(code), code, ms: 40 + Math.floor(next() * 400), detail: null };
    });
  const rows = await select('SELECT * FROM domains WHERE id > $last ORDER BY id', { last: RESULTS });
  const ours: number[] = [];
  const peer: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const [own, other] = [looks(0), looks(RESULTS)];
    const took = [await timed(() => storeHealth(own)), await timed(() => bulkCreate(other, rows))];
    // In the first round no domain has a row to extend.
    if (round > 0) {
      ours.push(took[0] ?? 0);
      peer.push(took[1] ?? 0);
    }
  }
  const ratio = median(ours.map((ms, index) => ms / (peer[index] ?? 0)));
  console.log(
    `store: ${RESULTS} results, ${changing * 100} % another than before: ${median(ours).toFixed(0)} ms, ` +
      `bulkCreate ${median(peer).toFixed(0)} ms, ratio ${ratio.toFixed(3)} (goal 0.12)`,
  );
  await closeDatabase();
  rmSync(join(folder, `${RESULTS * 2}.sqlite`));
}

// The probability that an hourly check finds another result: 90 % change once a month, 8 % once a day, 2 % every four
// hours.
const changesAt = (id: number): number => (id % 50 === 0 ? 1 / 4 : id % 12 === 0 ? 1 / 24 : 1 / 720);

interface Named {
  look: Look;
  verdict: Look;
}

/** Simulates hourly HTTP and blocklist checks, stored as `serve` does, for 90 days. */
async function simulate(): Promise<void> {
  const next = random(90);
  const states: Named[] = Array.from({ length: NAMES }, (_, index) => {
    const id = index + 1;
    const detail = id % 5 === 0 ? `https://www.shop-${id}.example/` : null;
    const blocked = id % 20 === 0;
    const entry = blocked ? `shop-${id}.example` : null;
    return {
      look: { id, verdict: '200', code: 200, ms: 100, detail },
      verdict: { id, verdict: blocked ? 'blocked' : 'available', detail: entry },
    };
  });
  mock.timers.enable({ apis: ['Date'], now: START });
  for (let hour = 0; hour < DAYS * 24; hour += 1) {
    mock.timers.setTime(START + hour * HOUR);
    for (const { look, verdict } of states) change(look, verdict, next);
    await checkOnce(hour + 1, states);
    if (hour % 24 === 3) await purge();
  }
}

function change(look: Look, verdict: Look, next: () => number): void {
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

async function benchHistory(folder: string): Promise<void> {
  const file = await open(folder, NAMES);
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

/**
 * Prints the cost of storing results compared with bulkCreate, the size of the history, and how long a purge blocks a
 * writer.
 */
export async function benchStore(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'seo-admin-store-'));
  try {
    for (const changing of [0, 0.1]) await benchStoring(folder, changing);
    await benchHistory(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
