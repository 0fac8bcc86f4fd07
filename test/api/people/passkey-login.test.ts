import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { execute, select, transaction } from '../../../db/index.ts';
import { disableUser } from '../../../src/services/access/user-changes.ts';
import { dump } from '../../support/database.ts';
import { softKey, type Said } from './soft-key.ts';
import { createPerson, PASSWORD, request, startServer, type TestServer } from '../../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

/** A user with a passkey of this server's address. */
async function withPasskey(counter = 0, rp_id = '127.0.0.1') {
  const person = await createPerson(server);
  const key = softKey(person.id);
  const { credential_id, public_key } = key;
  await transaction(() =>
    execute(
      `INSERT INTO passkeys (user_id, name, rp_id, credential_id, public_key, counter, transports, created_at)
       VALUES ($user_id, 'Laptop', $rp_id, $credential_id, $public_key, $counter, '[]', $now)`,
      { user_id: person.id, rp_id, credential_id, public_key, counter, now: new Date().toISOString() },
    ),
  );
  return { person, key };
}
type Key = Awaited<ReturnType<typeof withPasskey>>['key'];

const begin = async () => (await request(server, 'POST /api/passkey_login/options', { body: {} })).body;
const finish = (body: object, from = '127.0.0.1') => request(server, 'POST /api/passkey_login', { body, from });

async function answerOf(key: Key, said: Partial<Said> = {}) {
  const { challenge, options } = await begin();
  const right = { challenge: options.challenge as string, origin: server.url, rpId: '127.0.0.1' };
  return { challenge: challenge as string, assertion: key.assert({ ...right, ...said }) };
}

test('a passkey alone signs in, and asking for it stores nothing', async () => {
  const { person, key } = await withPasskey();
  const before = await dump();
  const answer = await answerOf(key);
  expect(await dump()).toBe(before);
  const { options } = await begin();
  expect(options).toMatchObject({ rpId: '127.0.0.1', allowCredentials: [], userVerification: 'required' });
  const { status, body } = await finish(answer);
  expect(status).toBe(200);
  expect((await request(server, 'GET /api/session', { token: body.token })).body.login).toBe(person.login);
  const [row] = await select<{ login: string; after: string }>(
    `SELECT login, after FROM audit WHERE action = 'sign_in' ORDER BY id DESC LIMIT 1`,
  );
  expect(row).toEqual({ login: person.login, after: '{"passkey":"Laptop"}' });
});

test('a challenge is used once, also twice at once, and after every session has ended', async () => {
  const { person, key } = await withPasskey();
  const answer = await answerOf(key);
  const answers = await Promise.all([finish(answer), finish(answer)]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
  const token = answers.find(({ status }) => status === 200)?.body.token;
  await request(server, 'PUT /api/password', { token, body: { current: PASSWORD, password: 'another password' } });
  await request(server, `DELETE /api/users/${person.id}/sessions`, { token: server.admin.token });
  expect((await finish(answer)).body.code).toBe('challenge_over');
});

test('a challenge ends after five minutes, and one that was made elsewhere is refused', async () => {
  const { key } = await withPasskey();
  const answer = await answerOf(key);
  const [random, ends, seal] = answer.challenge.split('.');
  for (const challenge of [`${random}.${Number(ends) + 60_000}.${seal}`, `${random}.${ends}.${'A'.repeat(43)}`, 'x']) {
    expect((await finish({ ...answer, challenge })).body.code).toBe('challenge_over');
  }
  const real = Date.now;
  vi.spyOn(Date, 'now').mockImplementation(() => real() + 5 * 60_000 + 1);
  try {
    expect((await finish(answer)).body.code).toBe('challenge_over');
  } finally {
    vi.restoreAllMocks();
  }
  expect((await finish(answer)).status).toBe(200);
});

test('another origin, another address, another challenge, another user and an unverified user are refused', async () => {
  const { key } = await withPasskey();
  const wrong: Partial<Said>[] = [
    { origin: 'https://evil.example' },
    { rpId: 'evil.example' },
    { challenge: Buffer.from('another challenge').toString('base64url') },
    { userHandle: Buffer.from('user 1').toString('base64url') },
    { isVerified: false },
  ];
  for (const [index, said] of wrong.entries()) {
    const { status, body } = await finish(await answerOf(key, said), `127.0.1.${index + 1}`);
    expect([said, status, body.code]).toEqual([said, 401, 'passkey_refused']);
  }
  const { key: elsewhere } = await withPasskey(0, 'admin.example');
  expect((await finish(await answerOf(elsewhere), '127.0.1.20')).body.code).toBe('passkey_refused');
  expect((await finish(await answerOf(softKey(1)), '127.0.1.21')).body.code).toBe('passkey_refused');
  expect((await finish(await answerOf(key))).status).toBe(200);
});

test('a counter that does not rise is refused', async () => {
  const { key } = await withPasskey(7);
  expect((await finish(await answerOf(key, { counter: 7 }))).status).toBe(401);
  expect((await finish(await answerOf(key, { counter: 0 }))).status).toBe(401);
  const answers = [await answerOf(key, { counter: 8 }), await answerOf(key, { counter: 8 })];
  const statuses = (await Promise.all(answers.map((answer) => finish(answer)))).map(({ status }) => status);
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 401]);
});

test('a disabled user and a removed passkey are refused', async () => {
  const { person, key } = await withPasskey();
  const answer = await answerOf(key);
  await disableUser(person.login);
  expect((await finish(answer)).body.code).toBe('passkey_refused');
  const other = await withPasskey();
  const removed = await answerOf(other.key);
  const { token } = other.person;
  const { body } = await request(server, 'GET /api/second_factor', { token });
  await request(server, `POST /api/passkeys/${body.passkeys[0].id}/remove`, { token, body: { password: PASSWORD } });
  expect((await finish(removed)).body.code).toBe('passkey_refused');
});

test('a password that an administrator sets removes the passkeys, and own recovery codes stay with an app alone', async () => {
  const { person, key } = await withPasskey();
  const answer = await answerOf(key);
  const { token } = server.admin;
  expect((await request(server, `POST /api/users/${person.id}/password`, { token, body: {} })).status).toBe(200);
  expect((await finish(answer)).body.code).toBe('passkey_refused');
  const rows = await select<{ after: string }>(
    `SELECT after FROM audit WHERE object = 'users' AND object_id = $id ORDER BY id DESC LIMIT 1`,
    { id: person.id },
  );
  expect(JSON.parse(rows[0]?.after ?? '')).toMatchObject({ second_factor: 'passkeys removed' });
});

test('it satisfies a required second factor, and wrong answers are throttled as passwords are', async () => {
  const { key } = await withPasskey();
  await transaction(() => execute(`INSERT INTO installation (name, value) VALUES ('second_factor', 'all')`));
  try {
    const { token } = (await finish(await answerOf(key))).body;
    expect((await request(server, 'GET /api/user_projects', { token })).status).toBe(200);
  } finally {
    await transaction(() => execute(`DELETE FROM installation WHERE name = 'second_factor'`));
  }
  const { key: guessed } = await withPasskey();
  const statuses: number[] = [];
  for (let guess = 0; guess < 7; guess++) {
    const wrong = await answerOf(guessed, { isVerified: false });
    statuses.push((await finish(wrong, '127.0.2.1')).status);
  }
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
});
