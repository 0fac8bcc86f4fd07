import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeDatabase, executeUnaudited, execute, openDatabase, select, transaction } from '../db/index.ts';
import { migrate } from '../db/migrate.ts';
import { startXmlriver } from '../src/demo/search/xmlriver.ts';
import { useConfig, loadConfig } from '../src/lib/config.ts';
import { useSecretKey } from '../src/lib/secret.ts';
import { registerFlows, runOperation } from '../src/operations/engine.ts';
import { SYSTEM } from '../src/services/access/scope.ts';
import { createAccount } from '../src/services/accounts/accounts.ts';
import { fetchFlow, startFetch } from '../src/services/positions/fetch.ts';
import { projectPositions } from '../src/services/positions/grids.ts';
import { xmlriverKind } from '../src/shared/accounts/xmlriver.ts';
import { ENGINES } from '../src/shared/engines.ts';
import { dayOf } from '../src/shared/positions/places.ts';

const PROJECTS = 14;
const KEYWORDS = 200;
const DAYS = 90;
const FOUND = 2;
const ROUNDS = 15;
const FETCHED = 2_000;
const LATENCY_MS = 100;
const STREAMS = 10;

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Fills the tables with the positions of projects of two mains, by the statements of the database. */
async function fill(projects: number, keywords: number): Promise<void> {
  const today = dayOf(Date.now());
  const made = new Date().toISOString();
  const run = (sql: string, bind: object = {}): Promise<number> =>
    transaction(() => executeUnaudited('demo', sql, { ...bind }));
  const series = (name: string, last: string): string =>
    `${name} (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM ${name} WHERE i < ${last})`;
  await run(`INSERT INTO users (id, login, password, role, created_at) VALUES (1, 'ann', '', 'admin', $made)`, {
    made,
  });
  await run(
    `WITH RECURSIVE ${series('p', '$n')} INSERT INTO projects (id, user_id, name, created_at) SELECT i, 1, 'p' || i, $made FROM p`,
    { n: projects, made },
  );
  await run(
    `WITH RECURSIVE ${series('d', '$n')} INSERT INTO domains (id, user_id, project_id, domain_name, unicode_name, file_path, type,
       transfer_type, transfer_dns, status, created_at, updated_at)
     SELECT i, 1, (i - 1) / ${FOUND} + 1, 'd' || i || '.ru', 'd' || i || '.ru', '/', 'main', 'auto', 'off', 'available', $made, $made FROM d`,
    { n: projects * FOUND, made },
  );
  await run(
    `WITH RECURSIVE ${series('k', '$n')} INSERT INTO keywords (id, project_id, value, normalized, tags, created_at)
     SELECT i, (i - 1) / $each + 1, 'word ' || i, 'word ' || i, '[]', $made FROM k`,
    { n: projects * keywords, each: keywords, made },
  );
  await run(
    `INSERT INTO search_queries (keyword_id, engine, region, device)
     SELECT k.id, e.value, CASE e.value WHEN 'yandex' THEN '213' ELSE '2643' END, 'desktop' FROM keywords k, json_each('["yandex","google"]') e`,
  );
  await run(
    `INSERT INTO search_scopes (project_id, domain_ids) SELECT p.id, json_array((p.id - 1) * ${FOUND} + 1, (p.id - 1) * ${FOUND} + 2) FROM projects p`,
  );
  await run(
    `INSERT INTO found_pages (domain_id, url) SELECT d.id, 'https://' || d.domain_name || '/page-' || n.value || '/'
     FROM domains d, json_each('[1,2,3,4,5,6,7,8]') n`,
  );
  await run(
    `WITH RECURSIVE ${series('t', '$days')} INSERT INTO search_days (query_id, day, depth, requests, source, checked_at, scope_id)
     SELECT q.id, $today - t.i + 1, 50, 5, 'xmlriver', $made, k.project_id FROM search_queries q JOIN keywords k ON k.id = q.keyword_id, t`,
    { days: DAYS, today, made },
  );
  await run(
    `INSERT INTO positions (query_id, day, domain_id, place, page_id)
     SELECT s.query_id, s.day, (s.scope_id - 1) * ${FOUND} + n.value, (s.query_id * 7 + s.day * 3 + n.value) % 50 + 1,
       ((s.scope_id - 1) * ${FOUND} + n.value - 1) * 8 + s.day % 8 + 1 FROM search_days s, json_each('[1,2]') n ORDER BY 1, 2, 3`,
  );
}

