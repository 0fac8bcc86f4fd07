import { connect } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { execute, transaction } from '../../db/index.ts';
import { databaseAddress } from '../../src/lib/database-address.ts';
import { registerFlows } from '../../src/operations/engine.ts';
import type { Act } from '../../src/operations/flow.ts';
import { itemFlow } from '../../src/operations/items.ts';
import { cancelOperation, enqueue, type Request } from '../../src/operations/queue.ts';
import { storeLooks } from '../../src/services/checks/check-store.ts';
import { disableUser } from '../../src/services/access/user-changes.ts';
import { startChild } from '../support/child.ts';
import { readEvents, type Reader, type Told } from '../support/events.ts';
import { startOutside, testFlow, type Outside } from '../operations/outside.ts';
import { fillQueue } from '../support/stuck-bulk.ts';
import { createPerson, request, startServer, type Person, type TestServer } from '../support/server.ts';
import { makeDomain, newName } from './calls.ts';

let server: TestServer;
let outside: Outside;
let ann: Person;
let bob: Person;
const readers: Reader[] = [];

beforeEach(async () => {
  server = await startServer();
  outside = await startOutside();
  registerFlows([testFlow(outside.url)]);
  ann = await createPerson(server);
  bob = await createPerson(server);
});
afterEach(async () => {
  for (const reader of readers.splice(0)) reader.close();
  await server.close();
  await outside.close();
});

async function read({ token }: Person, headers?: Record<string, string>): Promise<Reader> {
  const reader = await readEvents(server, token, headers);
  readers.push(reader);
  return reader;
}

const asked = (user: Person, subject: string): Request => ({
  kind: 'test',
  subject,
  user_id: user.id,
  input: {},
  message: { key: 'check.started' },
  items: [{ item: subject, lane: 'one', data: {} }],
});
/** Queues work that stays queued: it is reserved for this process, which does not run it. */
const queue = async (user: Person, subject: string): Promise<number> => (await enqueue(asked(user, subject), true)).id;
const isAbout =
  (id: number, state?: string) =>
  ({ event, data }: Told): boolean =>
    event === 'operation' && data.id === id && (state === undefined || data.state === state);

