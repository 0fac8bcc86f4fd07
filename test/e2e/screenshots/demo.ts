import { rmSync } from 'node:fs';
import { startDemo } from '../../../src/demo/index.ts';
import { createLog } from '../../../src/lib/log.ts';
import { serve } from '../../../src/server.ts';
import { DEMO_USERS } from '../../../src/shared/demo.ts';
import { request, temporaryConfig } from '../../support/server.ts';

/** A demo with its interface, and the token of its administrator. */
export interface ServedDemo {
  url: string;
  token: string;
  close: () => Promise<void>;
}

/** Serves a new demo; a frozen one moves the clock of this process. */
export async function serveDemo(frozen: boolean): Promise<ServedDemo> {
  const config = temporaryConfig();
  const demo = await startDemo(config, { size: undefined, frozen });
  const { url, close } = await serve({
    ...demo,
    log: createLog('silent'),
    host: '127.0.0.1',
    port: 0,
    scheduler: false,
  });
  const [{ login, password }] = DEMO_USERS;
  const { token } = (await request({ url }, 'POST /api/login', { body: { login, password } })).body;
  return {
    url,
    token,
    close: async () => {
      await close();
      await demo.close();
      rmSync(config.dataDir, { recursive: true });
    },
  };
}
