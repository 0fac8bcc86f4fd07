import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { closeDatabase, openDatabase, select } from '../../db/index.ts';
import { setClock, FROZEN_NOW } from '../../src/demo/clock.ts';
import { domainAt } from '../../src/demo/domains.ts';
import { resetDemo, startDemo, type Demo, type DemoOptions } from '../../src/demo/index.ts';
import type { Config } from '../../src/lib/config.ts';
import { createLog } from '../../src/lib/log.ts';
import { serve, type Serving } from '../../src/server.ts';
import { blocklistStatus } from '../../src/services/checks/blocklist.ts';
import { checkHealth } from '../../src/providers/health.ts';
import { parseConnectTo, pickDetour } from '../../src/providers/health/connect-to.ts';
import { openSftp } from '../../src/providers/ssh.ts';
import { webRoot } from '../../src/shared/portfolio/domains.ts';
import { startChild } from '../support/child.ts';
import { dump } from '../support/database.ts';
import { request, temporaryConfig } from '../support/server.ts';

const ASKS: DemoOptions = { size: undefined, frozen: false };
// The timeout of the checks, as one host in ninety never answers.
const TIMEOUT_MS = 5_000;

let config: Config;
let demo: Demo | undefined;
beforeEach(() => {
  config = temporaryConfig();
});
afterEach(async () => {
  await demo?.close();
  demo = undefined;
  rmSync(config.dataDir, { recursive: true });
});

async function start(options: Partial<DemoOptions> = {}): Promise<Demo> {
  demo = await startDemo(config, { ...ASKS, ...options });
  return demo;
}

/** Opens the database of the demo for `work`. */
async function inside<T>(work: () => Promise<T>): Promise<T> {
  await openDatabase(join(config.dataDir, 'demo.sqlite'));
  try {
    return await work();
  } finally {
    await closeDatabase();
  }
}

const counts = (): Promise<Record<string, number>> =>
  inside(async () => {
    const tables = [
      'projects',
      'domains',
      'cloudflare_accounts',
      'cloudflare_groups',
      'servers',
      'registrars',
      'templates',
    ];
    const rows = await Promise.all(tables.map((table) => select<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)));
    return Object.fromEntries(tables.map((table, index) => [table, rows[index]?.[0]?.n ?? 0]));
  });

const count = async (condition: string): Promise<number> => {
  const [row] = await select<{ n: number }>(`SELECT count(*) AS n FROM domains WHERE ${condition}`);
  return row?.n ?? 0;
};

