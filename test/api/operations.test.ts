import { afterEach, beforeEach, expect, test } from 'vitest';
import { execute, select, transaction } from '../../db/index.ts';
import { registerFlows } from '../../src/operations/engine.ts';
import { enqueue } from '../../src/operations/queue.ts';
import { purge } from '../../src/services/system/purge.ts';
import { startOutside, testFlow, type Outside } from '../operations/outside.ts';
import { createPerson, request, startServer, type Answer, type Person, type TestServer } from '../support/server.ts';

let server: TestServer;
let outside: Outside;
let ann: Person;
let bob: Person;

beforeEach(async () => {
  server = await startServer();
  outside = await startOutside();
  registerFlows([testFlow(outside.url)]);
  ann = await createPerson(server);
  bob = await createPerson(server);
});
afterEach(async () => {
  await server.close();
  await outside.close();
});

async function start(names: string[], here = false): Promise<number> {
  const items = names.map((item) => ({ item, lane: 'one', data: {} }));
  const { id } = await enqueue(
    { kind: 'test', subject: names.join(), user_id: ann.id, input: {}, message: { key: 'check.started' }, items },
    here,
  );
  return id;
}

const ask = (call: string, person = ann): Promise<Answer> =>
  request(server, call, {
    token: person.token,
    headers: { 'accept-language': 'en' },
    ...(call.startsWith('POST') && { body: {} }),
  });
const look = async (id: number) => (await ask(`GET /api/operations/${id}`)).body;

