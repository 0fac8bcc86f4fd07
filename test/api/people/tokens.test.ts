import { afterAll, beforeAll, expect, test } from 'vitest';
import { executeUnaudited, select, transaction } from '../../../db/index.ts';
import { disableUser } from '../../../src/services/access/user-changes.ts';
import { createPerson, request, startServer, type Person, type TestServer } from '../../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const make = (person: Person, body: object) => request(server, 'POST /api/tokens', { token: person.token, body });
const whoami = (token: string) => request(server, 'GET /api/session', { token });

test('a token is shown once, stored as a hash, and acts as its user until it is revoked', async () => {
  const person = await createPerson(server);
  const made = await make(person, { name: 'nightly', scope: 'write' });
  const { token, data } = made.body;
  expect(token).toMatch(/^sa_[\w-]{43}$/);
  expect(data).toMatchObject({ name: 'nightly', scope: 'write', hint: token.slice(-4), last_used_at: null });
  expect(Date.parse(data.expires_at) - Date.parse(data.created_at)).toBe(90 * 86_400_000);
  expect((await whoami(token)).body.login).toBe(person.login);
  await transaction(async () => undefined);
  const { body, text } = await request(server, 'GET /api/tokens', { token: person.token });
  expect(body.data).toMatchObject([{ id: data.id, last_used_at: expect.any(String) }]);
  expect(text).not.toContain(token.slice(3));
  for (const table of ['api_tokens', 'audit']) {
    expect(JSON.stringify(await select(`SELECT * FROM ${table}`))).not.toContain(token.slice(3));
  }
  const project = await request(server, 'POST /api/projects', { token, body: { name: 'By a program' } });
  expect(project.status).toBe(200);
  const revoked = await request(server, `DELETE /api/tokens/${data.id}`, { token: person.token });
  expect(revoked.status).toBe(200);
  expect((await whoami(token)).body).toEqual({ error: 'Failed to authenticate token', code: 'bad_token' });
});

test('a token without an end gets a year where its administrator becomes a user, which the audit tells; others keep their end', async () => {
  const person = await createPerson(server, 'admin');
  const endless = (await make(person, { name: 'endless', scope: 'write', days: null })).body;
  const short = (await make(person, { name: 'short', scope: 'write', days: 1 })).body;
  expect(endless.data.expires_at).toBeNull();
  const demoted = Date.now();
  const asAdmin = { token: server.admin.token };
  const path = `/api/users/${person.id}`;
  expect((await request(server, `PUT ${path}`, { ...asAdmin, body: { role: 'user' } })).status).toBe(200);
  const rows = await select<{ name: string; expires_at: string }>(
    'SELECT name, expires_at FROM api_tokens WHERE user_id = $id ORDER BY id',
    { id: person.id },
  );
  const [first, other] = rows;
  const end = first?.expires_at ?? '';
  expect(other).toEqual({ name: 'short', expires_at: short.data.expires_at });
  const days = (Date.parse(end) - demoted) / 86_400_000;
  expect([Math.round(days), (await whoami(endless.token)).status]).toEqual([365, 200]);
  const { body } = await request(server, 'GET /api/audit', asAdmin);
  const told = (
    body.data as { object: string; object_id: number; action: string; after: object; login: string }[]
  ).find(
    ({ object, object_id, action }) => object === 'api_tokens' && object_id === endless.data.id && action === 'update',
  );
  expect(told).toMatchObject({ login: server.admin.login, after: { expires_at: end } });
});

test('a token ends when it expires and while its user is disabled', async () => {
  const person = await createPerson(server);
  const { token, data } = (await make(person, { name: 'short', days: 1 })).body;
  expect((await whoami(token)).status).toBe(200);
  await disableUser(person.login);
  expect((await whoami(token)).status).toBe(403);
  await transaction(() => executeUnaudited('demo', 'UPDATE users SET active = 1 WHERE id = $id', { id: person.id }));
  expect((await whoami(token)).status).toBe(200);
  const past = new Date(Date.now() - 1000).toISOString();
  await transaction(() =>
    executeUnaudited('demo', 'UPDATE api_tokens SET expires_at = $past WHERE id = $id', { past, id: data.id }),
  );
  expect((await whoami(token)).status).toBe(403);
});

