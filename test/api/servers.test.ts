// Server tests and host keys with a real OpenSSH: the steps of a test, and the decision on a changed key.
import { chmodSync, existsSync, readdirSync, renameSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openServer } from '../../src/services/accounts/servers.ts';
import { findSshd, isRoot, startSshd, WEB_ROOT, type Sshd } from '../support/sshd.ts';
import { createPerson, request, startServer, type Answer, type Person, type TestServer } from '../support/server.ts';
import { newName } from './calls.ts';

const found = findSshd();
const missing = 'missing' in found ? ` (${found.missing})` : '';
// A chroot that contains the web root needs root, and so does a user with a password.
const why = missing || (isRoot ? '' : ' (takes root)');

const ADDRESS = '203.0.113.10';
const OTHER_KEY = `ssh-ed25519 SHA256:${'A'.repeat(43)}`;

let sshd: Sshd;
let server: TestServer;
let owner: Person;
let other: Person;

beforeAll(async () => {
  if (why !== '') return;
  sshd = await startSshd();
  server = await startServer({ connectTo: `${ADDRESS}:22:127.0.0.1:${sshd.port}` });
  [owner, other] = [await createPerson(server), await createPerson(server)];
});
afterAll(async () => {
  await server?.close();
  await sshd?.close();
});

const ask = (call: string, body?: unknown, { token }: Person = owner): Promise<Answer> =>
  request(server, call, { token, ...(body === undefined ? {} : { body }) });

async function add(more: object = {}): Promise<number> {
  const { user: ssh_user, secret: ssh_password } = sshd.passwordLogin();
  const body = { name: newName(), ssh_host: ADDRESS, ssh_user, ssh_password, ...more };
  return (await ask('POST /api/servers', body)).body.data.id;
}

const look = async (id: number, person = owner) => (await ask(`POST /api/servers/${id}/test`, {}, person)).body.data;
const rowOf = async (id: number) =>
  (await ask('GET /api/servers')).body.data.find((row: { id: number }) => row.id === id);
const decide = (id: number, body: object, person = server.admin) =>
  ask(`POST /api/servers/${id}/host_key`, body, person);

describe.skipIf(why !== '')(`a test of a server${why}`, () => {
  test('checks login, SFTP and writing, stores the host key and leaves no file behind', async () => {
    const id = await add();
    expect(await look(id)).toEqual({
      ok: true,
      code: null,
      message: `SSH работает: вход, SFTP и запись в ${WEB_ROOT}`,
      host_key: sshd.hostKey(),
      host_key_seen: null,
    });
    expect(await rowOf(id)).toMatchObject({
      host_key: sshd.hostKey(),
      host_key_seen: null,
      checked_at: expect.any(String),
      check_error: null,
    });
    expect(readdirSync(sshd.local(WEB_ROOT))).toEqual([]);
  });

  test('is allowed to everybody in the team, by password and by key', async () => {
    const { user: ssh_user, secret: ssh_password } = sshd.login;
    const id = await add({ ssh_user, ssh_password });
    expect(await look(id, other)).toMatchObject({ ok: true });
  });

  test('explains each failure', async () => {
    const wrong = await add({ ssh_password: 'wrong' });
    expect(await look(wrong)).toMatchObject({ code: 'provider_credentials', message: expect.stringMatching(/логин/) });
    expect(await rowOf(wrong)).toMatchObject({ check_error: expect.stringMatching(/логин/), host_key: sshd.hostKey() });
    const closed = await add({ ssh_host: '127.0.0.1:9' });
    expect(await look(closed)).toMatchObject({
      code: 'provider_unavailable',
      message: '127.0.0.1:9: порт SSH закрыт',
      host_key: null,
    });
    // A server that hangs up may just have too many connections, so this counts as temporary.
    const web = await add({ ssh_host: `127.0.0.1:${server.port}` });
    expect(await look(web)).toMatchObject({ message: `127.0.0.1:${server.port} обрывает соединение` });
  });

  test('distinguishes a missing web root from one that is not writable', async () => {
    const id = await add();
    const root = sshd.local(WEB_ROOT);
    chmodSync(root, 0o755);
    expect(await look(id)).toMatchObject({ ok: false, code: 'not_writable' });
    chmodSync(root, 0o777);
    renameSync(root, `${root}-away`);
    expect(await look(id)).toMatchObject({ ok: false, code: 'no_web_root' });
    renameSync(`${root}-away`, root);
    expect(await look(id)).toMatchObject({ ok: true });
  });

  test('passes a user name with shell characters on unchanged', async () => {
    const id = await add({ ssh_user: 'root; id' });
    expect(await look(id)).toMatchObject({ code: 'provider_credentials' });
    expect(sshd.log()).toContain('user root; id');
  });
});

