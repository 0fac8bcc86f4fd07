import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { execute, select, transaction } from '../../../db/index.ts';
import { dump } from '../../support/database.ts';
import { createPerson, PASSWORD, request, startServer, type Person, type TestServer } from '../../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const ask = (person: { token: string }, call: string, body: object = { password: PASSWORD }) =>
  request(server, call, { token: person.token, body });

const login = (body: object, from = '127.0.0.1') => request(server, 'POST /api/login', { body, from });
const firstStep = async ({ login: name }: Person, from?: string): Promise<string> =>
  (await login({ login: name, password: PASSWORD }, from)).body.challenge;

const codeAt = (secret: string, periods = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + periods * 30_000 });

/** A user with an authenticator app; forgets that a code confirmed it, so that a test need not wait for the next one. */
async function withApp(role: 'admin' | 'user' = 'user') {
  const person = await createPerson(server, role);
  const { secret } = (await ask(person, 'POST /api/second_factor/totp')).body;
  const { body } = await ask(person, 'POST /api/second_factor/totp/confirm', { code: codeAt(secret) });
  await transaction(() => execute('UPDATE totp_secrets SET last_step = 0 WHERE user_id = $id', { id: person.id }));
  return { person, secret: secret as string, codes: body.recovery_codes as string[] };
}

test('with an app, the password alone opens no session, and a code does', async () => {
  const { person, secret, codes } = await withApp();
  expect(codes).toHaveLength(10);
  const first = await login({ login: person.login, password: PASSWORD });
  expect(first.status).toBe(401);
  expect(first.body).toMatchObject({
    code: 'second_factor_required',
    factors: ['totp', 'recovery_code'],
    passkey: null,
  });
  expect(first.body.token).toBeUndefined();
  const { challenge } = first.body;
  // The challenge is no token.
  expect((await request(server, 'GET /api/session', { token: challenge })).status).toBe(403);
  const wrong = await login({ challenge, code: '000000' });
  expect(wrong).toMatchObject({ status: 401, body: { code: 'wrong_code' } });
  const done = await login({ challenge, code: codeAt(secret) });
  expect((await request(server, 'GET /api/session', { token: done.body.token })).body.login).toBe(person.login);
  const [row] = await select<{ after: string }>(
    `SELECT after FROM audit WHERE action = 'sign_in' ORDER BY id DESC LIMIT 1`,
  );
  expect(row?.after).toBe('{"second_factor":"totp"}');
});

test('a wrong password looks the same with and without a second factor', async () => {
  const { person } = await withApp();
  const plain = await createPerson(server);
  const texts = await Promise.all(
    [person.login, plain.login, 'nobody'].map(
      async (name) => (await login({ login: name, password: 'x' }, '127.0.0.31')).text,
    ),
  );
  expect(new Set(texts)).toEqual(new Set(['{"error":"Invalid login or password","code":"bad_login"}']));
});

test('a code opens one session, also where it is sent twice at once with two challenges', async () => {
  const { person, secret } = await withApp();
  const [one, two] = [await firstStep(person), await firstStep(person)];
  const code = codeAt(secret);
  const statuses = (await Promise.all([one, two].map((challenge) => login({ challenge, code })))).map(
    ({ status }) => status,
  );
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 401]);
  const again = await login({ challenge: await firstStep(person), code });
  expect(again.body.code).toBe('wrong_code');
});

test('the code of the period before is accepted, one of two periods away is not, and none after a later one', async () => {
  const { person, secret } = await withApp();
  const step = async (code: string) => (await login({ challenge: await firstStep(person), code })).status;
  expect(await step(codeAt(secret, -3))).toBe(401);
  expect(await step(codeAt(secret, 3))).toBe(401);
  expect(await step(codeAt(secret, 1))).toBe(200);
  expect(await step(codeAt(secret, 0))).toBe(401);
});

test('a recovery code opens one session, also where it is sent twice at once, in any spelling', async () => {
  const { person, codes } = await withApp();
  const code = codes[0] ?? '';
  const [one, two] = [await firstStep(person), await firstStep(person)];
  const sent = [
    login({ challenge: one, code }),
    login({ challenge: two, code: code.toUpperCase().replaceAll('-', ' ') }),
  ];
  const statuses = (await Promise.all(sent)).map(({ status }) => status);
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 401]);
  const { body } = await request(server, 'GET /api/second_factor', { token: person.token });
  expect(body).toMatchObject({ totp: true, passkeys: [], recovery_codes: 9 });
});

