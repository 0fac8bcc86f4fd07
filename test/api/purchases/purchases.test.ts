// The ledger and the budget through the API: what an admin sets, what a user sees, and what is answered to nonsense.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPerson, request, startServer, type Person, type TestServer } from '../../support/server.ts';
import { makePurchase } from '../calls.ts';

let server: TestServer;
let user: Person;

beforeAll(async () => {
  server = await startServer();
  user = await createPerson(server);
});
afterAll(() => server.close());

const admin = (name: string, body?: unknown) =>
  request(server, name, { token: server.admin.token, ...(body !== undefined && { body }) });
const cap = (amount: string | null, scope = 'all') => ({ caps: [{ scope, scope_id: 0, currency: 'RUB', amount }] });

test('a budget without caps simulates, and no longer once a cap for a day and one for a name are set', async () => {
  expect((await admin('GET /api/budget')).body.data).toMatchObject({
    state: 'on',
    simulates: true,
    switched_at: null,
    switched_by: null,
    names_day: 20,
    names_project: 5,
    pause_minutes: 10,
    caps: [],
  });
  await admin('PUT /api/budget', cap('1000.00'));
  const { body } = await admin('PUT /api/budget', cap('250.5', 'name'));
  expect(body.data).toMatchObject({
    simulates: false,
    caps: [
      { scope: 'all', currency: 'RUB', amount: '1000.00', used: '0.00', left: '1000.00' },
      { scope: 'name', currency: 'RUB', amount: '250.50', used: null, left: null },
    ],
  });
  expect((await admin('PUT /api/budget', cap(null, 'name'))).body.data).toMatchObject({ simulates: true });
});

test.each([
  [cap('-1'), 400],
  [cap('1e3'), 400],
  [cap('1.005'), 400],
  [cap('0x10'), 400],
  [cap('99999999999999999999'), 400],
  [{ caps: [{ scope: 'all', scope_id: 0, currency: 'XAU', amount: '1.00' }] }, 400],
  [{ caps: [{ scope: 'project', scope_id: 999_999, currency: 'RUB', amount: '1.00' }] }, 422],
  [{ caps: [{ scope: 'all', scope_id: 7, currency: 'RUB', amount: '1.00' }] }, 422],
  [{ names_day: -1 }, 400],
])('a budget of %j is refused', async (body, status) => {
  expect((await admin('PUT /api/budget', body)).status).toBe(status);
});

test('a cap has the name of its registrar, project or user, and none once that was deleted', async () => {
  const named = async (name: string, body: object): Promise<number> => (await admin(name, body)).body.data.id;
  const project = await named('POST /api/projects', { name: 'Capped' });
  const registrar = await named('POST /api/registrars', { name: 'Shop', type: 'reg.ru', login: 'l', password: 'p' });
  const ids = { registrar, project, user: user.id };
  const caps = Object.entries(ids).map(([scope, scope_id]) => ({ scope, scope_id, currency: 'RUB', amount: '10.00' }));
  const names = async (): Promise<unknown> => {
    const { body } = await admin('GET /api/budget');
    const named = body.data.caps as { scope: string; scope_name: string | null }[];
    return Object.fromEntries(named.map(({ scope, scope_name }) => [scope, scope_name]));
  };
  await admin('PUT /api/budget', { caps });
  expect(await names()).toMatchObject({ all: null, registrar: 'Shop', project: 'Capped', user: user.login });
  expect((await admin(`DELETE /api/projects/${project}`)).status).toBe(200);
  expect((await admin(`DELETE /api/registrars/${registrar}`)).status).toBe(200);
  expect(await names()).toMatchObject({ registrar: null, project: null, user: user.login });
  // A deleted project or registrar needs its cap no more.
  const { body } = await admin('PUT /api/budget', { caps: caps.map((one) => Object.assign(one, { amount: null })) });
  expect(body.data.caps.map(({ scope }: { scope: string }) => scope)).toEqual(['all']);
});

test('every user is told whether purchases are on, and whether nothing is bought', async () => {
  const told = async () => (await request(server, 'GET /api/purchases/state', { token: user.token })).body.data;
  expect(await told()).toEqual({ state: 'on', simulates: true });
  await admin('PUT /api/budget', cap('250.5', 'name'));
  expect(await told()).toEqual({ state: 'on', simulates: false });
  await admin('POST /api/purchases/state', { state: 'off' });
  expect(await told()).toEqual({ state: 'off', simulates: false });
  await admin('POST /api/purchases/state', { state: 'on' });
  await admin('PUT /api/budget', cap(null, 'name'));
});

test('an admin sees and resolves every purchase, a user sees his own alone', async () => {
  const id = await makePurchase('unknown')(server, server.admin);
  const own = await makePurchase('committed')(server, user);
  const ids = async (token: string, query = ''): Promise<number[]> => {
    const { body } = await request(server, `GET /api/purchases${query}`, { token });
    return (body.data as { id: number }[]).map((one) => one.id);
  };
  expect(await ids(server.admin.token)).toEqual([own, id]);
  expect(await ids(server.admin.token, '?limit=1&offset=1')).toEqual([id]);
  expect(await ids(server.admin.token, '?state=committed')).toEqual([own]);
  expect(await ids(user.token)).toEqual([own]);
  const unseen = await admin(`POST /api/purchases/${id}/resolve`, {
    outcome: 'not_bought',
    state: 'awaiting_approval',
  });
  expect([unseen.status, unseen.body.code]).toEqual([409, 'conflict']);
  const resolved = await admin(`POST /api/purchases/${id}/resolve`, { outcome: 'not_bought' });
  expect(resolved.body.data).toMatchObject({
    id,
    state: 'released',
    resolver_login: 'admin',
    price: '10.00',
    charged: null,
  });
  expect((await admin(`POST /api/purchases/${id}/resolve`, { outcome: 'bought' })).status).toBe(409);
  expect((await admin('POST /api/purchases/999999/resolve', { outcome: 'bought' })).status).toBe(404);
});

test('the switch says whether purchases are on, and who has switched them and when', async () => {
  const before = new Date().toISOString();
  expect((await admin('POST /api/purchases/state', { state: 'off' })).body.data.state).toBe('off');
  const { switched_at, switched_by, state } = (await admin('GET /api/budget')).body.data;
  expect({ state, switched_by }).toEqual({ state: 'off', switched_by: 'admin' });
  expect(switched_at >= before && switched_at <= new Date().toISOString()).toBe(true);
  // Neither another limit nor the same word is a switch.
  await admin('PUT /api/budget', { names_day: 19 });
  await admin('POST /api/purchases/state', { state: 'off' });
  expect((await admin('GET /api/budget')).body.data.switched_at).toBe(switched_at);
  expect((await admin('POST /api/purchases/state', { state: 'on' })).body.data.state).toBe('on');
  expect(
    (await request(server, 'POST /api/purchases/state', { token: user.token, body: { state: 'off' } })).status,
  ).toBe(403);
});
