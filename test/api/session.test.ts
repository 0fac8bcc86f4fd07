import jwt from 'jsonwebtoken';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { execute, select, transaction } from '../../db/index.ts';
import { createSetupToken } from '../../src/services/access/session.ts';
import { disableUser, setPassword } from '../../src/services/access/user-changes.ts';
import {
  createPerson,
  PASSWORD,
  request,
  signIn,
  startBareServer,
  startServer,
  type TestServer,
} from '../support/server.ts';

describe('a session', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.close());

  const login = (name: string, password: string, from = '127.0.0.1') =>
    request(server, 'POST /api/login', { body: { login: name, password }, from });

  test('has a token with the fields that the browser reads', async () => {
    const payload = jwt.decode(await signIn(server, 'admin')) as Record<string, unknown>;
    expect(payload).toMatchObject({ id: server.admin.id, login: 'admin', role: 'admin', telegram: null });
    expect(payload).toMatchObject({ iat: expect.any(Number), exp: expect.any(Number) });
    expect(JSON.stringify(payload)).not.toContain('scrypt');
  });

  test('begins with a login in any case and with blanks around it', async () => {
    const answer = await login(' ADMIN ', PASSWORD);
    expect(Object.keys(answer.body)).toEqual(['token']);
  });

  test('is refused with the same answer for an unknown login, a wrong password and a disabled user', async () => {
    const disabled = await createPerson(server);
    await disableUser(disabled.login);
    const answers = [
      await login('nobody', PASSWORD),
      await login('admin', 'wrong password'),
      await login(disabled.login, PASSWORD),
      await login('x'.repeat(5000), 'y'.repeat(5000)),
    ];
    for (const { status, text, headers } of answers) {
      expect(status).toBe(401);
      expect(text).toBe('{"error":"Invalid login or password","code":"bad_login"}');
      expect(Object.keys(headers).sort()).toEqual(Object.keys(answers[0]?.headers ?? {}).sort());
    }
  });

  test('ends by sign-out, without other sessions of the user', async () => {
    const person = await createPerson(server);
    const second = await signIn(server, person.login);
    const { body } = await request(server, 'POST /api/logout', { token: person.token, body: {} });
    expect(body.message).toBeTypeOf('string');
    expect((await request(server, 'GET /api/session', { token: person.token })).status).toBe(403);
    expect((await request(server, 'GET /api/session', { token: second })).status).toBe(200);
  });

  test('gets no answers after its end, also during concurrent calls', async () => {
    for (const end of [disableUser, (name: string) => setPassword(name, `${PASSWORD} new`)]) {
      const person = await createPerson(server);
      let ended = false;
      const late: number[] = [];
      const caller = async (): Promise<void> => {
        for (let calls = 0; calls < 30; calls++) {
          const begunAfter = ended;
          const { status } = await request(server, 'GET /api/session', { token: person.token });
          if (begunAfter) late.push(status);
        }
      };
      const callers = [caller(), caller(), caller()];
      await end(person.login);
      ended = true;
      await Promise.all(callers);
      expect(late.filter((status) => status !== 403)).toEqual([]);
      expect((await request(server, 'GET /api/session', { token: person.token })).status).toBe(403);
    }
  });

  test('stays valid while it is used, and a call updates its last-seen time', async () => {
    const person = await createPerson(server);
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
    const bind = { id: person.id, hourAgo };
    await transaction(() => execute('UPDATE sessions SET last_seen_at = $hourAgo WHERE user_id = $id', bind));
    expect((await request(server, 'GET /api/session', { token: person.token })).status).toBe(200);
    // The call does not wait for its write.
    await transaction(async () => undefined);
    const [row] = await select<{ last_seen_at: string }>('SELECT last_seen_at FROM sessions WHERE user_id = $id', {
      id: person.id,
    });
    expect(row?.last_seen_at).not.toBe(hourAgo);
  });

  test('is throttled for a guessed login, whose owner can sign in from another address', async () => {
    const owner = await createPerson(server);
    const statuses: number[] = [];
    for (let guess = 0; guess < 7; guess++)
      statuses.push((await login(owner.login, `guess ${guess}`, '127.0.0.3')).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
    const stopped = await login(owner.login, PASSWORD, '127.0.0.3');
    expect([stopped.status, stopped.body.code]).toEqual([429, 'too_many']);
    expect(Number(stopped.headers['retry-after'])).toBeGreaterThan(0);
    // Another case, further fields and forwarding headers do not evade the throttle.
    const disguises = { body: { login: ` ${owner.login.toUpperCase()} `, password: 'x', email: 'other' } };
    const headers = { 'x-forwarded-for': '10.1.2.3', 'x-real-ip': '10.1.2.3', forwarded: 'for=10.1.2.3' };
    const disguised = await request(server, 'POST /api/login', { ...disguises, headers, from: '127.0.0.3' });
    expect(disguised.status).toBe(429);
    expect((await login(owner.login, PASSWORD, '127.0.0.2')).status).toBe(200);
  });

  test('begins at once where the token of a former session is sent, while its login is guessed at the same address', async () => {
    const owner = await createPerson(server);
    const other = await createPerson(server);
    const from = '127.0.0.6';
    const enter = (former: string) =>
      request(server, 'POST /api/login', { body: { login: owner.login, password: PASSWORD, former }, from });
    await request(server, 'POST /api/logout', { token: owner.token, body: {} });
    for (let guess = 0; guess < 7; guess++) await login(owner.login, `guess ${guess}`, from);
    for (const former of ['', other.token, `${owner.token}x`, 'x'.repeat(5000)])
      expect((await enter(former)).status).toBe(429);
    expect((await enter(owner.token)).status).toBe(200);
    expect((await request(server, 'GET /api/session', { token: owner.token })).status).toBe(403);
    const guess = { login: owner.login, password: 'guess', former: owner.token };
    expect((await request(server, 'POST /api/login', { body: guess, from })).status).toBe(401);
  });

  test('is throttled for an address that guesses many logins', async () => {
    const guesses = Array.from({ length: 40 }, (_, index) => login(`stranger-${index}`, 'x', '127.0.0.4'));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(30);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(10);
    expect((await login('admin', PASSWORD)).status).toBe(200);
  });

  test('that begins with a right password gives the failed tries before it back', async () => {
    const person = await createPerson(server);
    for (let round = 0; round < 3; round++) {
      for (let guess = 0; guess < 3; guess++) expect((await login(person.login, 'x', '127.0.0.5')).status).toBe(401);
      expect((await login(person.login, PASSWORD, '127.0.0.5')).status).toBe(200);
    }
  });

  test('of an admin can create users', async () => {
    const make = (body: object) => request(server, 'POST /api/users', { token: server.admin.token, body });
    const made = await make({ login: 'Maria', password: PASSWORD, telegram: '@maria_seo' });
    expect(made).toMatchObject({ status: 200, body: { id: expect.any(Number) } });
    const taken = await make({ login: 'mARIA', password: PASSWORD });
    expect(taken).toMatchObject({ status: 409, body: { code: 'login_taken', fields: { login: expect.any(String) } } });
    const wrong = await make({ login: '', password: 'short', role: 'root', telegram: 'a b' });
    expect(wrong.status).toBe(400);
    expect(Object.keys(wrong.body.fields).sort()).toEqual(['login', 'password', 'role', 'telegram']);
    const { body } = await request(server, 'GET /api/users', { token: server.admin.token });
    const maria = body.data.find((user: { login: string }) => user.login === 'Maria');
    expect(maria).toMatchObject({ role: 'user', telegram: 'maria_seo', active: true });
    expect(JSON.stringify(body)).not.toMatch(/scrypt|password/);
  });

  test('of an admin creates one user where the same login is sent several times at once', async () => {
    const body = { login: 'twice', password: PASSWORD };
    const make = () => request(server, 'POST /api/users', { token: server.admin.token, body });
    const statuses = (await Promise.all([make(), make(), make()])).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
  });

  test('changes only the Telegram name of its own user; `changes` counts rows', async () => {
    const person = await createPerson(server);
    const set = (telegram: string | null) =>
      request(server, 'PUT /api/update_telegram', { token: person.token, body: { telegram, id: server.admin.id } });
    expect((await set('@some_one')).body).toEqual({ changes: 1, code: null, link: null });
    expect((await set('https://t.me/some_one')).body).toMatchObject({ changes: 0 });
    expect((await request(server, 'GET /api/session', { token: person.token })).body.telegram).toBe('some_one');
    expect((await set('')).body).toMatchObject({ changes: 1 });
    expect((await set(null)).body).toMatchObject({ changes: 0 });
    expect((await request(server, 'GET /api/session', { token: server.admin.token })).body.telegram).toBe(null);
  });

  test('returns the present data of its user', async () => {
    const person = await createPerson(server);
    const { body } = await request(server, 'GET /api/session', { token: person.token });
    const { id, login, role } = person;
    expect(body).toEqual({ id, login, role, telegram: null, active: true, created_at: expect.any(String) });
  });
});

