import { afterAll, beforeAll, expect, test } from 'vitest';
import { execute, transaction } from '../../db/index.ts';
import { databaseAddress } from '../../src/lib/database-address.ts';
import { startChild } from '../support/child.ts';
import { createPerson, request, startServer, type Person, type TestServer } from '../support/server.ts';
import { newName } from './calls.ts';

let server: TestServer;
let owner: Person;
let other: Person;

beforeAll(async () => {
  server = await startServer();
  owner = await createPerson(server);
  other = await createPerson(server);
});
afterAll(() => server.close());

const LISTS = ['GET /api/domains', 'GET /api/domains?limit=2&search=e', 'GET /api/user_domains?status=expired'];

const ask = (call: string, person = owner, headers = {}) => request(server, call, { token: person.token, headers });
const add = async (fields: object = {}, person = owner): Promise<number> => {
  const body = { domain_name: newName(), ...fields };
  return (await request(server, 'POST /api/domains', { token: person.token, body })).body.data.id;
};
const etags = (person = owner) =>
  Promise.all(LISTS.map(async (call) => String((await ask(call, person)).headers['etag'])));

test('an unchanged list answers 304 to its ETag, and 200 with another ETag after a write', async () => {
  const id = await add({ expired_at: '2020-01-01' });
  const before = await etags();
  for (const [index, call] of LISTS.entries()) {
    const again = await ask(call, owner, { 'if-none-match': before[index], 'cache-control': 'no-cache' });
    expect([again.status, again.text]).toEqual([304, '']);
  }
  await request(server, `POST /api/domains/${id}`, { token: owner.token, body: { expired_at: '2020-01-02' } });
  for (const [index, call] of LISTS.entries()) {
    const changed = await ask(call, owner, { 'if-none-match': before[index] });
    expect(changed.status).toBe(200);
    expect(changed.text).toContain('2020-01-02');
  }
});

test('a list contains every write that was answered before', async () => {
  for (let round = 0; round < 20; round += 1) {
    await etags();
    const id = await add({ expired_at: '2020-01-01' });
    const answers = await Promise.all(LISTS.map((call) => ask(call)));
    for (const { body } of [answers[0]!, answers[2]!]) {
      expect(body.data.some((row: { id: number }) => row.id === id)).toBe(true);
    }
    await request(server, `DELETE /api/domains/${id}`, { token: owner.token });
    const [after] = await Promise.all(LISTS.map((call) => ask(call)));
    expect(after!.body.data.some((row: { id: number }) => row.id === id)).toBe(false);
  }
});

test('a list shows the commits of another process at once', async () => {
  const before = await etags(server.admin);
  const child = startChild('test/children/add-domains.ts', [databaseAddress(server.config), 'beside', '1']);
  await child.output();
  const { body, headers } = await ask(LISTS[0]!, server.admin);
  expect(headers['etag']).not.toBe(before[0]);
  expect(body.data.some((row: { domain_name: string }) => row.domain_name === 'beside-0.example')).toBe(true);
});

test('a list follows project names, its caller and the owners of its domains', async () => {
  const project = (await request(server, 'POST /api/projects', { token: owner.token, body: { name: 'First' } })).body
    .data.id;
  const id = await add({ project_id: project });
  const before = await etags();
  await request(server, `PUT /api/projects/${project}`, { token: owner.token, body: { name: 'Second' } });
  expect((await ask(LISTS[0]!)).text).toContain('Second');
  // Another caller with the ETag of the owner gets that caller's own list.
  const foreign = await ask(LISTS[0]!, other, { 'if-none-match': before[0] });
  expect([foreign.status, foreign.body]).toEqual([200, { data: [] }]);
  // A domain that goes to another owner leaves the list.
  await transaction(() =>
    execute('UPDATE projects SET user_id = $user WHERE id = $project', { user: other.id, project }),
  );
  const has = async (person: Person) =>
    (await ask(LISTS[0]!, person)).body.data.some((row: { id: number }) => row.id === id);
  expect([await has(owner), await has(other)]).toEqual([false, true]);
});

test('a cached list has the same content in each encoding', async () => {
  await add();
  await add({ domain_name: 'каждый-байт.рф' });
  for (let index = 0; index < 8; index += 1) await add();
  const plain = await ask(LISTS[0]!);
  expect(plain.text).toContain('каждый-байт.рф');
  for (let round = 0; round < 2; round += 1) {
    const response = await fetch(`${server.url}/api/domains`, {
      headers: { authorization: owner.token, 'accept-encoding': 'gzip' },
    });
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(await response.text()).toBe(plain.text);
  }
});

test('pages far down a list equal the whole list, and follow a write', async () => {
  const person = await createPerson(server);
  await transaction(() =>
    execute(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 430)
       INSERT INTO domains (user_id, domain_name, unicode_name, file_path, type, transfer_type, transfer_dns, status,
         expired_at, created_at, updated_at)
       SELECT $id, 'far-' || i || '.example', 'far-' || i || '.example', '', 'main', 'manual', 'off', 'available',
         CASE WHEN i % 3 <> 0 THEN '2027-01-0' || (i % 7 + 1) END, '2026-01-01', '2026-01-01' FROM n`,
      { id: person.id },
    ),
  );
  const idsOf = async (query: string): Promise<number[]> =>
    (await ask(`GET /api/domains${query}`, person)).body.data.map(({ id }: { id: number }) => id);
  for (const query of ['sort=id', 'sort=-domain_name', 'sort=expired_at', 'sort=-project_name', 'search=far-1']) {
    const whole = await idsOf(`?${query}`);
    const pages: number[] = [];
    for (let offset = 0; offset < whole.length; offset += 30) {
      const page = (await ask(`GET /api/domains?${query}&limit=30&offset=${offset}`, person)).body;
      expect(page.total).toBe(whole.length);
      pages.push(...page.data.map(({ id }: { id: number }) => id));
    }
    expect([query, pages]).toEqual([query, whole]);
  }
  const [gone, next] = await idsOf('?limit=2&offset=300');
  await request(server, `DELETE /api/domains/${gone}`, { token: person.token });
  const page = (await ask('GET /api/domains?limit=1&offset=300', person)).body;
  expect([page.total, page.data[0].id]).toEqual([429, next]);
  expect((await ask('GET /api/domains?limit=5&offset=1000', person)).body).toEqual({ data: [], total: 429 });
});