describe('the portfolio', () => {
  test('has the figures of the contract', async () => {
    await start();
    expect(await counts()).toEqual({
      projects: 6,
      domains: 240,
      cloudflare_accounts: 3,
      cloudflare_groups: 2,
      servers: 5,
      registrars: 5,
      templates: 3,
    });
    expect(existsSync(config.databaseFile)).toBe(false);
    expect(existsSync(config.keyFile)).toBe(false);
  });

  test('contains every state of a domain', async () => {
    await start();
    await inside(async () => {
      const ready = `type = 'transfer' AND status = 'available' AND server_id > 0 AND cloudflare_account_id IN (1, 2)`;
      const projectsWith = (reserves: string) =>
        select(`SELECT project_id FROM domains WHERE project_id IS NOT NULL GROUP BY project_id
          HAVING sum(type = 'main' AND status = 'blocked') > 0 AND ${reserves}`);
      expect(await projectsWith(`sum(${ready}) > 3`)).toHaveLength(4);
      expect(await projectsWith(`sum(type = 'transfer') = 0`)).toHaveLength(1);
      const lone = `sum(type = 'transfer') = 1 AND sum(type = 'transfer' AND status = 'blocked') = 1`;
      expect(await projectsWith(lone)).toHaveLength(1);
      for (const state of [
        `http_error = 'timeout'`,
        `http_error = 'reset'`,
        `http_status_code = 503`,
        `http_status_code = 404 AND last_http_check_at < strftime('%Y-%m-%d', 'now', '-1 days')`,
        `last_http_check_at IS NULL`,
        `expired_at < strftime('%Y-%m-%d', 'now')`,
        `expired_at BETWEEN strftime('%Y-%m-%d', 'now') AND strftime('%Y-%m-%d', 'now', '+30 days')`,
        `expired_at IS NULL`,
        `domain_name LIKE 'xn--%' AND unicode_name LIKE '%.рф'`,
        `project_id IS NULL`,
        `transfer_type = 'manual'`,
        `cloudflare_account_id IS NULL`,
        `user_id = 2`,
      ]) {
        expect([state, (await count(state)) > 0]).toEqual([state, true]);
      }
      const [{ days } = { days: 0 }] = await select<{ days: number }>(
        'SELECT count(DISTINCT day) AS days FROM check_days',
      );
      expect(days).toBeGreaterThanOrEqual(30);
    });
  });

  test('has no duplicate names at any size', () => {
    const names = Array.from({ length: 20_000 }, (_, index) => domainAt(index, new Date()).domain_name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z0-9.-]+$/.test(name))).toEqual([]);
  });

  test('has the requested size, and is rebuilt for another size', async () => {
    await start({ size: 30 });
    expect((await counts())['domains']).toBe(30);
    await demo?.close();
    await start({ size: 1_000 });
    expect((await counts())['domains']).toBe(1_000);
    await demo?.close();
    await start();
    expect((await counts())['domains']).toBe(1_000);
  });

  test('has sealed secrets', async () => {
    await start({ size: 30 });
    expect(await inside(dump)).not.toMatch(/demo-secret|1{37}/);
  });
});

describe('the world', () => {
  const KEY = { 'X-Auth-Email': 'cdn-1@example.com', 'X-Auth-Key': '1'.repeat(37) };
  const zones = async (query: string, headers = KEY) =>
    (await (await fetch(`${demo?.config.cloudflareUrl}/zones${query}`, { headers })).json()) as {
      success: boolean;
      errors: { code: number }[];
      result: { id: string; name: string; status: string }[];
    };

  test('has a zone for each domain of an account, and the third key is wrong', async () => {
    await start();
    const [row] = await inside(() =>
      select<{ n: number; name: string }>(
        'SELECT zones AS n, (SELECT min(domain_name) FROM domains WHERE cloudflare_account_id = 1) AS name FROM cloudflare_accounts WHERE id = 1',
      ),
    );
    expect((await zones(`?name=${row?.name}`)).result).toMatchObject([{ name: row?.name }]);
    const all = await Promise.all([1, 2, 3].map((page) => zones(`?per_page=50&page=${page}`)));
    expect(all.flatMap(({ result }) => result)).toHaveLength(row?.n ?? 0);
    const wrong = { 'X-Auth-Email': 'cdn-3@example.com', 'X-Auth-Key': `${'3'.repeat(36)}0` };
    expect((await zones('', wrong)).errors[0]?.code).toBe(9103);
  });

  test('continues after a restart, and begins anew after a reset', async () => {
    await start({ size: 60 });
    const [zone] = (await zones('')).result;
    const url = `${demo?.config.cloudflareUrl}/zones/${zone?.id}/settings/ssl`;
    await fetch(url, { method: 'PATCH', headers: KEY, body: JSON.stringify({ value: 'strict' }) });
    const ssl = async (): Promise<string> => {
      const path = `${demo?.config.cloudflareUrl}/zones/${zone?.id}/settings/ssl`;
      return ((await (await fetch(path, { headers: KEY })).json()) as { result: { value: string } }).result.value;
    };
    await demo?.close();
    await start();
    expect(await ssl()).toBe('strict');
    await demo?.close();
    await resetDemo(config);
    expect(existsSync(join(config.dataDir, 'demo.sqlite'))).toBe(false);
    await start({ size: 60 });
    expect(await ssl()).toBe('full');
  });

  test('has sites that answer as the portfolio says', async () => {
    const { config } = await start({ size: 120 });
    const rows = await inside(() =>
      select<{ domain_name: string; http_status_code: number | null; http_error: string | null }>(
        'SELECT domain_name, http_status_code, http_error FROM domains WHERE last_http_check_at IS NOT NULL',
      ),
    );
    const found = new Map<string, string>();
    const connectTo = parseConnectTo(config.connectTo);
    // http, as a hundred handshakes in one process would take longer than the timeout of the hanging hosts.
    const options = { scheme: 'http' as const, connectTo, allowPrivate: true, timeoutMs: TIMEOUT_MS };
    await checkHealth(
      rows.map(({ domain_name }) => domain_name),
      options,
      ({ domain, http_status_code, error }) => found.set(domain, String(error ?? http_status_code)),
    );
    const wanted = rows.map((row) => [row.domain_name, String(row.http_error ?? row.http_status_code)]);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(wanted));
  });
});

