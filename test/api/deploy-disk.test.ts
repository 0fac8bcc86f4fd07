// Deployments to a server whose disk is full or read-only: the message, the files left, and the site served.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { form, request, startServer, type TestServer } from '../support/server.ts';
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.ts';
import { findSshd, isRoot, startSshd, type Sshd } from '../support/sshd.ts';
import { SITE, zipFile, zipOf } from '../support/zips.ts';
import { newName, settled } from './calls.ts';

const found = findSshd();
if ('missing' in found || !isRoot) console.log('Skipped: a full disk on a real server: needs root and sshd');

const FILES = Object.fromEntries(
  Array.from({ length: 60 }, (_, n) => [`img/${n}.bin`, Buffer.alloc(40_000, `${n} `)] as const),
);

describe.skipIf('missing' in found || !isRoot)('a server’s disk', () => {
  let server: TestServer;
  let sshd: Sshd;
  let disk: SmallDisk;
  let id: number;
  let folder: string;

  const ask = (call: string, body?: unknown) =>
    request(server, call, { token: server.admin.token, ...(body !== undefined && { body }) });
  const local = (path: string): string => join(disk.dir, path);
  const releases = (): string[] =>
    existsSync(local('.releases')) ? (readdirSync(local('.releases'), { recursive: true }) as string[]) : [];
  const page = (): string => readFileSync(local(`${folder}/index.html`), 'utf8');

  beforeAll(async () => {
    server = await startServer();
    sshd = await startSshd({ quiet: true });
    mkdirSync(sshd.local('/srv/small'), { recursive: true });
    disk = mountSmallDisk(64, sshd.local('/srv/small'));
  });
  afterAll(async () => {
    disk.remove();
    await sshd.close();
    await server.close();
  });
  beforeEach(async () => {
    disk.free();
    folder = newName();
    const { user: ssh_user, secret: ssh_password } = sshd.login;
    const login = { ssh_host: `127.0.0.1:${sshd.port}`, ssh_user, ssh_password };
    const server_id = (await ask('POST /api/servers', { name: newName(), ...login })).body.data.id;
    const template = form({ name: newName(), template_file: zipFile(zipOf({ ...SITE, ...FILES })) });
    const template_id = (await ask('POST /api/templates', template)).body.data.id;
    const domain = { domain_name: newName(), server_id, file_path: sshd.remote(`/srv/small/${folder}`) };
    id = (await ask('POST /api/domains', domain)).body.data.id;
    const { said } = await deploy('first', template_id);
    if (said !== null) throw new Error(said);
  });

  /** Changes the text of the site and deploys it; calls `meanwhile` once the operation is queued. */
  async function deploy(text: string, template_id?: number, meanwhile?: () => Promise<void>) {
    const html_file = new File([`<title>${text}</title><body>${text}</body>`], 'page.html', { type: 'text/html' });
    const fields: Record<string, File | string> = { html_file };
    if (template_id !== undefined) fields['template_id'] = String(template_id);
    const { body } = await ask(`POST /api/domains/${id}`, form(fields));
    await meanwhile?.();
    await settled();
    const { state } = (await ask(`GET /api/operations/${body.operation.id}`)).body;
    const { data } = (await ask(`GET /api/operations/${body.operation.id}/items`)).body;
    return { state: state as string, said: data[0].error as string | null };
  }

  test('that is full gets no files, and the former site is served', async () => {
    const before = releases();
    disk.fill();
    expect(await deploy('second')).toMatchObject({ state: 'failed', said: expect.stringMatching(/мест/) });
    expect(releases()).toEqual(before);
    expect(page()).toContain('first');
    disk.free();
    expect(await deploy('third')).toMatchObject({ state: 'succeeded' });
    expect(page()).toContain('third');
  });

  /** Waits until a part of the new site is on the disk. */
  async function begun(before: string[]): Promise<void> {
    await expect.poll(() => releases().length, { interval: 1 }).toBeGreaterThan(before.length + 10);
  }

  test('that fills up during the upload keeps no file of the new site', async () => {
    const before = releases();
    const { state, said } = await deploy('second', undefined, async () => {
      await begun(before);
      disk.fill();
    });
    expect([state, said]).toEqual(['failed', expect.stringContaining('/srv/small/.releases/')]);
    expect(releases()).toEqual(before);
    expect(page()).toContain('first');
    disk.free();
    expect(await deploy('third')).toMatchObject({ state: 'succeeded' });
  });

  test('that is read-only gets no files, and accepts the next deployment once it is writable', async () => {
    const before = releases();
    const remount = (how: string): void => {
      expect(spawnSync('mount', ['-o', `remount,${how}`, disk.dir]).status).toBe(0);
    };
    remount('ro');
    const { state, said } = await deploy('second');
    expect([state, said]).toEqual(['failed', expect.stringContaining('/srv/small/.releases/')]);
    expect(releases()).toEqual(before);
    expect(page()).toContain('first');
    remount('rw');
    expect(await deploy('third')).toMatchObject({ state: 'succeeded' });
    expect(page()).toContain('third');
  });
});
