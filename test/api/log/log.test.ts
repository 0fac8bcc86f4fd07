// The log: the rows of the audit for administrators, found by who, what, where and when.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dialect, execute, executeUnaudited, select, transaction } from '../../../db/index.ts';
import { createPerson, request, startServer, type Person, type TestServer } from '../../support/server.ts';

let server: TestServer;
let anna: Person;

beforeAll(async () => {
  server = await startServer();
  anna = await createPerson(server);
  const ask = { token: anna.token };
  const { body } = await request(server, 'POST /api/projects', { ...ask, body: { name: 'Север 100%' } });
  await request(server, `PUT /api/projects/${body.data.id}`, { ...ask, body: { name: 'Юг' } });
  await request(server, 'POST /api/servers', {
    ...ask,
    body: { name: 'srv', ssh_host: '192.0.2.3', ssh_user: 'root', ssh_password: 'canary-0123456789' },
  });
});
afterAll(() => server.close());

const log = async (query = '') => (await request(server, `GET /api/audit${query}`, { token: server.admin.token })).body;
const told = ({ data }: { data: { action: string; object: string }[] }) =>
  data.map(({ action, object }) => `${action} ${object}`);

describe('the log', () => {
  test('is found by a login whatever its case, in either alphabet', async () => {
    const body = { login: 'Пётр', password: 'correct horse battery' };
    await request(server, 'POST /api/users', { token: server.admin.token, body });
    expect((await request(server, 'POST /api/login', { body })).status).toBe(200);
    for (const user of ['Пётр', 'пётр', 'ПЁТР']) {
      expect([user, told(await log(`?user=${encodeURIComponent(user)}`))]).toEqual([user, ['sign_in users']]);
    }
  });

  test('tells the newest rows first, with what was before and after, and no secret', async () => {
    const all = await log(`?user=${anna.login}`);
    expect(told(all)).toEqual(
      ['create servers', 'update projects', 'create projects', 'sign_in users'].slice(0, all.total),
    );
    expect(all.data[1]).toMatchObject({
      login: anna.login,
      door: 'api',
      call: 'PUT /api/projects/:id',
      before: { name: 'Север 100%' },
      after: { name: 'Юг' },
      outcome: 'done',
    });
    expect(JSON.stringify(all)).not.toContain('canary');
  });

  test('is narrowed by object, a part of its name, door and time, and read in parts', async () => {
    expect(told(await log(`?user=${anna.login}&object=projects`))).toEqual(['update projects', 'create projects']);
    expect(told(await log(`?name=${encodeURIComponent('100%')}`))).toEqual(['create projects']);
    expect(told(await log(`?name=${encodeURIComponent('сЕВЕР')}`))).toEqual(['create projects']);
    expect(told(await log('?name=srv&door=api'))).toEqual(['create servers']);
    expect(await log('?name=srv&door=cli')).toEqual({ data: [], total: 0 });
    const now = new Date().toISOString();
    expect((await log(`?since=${now}`)).total).toBe(0);
    expect((await log(`?until=${now}`)).total).toBeGreaterThan(3);
    const part = await log(`?user=${anna.login}&limit=1&offset=1`);
    expect([told(part), part.total >= 3]).toEqual([['update projects'], true]);
  });

  test('is for administrators alone', async () => {
    for (const call of ['GET /api/audit', 'POST /api/audit/verify']) {
      const body = call.startsWith('POST') ? {} : undefined;
      expect((await request(server, call, { token: anna.token, body })).status).toBe(403);
    }
  });

  test('is verified, and names the row that was changed by other hands', async () => {
    const verify = async () =>
      (await request(server, 'POST /api/audit/verify', { token: server.admin.token, body: {} })).body.data;
    const before = await verify();
    expect(before).toMatchObject({ fault: null, rows: before.last_id });
    const trigger = dialect() === 'sqlite' ? 'audit_no_update' : 'audit_no_change ON audit';
    await transaction(() => execute(`DROP TRIGGER ${trigger}`));
    await transaction(() => executeUnaudited('demo', `UPDATE audit SET login = 'nobody' WHERE id = 2`));
    expect((await verify()).fault).toEqual({ id: 2, kind: 'changed' });
  });
});

describe('an edit', () => {
  const as = (call: string, body: object) => request(server, call, { token: server.admin.token, body });
  const lastOf = async (object: string) => (await log(`?object=${object}&limit=1`)).data[0];

  test('is given back by the service of its noun, and is audited as an edit of its own', async () => {
    const { id } = (await as('POST /api/projects', { name: 'Было' })).body.data;
    await as(`PUT /api/projects/${id}`, { name: 'Стало' });
    const edit = await lastOf('projects');
    expect(edit).toMatchObject({ action: 'update', can_give_back: true });
    expect((await as(`POST /api/audit/${edit.id}/give_back`, {})).body.data).toMatchObject({ id, name: 'Было' });
    expect(await lastOf('projects')).toMatchObject({
      action: 'update',
      before: { name: 'Стало' },
      after: { name: 'Было' },
    });
    const again = await as(`POST /api/audit/${edit.id}/give_back`, {});
    expect([again.status, again.body.code]).toEqual([409, 'stale']);
  });

  test('keeps the stored secret, and passes the validation of its noun', async () => {
    const made = { name: 'srv-1', ssh_host: 'a.example', ssh_user: 'root', ssh_password: 'first secret' };
    const { id } = (await as('POST /api/servers', made)).body.data;
    await as(`PUT /api/servers/${id}`, { name: 'srv-2', ssh_password: 'second secret' });
    const edit = await lastOf('servers');
    const secretOf = async () =>
      (await select<{ ssh_password: string }>('SELECT ssh_password FROM servers WHERE id = $id', { id }))[0];
    const stored = await secretOf();
    expect((await as(`POST /api/audit/${edit.id}/give_back`, {})).body.data).toMatchObject({
      name: 'srv-1',
      ssh_password: '********',
    });
    expect(await secretOf()).toEqual(stored);
  });

  test('of a deleted object, and what is no edit, is not given back', async () => {
    const { id } = (await as('POST /api/projects', { name: 'Weg' })).body.data;
    const created = await lastOf('projects');
    await as(`PUT /api/projects/${id}`, { name: 'Anders' });
    const edit = await lastOf('projects');
    await request(server, `DELETE /api/projects/${id}`, { token: server.admin.token });
    expect(created.can_give_back).toBe(false);
    const answers = await Promise.all(
      [created.id, edit.id, 999_999].map((row) => as(`POST /api/audit/${row}/give_back`, {})),
    );
    expect(answers.map(({ status }) => status)).toEqual([409, 404, 404]);
  });
});

test('the selected rows are exported as CSV and as JSON lines, without formulas', async () => {
  await request(server, 'POST /api/projects', { token: server.admin.token, body: { name: '=1+1' } });
  const exported = async (format: string) =>
    (await request(server, `GET /api/audit_export?object=projects&format=${format}`, { token: server.admin.token }))
      .body;
  const csv = await exported('csv');
  expect(csv.filename).toMatch(/^log-\d{4}-\d\d-\d\d\.csv$/);
  expect(csv.text.split('\r\n')[0]).toMatch(/^\uFEFFid;at;login;door/);
  expect(csv.text).toContain(`;'=1+1;`);
  const lines = (await exported('ndjson')).text
    .trim()
    .split('\n')
    .map((line: string) => JSON.parse(line));
  expect([lines.length, lines[0].object_name]).toEqual([csv.total, '=1+1']);
});