/** The least that a grid has to read: its places, as rows of the database. */
const bare = (): Promise<object[]> =>
  select(
    `SELECT k.id, p.day, p.domain_id, p.place, p.page_id FROM keywords k JOIN search_queries q ON q.keyword_id = k.id AND q.engine = 'yandex'
     JOIN positions p ON p.query_id = q.id AND p.day > $from WHERE k.project_id = 7`,
    { from: dayOf(Date.now()) - DAYS },
  );

async function timesOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

async function benchGrid(file: string): Promise<void> {
  await fill(PROJECTS, KEYWORDS);
  const [row] = await select<{ n: number }>('SELECT COUNT(*) AS n FROM positions');
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    ours.push(await timesOf(() => projectPositions(SYSTEM, 7, 'yandex', DAYS)));
    theirs.push(await timesOf(bare));
  }
  const [at, than] = [median(ours), median(theirs)];
  console.log(
    `positions: ${row?.n} stored, grid of ${KEYWORDS} keywords x ${DAYS} days: ${at.toFixed(1)} ms (goal 50), ` +
      `${(at / than).toFixed(2)} x the bare SQL of its places, ${than.toFixed(1)} ms (goal 1.5)`,
  );
  await transaction(() => execute('DELETE FROM search_failures'));
  console.log(
    `positions: the whole file takes ${(statSync(file).size / 2 ** 20 / ((row?.n ?? 1) / 1e6)).toFixed(0)} MB a million (goal 120)`,
  );
}

async function benchFetch(): Promise<void> {
  const key = '0123456789abcdef0123456789abcdef01234567';
  const web = { topics: {}, hosts: {} };
  const fake = await startXmlriver({ accounts: [{ login: '1', key, balance: 1e9 }], web }, { latencyMs: LATENCY_MS });
  const config = loadConfig({ dataDir: tmpdir() }, {});
  useConfig({
    ...config,
    searchUrls: { xmlriver: fake.url },
    searchPace: { calls: 10_000, seconds: 1, atOnce: STREAMS },
  });
  registerFlows([fetchFlow]);
  await fill(1, FETCHED);
  await transaction(async () => {
    await execute('DELETE FROM search_days');
    await executeUnaudited(
      'demo',
      `INSERT INTO position_settings (project_id, yandex_region, google_region, device, depth, daily_cap, every_days)
      VALUES (1, '213', '2643', 'desktop', 10, 1000000, 0)`,
    );
  });
  await createAccount(SYSTEM, xmlriverKind, { name: 'river', login: '1', key }, 'masked');
  const started = performance.now();
  for (const type of ENGINES)
    await runOperation((await startFetch(SYSTEM, { projectId: 1, keywordId: null, type }, true)).id);
  const took = performance.now() - started;
  const bound = (FETCHED * ENGINES.length * LATENCY_MS) / STREAMS;
  console.log(
    `positions: fetch of ${FETCHED} keywords x ${ENGINES.length} engines: ${fake.charged.length} paid requests (least ` +
      `${FETCHED * ENGINES.length}), ${(took / 1000).toFixed(1)} s, ${(took / bound).toFixed(2)} x the bound of ${STREAMS} streams of ${LATENCY_MS} ms (goal 1.05)`,
  );
  await fake.close();
}

/** Measures the grid of a project among a million positions, and a reading of thousands of keywords. */
export async function benchPositions(): Promise<void> {
  for (const bench of [benchGrid, benchFetch]) {
    const folder = mkdtempSync(join(tmpdir(), 'seo-admin-bench-'));
    const file = join(folder, 'positions.sqlite');
    await openDatabase(file);
    useSecretKey(Buffer.alloc(32, 7));
    await migrate();
    await bench(file);
    await closeDatabase();
    rmSync(folder, { recursive: true });
  }
}
