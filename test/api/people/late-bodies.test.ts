// A call whose body comes late, or that has to wait for other writes, acts by what its caller may do by then.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { select, transaction } from '../../../db/index.ts';
import { hashToken } from '../../../src/lib/token.ts';
import { changePreferences } from '../../../src/services/notices/preferences.ts';
import { upsertPending } from '../../../src/services/notices/telegram-rows.ts';
import { endFeedOf } from '../../../src/services/portfolio/expiry-feeds.ts';
import { changeUser, disableUser, setPassword, signOutUser } from '../../../src/services/access/user-changes.ts';
import { whileWaiting } from '../../support/database.ts';
import { createPerson, PASSWORD, request, startServer, type Person, type TestServer } from '../../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const as = (call: string, body?: object) => request(server, call, { token: server.admin.token, body });

/** Begins a call and does something before its body is sent whole; returns the answer. */
async function late(person: Person, call: string, given: object, between: () => Promise<unknown>): Promise<string> {
  const [body, { host, hostname, port }] = [JSON.stringify(given), new URL(server.url)];
  const socket = connect(Number(port), hostname);
  const head = [
    `${call} HTTP/1.1`,
    `Host: ${host}`,
    'Connection: close',
    `Authorization: Bearer ${person.token}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Expect: 100-continue',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  // The server has taken the call up once it asks for the body.
  await once(socket, 'data');
  socket.write(body.slice(0, 5));
  // The caller was admitted before the body is waited for.
  await new Promise((resolve) => setTimeout(resolve, 300));
  await between();
  socket.write(body.slice(5));
  return text(socket);
}

const ENDS: [what: string, end: (person: Person) => Promise<unknown>][] = [
  ['got another password', ({ id }) => as(`POST /api/users/${id}/password`, {})],
  ['was disabled', ({ id }) => as(`PUT /api/users/${id}`, { active: false })],
  ['was signed out', ({ id }) => as(`DELETE /api/users/${id}/sessions`)],
];

test.each(ENDS)('a person who %s meanwhile gets no token', async (_, end) => {
  const person = await createPerson(server);
  const answer = await late(person, 'POST /api/tokens', { name: 'late' }, () => end(person));
  expect(answer).toContain('"code":"bad_token"');
  expect(answer).not.toContain('sa_');
});

test('an administrator who was demoted meanwhile makes no other', async () => {
  const person = await createPerson(server, 'admin');
  const body = { login: 'late', password: 'correct horse battery', role: 'admin' };
  const answer = await late(person, 'POST /api/users', body, () => as(`PUT /api/users/${person.id}`, { role: 'user' }));
  expect(answer).toContain('"code":"bad_token"');
  const { data } = (await as('GET /api/users')).body;
  expect(data.filter(({ login }: { login: string }) => login === 'late')).toEqual([]);
});

test('a call of whoever may still act is done', async () => {
  const person = await createPerson(server);
  expect(await late(person, 'POST /api/tokens', { name: 'late' }, () => Promise.resolve())).toContain('"token":"sa_');
});

const WAYS_OUT: [what: string, end: (person: Person) => Promise<unknown>][] = [
  ['got another password', ({ login }) => setPassword(login, `${PASSWORD} 2`, endFeedOf)],
  ['was disabled', ({ login }) => disableUser(login)],
  ['was signed out', ({ id }) => signOutUser(id)],
];

describe.each(WAYS_OUT)('a person who %s while a call waits for other writes', (_, end) => {
  test.each([
    ['POST /api/tokens', { name: 'late' }, 'api_tokens'],
    ['POST /api/expiry_feed', {}, 'expiry_feeds'],
  ])('makes nothing by %s that goes on', async (call, body, table) => {
    const person = await createPerson(server);
    const { id, token } = person;
    const { status } = await whileWaiting(
      () => request(server, call, { token, body }),
      () => end(person),
    );
    expect([status, await select(`SELECT id FROM ${table} WHERE user_id = $id`, { id })]).toEqual([403, []]);
  });

  test('links no chat', async () => {
    const person = await createPerson(server);
    const { id, token } = person;
    const [code, telegram_id] = ['ABCD2345', 1_000 + id];
    const at = { created_at: new Date().toISOString(), expires_at: new Date(Date.now() + 600_000).toISOString() };
    const chat = { telegram_id, chat_id: telegram_id, name: 'Late', username: null, language: 'ru' as const };
    const code_hash = hashToken(`telegram ${id} ${code}`);
    await transaction(() => upsertPending({ ...chat, ...at, user_id: id, code_hash }));
    const { status } = await whileWaiting(
      () => request(server, 'POST /api/telegram/confirm', { token, body: { code } }),
      () => end(person),
    );
    expect([status, await select('SELECT id FROM telegram_links WHERE user_id = $id', { id })]).toEqual([403, []]);
  });

  test('confirms no address of notices', async () => {
    const person = await createPerson(server);
    const { id, token } = person;
    const code_hash = createHash('sha256').update(`${id} 12345678`).digest('hex');
    const code_expires_at = new Date(Date.now() + 600_000).toISOString();
    await transaction(() => changePreferences(id, { email: 'late@example.com', code_hash, code_expires_at }));
    const { status } = await whileWaiting(
      () => request(server, 'POST /api/notice-preferences/email/confirm', { token, body: { code: '12345678' } }),
      () => end(person),
    );
    const rows = await select('SELECT email_confirmed_at FROM notice_preferences WHERE user_id = $id', { id });
    expect([status, rows]).toEqual([403, [{ email_confirmed_at: null }]]);
  });

  test('takes no authenticator app into use', async () => {
    const person = await createPerson(server);
    const { id, token } = person;
    const begun = await request(server, 'POST /api/second_factor/totp', { token, body: { password: PASSWORD } });
    const body = { code: new TOTP({ secret: Secret.fromBase32(begun.body.secret) }).generate() };
    const { status } = await whileWaiting(
      () => request(server, 'POST /api/second_factor/totp/confirm', { token, body }),
      () => end(person),
    );
    const confirmed = await select('SELECT id FROM totp_secrets WHERE user_id = $id AND confirmed_at IS NOT NULL', {
      id,
    });
    expect([status, confirmed]).toEqual([403, []]);
  });
});

test.each([
  ['POST /api/users', { login: 'late2', password: PASSWORD, role: 'admin' }],
  ['PUT /api/users/ID', { role: 'admin' }],
  ['POST /api/users/ID/password', {}],
  ['DELETE /api/users/ID/second_factor', undefined],
])('an administrator who was demoted while %s waits for other writes changes nothing', async (call, body) => {
  const [person, other] = [await createPerson(server, 'admin'), await createPerson(server)];
  const stored = () => select(`SELECT id, role, password FROM users WHERE id <> $id ORDER BY id`, { id: person.id });
  const before = await stored();
  const { status } = await whileWaiting(
    () => request(server, call.replace('ID', String(other.id)), { token: person.token, body }),
    () => changeUser(person.id, { role: 'user' }),
  );
  expect([status, await stored()]).toEqual([403, before]);
});
