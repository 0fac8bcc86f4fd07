// Every route of the route table against every kind of caller, those with a session or an id on one of the two databases.
import jwt from 'jsonwebtoken';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { execute, transaction } from '../../../db/index.ts';
import { routes } from '../../../src/api/index.ts';
import { startRegistry, type RegistryServer } from '../../../src/demo/registry.ts';
import { deriveKey, loadKey } from '../../../src/lib/key.ts';
import { disableUser, setPassword } from '../../../src/services/access/user-changes.ts';
import {
  createPerson,
  NO_REGISTRY,
  PASSWORD,
  request,
  startServer,
  type Answer,
  type Person,
  type TestServer,
} from '../../support/server.ts';
import { startNames } from '../../support/world.ts';
import { CALLS, newName, pathWith, routesInTurn, settled } from '../calls.ts';
import { storedIn, type Stored } from '../stored.ts';

let names: Awaited<ReturnType<typeof startNames>>;
let registry: RegistryServer;
let server: TestServer;
let owner: Person;
let other: Person;
let dump: Stored;
let refused: Record<string, { headers: Record<string, string>; answer: 'none' | 'bad' }>;

const NO_IDS =
  '999999 0 -1 1e3 abc 9007199254740992 9007199254740993 1.5 %20 0x1 01 null %D0%B0 1%20OR%201=1 99999999999999999999'.split(
    ' ',
  );

const lineOf = (name: string) => CALLS[name] ?? {};
const hasId = (path: string) => path.includes(':');

beforeAll(async () => {
  // Checks that a valid call starts reach no outside host.
  names = await startNames({});
  // A registry that does not answer would be left alone for minutes, and be waited for.
  registry = await startRegistry({ find: () => undefined });
  server = await startServer({ dns: names.address, registry: { rdapUrl: registry.rdap, pace: NO_REGISTRY.pace } });
  dump = storedIn(server.config);
  owner = await createPerson(server);
  other = await createPerson(server);
  refused = await refusedCallers();
});

afterAll(async () => {
  await server.close();
  await names.close();
  await registry.close();
});

async function refusedCallers() {
  const now = Math.floor(Date.now() / 1000);
  const claims = jwt.decode(server.admin.token) as Record<string, unknown>;
  const key = deriveKey(loadKey(server.config.keyFile), 'session tokens');
  const without = (...fields: string[]) =>
    Object.fromEntries(Object.entries(claims).filter(([field]) => !fields.includes(field)));
  const sign = (payload: object, options: jwt.SignOptions = {}, secret = key) => jwt.sign(payload, secret, options);
  const gone = async (act: (person: Person) => Promise<unknown>, role: 'admin' | 'user' = 'user') => {
    const person = await createPerson(server, role);
    await act(person);
    return person.token;
  };
  const after = (sql: string) => (person: Person) => transaction(() => execute(sql, { id: person.id }));
  const threeHoursAgo = new Date(Date.now() - 3 * 3_600_000).toISOString();
  const ended = (column: string) => after(`UPDATE sessions SET ${column} = '${threeHoursAgo}' WHERE user_id = $id`);
  const [header, payload] = server.admin.token.split('.');
  const tokens: Record<string, string> = {
    garbage: 'garbage',
    'three dots': 'a.b.c',
    'empty signature': `${header}.${payload}.`,
    'another key': sign(claims, {}, Buffer.alloc(32, 7)),
    expired: sign({ ...claims, iat: now - 90_000, exp: now - 60 }),
    'no expiry': sign(without('exp')),
    'issued in the future': sign({ ...claims, iat: now + 3_600, exp: now + 7_200 }),
    HS384: sign(claims, { algorithm: 'HS384' }),
    HS512: sign(claims, { algorithm: 'HS512' }),
    'an unknown crit': sign(claims, { header: { alg: 'HS256', crit: ['x'], x: 1 } as unknown as jwt.JwtHeader }),
    'b64 false': sign(claims, { header: { alg: 'HS256', b64: false } as unknown as jwt.JwtHeader }),
    zip: sign(claims, { header: { alg: 'HS256', zip: 'DEF' } as unknown as jwt.JwtHeader }),
    'alg none': `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${payload}.`,
    'no sid': sign(without('sid')),
    'sid as a list': sign({ ...claims, sid: [claims['sid']] }),
    'unknown sid': sign({ ...claims, sid: 'A'.repeat(43) }),
    "another user's sid": sign({ ...claims, id: owner.id }),
    'wrong audience': sign({ ...claims, aud: 'other' }),
    'wrong issuer': sign({ ...claims, iss: 'other' }),
    'id as text': sign({ ...claims, id: String(claims['id']) }),
    'a claimed role': sign({ ...(jwt.decode(owner.token) as object), role: 'admin' }),
    'signed out': await gone((person) => request(server, 'POST /api/logout', { token: person.token, body: {} })),
    disabled: await gone((person) => disableUser(person.login)),
    deleted: await gone(after('DELETE FROM users WHERE id = $id')),
    demoted: await gone(after(`UPDATE users SET role = 'user' WHERE id = $id`), 'admin'),
    'password changed': await gone((person) => setPassword(person.login, `${PASSWORD} new`)),
    idle: await gone(ended('last_seen_at')),
    'session over': await gone(ended('expires_at')),
  };
  const callers: typeof refused = {
    anonymous: { headers: {}, answer: 'none' },
    'empty header': { headers: { authorization: '' }, answer: 'none' },
    'Bearer alone': { headers: { authorization: 'Bearer ' }, answer: 'none' },
    'cookie alone': { headers: { cookie: `token=${server.admin.token}` }, answer: 'none' },
    Basic: { headers: { authorization: `Basic ${server.admin.token}` }, answer: 'bad' },
  };
  for (const [name, token] of Object.entries(tokens))
    callers[name] = { headers: { authorization: token }, answer: 'bad' };
  return callers;
}

