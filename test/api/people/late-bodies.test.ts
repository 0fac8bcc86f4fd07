// A call whose body comes late acts by what its caller may do by then.
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPerson, request, startServer, type Person, type TestServer } from '../../support/server.ts';

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

test.each(ENDS)('whoever %s meanwhile gets no token', async (_, end) => {
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
