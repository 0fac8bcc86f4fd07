// The log gives the rows of the table editor back by the services of their nouns.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPerson, request, startServer, type Person, type TestServer } from '../../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const as = (call: string, body?: object) => request(server, call, { token: server.admin.token, body });
const save = (table: string, row: object) => as(`POST /api/tables/${table}`, row);
const rowOf = async (table: string, id: number) => (await as(`GET /api/tables/${table}?id=${id}`)).body[0];
const lastOf = async (object: string) => (await as(`GET /api/audit?object=${object}&limit=1`)).body.data[0];
const give = (id: number) => as(`POST /api/audit/${id}/give_back`, {});

test('the accounts of a group are given back, in whatever order they were chosen, and not over a later choice', async () => {
  const account = async (name: string) =>
    (await save('cloudflare_accounts', { name, email: `${name}@example.com`, api_key: 'a'.repeat(37) })).body.id;
  const [one, two] = [await account('one'), await account('two')];
  const { id } = (await save('cloudflare_groups', { name: 'Север', accounts: [one] })).body;
  await save('cloudflare_groups', { id, accounts: [two, one] });
  const edit = await lastOf('cloudflare_groups');
  expect(edit).toMatchObject({ can_give_back: true, object_name: 'Север' });
  await save('cloudflare_groups', { id, accounts: [two] });
  expect((await give(edit.id)).body.code).toBe('stale');
  await save('cloudflare_groups', { id, accounts: [one, two] });
  expect((await give(edit.id)).status).toBe(200);
  expect((await rowOf('cloudflare_groups', id)).accounts).toEqual([one]);
});

test('a row that is edited at the very moment is not written over', async () => {
  const project_id = (await as('POST /api/projects', { name: 'Север' })).body.data.id;
  const { id } = (await save('keywords', { project_id, value: 'купить слона' })).body;
  for (const round of [1, 2, 3]) {
    await save('keywords', { id, frequency: 10 * round });
    await save('keywords', { id, frequency: 10 * round + 1 });
    const edit = await lastOf('keywords');
    const [later] = await Promise.all([save('keywords', { id, frequency: 10 * round + 2 }), give(edit.id)]);
    expect(later.status).toBe(200);
    // It comes first or last; in neither case is it lost.
    expect((await rowOf('keywords', id)).frequency).toBe(10 * round + 2);
  }
});

test('a cell whose text is cut in the log is given back where the longer text stands', async () => {
  const project_id = (await as('POST /api/projects', { name: 'Юг' })).body.data.id;
  const { id } = (await save('keywords', { project_id, value: 'слон' })).body;
  const target_url = `https://example.com/${'a'.repeat(1_500)}`;
  expect((await save('keywords', { id, target_url })).status).toBe(200);
  expect((await give((await lastOf('keywords')).id)).status).toBe(200);
  expect((await rowOf('keywords', id)).target_url).toBeNull();
});

test('another host of a server, whose secret would have to be typed, is not offered; its name is', async () => {
  const login = { ssh_host: '203.0.113.10', ssh_user: 'root', ssh_password: 'a secret word' };
  const { id } = (await save('servers', { name: 'web', ...login })).body;
  const moved = { ssh_host: '203.0.113.11', ssh_password: 'a secret word' };
  for (const [change, can] of [
    [moved, false],
    [{ ...moved, ssh_host: '203.0.113.12', name: 'web 2' }, false],
    [{ name: 'web 3' }, true],
    [{ ssh_user: 'deploy' }, true],
  ] as const) {
    expect((await save('servers', { id, ...change })).status).toBe(200);
    const edit = await lastOf('servers');
    expect([edit.after, edit.can_give_back]).toEqual([edit.after, can]);
    expect([change, (await give(edit.id)).status]).toEqual([change, can ? 200 : 409]);
  }
  expect(await rowOf('servers', id)).toMatchObject({ name: 'web 2', ssh_host: '203.0.113.12', ssh_user: 'root' });
});

test('a domain that a project’s owner got comes back to whom it belonged', async () => {
  const [anna, boris] = [await createPerson(server), await createPerson(server)];
  const by = (person: Person, call: string, body?: object) => request(server, call, { token: person.token, body });
  const project_id = (await by(boris, 'POST /api/projects', { name: 'Бориса' })).body.data.id;
  const { id } = (await by(anna, 'POST /api/domains', { domain_name: 'given-back.com' })).body.data;
  expect((await save('domains', { id, project_id })).body).toMatchObject({ project_id, user_id: boris.id });
  const edit = await lastOf('domains');
  expect((await give(edit.id)).status).toBe(200);
  expect(await rowOf('domains', id)).toMatchObject({ project_id: null, user_id: anna.id });
  expect((await by(anna, `GET /api/domains/${id}`)).status).toBe(200);
  expect((await by(boris, `GET /api/domains/${id}`)).status).toBe(404);
  expect(await lastOf('domains')).toMatchObject({ before: { user_id: boris.id }, after: { user_id: anna.id } });
});
