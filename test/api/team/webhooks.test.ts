// Webhooks of the team: an edit changes what it names.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { select } from '../../../db/index.ts';
import { request, startServer, type TestServer } from '../../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

test('an edit of a webhook leaves what it does not name, and notes what has changed', async () => {
  const ask = (call: string, body?: object) => request(server, call, { token: server.admin.token, body });
  const input = { name: 'pager', url: 'https://hooks.example.com/a', levels: ['critical'], active: true };
  const { id } = (await ask('POST /api/webhooks', input)).body.data;
  const stored = async () => (await ask('GET /api/webhooks')).body.data[0];
  expect((await ask(`PUT /api/webhooks/${id}`, { url: 'https://hooks.example.com/b', levels: ['info'] })).status).toBe(
    200,
  );
  expect((await ask(`PUT /api/webhooks/${id}`, { active: false })).status).toBe(200);
  const changed = { ...input, id, url: 'https://hooks.example.com/b', levels: ['info'], active: false };
  expect(await stored()).toMatchObject(changed);
  const notes = () => select(`SELECT id FROM audit WHERE object = 'notice_webhooks' AND action = 'update'`);
  const before = (await notes()).length;
  expect((await ask(`PUT /api/webhooks/${id}`, {})).status).toBe(200);
  expect(await stored()).toMatchObject(changed);
  expect((await notes()).length).toBe(before);
  for (const body of [{ name: '' }, { url: 'ftp://hooks.example.com' }, { levels: 'info' }, { active: null }]) {
    expect([body, (await ask(`PUT /api/webhooks/${id}`, body)).status]).toEqual([body, 400]);
  }
});
