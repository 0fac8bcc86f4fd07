// The table editor: which tables and columns exist for it, and that its writes are those of the rows' own services.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { executeUnaudited, select, transaction } from '../../db/index.ts';
import { tableNames } from '../../db/tables.ts';
import { createPerson, request, startServer, type Ask, type Person, type TestServer } from '../support/server.ts';
import { dump } from '../support/database.ts';
import { newName } from './calls.ts';

const SECRET = 'canary-secret-0123456789';
const MASK = '********';

let server: TestServer;
let owner: Person;
let project: number;

beforeAll(async () => {
  server = await startServer();
  owner = await createPerson(server);
});
afterAll(() => server.close());

const ask = (call: string, given: Ask = {}) => request(server, call, { token: server.admin.token, ...given });
const save = (table: string, body: object) => ask(`POST /api/tables/${table}`, { body });
const rowsOf = async (table: string): Promise<Record<string, unknown>[]> =>
  (await ask(`GET /api/tables/${table}`)).body;
const rowOf = async (table: string, id: number) => (await rowsOf(table)).find((row) => row['id'] === id);

beforeEach(async () => {
  const body = { name: newName() };
  project = (await request(server, 'POST /api/projects', { token: owner.token, body })).body.data.id;
});

describe('the tables', () => {
  test('of the business alone exist, whatever their spelling', async () => {
    const { body } = await ask('GET /api/tables');
    const names = body.map(({ name }: { name: string }) => name);
    expect(names).toEqual(names.toSorted());
    expect(names.join(' ')).toBe(
      'arsenkin_accounts cloudflare_accounts cloudflare_groups domains keywords projects purchases ' +
        'registrars servers templates transfer_history users xmlriver_accounts',
    );
    const hidden = (await tableNames()).filter((name) => !names.includes(name));
    expect(hidden).toEqual(expect.arrayContaining(['sessions', 'audit', 'operations', 'migrations', 'installation']));
    const tried = [...hidden, 'sqlite_master', 'sqlite_sequence', 'pg_catalog.pg_tables', '__proto__', 'constructor'];
    for (const name of [...tried, 'Users', 'users ', 'users"--', "users' OR 1=1", 'toString']) {
      const at = encodeURIComponent(name);
      for (const call of [`GET /api/tables/${at}`, `GET /api/columns/${at}`, `DELETE /api/tables/${at}/1`]) {
        expect([call, (await ask(call)).status]).toEqual([call, 404]);
      }
      expect((await save(at, { name: 'x' })).status).toBe(404);
    }
  });

  test('are there for administrators alone', async () => {
    const calls = ['GET /api/tables', 'GET /api/columns/users', 'GET /api/tables/users', 'DELETE /api/tables/users/1'];
    for (const call of calls) {
      const { status, body } = await request(server, call, { token: owner.token });
      expect([status, body]).toEqual([403, { error: expect.any(String), code: 'forbidden' }]);
    }
  });

  test('tell their columns, without hashes and without what the program keeps for itself', async () => {
    const { body } = await ask('GET /api/columns/users');
    expect(body.map(({ name }: { name: string }) => name)).toEqual([
      'id',
      'login',
      'telegram',
      'role',
      'active',
      'created_at',
    ]);
    const columns = (await ask('GET /api/columns/domains')).body as { name: string; options: string[] | null }[];
    expect(columns.find(({ name }) => name === 'type')).toMatchObject({ options: ['main', 'transfer'], edits: true });
    expect(columns.find(({ name }) => name === 'project_id')).toMatchObject({
      references: 'projects',
      kind: 'reference',
    });
    expect(columns.find(({ name }) => name === 'status')).toMatchObject({ adds: false, edits: false });
  });
});