test('a stream begins with the operations under way, then sends their changes in order to the end', async () => {
  const waiting = await queue(ann, 'waiting');
  const reader = await read(ann);
  expect(reader.response.headers).toMatchObject({ 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  expect(await reader.find(isAbout(waiting))).toMatchObject({ data: { state: 'queued', cancellable: true } });
  const { id } = await enqueue(asked(ann, 'worked'));
  const { data } = await reader.find(isAbout(id, 'succeeded'));
  expect(data).toEqual((await request(server, `GET /api/operations/${id}`, { token: ann.token })).body);
  expect(reader.told[0]).toMatchObject({ event: 'operation', data: { id: waiting } });
  const states = reader.told.filter(isAbout(id)).map((told) => told.data.state);
  const order = ['queued', 'running', 'succeeded'];
  expect(states).toEqual(states.toSorted((one, other) => order.indexOf(one) - order.indexOf(other)));
});

test('a stream is never compressed, and uses the requested language', async () => {
  const id = await queue(ann, 'x');
  const reader = await read(ann, { 'accept-language': 'en', 'accept-encoding': 'gzip, br' });
  expect(reader.response.headers['content-encoding']).toBeUndefined();
  expect((await reader.find(isAbout(id))).data.message).toMatch(/^[\x20-\x7e]+$/);
});

test('a user gets no events of another user; an admin gets all', async () => {
  const [own, foreign, all] = [await read(ann), await read(bob), await read(server.admin)];
  const id = await queue(bob, 'bob');
  // After its first event, a stream has passed its first read of the database.
  for (const reader of [foreign, all]) await reader.find(isAbout(id));
  const domain = await makeDomain(server, bob);
  const last = await queue(ann, 'ann');
  await own.find(isAbout(last));
  for (const reader of [foreign, all]) {
    await reader.find(({ event, data }) => event === 'domain' && data.id === domain);
  }
  await all.find(isAbout(last));
  expect([...new Set(own.told.map(({ data }) => data.id))]).toEqual([last]);
  expect(foreign.told.some(isAbout(last))).toBe(false);
});

test('a domain is sent when it is edited and when a check has stored a result', async () => {
  const id = await makeDomain(server, ann);
  const reader = await read(ann);
  // After its first event, the stream has passed its first read of the database.
  await reader.find(isAbout(await queue(ann, 'x')));
  const domain_name = newName();
  await request(server, `POST /api/domains/${id}`, { token: ann.token, body: { domain_name } });
  await reader.find(({ event, data }) => event === 'domain' && data.domain_name === domain_name);
  await transaction(async () => {
    await execute(`UPDATE domains SET status = 'blocked', http_status_code = 503 WHERE id = $id`, { id });
    await storeLooks('blocklist', [{ id, verdict: 'blocked', detail: domain_name }]);
  });
  const { data } = await reader.find(({ event, data }) => event === 'domain' && data.status === 'blocked');
  expect(data).toMatchObject({ id, domain_name, http_status_code: 503, last_http_check_at: null });
});

test.each(['the first', 'another'])('%s stream tells everything that changes once it is open', async (which) => {
  const id = await makeDomain(server, ann);
  if (which === 'another') await (await read(bob)).find(isAbout(await queue(bob, 'x')));
  const reader = await read(ann);
  await transaction(() => storeLooks('blocklist', [{ id, verdict: 'blocked', detail: 'x' }]));
  expect((await reader.find(({ event }) => event === 'domain')).data.id).toBe(id);
});

test('work that waits for our own database says why, and clears the message when it goes on', async () => {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let begun = (): void => undefined;
  const hasBegun = new Promise<void>((resolve) => (begun = resolve));
  const perform = async (): Promise<void> => {
    begun();
    await released;
  };
  const act: Act = { name: 'first', class: 'set', look: async () => ({ before: '', after: 'x', perform }) };
  registerFlows([itemFlow('slow', { open: async () => undefined, acts: () => [act] })]);
  const reader = await read(ann, { 'accept-language': 'en' });
  const { id } = await enqueue({ ...asked(ann, 'slow'), kind: 'slow' });
  await hasBegun;
  const { empty } = await fillQueue();
  release();
  const says = (message: string) => (told: Told) => isAbout(id)(told) && told.data.message === message;
  const { data } = await reader.find(says('Waits: too many writes at once'));
  expect(data.state).toBe('running');
  await empty();
  expect((await reader.find(isAbout(id, 'succeeded'))).data.message).not.toContain('Waits');
});

test('a change while the database fails is sent once it is back', async () => {
  const reader = await read(ann);
  await reader.find(isAbout(await queue(ann, 'first')));
  const rename = (from: string, to: string) => transaction(() => execute(`ALTER TABLE ${from} RENAME TO ${to}`));
  await rename('transfer_decisions', 'away');
  const id = await queue(ann, 'lost');
  // A look and its failure.
  await new Promise((resolve) => setTimeout(resolve, 2500));
  await rename('away', 'transfer_decisions');
  const last = await queue(ann, 'last');
  await reader.find(isAbout(last));
  expect(reader.told.some(isAbout(id))).toBe(true);
});

test('work of another process is sent', async () => {
  const reader = await read(ann);
  const id = await queue(ann, 'elsewhere');
  await reader.find(isAbout(id, 'queued'));
  await transaction(() =>
    execute('UPDATE operations SET lease_owner = NULL, lease_until = NULL WHERE id = $id', { id }),
  );
  const child = startChild('test/children/work.ts', [databaseAddress(server.config), outside.url, String(id)]);
  expect((await reader.find(isAbout(id, 'succeeded'))).data).toMatchObject({ done: 1, counts: { done: 1 } });
  await child.output().catch(() => undefined);
});

test('a reader that reconnects gets the operations that ended meanwhile', async () => {
  const id = await queue(ann, 'x');
  const first = await read(ann);
  const { id: last } = await first.find(isAbout(id));
  first.close();
  await cancelOperation(id);
  await transaction(() =>
    execute(`UPDATE operations SET state = 'cancelled', finished_at = changed_at WHERE id = $id`, { id }),
  );
  expect((await (await read(ann, { 'last-event-id': last ?? '' })).find(isAbout(id))).data.state).toBe('cancelled');
  const fresh = await read(ann, { 'last-event-id': 'nonsense' });
  await fresh.find(isAbout(await queue(ann, 'y')));
  expect(fresh.told.some(isAbout(id))).toBe(false);
});

test('the end of a session ends its own stream only', async () => {
  const [own, disabled, other] = [await read(ann), await read(bob), await read(server.admin)];
  await request(server, 'POST /api/logout', { token: ann.token, body: {} });
  await disableUser(bob.login);
  const id = await queue(ann, 'after');
  await other.find(isAbout(id));
  await Promise.all([own.ended, disabled.ended]);
  expect([...own.told, ...disabled.told]).toEqual([]);
});

test('an open stream does not keep a session alive', async () => {
  const reader = await read(ann);
  await reader.find(isAbout(await queue(ann, 'x')));
  const long = { at: '2026-01-01T00:00:00.000Z', id: ann.id };
  await transaction(() => execute('UPDATE sessions SET last_seen_at = $at WHERE user_id = $id', long));
  await reader.ended;
  expect((await request(server, 'GET /api/session', { token: ann.token })).status).toBe(403);
});

test('a user has at most six streams; a closed one makes room', async () => {
  const open = await Promise.all(Array.from({ length: 6 }, () => read(ann)));
  const seventh = await request(server, 'GET /api/events', { token: ann.token });
  expect([seventh.status, seventh.body.code, seventh.headers['retry-after']]).toEqual([429, 'too_many', '30']);
  expect((await request(server, 'GET /api/events', { token: bob.token })).status).toBe(200);
  open[0]?.close();
  for (;;) {
    const { status } = await request(server, 'GET /api/events', { token: ann.token });
    if (status === 200) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
});

test('HEAD opens no stream', async () => {
  for (let index = 0; index < 8; index += 1) {
    expect((await request(server, 'HEAD /api/events', { token: ann.token })).status).toBe(200);
  }
});

test('the server ends its streams when it closes', async () => {
  const reader = await read(ann);
  await reader.find(isAbout(await queue(ann, 'x')));
  await server.close();
  await reader.ended;
  expect(reader.response.complete).toBe(true);
  server = await startServer();
});

test('a reader that does not read is dropped, and the others are not', async () => {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(`GET /api/events HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: ${ann.token}\r\n\r\n`);
  await new Promise((resolve) => socket.once('data', resolve));
  socket.pause();
  const others = await Promise.all(Array.from({ length: 5 }, () => read(ann)));
  for (let index = 0; index < 10; index += 1) await makeDomain(server, ann);
  // Large rows are sent again and again until the buffers of both ends are full and the stream is dropped.
  await transaction(() => execute('UPDATE domains SET http_error = $reason', { reason: 'x'.repeat(300_000) }));
  for (;;) {
    await transaction(() => execute('UPDATE domains SET updated_at = $now', { now: new Date().toISOString() }));
    if ((await request(server, 'GET /api/events', { token: ann.token })).status === 200) break;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const id = await queue(ann, 'last');
  expect(await Promise.all(others.map((reader) => reader.find(isAbout(id))))).toHaveLength(5);
  socket.destroy();
});
