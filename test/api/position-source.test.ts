// The service of a project over the API: bodies with it, of before it, and with another one.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPerson, request, startServer, type Person, type TestServer } from '../support/server.ts';

const OLDER = {
  yandex_region: '213',
  google_region: '2643',
  device: 'mobile',
  depth: 30,
  daily_cap: 100,
  every_days: 1,
};

let server: TestServer;
let person: Person;
let path: string;
beforeAll(async () => {
  server = await startServer();
  person = await createPerson(server);
  const { body } = await request(server, 'POST /api/projects', { token: person.token, body: { name: 'North' } });
  path = `/api/position_settings/${body.data.id}`;
});
afterAll(() => server.close());

const put = (body: object) => request(server, `PUT ${path}`, { token: person.token, body });
const source = async (): Promise<string> => {
  const { body } = await request(server, `GET ${path}`, { token: person.token });
  return body.data.source;
};

test('a project begins with the service that has an account; what was chosen is kept by bodies without it', async () => {
  expect(await source()).toBe('auto');
  expect((await put(OLDER)).status).toBe(200);
  expect(await source()).toBe('auto');
  expect((await put({ ...OLDER, source: 'arsenkin' })).body.data).toMatchObject({ source: 'arsenkin', depth: 30 });
  expect((await put({ ...OLDER, depth: 50 })).body.data).toMatchObject({ source: 'arsenkin', depth: 50 });
  expect((await put({ ...OLDER, source: 'auto' })).body.data.source).toBe('auto');
});

test.each(['bing', '', null, 1, 'Arsenkin'])('the service %j is refused by its field', async (other) => {
  const { status, body } = await put({ ...OLDER, source: other });
  expect([status, Object.keys(body.fields)]).toEqual([400, ['source']]);
});

test('a reading by a service without an account is refused by its name, and the cost says whose account is missing', async () => {
  await put({ ...OLDER, source: 'arsenkin' });
  const projectId = Number(path.split('/').at(-1));
  await request(server, 'POST /api/keywords', { token: person.token, body: { keyword: 'one', project_id: projectId } });
  const asked = await request(server, 'POST /api/fetch-positions', {
    token: person.token,
    body: { projectId, keywordId: null, type: 'yandex' },
  });
  expect(asked.status).toBe(503);
  expect(JSON.stringify(asked.body)).toContain('Arsenkin');
  const { body } = await request(server, `GET /api/position_cost/${projectId}/yandex`, { token: person.token });
  expect(body.data).toMatchObject({ source: 'arsenkin', currency: 'limits', has_account: false, requests: 1 });
});
