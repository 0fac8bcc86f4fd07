// Generated bad input against every route: a 4xx answer in the error envelope, and nothing stored.
import { readdirSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { routes } from '../../src/api/index.ts';
import { select, transaction } from '../../db/index.ts';
import { tableNames } from '../../db/tables.ts';
import {
  createPerson,
  request,
  startServer,
  type Answer,
  type Ask,
  type Person,
  type TestServer,
} from '../support/server.ts';
import { storedColumns } from '../support/schema.ts';
import { CALLS, routesInTurn, pathWith, makeDomain, newName, settled } from './calls.ts';
import { storedIn, type Stored } from './stored.ts';
import { BAD_QUERIES, BROKEN, COUNTED, FORMS, PAYLOADS, WRONG } from './bad-values.ts';

let server: TestServer;
let owner: Person;
let dump: Stored;

beforeAll(async () => {
  server = await startServer();
  dump = storedIn(server.config);
  owner = await createPerson(server);
});

afterAll(() => server.close());

type Listed = (typeof routes)[number];

// The first administrator may call every route, whose objects are made by a user. Each is called on one of the two databases.
const withBody = routesInTurn.filter(({ route }) => route.body !== undefined);
const withJson = withBody.filter(({ name }) => Object.keys(goodBody(name)).length > 0);
const withQuery = routesInTurn.filter(({ route }) => route.query !== undefined);

function goodBody(name: string): Record<string, unknown> {
  const body = CALLS[name]?.body?.();
  return body instanceof FormData || body === undefined ? {} : (body as Record<string, unknown>);
}

async function targetOf({ name, path }: Listed): Promise<string> {
  const id = await CALLS[name]?.object?.(server, CALLS[name].own ? server.admin : owner);
  return id === undefined ? path : pathWith(path, id);
}

/** Sends a body as the first administrator, who may call every route. */
async function send(
  call: Listed,
  target: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return request(server, `${call.method} ${target}`, { token: server.admin.token, body, headers });
}

function expectRefusal(answer: Answer, of: unknown, statuses = [400, 413, 415, 422]): void {
  const told = typeof of === 'string' ? of : JSON.stringify(of)?.slice(0, 200);
  expect(statuses, `${told} gave ${answer.status} ${answer.text.slice(0, 200)}`).toContain(answer.status);
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
  const envelope = { error: expect.any(String), code: expect.stringMatching(/^[a-z_]+$/) };
  expect(answer.body).toMatchObject(answer.status === 200 ? {} : envelope);
  expect(answer.text).not.toMatch(/SQLITE|sqlite3|node_modules|\bat .+:\d+:\d+/i);
  expect(answer.text).not.toMatch(/^\s*</);
}

test.each(withBody)('$name refuses what is no JSON object', async (call) => {
  const target = await targetOf(call);
  const before = await dump();
  for (const [what, body] of Object.entries(BROKEN)) expectRefusal(await send(call, target, body), what);
  expect(await dump()).toBe(before);
});

test.each(withBody)('$name refuses other content types', async (call) => {
  const target = await targetOf(call);
  const before = await dump();
  const body = Buffer.from('{}');
  const types = ['text/plain', 'application/x-www-form-urlencoded', 'text/json', 'application/xml', '', 'json'];
  types.push('application/jsonp', 'text/plain; application/json', 'multipart/mixed; boundary=x');
  types.push('application/json; charset=windows-1251', 'application/json;charset="UTF-16"');
  for (const type of types) expectRefusal(await send(call, target, body, { 'content-type': type }), type, [415]);
  expect(await dump()).toBe(before);
});

test.each(withBody)('$name refuses a body that is too long, with or without a session', async (call) => {
  const target = await targetOf(call);
  const before = await dump();
  const huge = Buffer.from(JSON.stringify({ name: 'x'.repeat(call.route.limit) }));
  expectRefusal(await send(call, target, huge), 'too long', [413]);
  // The size is checked before the token, so that anonymous callers get 413 too.
  expectRefusal(await request(server, `${call.method} ${target}`, { body: huge }), 'too long', [413]);
  expect(await statusOfChunks(call, target, huge)).toBe(413);
  expect(await dump()).toBe(before);
});

/** Returns the status for a body without a Content-Length. */
function statusOfChunks({ method }: Listed, path: string, body: Buffer): Promise<number> {
  const headers = { authorization: server.admin.token, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(`${server.url}${path}`, { method, headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    outgoing.on('error', reject);
    for (let at = 0; at < body.length; at += 65_536) outgoing.write(body.subarray(at, at + 65_536));
    outgoing.end();
  });
}

test.each(withJson)('$name answers every wrong value of every field', async (call) => {
  const target = await targetOf(call);
  const values = COUNTED.has(call.name) ? WRONG.filter((value) => typeof value !== 'string') : WRONG;
  for (const field of Object.keys(goodBody(call.name))) {
    for (const value of values) {
      const before = await dump();
      const answer = await send(call, target, { ...goodBody(call.name), [field]: value });
      // The field accepts some of these values; work that it has started would write while the next ones are compared.
      if (answer.status === 200) {
        await settled();
        continue;
      }
      expectRefusal(answer, [field, value], [400, 404, 409, 422]);
      expect(await dump()).toBe(before);
    }
    const text = JSON.stringify({ ...goodBody(call.name), [field]: 'HERE' }).replace('"HERE"', '1e400');
    expectRefusal(await send(call, target, Buffer.from(text)), [field, '1e400'], [400]);
  }
});

test.each(withJson)('$name is not polluted by prototype keys, and takes the last of two equal keys', async (call) => {
  const target = await targetOf(call);
  const [field] = Object.keys(goodBody(call.name));
  const good = JSON.stringify(goodBody(call.name)).slice(1);
  const before = await dump();
  const twice = `${good.slice(0, -1)},"${field}":{}}`;
  const polluted = `"__proto__":{"role":"admin","polluted":1},"constructor":{"prototype":{"polluted":1}},"${field}":1e400}`;
  for (const body of [twice, polluted]) expectRefusal(await send(call, target, Buffer.from(`{${body}`)), body, [400]);
  expect(await dump()).toBe(before);
  expect('polluted' in {}).toBe(false);
});

test.each(withJson)('$name stores no fields outside its schema', async (call) => {
  const { shape: declared } = call.route.body as unknown as { shape?: object };
  const shape = declared ? Object.keys(declared) : ['id'];
  const columns = await allColumns();
  // The passkeys of earlier calls would make a sign-in ask for them.
  await transaction(() => select('DELETE FROM passkeys RETURNING id'));
  for (const mark of ['MASS-ASSIGNED', 424_242_424]) {
    // A decision can be made once.
    const target = await targetOf(call);
    const fields = Object.fromEntries(columns.filter((name) => !shape.includes(name)).map((name) => [name, mark]));
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`field${index}`, mark]));
    const { status } = await send(call, target, { ...many, ...fields, ...goodBody(call.name) });
    // The table editor, whose fields depend on the table, refuses what it does not know.
    expect(status).toBe(declared ? (CALLS[call.name]?.answer ?? 200) : 400);
    expect(await dump()).not.toContain(String(mark));
  }
  await settled();
});