test('some main domains have a deployed site that is served', async () => {
  const { config } = await start();
  const deployed = await inside(() =>
    select<{ domain_name: string; release: string }>(
      'SELECT d.domain_name, s.release FROM sites s JOIN domains d ON d.id = s.domain_id WHERE d.http_status_code = 200',
    ),
  );
  expect(deployed.length).toBeGreaterThanOrEqual(8);
  for (const { domain_name: host, release } of deployed) {
    const { port2 } = pickDetour(parseConnectTo(config.connectTo), host, 80) ?? {};
    const at = { url: `http://127.0.0.1:${port2}` };
    const page = await request(at, 'GET /', { headers: { host } });
    expect(page.text).toContain(`https://${host}/`);
    expect(page.text).toContain('С чего начать');
    const marker = await request(at, `GET /${release.slice(0, 32)}.txt`, { headers: { host } });
    expect(marker.text.trim()).toBe(release);
  }
});

describe('the servers of the demo', () => {
  const enter = async (password: string, hostKey: string | null = null) => {
    const { connectTo } = demo?.config ?? config;
    const { port2, host2 } = pickDetour(parseConnectTo(connectTo), '192.0.2.11', 22) ?? {};
    return openSftp({ host: host2 ?? '', port: port2 ?? 0, user: 'root', secret: password }, { hostKey });
  };

  test('accept each its password and share one served tree; host key and tree survive restarts until a reset', async () => {
    await start({ size: 30 });
    await expect(enter('demo-secret-6')).rejects.toMatchObject({ kind: 'credentials' });
    const first = await enter('demo-secret-1');
    const host = domainAt(0, new Date()).domain_name;
    await first.makeDirs(webRoot(host));
    await first.writeFile(`${webRoot(host)}/index.html`, Buffer.from('deployed'));
    await first.close();
    await demo?.close();
    await start();
    const second = await enter('demo-secret-5', first.hostKey);
    expect((await second.readFile(`${webRoot(host)}/index.html`, 100))?.toString()).toBe('deployed');
    await second.close();
    const { port2 } = pickDetour(parseConnectTo(demo?.config.connectTo ?? ''), host, 80) ?? {};
    const answer = await request({ url: `http://127.0.0.1:${port2}` }, 'GET /', { headers: { host } });
    expect(answer.text).toBe('deployed');
    await demo?.close();
    await resetDemo(config);
    expect(existsSync(join(config.dataDir, 'demo'))).toBe(false);
    await start({ size: 30 });
    await expect(enter('demo-secret-1', first.hostKey)).rejects.toMatchObject({ kind: 'untrusted' });
  });
});

test('every former main domain of a moved project redirects to the present one, in one step', async () => {
  const { config } = await start();
  const moves = await inside(() =>
    select<{ left: string; arrived: string; project_id: number }>(
      'SELECT main_domain_name AS left, transfer_domain_name AS arrived, project_id FROM transfer_history ORDER BY created_at',
    ),
  );
  const found = new Map<string, string[]>();
  const options = { connectTo: parseConnectTo(config.connectTo), allowPrivate: true };
  await checkHealth(
    moves.map(({ left }) => left),
    options,
    ({ domain, redirects, http_status_code }) => {
      found.set(domain, [String(http_status_code), ...redirects.map(({ location }) => location)]);
    },
  );
  const last = (project: number) => moves.findLast(({ project_id }) => project_id === project)?.arrived;
  expect(moves).toHaveLength(8);
  expect(Object.fromEntries(found)).toEqual(
    Object.fromEntries(moves.map(({ left, project_id }) => [left, ['200', `https://${last(project_id)}/`]])),
  );
});