describe('a row', () => {
  test('has a value for each column, of rows that are not deleted', async () => {
    const added = await save('domains', { domain_name: 'a-table.com', project_id: project });
    expect(added.status).toBe(200);
    expect(added.body).toMatchObject({
      domain_name: 'a-table.com',
      type: 'main',
      status: 'available',
      project_id: project,
    });
    const columns = (await ask('GET /api/columns/domains')).body.map(({ name }: { name: string }) => name);
    expect(Object.keys(added.body).toSorted()).toEqual(columns.toSorted());
    const removed = await ask(`DELETE /api/tables/domains/${added.body.id}`);
    expect(removed).toMatchObject({ status: 200, body: { message: expect.stringContaining('domains') } });
    expect(await rowOf('domains', added.body.id)).toBeUndefined();
    expect((await ask(`DELETE /api/tables/domains/${added.body.id}`)).status).toBe(404);
  });

  test('is posted back as it was read, with one value changed', async () => {
    const { body: made } = await save('domains', { domain_name: 'back-table.com', project_id: project });
    const changed = await save('domains', { ...made, type: 'transfer' });
    expect(changed).toMatchObject({ status: 200, body: { ...made, type: 'transfer', updated_at: expect.any(String) } });
    const [row] = await select('SELECT action, object, door FROM audit ORDER BY id DESC LIMIT 1');
    expect(row).toEqual({ action: 'update', object: 'domains', door: 'api' });
  });

  test('has its flags as true and false, as the call of its noun has them', async () => {
    const { body: made } = await save('domains', { domain_name: 'flag-table.com', project_id: project });
    expect([made.google_indexation, made.yandex_indexation]).toEqual([null, null]);
    const answer = `UPDATE domains SET google_indexation = 1, yandex_indexation = 0 WHERE id = ${made.id}`;
    await transaction(() => executeUnaudited('check', answer));
    const flags = { google_indexation: true, yandex_indexation: false };
    expect(await rowOf('domains', made.id)).toMatchObject(flags);
    expect((await ask(`GET /api/tables/domains?limit=1&id=${made.id}`)).body.data[0]).toMatchObject(flags);
    expect((await ask(`GET /api/domains/${made.id}`)).body.data).toMatchObject(flags);
    const read = await rowOf('domains', made.id);
    expect(await save('domains', { ...read, type: 'transfer' })).toMatchObject({ status: 200, body: flags });
    expect((await rowsOf('users')).every(({ active }) => active === true)).toBe(true);
  });

  test('is written with the validation of its own call', async () => {
    const { body: made } = await save('domains', { domain_name: 'own-table.com' });
    const before = await dump();
    const wrong: [string, object, number, string][] = [
      ['domains', { domain_name: 'not a name' }, 400, 'domain_name'],
      ['domains', { domain_name: 'own-table.com' }, 409, 'domain_name'],
      ['domains', { id: made.id, type: 'other' }, 400, 'type'],
      ['domains', { id: made.id, file_path: '/a/../b' }, 400, 'file_path'],
      ['domains', { id: made.id, project_id: 999_999 }, 422, 'project_id'],
      ['domains', { id: made.id, status: 'blocked' }, 400, 'status'],
      ['domains', { id: made.id, user_id: owner.id }, 400, 'user_id'],
      ['domains', { id: made.id, nonsense: 1 }, 400, 'nonsense'],
      ['domains', { id: made.id, __proto: 1 }, 400, '__proto'],
      ['domains', { id: 999_999, type: 'main' }, 422, 'id'],
      ['domains', { id: 'x', type: 'main' }, 400, 'id'],
      ['projects', { name: '' }, 400, 'name'],
      ['projects', {}, 400, 'name'],
      ['keywords', { value: 'a\u0007b', project_id: project }, 400, 'value'],
      ['keywords', { value: 'word', project_id: 999_999 }, 422, 'project_id'],
      ['cloudflare_groups', { name: 'g', accounts: [999_999] }, 422, 'accounts'],
      ['servers', { name: 's', ssh_host: 'a b', ssh_user: 'root', ssh_password: 'x' }, 400, 'ssh_host'],
    ];
    for (const [table, body, status, field] of wrong) {
      const answer = await save(table, body);
      expect([table, body, answer.status, Object.keys(answer.body.fields ?? {})]).toEqual([
        table,
        body,
        status,
        [field],
      ]);
    }
    expect(await dump()).toBe(before);
  });

  test('of a log or of what has a screen of its own is not written', async () => {
    const before = await dump();
    for (const table of ['transfer_history', 'purchases', 'users', 'templates']) {
      expect([table, (await save(table, {})).status]).toEqual([table, 409]);
    }
    expect((await ask(`DELETE /api/tables/users/${owner.id}`)).status).toBe(409);
    expect(await dump()).toBe(before);
  });

  test('that is in use is not deleted, and the refusal names its users', async () => {
    const { body: made } = await save('servers', {
      name: 's',
      ssh_host: '192.0.2.7',
      ssh_user: 'root',
      ssh_password: SECRET,
    });
    await save('domains', { domain_name: 'uses-table.com', server_id: made.id });
    const refused = await ask(`DELETE /api/tables/servers/${made.id}`);
    expect([refused.status, refused.body.error]).toEqual([409, expect.stringContaining('uses-table.com')]);
  });

  test('of a group has its accounts', async () => {
    const account = await save('cloudflare_accounts', { name: 'cdn', email: '', api_key: SECRET });
    const { body: made } = await save('cloudflare_groups', { name: 'g', accounts: [account.body.id] });
    expect(made.accounts).toEqual([account.body.id]);
    expect((await save('cloudflare_groups', { id: made.id, accounts: [] })).body.accounts).toEqual([]);
  });
});