async function ended(id: number) {
  for (;;) {
    const view = await look(id);
    if (view.finished_at !== null) return view;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

test('an operation has the fields of the contract, and says which actions are possible', async () => {
  outside.values.set('b', 'wanted').set('b+', 'wanted');
  outside.faults.set('c', ['refuse']);
  const id = await start(['a', 'b', 'c']);
  const view = await ended(id);
  expect(Object.keys(view).slice(0, 8)).toEqual(['id', 'kind', 'state', 'total', 'done', 'failed', 'steps', 'message']);
  expect(view).toMatchObject({
    id,
    kind: 'test',
    state: 'partial',
    total: 3,
    done: 3,
    failed: 1,
    steps: [{ name: 'items', state: 'succeeded' }],
    message: expect.stringMatching(/1.*1.*1/),
    created_at: expect.any(String),
    counts: { done: 1, noop: 1, failed: 1, cancelled: 0, queued: 0 },
    restorable: true,
    retryable: true,
    cancellable: false,
    turns: null,
  });
  const waiting = await start(['d'], true);
  expect(await look(waiting)).toMatchObject({ cancellable: true, retryable: false, restorable: false, held: null });
});

test('an operation whose items have all failed tells why in the step that worked them', async () => {
  for (const item of ['e', 'f']) outside.faults.set(item, ['refuse']);
  const id = await start(['e', 'f']);
  const view = await ended(id);
  const [first] = (await ask(`GET /api/operations/${id}/items`)).body.data;
  expect(first.error).toBeTypeOf('string');
  expect(view).toMatchObject({ state: 'failed', steps: [{ name: 'items', state: 'failed', error: first.error }] });
  expect((await ask('GET /api/operations?limit=1')).body.data).toEqual([view]);
  outside.faults.clear();
  await ask(`POST /api/operations/${id}/retry`);
  expect(await ended(id)).toMatchObject({ state: 'succeeded', steps: [{ name: 'items', state: 'succeeded' }] });
});

test('the list of operations is newest first and can be filtered, sorted and paged', async () => {
  const ids = [await start(['a']), await start(['b'])];
  for (const id of ids) await ended(id);
  ids.push(await start(['c'], true));
  const idsOf = async (query: string) => {
    const { body } = await ask(`GET /api/operations${query}`);
    return [body.data.map(({ id }: { id: number }) => id), body.total];
  };
  expect(await idsOf('')).toEqual([ids.toReversed(), undefined]);
  expect(await idsOf('?limit=1&offset=1')).toEqual([[ids[1]], 3]);
  expect(await idsOf('?state=succeeded&sort=id&limit=9')).toEqual([ids.slice(0, 2), 2]);
  expect(await idsOf('?kind=check')).toEqual([[], undefined]);
  expect((await ask('GET /api/operations?state=nonsense')).status).toBe(400);
  expect((await ask('GET /api/operations', bob)).body.data).toEqual([]);
});

test('items show the values before and after, errors as text, and no secrets', async () => {
  outside.values.set('a', 'token=123456');
  outside.faults.set('b', ['refuse']);
  const id = await start(['a', 'b']);
  await ended(id);
  await transaction(() =>
    execute(
      `UPDATE operation_items SET error = '{"key":"provider.refused","params":{"message":"no password=123456"}}',
         acts = '[{"name":"x","state":"done","before":{"n":123456,"password":"short"}}]'
       WHERE item = 'b'`,
    ),
  );
  const { body } = await ask(`GET /api/operations/${id}/items`);
  expect(body.total).toBe(2);
  expect(body.data[0]).toMatchObject({
    item: 'a',
    lane: 'one',
    state: 'done',
    error: null,
    acts: [
      { name: 'first', state: 'done', before: 'token=********', after: 'wanted' },
      { name: 'second', state: 'done', before: '', after: 'wanted' },
    ],
  });
  expect(body.data[1].error).toMatch(/\*{8}/);
  expect(body.data[1].acts).toEqual([{ name: 'x', state: 'done', before: { n: 123_456, password: '********' } }]);
  const failed = await ask(`GET /api/operations/${id}/items?state=failed&limit=5`);
  expect([failed.body.data.length, failed.body.total]).toEqual([1, 1]);
  expect((await ask(`GET /api/operations/${id}/items?state=held`)).status).toBe(400);
});

test('failed items can be retried, and done items restored', async () => {
  outside.values.set('a', 'old');
  outside.faults.set('b', ['refuse']);
  const id = await start(['a', 'b']);
  await ended(id);
  expect((await ask(`POST /api/operations/${id}/retry`)).body).toMatchObject({ operation: { id } });
  expect(await ended(id)).toMatchObject({ state: 'succeeded', retryable: false });
  expect((await ask(`POST /api/operations/${id}/retry`)).status).toBe(409);
  const { body } = await ask(`POST /api/operations/${id}/restore`);
  expect(await ended(body.operation.id)).toMatchObject({ kind: 'restore', state: 'succeeded', restorable: false });
  expect(outside.values.get('a')).toBe('old');
});

test('queued work can be cancelled and retried', async () => {
  const id = await start(['a'], true);
  await transaction(() => execute(`UPDATE operations SET lease_until = '2999' WHERE id = $id`, { id }));
  expect((await ask(`POST /api/operations/${id}/cancel`)).status).toBe(200);
  expect(await look(id)).toMatchObject({ state: 'queued', cancellable: false });
  await transaction(() =>
    execute('UPDATE operations SET lease_owner = NULL, lease_until = NULL WHERE id = $id', { id }),
  );
  expect(await ended(id)).toMatchObject({ state: 'cancelled', retryable: true });
  expect((await ask(`POST /api/operations/${id}/cancel`)).status).toBe(409);
  await ask(`POST /api/operations/${id}/retry`);
  expect(await ended(id)).toMatchObject({ state: 'succeeded' });
});

test('an operation of another user can be neither seen nor changed', async () => {
  const id = await start(['a']);
  await ended(id);
  for (const call of ['GET', 'GET items', 'POST cancel', 'POST retry', 'POST restore']) {
    const [method, verb] = call.split(' ');
    const path = `${method} /api/operations/${id}${verb ? `/${verb}` : ''}`;
    expect([call, (await ask(path, bob)).status]).toEqual([call, 404]);
  }
  expect((await ask(`GET /api/operations/${id}/items`, server.admin)).status).toBe(200);
});

test('a request repeated with its idempotency key starts nothing new for a week', async () => {
  const trigger = (key: string, person = ann) =>
    request(server, 'POST /api/trigger_background_task', {
      token: person.token,
      body: {},
      headers: { 'idempotency-key': key },
    });
  const first = (await trigger('k 1')).body.operation.id;
  await ended(first);
  expect((await trigger('k 1')).body.operation.id).toBe(first);
  expect((await trigger('k 1', bob)).body.operation.id).not.toBe(first);
  const age = (days: number) =>
    transaction(() =>
      execute('UPDATE operations SET created_at = $at WHERE id = $first', {
        first,
        at: new Date(Date.now() - days * 86_400_000).toISOString(),
      }),
    );
  await age(6);
  await purge();
  expect((await trigger('k 1')).body.operation.id).toBe(first);
  await age(8);
  await purge();
  expect(await select('SELECT 1 FROM operations WHERE id = $first AND idem_key IS NULL', { first })).toHaveLength(1);
  expect((await trigger('k 1')).body.operation.id).not.toBe(first);
  for (const key of [
    '',
    'x'.repeat(201),
    'ключ'
      .split('')
      .map((_, index) => String.fromCharCode(200 + index))
      .join(''),
  ]) {
    const { status, body } = await trigger(key);
    expect([status, body.code]).toEqual([400, 'bad_idempotency_key']);
  }
});
