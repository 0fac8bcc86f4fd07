import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPerson, form, request, startServer, type Person, type TestServer } from '../support/server.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
let server: TestServer;
let owner: Person;

beforeAll(async () => {
  world = await startWorld({ 'up.test': {}, 'down.test': { status: 500 }, 'slow.test': { delayMs: 5_000 } });
  const connectTo = `:443:127.0.0.1:${world.tlsPort},:80:127.0.0.1:${world.port}`;
  server = await startServer({ allowPrivate: true, connectTo });
  owner = await createPerson(server);
});
afterAll(async () => {
  await server.close();
  await world.close();
});

const ask = (call: string, body?: unknown, person = owner) => request(server, call, { token: person.token, body });

/** Waits for the end of the operation and returns it. */
async function finished(id: number, person = owner) {
  for (;;) {
    const { body } = await ask(`GET /api/operations/${id}`, undefined, person);
    if (body.state !== 'queued' && body.state !== 'running') return body;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

const loadList = (names: string[]) =>
  ask(
    'POST /api/blocklist',
    form({ blocklist_file: new File([`${names.join('\n')}\n`], 'my list.txt') }),
    server.admin,
  );

const verdicts = async (names: string[]) => {
  const { body } = await ask('POST /api/check_domains', { domains: names.map((domain) => ({ domain })) });
  return body.foundDomains.allDomains.map(({ domain, status }: { domain: string; status: string }) => [domain, status]);
};

test('without a list every name is unknown, never free', async () => {
  expect((await ask('GET /api/blocklist')).body).toMatchObject({ state: 'missing' });
  expect(await verdicts(['a.example'])).toEqual([['a.example', 'unknown']]);
});

test('a loaded list reports its source and number of entries', async () => {
  const { status, body } = await loadList(['named.test', '*.mask.test', 'other.test']);
  expect(status).toBe(200);
  expect(body).toMatchObject({ state: 'fresh', source: 'my list.txt', entries: { exact: 2, mask: 1, url: 0 } });
  expect((await ask('GET /api/blocklist')).body).toEqual(body);
});

test('an empty list or a file that is no list is refused, and the old list stays', async () => {
  for (const lines of [[], [''], ['<html><body>503</body></html>']]) {
    const { status, body } = await loadList(lines);
    expect([status, typeof body.error]).toEqual([422, 'string']);
  }
  expect((await ask('GET /api/blocklist')).body).toMatchObject({ state: 'fresh', entries: { exact: 2 } });
});

test('names are answered in the order asked, each in its own spelling', async () => {
  expect(
    await verdicts([
      'Other.TEST',
      'free.test',
      'https://named.test/',
      'a.b.mask.test',
      'not a name',
      '',
      'named.test',
      'free.test',
    ]),
  ).toEqual([
    ['Other.TEST', 'blocked'],
    ['free.test', 'free'],
    ['https://named.test/', 'blocked'],
    ['a.b.mask.test', 'blocked'],
    ['not a name', 'unknown'],
    ['', 'unknown'],
    ['named.test', 'blocked'],
    ['free.test', 'free'],
  ]);
  expect(await verdicts([])).toEqual([]);
});

test('a check of given names does not reveal their owner and stores nothing', async () => {
  const other = await createPerson(server);
  await ask('POST /api/domains', { domain_name: 'named.test' }, other);
  expect(await verdicts(['named.test'])).toEqual([['named.test', 'blocked']]);
  const [theirs] = (await ask('GET /api/user_domains', undefined, other)).body.data;
  expect(theirs.status).toBe('available');
});

test('the check of a portfolio is one operation, seen by its owner and by admins', async () => {
  for (const domain_name of ['up.test', 'down.test', 'www.mask.test']) await ask('POST /api/domains', { domain_name });
  const { status, body } = await ask('POST /api/trigger_background_task', {});
  expect([status, body]).toEqual([200, { message: expect.any(String), operation: { id: expect.any(Number) } }]);
  const again = await ask('POST /api/trigger_background_task', {});
  const { id } = body.operation;
  const operation = await finished(id);
  expect(operation).toMatchObject({ id, kind: 'check', total: 6, done: 6, failed: 0, held: null });
  expect(operation.steps.map(({ name, state }: { name: string; state: string }) => [name, state])).toEqual([
    ['http', 'succeeded'],
    ['blocklist', 'succeeded'],
  ]);
  for (const field of ['state', 'message', 'created_at', 'finished_at']) expect(operation[field]).toBeTypeOf('string');
  // The second call finds the running operation, or starts its own if the first has ended by then.
  expect([200, again.status]).toEqual([200, 200]);
  await finished(again.body.operation.id);
  const { data } = (await ask('GET /api/user_domains')).body;
  const seen = data.map((row: Record<string, unknown>) => [row['domain_name'], row['status'], row['http_status_code']]);
  expect(seen).toEqual([
    ['up.test', 'available', 200],
    ['down.test', 'available', 500],
    ['www.mask.test', 'blocked', 404],
  ]);
  expect((await ask('GET /api/operations')).body.data.map((row: { id: number }) => row.id)).toContain(id);
  expect((await ask(`GET /api/operations/${id}`, undefined, server.admin)).status).toBe(200);
  const other = await createPerson(server);
  expect((await ask(`GET /api/operations/${id}`, undefined, other)).status).toBe(404);
  expect((await ask('GET /api/operations', undefined, other)).body).toMatchObject({ data: [] });
});

test('one domain is checked alone, once while it runs, and by nobody who may not see it', async () => {
  const { data } = (await ask('GET /api/user_domains')).body;
  const [first] = data as { id: number }[];
  const path = `POST /api/domains/${first?.id}/check`;
  const answers = await Promise.all([ask(path, {}), ask(path, {})]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  for (const { body } of answers) {
    expect(await finished(body.operation.id)).toMatchObject({ kind: 'check', total: 2, done: 2, failed: 0 });
  }
  const other = await createPerson(server);
  const before = (await ask('GET /api/operations', undefined, server.admin)).body.data.length;
  expect((await ask(path, {}, other)).status).toBe(404);
  expect((await ask('GET /api/operations', undefined, server.admin)).body.data).toHaveLength(before);
});

test('findings about a former name are not stored under the new one', async () => {
  const person = await createPerson(server);
  const { id } = (await ask('POST /api/domains', { domain_name: 'slow.test' }, person)).body.data;
  const { body } = await ask(`POST /api/domains/${id}/check`, {}, person);
  await expect.poll(() => world.seen.some(({ url }) => url.includes('slow.test')), { interval: 20 }).toBe(true);
  expect((await ask(`POST /api/domains/${id}`, { domain_name: 'renamed.test' }, person)).status).toBe(200);
  await finished(body.operation.id, person);
  const { data } = (await ask(`GET /api/domains/${id}`, undefined, person)).body;
  expect([data.http_status_code, data.last_http_check_at]).toEqual([null, null]);
  const looks: { kind: string }[] = (await ask(`GET /api/domains/${id}/checks`, undefined, person)).body.data;
  expect(looks.filter(({ kind }) => kind === 'http')).toEqual([]);
});

test('a check by an admin covers the domains of everybody', async () => {
  const { body } = await ask('POST /api/trigger_background_task', {}, server.admin);
  const { all } = (await ask('GET /api/dashboard', undefined, server.admin)).body;
  expect(await finished(body.operation.id, server.admin)).toMatchObject({ total: all * 2, done: all * 2 });
});

test('a held result can be accepted once', async () => {
  const person = await createPerson(server);
  const names = Array.from({ length: 6 }, (_, index) => `held-${index}.test`);
  for (const domain_name of names) await ask('POST /api/domains', { domain_name }, person);
  await loadList([...names, 'other.test']);
  const { body } = await ask('POST /api/trigger_background_task', {}, person);
  const held = await finished(body.operation.id, person);
  expect(held).toMatchObject({ state: 'partial', held: { count: 6, total: 6 } });
  expect((await ask('GET /api/dashboard', undefined, person)).body.blocked).toBe(0);
  const accept = () => ask(`POST /api/operations/${held.id}/accept`, {}, person);
  const answers = await Promise.all([accept(), accept(), accept()]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
  const { operation } = answers.find(({ status }) => status === 200)?.body ?? {};
  expect(await finished(operation.id, person)).toMatchObject({ state: 'succeeded' });
  expect((await ask('GET /api/dashboard', undefined, person)).body.blocked).toBe(6);
  expect((await accept()).status).toBe(409);
});

test('a held result stays one to decide where it can’t be taken over', async () => {
  const person = await createPerson(server);
  const names = Array.from({ length: 6 }, (_, index) => `kept-${index}.test`);
  for (const domain_name of names) await ask('POST /api/domains', { domain_name }, person);
  await loadList([...names, 'other.test']);
  const { body } = await ask('POST /api/trigger_background_task', {}, person);
  const { id, held } = await finished(body.operation.id, person);
  expect(held).toMatchObject({ count: 6, total: 6 });
  const accept = () => ask(`POST /api/operations/${id}/accept`, {}, server.admin);
  const enable = (active: boolean) => ask(`PUT /api/users/${person.id}`, { active }, server.admin);
  // Nothing is done in the name of a disabled user.
  await enable(false);
  const refused = await accept();
  expect([refused.status, refused.body.code]).toEqual([422, 'user_disabled']);
  expect((await ask(`GET /api/operations/${id}`, undefined, server.admin)).body.held).toEqual(held);
  await enable(true);
  const accepted = await accept();
  expect(accepted.status).toBe(200);
  expect(await finished(accepted.body.operation.id, server.admin)).toMatchObject({ state: 'succeeded' });
});
