// The log: the rows of the audit for administrators, found by who, what, where and when.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dialect, execute, executeUnaudited, transaction } from '../../db/index.ts';
import { createPerson, request, startServer, type Person, type TestServer } from '../support/server.ts';

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