const bodyOf = (name: string): unknown => lineOf(name).body?.();

function expectNotFound(answer: Answer, like: string): void {
  expect([answer.status, answer.text]).toEqual([404, like]);
  expect(answer.body).toEqual({ error: 'Not found', code: 'not_found' });
}

test('every route has a line in CALLS, and every line a route', () => {
  expect(Object.keys(CALLS).sort()).toEqual(routes.map(({ name }) => name).sort());
  for (const { name, path, route } of routes) {
    expect(lineOf(name).object !== undefined, `${name}: an object for its id`).toBe(hasId(path));
    expect(lineOf(name).body !== undefined, `${name}: a body`).toBe(route.body !== undefined);
  }
});

const forAnyone = routes.filter(({ route }) => route.access === 'anyone');
const forSomebody = routesInTurn.filter(({ route }) => route.access !== 'anyone');
const forAdmins = routes.filter(({ route }) => route.access === 'admin');
const withId = routesInTurn.filter(({ path }) => hasId(path));
const withReferences = routesInTurn.filter(({ name }) => lineOf(name).references !== undefined);

test.each(forAnyone)('$name is open to anyone with any token', async ({ name, method, path }) => {
  for (const caller of ['anonymous', 'cookie alone', 'garbage', 'demoted', 'disabled']) {
    const headers = refused[caller]?.headers ?? {};
    const { status } = await request(server, `${method} ${path}`, { headers, body: bodyOf(name) });
    expect(status).toBe(lineOf(name).answer ?? 200);
  }
});

test.each(forSomebody)('$name refuses everybody without a session', async ({ name, method, path }) => {
  const id = (await lineOf(name).object?.(server, owner)) ?? '';
  const before = await dump([]);
  for (const [caller, { headers, answer }] of Object.entries(refused)) {
    const got = await request(server, `${method} ${pathWith(path, id)}`, { headers, body: bodyOf(name) });
    expect([caller, got.status, got.body]).toEqual(
      answer === 'none'
        ? [caller, 401, { error: 'No token provided', code: 'no_token' }]
        : [caller, 403, { error: 'Failed to authenticate token', code: 'bad_token' }],
    );
    expect(got.headers['set-cookie']).toBeUndefined();
  }
  expect(await dump([])).toBe(before);
});

test.each(forAdmins)('$name refuses a user before it reads the body', async ({ name, method, path }) => {
  const before = await dump([]);
  for (const body of [bodyOf(name), { nonsense: [] }, undefined]) {
    const answer = await request(server, `${method} ${path}`, { token: owner.token, body });
    expect([answer.status, answer.body.code]).toEqual([403, 'forbidden']);
  }
  expect(await dump([])).toBe(before);
});

