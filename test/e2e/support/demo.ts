import { rmSync } from 'node:fs';
import { afterAll, beforeAll } from 'vitest';
import { startDemo, type Demo } from '../../../src/demo/index.ts';
import { createLog } from '../../../src/lib/log.ts';
import { serve, type Serving } from '../../../src/server.ts';
import { DEMO_USERS } from '../../../src/shared/demo.ts';
import { request, temporaryConfig } from '../../support/server.ts';

/** A small demo whose work stands still; called at the head of a test file. Its server and the token of its first user are there in tests. */
export function useDemo(): { serving: Serving; token: string } {
  const started: { serving?: Serving; token: string; demo?: Demo } = { token: '' };
  const config = temporaryConfig();
  beforeAll(async () => {
    started.demo = await startDemo(config, { size: 40, frozen: false });
    started.serving = await serve({
      ...started.demo,
      log: createLog('silent'),
      host: '127.0.0.1',
      port: 0,
      scheduler: false,
    });
    const [{ login, password }] = DEMO_USERS;
    started.token = (await request(started.serving, 'POST /api/login', { body: { login, password } })).body.token;
  });
  afterAll(async () => {
    await started.serving?.close();
    await started.demo?.close();
    rmSync(config.dataDir, { recursive: true });
  });
  return started as { serving: Serving; token: string };
}