test('a demoted administrator’s token has the rights of a user at once', async () => {
  const person = await createPerson(server, 'admin');
  const { token } = (await make(person, { name: 'all', scope: 'admin', days: null })).body;
  expect((await request(server, 'GET /api/users', { token })).status).toBe(200);
  await transaction(() => executeUnaudited('demo', `UPDATE users SET role = 'user' WHERE id = $id`, { id: person.id }));
  expect((await request(server, 'GET /api/users', { token })).body.code).toBe('forbidden');
});

test('a user gets neither the scope of administrators nor a token without an end', async () => {
  const person = await createPerson(server);
  expect((await make(person, { name: 'a', scope: 'admin' })).body.fields).toHaveProperty('scope');
  expect((await make(person, { name: 'a', days: null })).body.fields).toHaveProperty('days');
  for (const days of [0, 366, 1.5]) expect((await make(person, { name: 'a', days })).status).toBe(400);
  expect((await make(server.admin, { name: 'a', days: null })).body.data.expires_at).toBeNull();
});

test('a token never gets the secrets of accounts in clear', async () => {
  const body = { name: 'srv', ssh_host: '203.0.113.10', ssh_user: 'root', ssh_password: 'planted-secret' };
  await request(server, 'POST /api/servers', { token: server.admin.token, body });
  const { token } = (await make(server.admin, { name: 'reader', scope: 'admin' })).body;
  expect((await request(server, 'GET /api/servers', { token: server.admin.token })).text).toContain('planted-secret');
  expect((await request(server, 'GET /api/servers', { token })).text).not.toContain('planted-secret');
});

test('an own password is changed by the current one; other sessions end, and tokens stay unless chosen', async () => {
  const person = await createPerson(server);
  const { token } = (await make(person, { name: 'cron' })).body;
  const other = (
    await request(server, 'POST /api/login', { body: { login: person.login, password: 'correct horse battery' } })
  ).body.token;
  const change = (body: object) => request(server, 'PUT /api/password', { token: person.token, body });
  const wrong = await change({ current: 'not it', password: 'another password' });
  expect(wrong).toMatchObject({
    status: 422,
    body: { code: 'wrong_password', fields: { current: expect.any(String) } },
  });
  expect((await change({ current: 'correct horse battery', password: 'short' })).status).toBe(400);
  const done = await change({ current: 'correct horse battery', password: 'another password' });
  expect(done.body).toEqual({ ended: 1 });
  expect((await whoami(person.token)).status).toBe(200);
  expect((await whoami(other)).status).toBe(403);
  expect((await whoami(token)).status).toBe(200);
  await change({ current: 'another password', password: 'a third password', revoke_tokens: true });
  expect((await whoami(token)).status).toBe(403);
});

test('the current password can’t be guessed at an open session', async () => {
  const person = await createPerson(server);
  const statuses: number[] = [];
  for (let guess = 0; guess < 7; guess++) {
    const body = { current: `guess ${guess}`, password: 'another password' };
    statuses.push(
      (await request(server, 'PUT /api/password', { token: person.token, body, from: '127.0.0.9' })).status,
    );
  }
  expect(statuses).toEqual([422, 422, 422, 422, 422, 429, 429]);
});

test('sessions are listed with their browser, and end one by one or all but the own', async () => {
  const person = await createPerson(server);
  const agent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0';
  const signIn = async () =>
    (
      await request(server, 'POST /api/login', {
        body: { login: person.login, password: 'correct horse battery' },
        headers: { 'user-agent': agent },
      })
    ).body.token as string;
  const [first, second] = [await signIn(), await signIn()];
  const { body } = await request(server, 'GET /api/sessions', { token: first });
  expect(body.data).toHaveLength(3);
  const own = body.data.find(({ current }: { current: boolean }) => current);
  expect(own).toMatchObject({ browser: 'Firefox', system: 'Windows', address: '127.0.0.1' });
  const foreign = await request(server, `DELETE /api/sessions/${own.id}`, { token: server.admin.token });
  expect(foreign.status).toBe(404);
  expect((await request(server, 'DELETE /api/sessions', { token: second })).body).toEqual({ ended: 2 });
  expect((await whoami(first)).status).toBe(403);
  expect((await whoami(second)).status).toBe(200);
});