describe('first run', () => {
  test('offers a link that works once, expires, and is gone once there is a user', async () => {
    const server = await startBareServer();
    const setUp = (token: string, login = 'first') =>
      request(server, 'POST /api/setup', { body: { token, login, password: PASSWORD } });
    expect((await request(server, 'GET /api/setup')).body).toEqual({ open: true });
    const old = await createSetupToken();
    const token = await createSetupToken();
    expect(await setUp('nonsense')).toMatchObject({ status: 403, body: { code: 'setup_link_invalid' } });
    expect((await setUp(old)).status).toBe(403);
    expect(
      (await request(server, 'POST /api/setup', { body: { token, login: 'first', password: 'short' } })).status,
    ).toBe(400);
    await transaction(() => execute(`UPDATE setup_links SET expires_at = '2020-01-01T00:00:00.000Z'`));
    expect((await setUp(token)).status).toBe(403);
    const fresh = await createSetupToken();
    const [stored] = await select<{ token_hash: string }>('SELECT token_hash FROM setup_links');
    expect(stored?.token_hash).not.toContain(fresh);
    const answers = await Promise.all([setUp(fresh, 'one'), setUp(fresh, 'two')]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404]);
    expect(await select('SELECT 1 FROM users')).toHaveLength(1);
    expect((await setUp(fresh)).status).toBe(404);
    expect((await request(server, 'GET /api/setup')).status).toBe(404);
    await expect(createSetupToken()).rejects.toMatchObject({ key: 'setup.closed' });
    const { token: session } = answers.find(({ status }) => status === 200)?.body ?? {};
    expect((await request(server, 'GET /api/session', { token: session })).body.role).toBe('admin');
    await server.close();
  });
});