test('a challenge is over once used, after five tries, when it expires, and with the password', async () => {
  const { person, secret, codes } = await withApp();
  const used = await firstStep(person);
  expect((await login({ challenge: used, code: codes[0] })).status).toBe(200);
  expect((await login({ challenge: used, code: codes[1] })).body.code).toBe('challenge_over');
  const tried = await firstStep(person);
  for (let count = 0; count < 4; count++) await login({ challenge: tried, code: '000000' }, `127.0.0.4${count}`);
  await login({ challenge: tried, code: '000000' }, '127.0.0.45');
  expect((await login({ challenge: tried, code: codes[1] }, '127.0.0.46')).body.code).toBe('challenge_over');
  const expired = await firstStep(person);
  const past = new Date(Date.now() - 1000).toISOString();
  await transaction(() => execute('UPDATE sign_in_challenges SET expires_at = $past', { past }));
  expect((await login({ challenge: expired, code: codeAt(secret) }, '127.0.0.47')).body.code).toBe('challenge_over');
  const older = await firstStep(person);
  await ask(person, 'PUT /api/password', { current: PASSWORD, password: 'another password', sign_out: false });
  expect((await login({ challenge: older, code: codeAt(secret) }, '127.0.0.48')).body.code).toBe('challenge_over');
  expect((await login({ challenge: 'invented', code: codeAt(secret) })).body.code).toBe('challenge_over');
});

test('codes are throttled like passwords, over all challenges', async () => {
  const { person } = await withApp();
  const statuses: number[] = [];
  for (let guess = 0; guess < 7; guess++) {
    const challenge = await firstStep(person, '127.0.0.50');
    statuses.push((await login({ challenge, code: `00000${guess}` }, '127.0.0.50')).status);
  }
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
});

test('changing a second factor asks for the password, and new recovery codes end the former', async () => {
  const { person, codes } = await withApp();
  const calls = [
    'POST /api/second_factor/totp/remove',
    'POST /api/second_factor/recovery_codes',
    'POST /api/passkeys/options',
  ];
  for (const call of calls) expect((await ask(person, call, { password: 'wrong' })).body.code).toBe('wrong_password');
  const renewed = (await ask(person, 'POST /api/second_factor/recovery_codes')).body.recovery_codes;
  expect((await login({ challenge: await firstStep(person), code: codes[0] })).status).toBe(401);
  expect((await login({ challenge: await firstStep(person), code: renewed[0] })).status).toBe(200);
  expect((await ask(person, 'POST /api/second_factor/totp')).status).toBe(409);
  expect((await ask(person, 'POST /api/second_factor/totp/remove')).status).toBe(200);
  expect((await login({ login: person.login, password: PASSWORD })).status).toBe(200);
});

test('a secret and recovery codes are in no row in clear, not in the audit, and in no later answer', async () => {
  const { person, secret, codes } = await withApp();
  const rows = await dump();
  const { text } = await request(server, 'GET /api/second_factor', { token: person.token });
  for (const planted of [secret, ...codes, ...codes.map((code) => code.replaceAll('-', ''))]) {
    expect(rows.includes(planted)).toBe(false);
    expect(text.includes(planted)).toBe(false);
  }
  const refused = await request(server, 'GET /api/tables/totp_secrets', { token: server.admin.token });
  expect(refused.status).toBe(404);
});

test('who must have a second factor can only add one, with a session and with a token', async () => {
  const person = await createPerson(server);
  const { token } = (await ask(person, 'POST /api/tokens', { name: 'cron' })).body;
  const { person: equipped } = await withApp();
  const { person: admin } = await withApp('admin');
  await ask(admin, 'PUT /api/second_factor/policy', { second_factor: 'all' });
  try {
    for (const caller of [person.token, token]) {
      const { status, body } = await request(server, 'GET /api/user_projects', { token: caller });
      expect([status, body.code]).toEqual([403, 'second_factor_missing']);
    }
    expect((await request(server, 'GET /api/user_projects', { token: equipped.token })).status).toBe(200);
    expect((await ask(equipped, 'POST /api/second_factor/totp/remove')).status).toBe(409);
    const { secret } = (await ask(person, 'POST /api/second_factor/totp')).body;
    await ask(person, 'POST /api/second_factor/totp/confirm', { code: codeAt(secret) });
    for (const caller of [person.token, token]) {
      expect((await request(server, 'GET /api/user_projects', { token: caller })).status).toBe(200);
    }
    const off = { second_factor: 'optional' };
    expect((await ask(server.admin, 'PUT /api/second_factor/policy', off)).body.code).toBe('second_factor_missing');
    expect((await ask(admin, 'PUT /api/second_factor/policy', off)).status).toBe(200);
  } finally {
    await transaction(() => execute(`DELETE FROM installation WHERE name = 'second_factor'`));
  }
});

test('an administrator can’t demand a second factor without having one', async () => {
  const admin = await createPerson(server, 'admin');
  const { body, status } = await ask(admin, 'PUT /api/second_factor/policy', { second_factor: 'admins' });
  expect([status, body.code]).toEqual([409, 'second_factor_first']);
});

test('an administrator resets the second factor of another, not the own', async () => {
  const { person } = await withApp();
  const { person: admin } = await withApp('admin');
  const reset = (id: number) => request(server, `DELETE /api/users/${id}/second_factor`, { token: admin.token });
  expect((await reset(person.id)).status).toBe(200);
  expect((await request(server, 'GET /api/session', { token: person.token })).status).toBe(403);
  expect((await login({ login: person.login, password: PASSWORD })).status).toBe(200);
  expect((await reset(admin.id)).status).toBe(409);
});
