// Probes for those who run the program: whether it lives, whether it is ready, and its measures.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '../../src/lib/log.ts';
import { openProbes } from '../../src/probes.ts';
import { requestJson } from '../../src/providers/http.ts';
import { request, startServer, type TestServer } from '../support/server.ts';

const TOKEN = 'a-token-that-nobody-guesses';
let folder: string;
let server: TestServer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'seo-admin-token-'));
  writeFileSync(join(folder, 'token'), `${TOKEN}\n`);
  server = await startServer({ metricsTokenFile: join(folder, 'token') });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const scrape = (token = TOKEN) => request(server, 'GET /metrics', { headers: { authorization: `Bearer ${token}` } });

test('the process lives and is ready, whatever host it is called by', async () => {
  const headers = { host: 'some-pod.cluster.internal' };
  for (const path of ['/livez', '/readyz']) {
    expect(await request(server, `GET ${path}`, { headers })).toMatchObject({ status: 200 });
    expect(await request(server, `POST ${path}`, { headers, body: {} })).toMatchObject({ status: 405 });
  }
});

test('without the token there are no measures, and with a wrong one neither', async () => {
  expect(await request(server, 'GET /metrics')).toMatchObject({ status: 401 });
  expect(await scrape(`${TOKEN}x`)).toMatchObject({ status: 401 });
  expect(await request(server, 'GET /metrics', { token: server.admin.token })).toMatchObject({ status: 401 });
  expect(await request(server, 'HEAD /metrics', { headers: { authorization: `Bearer ${TOKEN}` } })).toMatchObject({
    status: 200,
    text: '',
  });
});

test('the measures name services, kinds and states, never a domain or a login', async () => {
  const { token } = server.admin;
  await request(server, 'POST /api/domains', { token, body: { domain_name: 'hidden-name.example' } });
  const outside = createServer((_call, answer) => void answer.writeHead(429).end('{}')).listen(0, '127.0.0.1');
  await new Promise((resolve) => outside.once('listening', resolve));
  const url = new URL(`http://127.0.0.1:${(outside.address() as AddressInfo).port}/hidden-path?hidden=1`);
  await requestJson({ service: 'cloudflare', method: 'GET', url, headers: {}, timeoutMs: 5_000 });
  outside.close();
  const { status, text, headers } = await scrape();
  expect(status).toBe(200);
  expect(headers['content-type']).toContain('text/plain');
  const lines = text.split('\n');
  expect(lines).toContain('seo_admin_outside_calls_total{service="cloudflare",outcome="limited"} 1');
  expect(lines).toContain('seo_admin_database_up 1');
  for (const name of [
    'seo_admin_oldest_waiting_seconds',
    'seo_admin_database_bytes',
    'seo_admin_database_write_seconds_count',
    'seo_admin_http_requests_total',
    'seo_admin_position_requests',
    'seo_admin_calls_queued',
    'process_resident_memory_bytes',
    'nodejs_eventloop_lag_p99_seconds',
  ]) {
    expect(text).toMatch(new RegExp(`^${name}(\\{.*\\})? [\\d.e+-]+$`, 'm'));
  }
  expect(text).not.toMatch(/hidden|127\.0\.0\.1|admin"/);
});

test('a process that stops, and one whose database is gone, is alive and not ready', async () => {
  const probes = await openProbes({ ...server.config }, createLog('silent'));
  const asked = createServer((call, answer) => void probes.answer(call, answer)).listen(0, '127.0.0.1');
  await new Promise((resolve) => asked.once('listening', resolve));
  const { port } = asked.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true });
  const statusOf = (path: string) =>
    new Promise((resolve, reject) => {
      httpRequest({ host: '127.0.0.1', port, path, agent }, (answer) => resolve(answer.resume().statusCode))
        .once('error', reject)
        .end();
    });
  expect(await statusOf('/readyz')).toBe(200);
  probes.stopping();
  expect([await statusOf('/livez'), await statusOf('/readyz')]).toEqual([200, 503]);
  agent.destroy();
  asked.close();
  probes.close();
});

test('a token that is missing or short keeps the program from starting', async () => {
  writeFileSync(join(folder, 'short'), 'short');
  const open = (name: string) =>
    openProbes({ ...server.config, metricsTokenFile: join(folder, name) }, createLog('silent'));
  await expect(open('short')).rejects.toMatchObject({ key: 'metrics.token_short' });
  await expect(open('none')).rejects.toMatchObject({ key: 'metrics.no_token' });
});
