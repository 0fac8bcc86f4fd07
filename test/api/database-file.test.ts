import { renameSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { request, startServer, type TestServer } from '../support/server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

test('health is 503 while the database file is gone', async () => {
  const { databaseFile } = server.config;
  renameSync(databaseFile, `${databaseFile}.away`);
  const away = await request(server, 'GET /api/health');
  renameSync(`${databaseFile}.away`, databaseFile);
  expect([away.status, away.body.code]).toEqual([503, 'unavailable']);
  expect((await request(server, 'GET /api/health')).status).toBe(200);
});
