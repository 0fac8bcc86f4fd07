// The server of the demo.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { resetDemo, startDemo } from '../../src/demo/index.ts';
import { createLog } from '../../src/lib/log.ts';
import { serve, type Serving } from '../../src/server.ts';
import { startChild } from '../support/child.ts';
import { request } from '../support/server.ts';
import { ASKS, config, start, useDemo } from './running.ts';

useDemo();

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
