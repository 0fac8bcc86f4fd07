// The server on a small file system that is filled: its errors, and its recovery.
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { closeDatabase, openDatabase } from '../../db/index.ts';
import { migrate } from '../../db/migrate.ts';
import { loadConfig } from '../../src/lib/config.ts';
import { createLog } from '../../src/lib/log.ts';
import { serve } from '../../src/server.ts';
import { createPerson, form, PASSWORD, request, startServer } from '../support/server.ts';
import { mountSmallDisk } from '../support/small-disk.ts';
import { SITE, zipFile, zipOf } from '../support/zips.ts';

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

test.skipIf(!disk.isMounted)(
  'on a full disk lists are read, every write and sign-in says what is wrong, and nothing is half-written (needs root to mount a tmpfs)',
  async () => {
    disk.free();
    const dataDir = join(disk.dir, 'doors');
    mkdirSync(dataDir, { mode: 0o700 });
    const config = { ...loadConfig({ dataDir }, {}), logLevel: 'silent' };
    const server = await serve({ config, log: createLog('silent'), host: '127.0.0.1', port: 0, scheduler: false });
    try {
      const { token, login } = await createPerson({ config }, 'admin');
      const view = { list: 'sites', name: 'Down', query: 'state=down' };
      const writes: [string, unknown][] = [
        ['POST /api/domains', { domain_name: 'new.example' }],
        ['POST /api/projects', { name: 'North' }],
        ['POST /api/list_views', view],
        ['PUT /api/list_settings/sites', { density: 'compact' }],
        ['POST /api/login', { login, password: PASSWORD }],
        ['POST /api/login', { login, password: 'wrong' }],
      ];
      disk.fill();
      for (const [call, body] of writes) {
        const answer = await request(server, call, { token: call === 'POST /api/login' ? undefined : token, body });
        expect([call, answer.status, answer.body.code]).toEqual([call, 503, 'storage_full']);
        disk.fill();
      }
      for (const call of [
        'GET /api/domains',
        'GET /api/user_projects',
        'GET /api/list_settings/sites',
        'GET /api/audit',
      ]) {
        expect([call, (await request(server, call, { token })).status]).toEqual([call, 200]);
      }
      disk.free();
      await vi.waitFor(async () => expect((await request(server, 'GET /api/health')).status).toBe(200), 20_000);
      expect((await request(server, 'GET /api/domains', { token })).body.data).toEqual([]);
      expect((await request(server, 'GET /api/list_settings/sites', { token })).body.data.views).toEqual([]);
      for (const [call, body] of writes) {
        const answer = await request(server, call, { token: call === 'POST /api/login' ? undefined : token, body });
        expect([call, answer.status]).toEqual([call, body === writes.at(-1)?.[1] ? 401 : 200]);
      }
    } finally {
      await server.close();
    }
  },
);

test.skipIf(!disk.isMounted)(
  'on a full disk a logout ends the session at once, and its row once there is room (needs root to mount a tmpfs)',
  async () => {
    disk.free();
    const dataDir = join(disk.dir, 'logout');
    mkdirSync(dataDir, { mode: 0o700 });
    const config = { ...loadConfig({ dataDir }, {}), logLevel: 'silent' };
    const start = () => serve({ config, log: createLog('silent'), host: '127.0.0.1', port: 0, scheduler: false });
    const server = await start();
    const { token, login } = await createPerson({ config }, 'admin');
    const { body: other } = await request(server, 'POST /api/login', { body: { login, password: PASSWORD } });
    const signOuts = async (): Promise<number> => {
      const { body } = await request(server, 'GET /api/audit', { token: other.token });
      return (body.data as { action: string }[]).filter(({ action }) => action === 'sign_out').length;
    };
    const devices = async (): Promise<number> =>
      (await request(server, 'GET /api/sessions', { token: other.token })).body.data.length;
    try {
      expect([(await request(server, 'GET /api/session', { token })).status, await devices()]).toEqual([200, 2]);
      disk.fill();
      const { status, body } = await request(server, 'POST /api/logout', { token });
      expect([status, body]).toEqual([200, { message: expect.any(String) }]);
      const { status: after, body: refused } = await request(server, 'GET /api/session', { token });
      expect([after, refused.code]).toEqual([403, 'bad_token']);
      expect([(await request(server, 'POST /api/logout', { token })).status, await devices()]).toEqual([403, 1]);
      expect([(await request(server, 'GET /api/session', { token: other.token })).status, await signOuts()]).toEqual([
        200, 0,
      ]);
      disk.free();
      await expect.poll(signOuts, { timeout: 15_000 }).toBe(1);
    } finally {
      await server.close();
    }
    const again = await start();
    try {
      expect((await request(again, 'GET /api/session', { token })).status).toBe(403);
      expect((await request(again, 'GET /api/session', { token: other.token })).status).toBe(200);
    } finally {
      await again.close();
    }
  },
);

test.skipIf(!disk.isMounted)(
  'an upload to a full disk is told so, leaves nothing, and is taken once there is room',
  async () => {
    const server = await startServer();
    const dir = join(server.config.dataDir, 'tmp');
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    const uploads = mountSmallDisk(1, dir);
    const upload = () => {
      const body = form({
        name: 'promo',
        template_file: zipFile(zipOf({ ...SITE, 'img/a.png': randomBytes(100_000) })),
      });
      return request(server, 'POST /api/templates', { token: server.admin.token, body });
    };
    try {
      uploads.fill();
      const before = readdirSync(dir);
      const { status, body, headers } = await upload();
      expect([status, body.error]).toEqual([503, 'Закончилось место на диске: освободите место и повторите']);
      expect(headers['retry-after']).toBeDefined();
      expect(readdirSync(dir)).toEqual(before);
      uploads.free();
      const taken = await upload();
      expect([taken.status, taken.text]).toEqual([200, expect.any(String)]);
    } finally {
      uploads.remove();
      await server.close();
    }
  },
);
