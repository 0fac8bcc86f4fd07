// The past of the demo: every screen has something to show, and what it tells agrees with what the rows say now.
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeDatabase, openDatabase, select } from '../../db/index.ts';
import { startDemo, type Demo } from '../../src/demo/index.ts';
import { useConfig } from '../../src/lib/config.ts';
import { SYSTEM } from '../../src/services/access/scope.ts';
import { verifyAudit } from '../../src/services/audit/audit.ts';
import { readTimeline } from '../../src/services/timeline/timeline.ts';
import { readTriage } from '../../src/services/triage/triage.ts';
import { TABLES } from '../../src/shared/tables.ts';
import { temporaryConfig } from '../support/server.ts';

const config = temporaryConfig();
let demo: Demo;
let begun: string;
beforeAll(async () => {
  demo = await startDemo(config, { size: undefined, frozen: false });
  begun = new Date().toISOString();
  useConfig(demo.config);
  await openDatabase(demo.config.databaseFile);
});
afterAll(async () => {
  await closeDatabase();
  await demo.close();
  rmSync(config.dataDir, { recursive: true });
});

const count = async (from: string): Promise<number> =>
  (await select<{ n: number }>(`SELECT count(*) AS n FROM ${from}`))[0]?.n ?? 0;

test('the log has a chain that is intact', async () => {
  const { fault, rows } = await verifyAudit(SYSTEM);
  expect([fault, rows > 300]).toEqual([null, true]);
  expect(await count('audit a JOIN audit b ON b.id = a.id + 1 WHERE b.at < a.at')).toBe(0);
});

test('nothing of it is later than now, but for what ends', async () => {
  const ENDS = new Set([
    'expired_at',
    'expires_at',
    'expires_before',
    'suspect_date',
    'free_at',
    'not_after',
    'next_at',
  ]);
  for (const { name, columns } of TABLES.values()) {
    for (const [column, { kind }] of Object.entries(columns)) {
      if (kind !== 'time' || ENDS.has(column)) continue;
      const later = await select(`SELECT ${column} FROM ${name} WHERE ${column} > $begun LIMIT 1`, { begun });
      expect([name, column, later]).toEqual([name, column, []]);
    }
  }
});

test('the history of a domain ends as its row is', async () => {
  const newest = (kind: string): string =>
    `(SELECT c.verdict FROM checks c WHERE c.domain_id = d.id AND c.kind = '${kind}' ORDER BY c.id DESC LIMIT 1)`;
  expect(await count(`domains d WHERE ${newest('blocklist')} <> d.status`)).toBe(0);
  expect(await count(`domains d WHERE ${newest('http')} <> COALESCE(d.http_error, d.http_status_code || '')`)).toBe(0);
  const isDown = `EXISTS (SELECT 1 FROM domain_outages o WHERE o.domain_id = d.id AND o.state = 'down')`;
  expect(await count(`domains d WHERE d.http_status_code = 200 AND ${isDown}`)).toBe(0);
  expect(await count(`domains d WHERE (d.http_error IS NOT NULL OR d.http_status_code <> 200) AND NOT ${isDown}`)).toBe(
    0,
  );
  expect(await count('checks c JOIN domains d ON d.id = c.domain_id WHERE c.since < d.created_at')).toBe(0);
  expect(await count(`transfer_history h JOIN domains d ON d.id = h.main_domain_id WHERE d.type = 'main'`)).toBe(0);
});

test('the triage knows thirty days, what was repaired, and two logins that are refused', async () => {
  // In the first hour of a day no check of all domains has ended yet on it: it is asked about as of the last one.
  const [{ at } = { at: '' }] = await select<{ at: string }>('SELECT max(last_http_check_at) AS at FROM domains');
  const { trends } = await readTriage(SYSTEM, Date.parse(at));
  const { repaired } = await readTriage(SYSTEM);
  for (const name of ['blocked', 'down', 'moved'] as const) {
    expect([name, trends[name].values.filter((value) => value !== null).length]).toEqual([name, 30]);
    expect([name, (trends[name].total ?? 0) > 0]).toEqual([name, true]);
  }
  expect(trends.repair.values.filter((value) => value !== null).length).toBeGreaterThan(10);
  expect(repaired.counts.up).toBeGreaterThan(10);
  expect([repaired.counts.unblocked, repaired.counts.moved]).toEqual([1, 1]);
  for (const table of ['cloudflare_accounts', 'registrars']) {
    expect([table, await count(`${table} WHERE checked_at IS NULL`)]).toEqual([table, 0]);
    expect([table, await count(`${table} WHERE check_error IS NOT NULL`)]).toEqual([table, 1]);
  }
});

test('operations of many kinds have ended in every way, and so have purchases', async () => {
  const values = async (column: string, table: string): Promise<unknown[]> =>
    (await select<{ v: unknown }>(`SELECT DISTINCT ${column} AS v FROM ${table} ORDER BY 1`)).map(({ v }) => v);
  expect(await values('state', 'operations')).toEqual(['cancelled', 'failed', 'partial', 'succeeded']);
  expect((await values('kind', 'operations')).length).toBeGreaterThan(8);
  expect(await values('state', 'purchases')).toEqual(['committed', 'released']);
  expect(await count('notices WHERE closed_at IS NULL')).toBeGreaterThan(5);
});

test('the page of a main domain that was moved to tells of moves, checks, its site and its places', async () => {
  const [{ id } = { id: 0 }] = await select<{ id: number }>(
    'SELECT transfer_domain_id AS id FROM transfer_history ORDER BY created_at DESC LIMIT 1',
  );
  const { data } = await readTimeline(SYSTEM, id, { limit: 200 });
  const kinds = new Set(data.map(({ kind }) => kind));
  for (const kind of ['moves', 'checks', 'site', 'positions'])
    expect([kind, kinds.has(kind as 'moves')]).toEqual([kind, true]);
});
