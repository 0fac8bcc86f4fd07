import { afterAll, beforeAll, expect, test } from 'vitest';
import { execute, transaction } from '../../db/index.ts';
import { routes } from '../../src/api/index.ts';
import { createLog, type Logger } from '../../src/lib/log.ts';
import { packageVersion } from '../../src/lib/package.ts';
import { watchForNewer } from '../../src/services/system/newer.ts';
import { request, startServer, type TestServer } from '../support/server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

test('health returns the version while the database answers', async () => {
  const { status, body } = await request(server, 'GET /api/health');
  expect([status, body]).toEqual([
    200,
    expect.objectContaining({ status: 'ok', version: packageVersion(), installed: packageVersion() }),
  ]);
});

test('a process whose database a newer version changes works on, and says so in its log and its health', async () => {
  const lines: object[] = [];
  const log = { ...createLog('silent'), warn: (facts: object) => void lines.push(facts) } as Logger;
  const newer = async () => (await request(server, 'GET /api/health')).body.newer;
  expect(await newer()).toEqual([]);
  const watch = watchForNewer(log, 10);
  const write = (sql: string) => transaction(() => execute(sql));
  await write(`INSERT INTO migrations (name, applied_at) VALUES ('9999-of-a-newer-version', '')`);
  await expect.poll(newer).toEqual(['9999-of-a-newer-version']);
  expect((await request(server, 'GET /api/health')).status).toBe(200);
  await write(`INSERT INTO migrations (name, applied_at) VALUES ('9999-of-one-more', '')`);
  await expect.poll(newer).toEqual(['9999-of-a-newer-version', '9999-of-one-more']);
  // A backup that was put back is of this version again.
  await write(`DELETE FROM migrations WHERE name LIKE '9999%'`);
  await expect.poll(newer).toEqual([]);
  await watch.stop();
  expect(lines).toEqual([
    { migrations: ['9999-of-a-newer-version'] },
    { migrations: ['9999-of-a-newer-version', '9999-of-one-more'] },
  ]);
});

test('health tells when the last round of checks ended and by how much the next one is late', async () => {
  const told = async () => (await request(server, 'GET /api/health')).body.schedule;
  const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
  const store = (next_at: string | null, ended_at: string | null) =>
    transaction(() =>
      execute(
        `INSERT INTO schedule_runs (name, rule, tries, next_at, started_at, ended_at)
         VALUES ('check', '', 0, $next_at, $ended_at, $ended_at)
         ON CONFLICT (name) DO UPDATE SET next_at = excluded.next_at, ended_at = excluded.ended_at`,
        { next_at, ended_at },
      ),
    );
  expect(await told()).toEqual({ finished_at: null, age_seconds: null, late_seconds: null });
  await store(ago(-30), ago(31));
  expect(await told()).toEqual({ finished_at: expect.any(String), age_seconds: expect.any(Number), late_seconds: 0 });
  const ended = ago(151);
  await store(ago(91), ended);
  const { finished_at, age_seconds, late_seconds } = await told();
  expect([finished_at, age_seconds >= 150 * 60, late_seconds >= 90 * 60]).toEqual([ended, true, true]);
  expect(age_seconds).toBeGreaterThan(late_seconds);
  // A command of cron has done what was planned.
  await store(ago(91), ago(-1));
  expect(await told()).toMatchObject({ age_seconds: 0, late_seconds: 0 });
  const off = { token: server.admin.token, body: { active: false } };
  expect((await request(server, 'PUT /api/schedules/check', off)).status).toBe(200);
  await store(ago(91), ended);
  expect(await told()).toMatchObject({ finished_at: ended, late_seconds: null });
});

test('the contract is OpenAPI 3.1 and contains every route', async () => {
  const { body } = await request(server, 'GET /api/openapi.json');
  expect(body.openapi).toMatch(/^3\.1\.\d+$/);
  expect(body.info).toMatchObject({ title: 'seo-admin', version: packageVersion() });
  const served = routes.map(({ method, path }) => `${method} ${path.replace(/[:*](\w+)/g, '{$1}')}`);
  const written = Object.entries(body.paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(written.toSorted()).toEqual(served.toSorted());
});

test('every call of the contract has a summary, security, parameters, bodies and responses', async () => {
  const { body } = await request(server, 'GET /api/openapi.json');
  for (const { name, method, path, route } of routes) {
    const operation = body.paths[path.replace(/[:*](\w+)/g, '{$1}')][method.toLowerCase()];
    expect(operation.summary).toMatch(/./);
    expect([name, operation.security]).toEqual([name, route.access === 'anyone' ? [] : undefined]);
    const inPath = operation.parameters.filter((parameter: { in: string }) => parameter.in === 'path');
    expect(inPath.map(({ name, required }: { name: string; required: boolean }) => [name, required])).toEqual(
      [...path.matchAll(/[:*](\w+)/g)].map(([, name]) => [name, true]),
    );
    const types = Object.keys(operation.requestBody?.content ?? {});
    const multipart = route.files.length > 0 ? ['multipart/form-data'] : [];
    expect([name, types]).toEqual([name, route.body ? ['application/json', ...multipart] : []]);
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['200', '400', '401', '403', '404']));
  }
  for (const [, reference = ''] of JSON.stringify(body).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const find = (node: Record<string, unknown> | undefined, key: string) => node?.[key] as typeof node;
    expect([reference, reference.split('/').reduce(find, body) !== undefined]).toEqual([reference, true]);
  }
});
