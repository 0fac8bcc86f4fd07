// The server while another process holds the write lock of the database.
import { request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { transaction } from '../../../db/index.ts';
import { holdWriteLock } from '../../support/database.ts';
import { PASSWORD, request, startServer, type TestServer } from '../../support/server.ts';

let server: TestServer;
let release: (() => Promise<void>) | undefined;

beforeAll(async () => {
  server = await startServer();
});

afterAll(async () => {
  await release?.();
  await server.close();
});

const isSqlite = process.env['TEST_POSTGRES'] === undefined;
const health = () => request(server, 'GET /api/health');
const post = (name: string) => request(server, 'POST /api/projects', { token: server.admin.token, body: { name } });
const projects = async (): Promise<string[]> => {
  const { body } = await request(server, 'GET /api/user_projects', { token: server.admin.token });
  return (body.data as { name: string }[]).map(({ name }) => name);
};

/** Sends a request whose client leaves after some time. */
async function postAndLeave(name: string, ms: number): Promise<void> {
  const call = httpRequest(`${server.url}/api/projects`, {
    method: 'POST',
    headers: { Authorization: server.admin.token, 'Content-Type': 'application/json' },
  });
  call.on('error', () => undefined);
  call.end(JSON.stringify({ name }));
  await sleep(ms);
  call.destroy();
}

test.skipIf(!isSqlite)(
  'requests that came at once end together, with a time to try again, and nothing of them is written later',
  async () => {
    const hold = (release = await holdWriteLock(server.config.databaseFile));
    let isWaiting = true;
    const other = transaction(async () => undefined).finally(() => (isWaiting = false));
    const signIn = request(server, 'POST /api/login', { body: { login: server.admin.login, password: PASSWORD } });
    const answers = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(post));
    for (const { status, body, headers } of answers) {
      expect([status, body.code, headers['retry-after']]).toEqual([503, 'unavailable', '5']);
    }
    expect((await signIn).status).toBe(503);
    // Work that nobody waits for has been in the line before them.
    expect(isWaiting).toBe(true);
    expect(await projects()).toEqual([]);
    await hold();
    release = undefined;
    await other;
    expect((await post('after')).status).toBe(200);
    expect(await projects()).toEqual(['after']);
  },
);

test.skipIf(!isSqlite)('a request whose client left while it waited for the lock is not executed', async () => {
  const hold = (release = await holdWriteLock(server.config.databaseFile));
  const waits = post('stayed');
  await postAndLeave('left', 1_000);
  await sleep(500);
  await hold();
  release = undefined;
  expect((await waits).status).toBe(200);
  expect((await post('last')).status).toBe(200);
  expect(await projects()).not.toContain('left');
});

test.skipIf(!isSqlite)('health tells that no write goes through, and that they do again', async () => {
  expect((await health()).status).toBe(200);
  const hold = (release = await holdWriteLock(server.config.databaseFile));
  await vi.waitFor(async () => expect((await health()).status).toBe(503), 20_000);
  const { body, headers } = await health();
  expect([body.code, body.error]).toEqual(['database_locked', expect.stringMatching(/не проходят уже \d+ с/)]);
  expect(headers['retry-after']).toBeDefined();
  expect((await request(server, 'GET /api/domains', { token: server.admin.token })).status).toBe(200);
  await hold();
  release = undefined;
  await vi.waitFor(async () => expect((await health()).status).toBe(200), 5_000);
});