test.each(withId)(
  '$name answers the same for an unknown id, one of another user and an invalid one',
  async ({ name, method, path, route }) => {
    const id = (await lineOf(name).object?.(server, owner)) ?? 0;
    const unchanged = await dump();
    const ask = (target: number | string, { token }: Person) =>
      request(server, `${method} ${pathWith(path, target)}`, { token, body: bodyOf(name) });
    const caller = route.access === 'admin' ? server.admin : owner;
    const { text } = await ask(999_999, caller);
    const foreign = await ask(id, other);
    const { team, shared, answer = 200 } = lineOf(name);
    // A call that others may make may write something.
    const before = shared ? await dump() : unchanged;
    const refusal = team ? [403, 'forbidden'] : [404, 'not_found'];
    const got = [foreign.status, foreign.body?.code];
    expect(got.slice(0, shared ? 1 : 2)).toEqual(shared ? [answer] : refusal);
    if (lineOf(name).own) expectNotFound(await ask(id, server.admin), text);
    for (const target of [...NO_IDS, `${id}%00`, `${id}'`, `${id};`]) {
      expectNotFound(await ask(target, caller), text);
      expectNotFound(await ask(target, server.admin), text);
    }
    expect(await dump()).toBe(before);
  },
);

test.each(withReferences)(
  '$name answers the same for an unknown id in its body and one of another user',
  async (called) => {
    const { name, method, path } = called;
    const id = (await lineOf(name).object?.(server, owner)) ?? '';
    for (const [field, make] of Object.entries(lineOf(name).references ?? {})) {
      const foreign = await make(server, other);
      const before = await dump([]);
      for (const value of [foreign, 999_999]) {
        const body = { ...(bodyOf(name) as object), [field]: value };
        const answer = await request(server, `${method} ${pathWith(path, id)}`, { token: owner.token, body });
        expect([answer.status, answer.body.error]).toEqual([422, `Unknown ${field}`]);
      }
      expect(await dump([])).toBe(before);
    }
  },
);

test.each(forSomebody)('$name accepts authorized callers', async ({ name, method, path, route }) => {
  const callers = name === 'POST /api/logout' ? [await createPerson(server)] : [owner, server.admin];
  const allowed = lineOf(name).own ? [owner] : callers;
  for (const caller of route.access === 'admin' ? [server.admin] : allowed) {
    const id = (await lineOf(name).object?.(server, owner)) ?? '';
    const { status, headers } = await request(server, `${method} ${pathWith(path, id)}`, {
      token: caller.token,
      body: bodyOf(name),
    });
    expect(status).toBe(lineOf(name).answer ?? 200);
    expect(headers['content-type']).toMatch(route.answer === 'json' ? /^application\/json/ : /^text\/event-stream$/);
    expect(headers['cache-control']).toBe('no-store');
  }
  await settled();
});

test('a token may be sent bare or as Bearer', async () => {
  for (const token of [owner.token, `Bearer ${owner.token}`, `bearer  ${owner.token}`]) {
    expect((await request(server, 'GET /api/session', { token })).body.login).toBe(owner.login);
  }
});

test('the lists of a user hold the rows of that user, those of an admin hold all rows', async () => {
  const [first, second] = [await createPerson(server), await createPerson(server)];
  const domain_name = newName();
  const project = await request(server, 'POST /api/projects', { token: first.token, body: { name: 'Own' } });
  const body = { domain_name, project_id: project.body.data.id };
  await request(server, 'POST /api/domains', { token: first.token, body });
  const lists = async (token: string) => {
    const [domains, dashboard, projects] = await Promise.all(
      ['domains', 'user_domains', 'user_projects'].map((list) => request(server, `GET /api/${list}`, { token })),
    );
    return [domains, dashboard, projects].map((answer) => answer?.text.includes('Own'));
  };
  expect(await lists(first.token)).toEqual([true, true, true]);
  expect(await lists(second.token)).toEqual([false, false, false]);
  expect(await lists(server.admin.token)).toEqual([true, true, true]);
});
