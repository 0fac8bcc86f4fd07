// The server on a small file system that is filled: its errors, and its recovery.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { closeDatabase, openDatabase } from '../../db/index.ts';
import { migrate } from '../../db/migrate.ts';
import { loadConfig } from '../../src/lib/config.ts';
import { createLog } from '../../src/lib/log.ts';
import { serve } from '../../src/server.ts';
import { request } from '../support/server.ts';
import { mountSmallDisk } from '../support/small-disk.ts';

const disk = mountSmallDisk(8);
afterAll(() => disk.remove());

test.skipIf(!disk.isMounted)(
  'a full disk is reported by /api/health and at the start (needs root to mount a tmpfs)',
  async () => {
    const dataDir = join(disk.dir, 'data');
    mkdirSync(dataDir, { mode: 0o700 });
    const config = { ...loadConfig({ dataDir }, {}), logLevel: 'silent' };
    const start = () => serve({ config, log: createLog('silent'), host: '127.0.0.1', port: 0, scheduler: false });
    const server = await start();
    try {
      disk.fill();
      const { status, body } = await request(server, 'GET /api/health');
      expect([status, body.code]).toEqual([503, 'storage_full']);
    } finally {
      await server.close();
    }
    disk.fill();
    await expect(start()).rejects.toMatchObject({ kind: 'unavailable', key: 'error.storage_full' });
    disk.free();
    const again = await start();
    // The disk is checked every five seconds at most.
    await vi.waitFor(async () => expect((await request(again, 'GET /api/health')).status).toBe(200), 20_000);
    await again.close();
  },
);

test.skipIf(!disk.isMounted)(
  'a database that is opened on a full disk says that the disk is full (needs root to mount a tmpfs)',
  async () => {
    disk.free();
    const file = join(disk.dir, 'alone', 'seo-admin.sqlite');
    await openDatabase(file);
    await migrate();
    await closeDatabase();
    disk.fill();
    await expect(openDatabase(file)).rejects.toMatchObject({ kind: 'unavailable', key: 'error.storage_full' });
    await closeDatabase();
    disk.free();
    await openDatabase(file);
    await closeDatabase();
  },
);