test('the world changes over time: sites go down and come back, and names are listed', async () => {
  const { events, config } = await start({ size: 60 });
  const status = async (host: string): Promise<number> => {
    const { port2 } = pickDetour(parseConnectTo(config.connectTo), host, 80) ?? {};
    return (await request({ url: `http://127.0.0.1:${port2}` }, 'GET /', { headers: { host } })).status;
  };
  const eighth = domainAt(7, new Date()).domain_name;
  expect(await status(eighth)).toBe(200);
  await events.step();
  expect(await status(eighth)).toBe(502);
  const listed = async () => (await blocklistStatus(config.blocklistDir)).entries?.exact ?? 0;
  const before = await listed();
  for (let step = 0; step < 99; step += 1) await events.step();
  expect(await status(eighth)).toBe(200);
  expect(await listed()).toBe(before + 3);
});

describe('the server of the demo', () => {
  let serving: Serving;
  beforeEach(async () => {
    const { config } = await start();
    serving = await serve({ config, log: createLog('silent'), host: '127.0.0.1', port: 0, scheduler: false });
  });
  afterEach(() => serving.close());

  test('says that it is a demo, and accepts its users', async () => {
    expect((await request(serving, 'GET /api/health')).body).toMatchObject({ demo: true, first_run: false });
    for (const [name, role, domains] of [
      ['demo', 'admin', 240],
      ['operator', 'user', 80],
    ] as const) {
      const { body } = await request(serving, 'POST /api/login', { body: { login: name, password: name } });
      const { token } = body;
      expect((await request(serving, 'GET /api/session', { token })).body).toMatchObject({ login: name, role });
      expect((await request(serving, 'GET /api/domains', { token })).body.data).toHaveLength(domains);
    }
  });
});

test('a demo that another process runs cannot be started again or reset', async () => {
  const child = startChild('test/children/demo.ts', [config.dataDir]);
  const url = await child.line();
  await expect(startDemo(config, ASKS)).rejects.toMatchObject({ kind: 'busy' });
  await expect(resetDemo(config)).rejects.toMatchObject({ kind: 'busy' });
  expect((await request({ url }, 'GET /api/health')).body).toMatchObject({ demo: true });
  await child.kill();
  await resetDemo(config);
  expect(existsSync(join(config.dataDir, 'demo.sqlite'))).toBe(false);
});

test('a real server says that it is no demo', async () => {
  const serving = await serve({ config, log: createLog('silent'), host: '127.0.0.1', port: 0, scheduler: false });
  expect((await request(serving, 'GET /api/health')).body.demo).toBe(false);
  await serving.close();
});

describe('a frozen demo', () => {
  const real = globalThis.Date;
  afterEach(() => {
    globalThis.Date = real;
  });

  test('is the same on every day', async () => {
    await start({ size: 60, frozen: true });
    expect(new Date().toISOString()).toContain(FROZEN_NOW.toISOString().slice(0, 16));
    const names = () => inside(() => select('SELECT id, domain_name, expired_at FROM domains'));
    const first = await names();
    await demo?.close();
    setClock(new real('2031-01-01T00:00:00Z'));
    await start({ size: 60, frozen: true });
    expect(await names()).toEqual(first);
  });

  test('has a clock that runs on from its fixed day', () => {
    setClock(FROZEN_NOW);
    const before = Date.now();
    expect(before - FROZEN_NOW.getTime()).toBeLessThan(60_000);
    expect(new Date(0).getTime()).toBe(0);
    expect(new Date() instanceof Date).toBe(true);
    expect(Date.parse('1970-01-01T00:00:00Z')).toBe(0);
  });
});