describe.skipIf(why !== '')(`the key of a server${why}`, () => {
  test('that has changed stops everything until an admin accepts the new one', async () => {
    const id = await add();
    const known = sshd.hostKey();
    await look(id);
    await sshd.changeHostKey();
    const attempts = sshd.attempts();
    const answer = await look(id);
    expect(answer).toMatchObject({
      ok: false,
      code: 'host_key_changed',
      host_key: known,
      host_key_seen: sshd.hostKey(),
    });
    expect(await rowOf(id)).toMatchObject({ check_error: expect.stringMatching(/другой ключ/) });
    // From now on no connection is made.
    const connections = (): number => sshd.log().split('Connection from').length;
    const before = connections();
    await expect(openServer(id)).rejects.toMatchObject({ kind: 'refused', code: 'host_key_changed' });
    expect(await look(id, server.admin)).toMatchObject({ code: 'host_key_changed' });
    expect([sshd.attempts() - attempts, connections() - before]).toEqual([0, 0]);

    const accept = sshd.hostKey();
    expect((await decide(id, { accept }, owner)).status).toBe(403);
    expect((await decide(id, {})).status).toBe(400);
    expect((await decide(id, { accept, dismiss: true })).status).toBe(400);
    expect((await decide(id, { accept: 'SHA256:x' })).status).toBe(400);
    for (const key of [OTHER_KEY, known]) {
      expect((await decide(id, { accept: key })).body).toMatchObject({ code: 'other_key' });
    }
    expect((await decide(id, { accept })).body.data).toMatchObject({
      host_key: accept,
      host_key_seen: null,
      check_error: null,
    });
    expect((await decide(id, { accept })).body).toMatchObject({ code: 'no_new_key' });
    expect(await look(id)).toMatchObject({ ok: true, host_key: accept });
  });

  test('stays the known one if an admin dismisses the new one, which is then reported again', async () => {
    const id = await add();
    await look(id);
    const known = sshd.hostKey();
    await sshd.changeHostKey();
    await look(id);
    expect((await decide(id, { dismiss: true })).body.data).toMatchObject({ host_key: known, host_key_seen: null });
    expect(await look(id)).toMatchObject({ code: 'host_key_changed', host_key_seen: sshd.hostKey() });
  });

  test('is forgotten when the host changes, and at no other edit', async () => {
    const id = await add();
    await look(id);
    const { secret: ssh_password } = sshd.passwordLogin();
    await ask(`PUT /api/servers/${id}`, { name: 'N', ssh_password, ssh_host: `${ADDRESS}:22` });
    expect(await rowOf(id)).toMatchObject({ host_key: sshd.hostKey(), checked_at: null });
    await ask(`PUT /api/servers/${id}`, { ssh_password, ssh_host: `127.0.0.1:${sshd.port}` });
    expect(await rowOf(id)).toMatchObject({ host_key: null, checked_at: null, check_error: null });
    expect(await look(id)).toMatchObject({ ok: true, host_key: sshd.hostKey() });
  });

  test('is stored once by several first connections at the same time', async () => {
    const id = await add();
    const sessions = await Promise.all(Array.from({ length: 8 }, () => openServer(id)));
    expect(new Set(sessions.map(({ hostKey }) => hostKey))).toEqual(new Set([sshd.hostKey()]));
    expect(await rowOf(id)).toMatchObject({ host_key: sshd.hostKey(), host_key_seen: null });
    await Promise.all(sessions.map((sftp) => sftp.close()));
  });

  test('is stored before the password is sent, so that a wrong password does not lose it', async () => {
    const id = await add({ ssh_password: 'wrong' });
    await look(id);
    await sshd.changeHostKey();
    const attempts = sshd.attempts();
    expect(await look(id)).toMatchObject({ code: 'host_key_changed' });
    expect(sshd.attempts()).toBe(attempts);
    expect(existsSync(sshd.local(WEB_ROOT))).toBe(true);
  });
});

describe.skipIf(why !== '')(`a server with a port${why}`, () => {
  test('gives its domains the address without the port', async () => {
    const hosts: [string, string][] = [
      ['198.51.100.7:2222', '198.51.100.7'],
      ['[2001:db8::7]:2222', '2001:db8::7'],
      ['2001:db8::8', '2001:db8::8'],
      ['198.51.100.8', '198.51.100.8'],
      ['name.example:2222', 'name.example'],
      ['name.example', 'name.example'],
    ];
    for (const [ssh_host, address] of hosts) {
      const server_id = await add({ ssh_host });
      const { body } = await ask('POST /api/domains', { domain_name: newName(), server_id });
      expect((await ask(`GET /api/domains/${body.data.id}`)).body.data).toMatchObject({ server_ip: address });
    }
  });
});