async function allColumns(): Promise<string[]> {
  const tables = await tableNames();
  const rows = await Promise.all(tables.map(storedColumns));
  return [...new Set(rows.flat().map(({ name }) => name))];
}

const uploads = routes.filter(({ route }) => route.files.length > 0);

test.each(uploads)('$name refuses broken forms and leaves no file behind', async (call) => {
  const target = await targetOf(call);
  const before = withoutTimes(await dump());
  for (const [what, [text, type = 'multipart/form-data; boundary=x']] of Object.entries(FORMS)) {
    const answer = await send(call, target, Buffer.from(text), { 'content-type': type });
    // An edit without known fields is valid and changes nothing.
    expectRefusal(answer, what, call.path.endsWith('/:id') ? [200, 400, 413] : undefined);
  }
  expect(withoutTimes(await dump())).toBe(before);
  expect(readdirSync(join(server.config.dataDir, 'tmp'))).toEqual([]);
});

const withoutTimes = (stored: string): string => stored.replace(/"updated_at":"[^"]*"/g, '');

test.each(withQuery)('$name refuses bad queries', async (call) => {
  const target = await targetOf(call);
  const { shape } = call.route.query as unknown as { shape: Record<string, unknown> };
  const before = await dump();
  for (const [name, values] of Object.entries(BAD_QUERIES).filter(([name]) => name in shape)) {
    for (const value of values) {
      const escaped = /[&%]/.test(value) ? value : encodeURIComponent(value);
      expectRefusal(await send(call, `${target}?${name}=${escaped}`, undefined), `${name}=${value}`, [400]);
    }
  }
  const odd = ['?', '?&&=&', '?%', '?%ff=%ff', '?a[b]=c', '?__proto__=1&__proto__[limit]=1', `?${'a=b&'.repeat(2000)}`];
  const answer = CALLS[call.name]?.answer ?? 200;
  for (const query of odd) {
    expect([query, (await send(call, target + query, undefined)).status]).toEqual([query, answer]);
  }
  expect(await dump()).toBe(before);
});

test('a search text is taken literally, not as a pattern or SQL', async () => {
  const { token } = owner;
  for (const name of ['100%', 'a_b', 'back\\slash', "o'clock"]) {
    const project = await request(server, 'POST /api/projects', { token, body: { name } });
    const body = { domain_name: newName(), project_id: project.body.data.id };
    const { domain_name } = (await request(server, 'POST /api/domains', { token, body })).body.data;
    for (const list of ['domains', 'user_domains']) {
      const { body: found } = await request(server, `GET /api/${list}?search=${encodeURIComponent(name)}`, { token });
      expect(found.data.map((row: { domain_name: string }) => row.domain_name)).toEqual([domain_name]);
    }
  }
  for (const payload of PAYLOADS) {
    const { body } = await request(server, `GET /api/domains?search=${encodeURIComponent(payload)}`, { token });
    expect(body.data).toEqual([]);
  }
});

test('checks come in order: path, method, size, token, role, shape, object, references, state', async () => {
  const { token } = owner;
  const status = async (call: string, ask: Ask) => (await request(server, call, ask)).status;
  const large = Buffer.alloc(3_000_000);
  const broken = Buffer.from('{');
  expect(await status('POST /api/nothing', { body: large })).toBe(404);
  expect(await status('PATCH /api/users', { body: large })).toBe(405);
  expect(await status('POST /api/users', { body: large })).toBe(413);
  expect(await status('POST /api/users', { body: broken })).toBe(401);
  expect(await status('POST /api/users', { token: 'x', body: broken })).toBe(403);
  expect(await status('POST /api/users', { token, body: broken })).toBe(403);
  expect(await status('POST /api/domains/999999', { token, body: { type: 'x' } })).toBe(400);
  expect(await status('POST /api/domains/999999', { token, body: { project_id: 999_999 } })).toBe(404);
  const domain_name = newName();
  await request(server, 'POST /api/domains', { token, body: { domain_name } });
  const call = `POST /api/domains/${await makeDomain(server, owner)}`;
  expect(await status(call, { token, body: { domain_name, project_id: 999_999 } })).toBe(422);
  expect(await status(call, { token, body: { domain_name } })).toBe(409);
});