describe('a user', () => {
  test('keeps login, role, state and password, whatever is posted', async () => {
    const before = await dump();
    for (const change of [{ role: 'admin' }, { login: 'other' }, { active: 0 }, { password: 'x' }]) {
      const { status } = await save('users', { id: owner.id, ...change });
      expect([change, status]).toEqual([change, 400]);
    }
    expect(await dump()).toBe(before);
    expect((await save('users', { id: owner.id, telegram: '@anna' })).body).toMatchObject({
      telegram: 'anna',
      role: 'user',
    });
    expect((await save('users', { id: owner.id, telegram: null })).body).toMatchObject({ telegram: null });
  });

  test('has no password in any answer', async () => {
    const hashes = (await select<{ password: string }>('SELECT password FROM users')).map(({ password }) => password);
    const text = JSON.stringify(await rowsOf('users'));
    for (const hash of hashes) expect(text).not.toContain(hash);
    expect(text).not.toContain('password');
  });
});

describe('a secret', () => {
  test('is masked, kept by the mask, and neither searched nor sorted by', async () => {
    const body = { name: 'hidden', ssh_host: '192.0.2.9', ssh_user: 'root', ssh_password: SECRET };
    const { body: made } = await save('servers', body);
    expect(made.ssh_password).toBe(MASK);
    const stored = async () =>
      (await select<{ ssh_password: string }>(`SELECT ssh_password FROM servers WHERE id = ${made.id}`))[0]
        ?.ssh_password;
    const sealed = await stored();
    expect(sealed).not.toContain(SECRET);
    await save('servers', { ...made, name: 'renamed' });
    expect(await stored()).toBe(sealed);
    const sealedPart = encodeURIComponent((sealed ?? '').slice(4, 30));
    const found = await ask(`GET /api/tables/servers?limit=10&search=${sealedPart}`);
    expect(found.body).toMatchObject({ data: [], total: 0 });
    expect((await ask('GET /api/tables/servers?limit=10&sort=ssh_password')).status).toBe(400);
    expect((await save('servers', { id: made.id, ssh_password: 'another-secret-0123' })).body.ssh_password).toBe(MASK);
    expect(await stored()).not.toBe(sealed);
  });
});

describe('a part of the rows', () => {
  test('has a total, an order, and the names of what its rows refer to', async () => {
    for (const name of ['part-b.com', 'part-a.com', 'part-c.com'])
      await save('domains', { domain_name: name, project_id: project });
    const { body } = await ask('GET /api/tables/domains?limit=2&search=PART-&sort=-domain_name');
    expect(body.total).toBe(3);
    expect(body.data.map((row: { domain_name: string }) => row.domain_name)).toEqual(['part-c.com', 'part-b.com']);
    expect(body.names.projects[project]).toEqual((await rowOf('projects', project))?.['name']);
    expect(body.names.users[owner.id]).toBe(owner.login);
    const { id } = body.data[0];
    expect((await ask(`GET /api/tables/domains?limit=5&id=${id}`)).body).toMatchObject({ total: 1, data: [{ id }] });
  });
});
