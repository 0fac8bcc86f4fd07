// A small file system of its own that is filled: what the server says then, and that it serves again.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { loadConfig } from '../../src/lib/config.ts';
import { createLog } from '../../src/lib/log.ts';
import { serve } from '../../src/server.ts';
import { request } from '../server.ts';

const dir = mkdtempSync(join(tmpdir(), 'full-disk-'));
const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', dir]).status === 0;
afterAll(() => {
  if (isMounted) spawnSync('umount', [dir]);
  rmSync(dir, { recursive: true, force: true });
});

const fill = (): void => {
  for (let size = 4 * 2 ** 20, n = 0; size >= 512; n += 1) {
    try {
      writeFileSync(join(dir, `filler-${n}`), Buffer.alloc(size), { flag: 'wx' });
    } catch {
      rmSync(join(dir, `filler-${n}`), { force: true });
      size /= 2;
    }
  }
};
const free = (): void => {
  for (let n = 0; n < 64; n += 1) rmSync(join(dir, `filler-${n}`), { force: true });
};

test.skipIf(!isMounted)(
  'a full disk is told by /api/health and at the start, by name (needs root to mount a tmpfs)',
  async () => {
    const dataDir = join(dir, 'data');
    mkdirSync(dataDir, { mode: 0o700 });
    const config = { ...loadConfig({ dataDir }, {}), logLevel: 'silent' };
    const start = () => serve({ config, log: createLog('silent'), host: '127.0.0.1', port: 0, scheduler: false });
    const server = await start();
    try {
      fill();
      const { status, body } = await request(server, 'GET /api/health');
      expect([status, body.code]).toEqual([503, 'storage_full']);
    } finally {
      await server.close();
    }
    fill();
    await expect(start()).rejects.toMatchObject({ kind: 'unavailable', key: 'error.storage_full' });
    free();
    const again = await start();
    // The disk is looked at every five seconds at most.
    await vi.waitFor(async () => expect((await request(again, 'GET /api/health')).status).toBe(200), 20_000);
    await again.close();
  },
);
