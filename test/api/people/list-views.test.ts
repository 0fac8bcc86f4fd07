// How a person sees lists is that person's alone.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPerson, request, startServer, type Person, type TestServer } from '../../support/server.ts';

let server: TestServer;
let anna: Person;
let bob: Person;
beforeAll(async () => {
  server = await startServer();
  anna = await createPerson(server);
  bob = await createPerson(server);
});
afterAll(() => server.close());

const ask = (call: string, body?: object, { token }: Person = anna) =>
  request(server, call, { token, ...(body && { body }) });
const sites = async (person = anna) => (await ask('GET /api/list_settings/sites', undefined, person)).body.data;

test('columns and density are kept by person and list, each by itself', async () => {
  const nothing = { columns: null, density: 'regular', views: [] };
  expect(await sites()).toEqual(nothing);
  await ask('PUT /api/list_settings/sites', { columns: ['domain', 'rkn'] });
  await ask('PUT /api/list_settings/sites', { density: 'compact' });
  expect(await sites()).toEqual({ ...nothing, columns: ['domain', 'rkn'], density: 'compact' });
  expect((await ask('GET /api/list_settings/operations')).body.data).toEqual(nothing);
  expect(await sites(bob)).toEqual(nothing);
  await ask('PUT /api/list_settings/sites', { columns: null });
  expect(await sites()).toMatchObject({ columns: null, density: 'compact' });
  for (const body of [{ columns: ['a', 'a'] }, { columns: [] }, { columns: ['<b>'] }, { density: 'tiny' }])
    expect((await ask('PUT /api/list_settings/sites', body)).status).toBe(400);
  expect((await ask('GET /api/list_settings/nothing')).status).toBe(404);
});

test('views are kept under names, renamed and removed by their person alone', async () => {
  const view = { list: 'sites', name: 'Blocked', query: 'status=blocked&columns=domain.rkn' };
  const { data } = (await ask('POST /api/list_views', view)).body;
  expect(data).toEqual({ id: expect.any(Number), name: 'Blocked', query: view.query });
  const again = await ask('POST /api/list_views', { ...view, name: ' blocked ' });
  expect([again.status, again.body.fields]).toEqual([409, { name: expect.any(String) }]);
  expect((await ask('POST /api/list_views', view, bob)).status).toBe(200);
  expect((await ask('POST /api/list_views', { ...view, list: 'operations' })).status).toBe(200);
  for (const change of [{ name: 'Theirs' }, { query: '' }])
    expect((await ask(`POST /api/list_views/${data.id}`, change, bob)).status).toBe(404);
  expect((await ask(`DELETE /api/list_views/${data.id}`, undefined, bob)).status).toBe(404);
  expect((await ask(`POST /api/list_views/${data.id}`, { name: 'BLOCKED' })).body.data.name).toBe('BLOCKED');
  expect((await ask(`POST /api/list_views/${data.id}`, { query: 'type=main' })).body.data.query).toBe('type=main');
  expect((await sites()).views).toEqual([{ id: data.id, name: 'BLOCKED', query: 'type=main' }]);
  expect((await ask(`DELETE /api/list_views/${data.id}`)).status).toBe(200);
  expect((await sites()).views).toEqual([]);
  for (const body of [
    { ...view, name: ' ' },
    { ...view, list: 'other' },
    { ...view, query: 'a'.repeat(2001) },
  ])
    expect((await ask('POST /api/list_views', body)).status).toBe(400);
});

test('a name is taken however its letters are composed', async () => {
  const view = { list: 'sites', name: 'Мой вид', query: '' };
  const { data } = (await ask('POST /api/list_views', view)).body;
  expect((await ask('POST /api/list_views', { ...view, name: 'МОЙ вид'.normalize('NFD') })).status).toBe(409);
  expect((await ask(`DELETE /api/list_views/${data.id}`)).status).toBe(200);
});
