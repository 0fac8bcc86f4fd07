import { afterAll, beforeAll, expect, test } from 'vitest';
import { select } from '../../../db/index.ts';
import { createPerson, request, startServer, type Person, type TestServer } from '../../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const change = (by: Person, id: number, body: object) =>
  request(server, `PUT /api/users/${id}`, { token: by.token, body });
const admins = async () =>
  (await select<{ id: number }>(`SELECT id FROM users WHERE role = 'admin' AND active = 1`)).map(({ id }) => id);

test('of two logins that look alike only one can be there', async () => {
  const add = async (login: string) => {
    const body = { login, password: 'correct horse battery' };
    return (await request(server, 'POST /api/users', { token: server.admin.token, body })).status;
  };
  for (const [one, other] of [
    ['Jos\u00e9', 'Jose\u0301'],
    ['abc', '\uff21\uff22\uff23'],
    ['fix', '\ufb01x'],
  ] as const) {
    expect([one, await add(one), await add(other)]).toEqual([one, 200, 409]);
  }
  expect(await add('к\u00adот')).toBe(400);
});

test('of two administrators who demote or disable each other at once, one stays', async () => {
  for (const body of [{ role: 'user' }, { active: false }]) {
    const second = await createPerson(server, 'admin');
    const answers = await Promise.all([change(server.admin, second.id, body), change(second, server.admin.id, body)]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const left = await admins();
    expect(left).toHaveLength(1);
    if (left[0] === server.admin.id) continue;
    // The first administrator comes back for the next round.
    await change(second, server.admin.id, { role: 'admin', active: true });
    const login = { login: 'admin', password: 'correct horse battery' };
    server.admin.token = (await request(server, 'POST /api/login', { body: login })).body.token;
    await change(server.admin, second.id, { role: 'user' });
  }
});

test('the last administrator is neither demoted nor disabled, by no one', async () => {
  for (const body of [{ role: 'user' }, { active: false }, { role: 'user', active: false }]) {
    expect((await change(server.admin, server.admin.id, body)).status).toBe(409);
  }
  expect(await admins()).toEqual([server.admin.id]);
});

test('a change of role and a disabling end the sessions, and an enabled user signs in again', async () => {
  const person = await createPerson(server);
  const login = () =>
    request(server, 'POST /api/login', { body: { login: person.login, password: 'correct horse battery' } });
  expect((await change(server.admin, person.id, { role: 'admin' })).status).toBe(200);
  expect((await request(server, 'GET /api/session', { token: person.token })).status).toBe(403);
  expect((await change(server.admin, person.id, { active: false, role: 'user' })).status).toBe(200);
  expect((await login()).status).toBe(401);
  await change(server.admin, person.id, { active: true });
  expect((await login()).status).toBe(200);
});

test('a password is reset to one that is told once; sessions and tokens end', async () => {
  const person = await createPerson(server);
  const { token } = (await request(server, 'POST /api/tokens', { token: person.token, body: { name: 'cron' } })).body;
  const reset = (id: number) =>
    request(server, `POST /api/users/${id}/password`, { token: server.admin.token, body: {} });
  const { password } = (await reset(person.id)).body;
  expect(password).toMatch(/^(\w{4}-){3}\w{4}$/);
  for (const ended of [person.token, token]) {
    expect((await request(server, 'GET /api/session', { token: ended })).status).toBe(403);
  }
  expect((await request(server, 'POST /api/login', { body: { login: person.login, password } })).status).toBe(200);
  expect(JSON.stringify(await select('SELECT * FROM audit'))).not.toContain(password);
  expect((await reset(server.admin.id)).status).toBe(409);
});

test('a password that is being changed by its user does not undo a reset, and does not reopen the account', async () => {
  const person = await createPerson(server);
  const body = { current: 'correct horse battery', password: 'the intruder’s own' };
  const own = request(server, 'PUT /api/password', { token: person.token, body });
  const reset = request(server, `POST /api/users/${person.id}/password`, { token: server.admin.token, body: {} });
  const [changed, { body: given }] = await Promise.all([own, reset]);
  const login = (password: string) => request(server, 'POST /api/login', { body: { login: person.login, password } });
  expect((await login(given.password)).status).toBe(200);
  expect((await login(body.password)).status).toBe(401);
  expect([200, 403]).toContain(changed.status);
});

test('the list tells second factor and last activity, and never a hash', async () => {
  const person = await createPerson(server);
  const { body, text } = await request(server, 'GET /api/users', { token: server.admin.token });
  const row = body.data.find(({ id }: { id: number }) => id === person.id);
  expect(row).toMatchObject({ second_factor: false, last_seen_at: expect.any(String), active: true });
  expect(text).not.toMatch(/scrypt|password/);
  const { body: ended } = await request(server, `DELETE /api/users/${person.id}/sessions`, {
    token: server.admin.token,
  });
  expect(ended).toEqual({ ended: 1 });
});
