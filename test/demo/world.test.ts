// The outside world of the demo: zones, sites, servers, and what happens there.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { select } from '../../db/index.ts';
import { domainAt } from '../../src/demo/domains.ts';
import { resetDemo } from '../../src/demo/index.ts';
import { blocklistStatus } from '../../src/services/checks/blocklist.ts';
import { checkHealth } from '../../src/providers/health.ts';
import { parseConnectTo, pickDetour } from '../../src/lib/outgoing/connect-to.ts';
import { openSftp } from '../../src/providers/ssh.ts';
import { webRoot } from '../../src/shared/portfolio/domains.ts';
import { request } from '../support/server.ts';
import { config, demo, inside, start, TIMEOUT_MS, useDemo } from './running.ts';

useDemo();

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
  expect(moves).toHaveLength(12);
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
