// No path takes the last administrator away.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { execute, select, transaction } from '../../../db/index.ts';
import {
  changeUserOf,
  disableUser,
  resetSecondFactor,
  setPassword,
} from '../../../src/services/access/user-changes.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { routes } from '../../../src/api/index.ts';
import { createPerson, PASSWORD, request, startServer, type Person, type TestServer } from '../../support/server.ts';

let server: TestServer;
let second: Person;
beforeAll(async () => {
  server = await startServer();
  second = await createPerson(server, 'admin');
});
afterAll(() => server.close());

// The second administrator is no more, and the first one's session stands.
beforeEach(async () => {
  await transaction(() => execute(`UPDATE users SET role = 'user', active = 1 WHERE id = $id`, { id: second.id }));
});

const as = (call: string, body?: object) => request(server, call, { token: server.admin.token, body });
const admins = async () =>
  (await select<{ id: number }>(`SELECT id FROM users WHERE role = 'admin' AND active = 1`)).map(({ id }) => id);
const conflict = { key: 'user.last_admin', kind: 'conflict' };

const PATHS: [path: string, status: number, call: () => Promise<{ status: number }>][] = [
  ['the users’ dialog: role', 409, () => as(`PUT /api/users/${server.admin.id}`, { role: 'user' })],
  ['the users’ dialog: access', 409, () => as(`PUT /api/users/${server.admin.id}`, { active: false })],
  ['the table editor: role', 400, () => as('POST /api/tables/users', { id: server.admin.id, role: 'user' })],
  ['the table editor: access', 400, () => as('POST /api/tables/users', { id: server.admin.id, active: 0 })],
  ['the table editor: deletion', 409, () => as(`DELETE /api/tables/users/${server.admin.id}`)],
  ['the own password by reset', 409, () => as(`POST /api/users/${server.admin.id}/password`, {})],
  ['the own second factor by reset', 409, () => as(`DELETE /api/users/${server.admin.id}/second_factor`)],
  ['a second factor that nobody has', 409, () => as('PUT /api/second_factor/policy', { second_factor: 'all' })],
];

test.each(PATHS)('%s is refused', async (_, status, call) => {
  const [before] = await select('SELECT * FROM users WHERE id = $id', { id: server.admin.id });
  expect((await call()).status).toBe(status);
  expect(await admins()).toEqual([server.admin.id]);
  expect((await select('SELECT * FROM users WHERE id = $id', { id: server.admin.id }))[0]).toEqual(before);
});

test('the command line is refused as well', async () => {
  await expect(disableUser('admin')).rejects.toMatchObject(conflict);
  await expect(changeUserOf('ADMIN', { role: 'user' })).rejects.toMatchObject(conflict);
  await expect(changeUserOf('admin', { role: 'user', active: true })).rejects.toMatchObject(conflict);
  expect(await admins()).toEqual([server.admin.id]);
});

test('the log gives no role and no access back', async () => {
  await as(`PUT /api/users/${second.id}`, { role: 'admin' });
  await as(`PUT /api/users/${second.id}`, { active: false });
  const { data } = (await as(`GET /api/audit?object=users&object_id=${second.id}`)).body;
  expect(data.length).toBeGreaterThan(1);
  for (const { id, action, before } of data) {
    if (action !== 'update' || (!('role' in before) && !('active' in before))) continue;
    expect((await as(`POST /api/audit/${id}/give_back`, {})).body.code).toBe('not_given_back');
  }
  expect(await admins()).toEqual([server.admin.id]);
});

test('no route deletes a user', () => {
  const names = routes.map(({ name }) => name).filter((name) => /^DELETE \/api\/users?(\/:id)?$/.test(name));
  expect(names).toEqual([]);
});

test('of three ways at once, one administrator stays', async () => {
  await transaction(() => execute(`UPDATE users SET role = 'admin' WHERE id = $id`, { id: second.id }));
  const results = await Promise.allSettled([
    disableUser('admin'),
    changeUserOf(second.login, { role: 'user' }),
    changeUserOf(second.login, { active: false }),
  ]);
  expect(results.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0);
  expect(await admins()).toHaveLength(1);
  await transaction(() => execute(`UPDATE users SET role = 'admin', active = 1 WHERE login = 'admin'`));
  server.admin.token = (
    await request(server, 'POST /api/login', { body: { login: 'admin', password: PASSWORD } })
  ).body.token;
});

test('an administrator who has lost the device of a required second factor comes back by the host', async () => {
  const { id } = server.admin;
  await transaction(async () => {
    await execute(`INSERT INTO installation (name, value) VALUES ('second_factor', 'all')`);
    await execute(
      `INSERT INTO passkeys (user_id, name, rp_id, credential_id, public_key, counter, transports, created_at)
       VALUES ($id, 'Lost', '127.0.0.1', 'lost', '', 0, '[]', '2026-01-01T00:00:00.000Z')`,
      { id },
    );
  });
  try {
    const [key] = (await as('GET /api/second_factor')).body.passkeys;
    expect((await as(`POST /api/passkeys/${key.id}/remove`, { password: PASSWORD })).status).toBe(409);
    const login = (password: string) => request(server, 'POST /api/login', { body: { login: 'admin', password } });
    expect((await login(PASSWORD)).body.code).toBe('second_factor_required');
    await resetSecondFactor(SYSTEM, id);
    await setPassword('admin', 'another password');
    const { token } = (await login('another password')).body;
    expect((await request(server, 'GET /api/users', { token })).body.code).toBe('second_factor_missing');
    const body = { password: 'another password' };
    expect((await request(server, 'POST /api/second_factor/totp', { token, body })).status).toBe(200);
  } finally {
    await transaction(() => execute(`DELETE FROM installation WHERE name = 'second_factor'`));
  }
});
