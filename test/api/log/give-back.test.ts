// The log gives settings back by the services of their nouns.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPerson, request, startServer, type TestServer } from '../../support/server.ts';

let server: TestServer;
let project: number;
beforeAll(async () => {
  server = await startServer();
  project = (await as('POST /api/projects', { name: 'Север' })).body.data.id;
});
afterAll(() => server.close());

const as = (call: string, body?: object) => request(server, call, { token: server.admin.token, body });
const get = async (path: string) => (await as(`GET ${path}`)).body;
const lastOf = async (object: string) => (await get(`/api/audit?object=${object}&limit=1`)).data[0];
const give = (id: number) => as(`POST /api/audit/${id}/give_back`, {});

const POSITIONS = {
  yandex_region: '213',
  google_region: '2643',
  device: 'desktop',
  depth: 50,
  daily_cap: 100,
  every_days: 0,
  source: 'auto',
};
const cap = (amount: string | null) => ({ caps: [{ scope: 'all', scope_id: 0, currency: 'RUB', amount }] });
const schedule = async () =>
  (await get('/api/schedules')).data.find(({ name }: { name: string }) => name === 'backup') as Record<string, unknown>;

/** Changes of settings: what is there first, what a person sets then, and how both are read. */
const CASES: [
  object: string,
  first: () => Promise<unknown>,
  next: () => Promise<unknown>,
  read: () => Promise<unknown>,
][] = [
  [
    'auto_buy',
    () => as('POST /api/auto_buy', { project_id: project, template: '{a|b}.ru', wanted_reserves: 2 }),
    () => as('POST /api/auto_buy', { project_id: project, template: '{c|d}.ru', state: 'off', wanted_reserves: 3 }),
    () => get(`/api/auto_buy/${project}`),
  ],
  [
    'position_settings',
    () => as(`PUT /api/position_settings/${project}`, POSITIONS),
    () => as(`PUT /api/position_settings/${project}`, { ...POSITIONS, daily_cap: 7, every_days: 7 }),
    async () => (await get(`/api/position_settings/${project}`)).data,
  ],
  [
    'budget_settings',
    () => as('PUT /api/budget', { names_day: 11 }),
    () => as('PUT /api/budget', { names_day: 12, pause_minutes: 3 }),
    async () => {
      const { names_day, names_project, pause_minutes } = (await get('/api/budget')).data;
      return { names_day, names_project, pause_minutes };
    },
  ],
  [
    'budget_caps',
    () => as('PUT /api/budget', cap('10.50')),
    () => as('PUT /api/budget', cap('99.00')),
    async () => (await get('/api/budget')).data.caps,
  ],
  [
    'schedules',
    () => as('PUT /api/schedules/backup', { cron: '1 2 * * *', keep: 5 }),
    () => as('PUT /api/schedules/backup', { interval_minutes: 1440, keep: 9, active: false }),
    async () => {
      const { cron, interval_minutes, keep, active } = await schedule();
      return { cron, interval_minutes, keep, active };
    },
  ],
];

test.each(CASES)('%s is given back once, also twice at once, and is audited', async (object, first, next, read) => {
  await first();
  const before = await read();
  await next();
  expect(await read()).not.toEqual(before);
  const edit = await lastOf(object);
  expect(edit).toMatchObject({ can_give_back: true });
  const answers = await Promise.all([give(edit.id), give(edit.id)]);
  expect(answers.map(({ status, body }) => `${status} ${body.code}`).toSorted((a, b) => a.localeCompare(b))).toEqual([
    '200 undefined',
    '409 stale',
  ]);
  expect(await read()).toEqual(before);
  const row = await lastOf(object);
  expect(row.id).toBeGreaterThan(edit.id);
  expect(row).toMatchObject({ login: 'admin', call: 'POST /api/audit/:id/give_back' });
});

test('a cap that has changed since is not given back', async () => {
  await as('PUT /api/budget', cap('1.00'));
  await as('PUT /api/budget', cap('2.00'));
  const edit = await lastOf('budget_caps');
  await as('PUT /api/budget', cap('3.00'));
  expect((await give(edit.id)).body.code).toBe('stale');
  expect((await get('/api/budget')).data.caps[0].amount).toBe('3.00');
});

test('a new cap is removed, and a removed one comes back', async () => {
  await as('PUT /api/budget', cap(null));
  const removed = await lastOf('budget_caps');
  expect((await give(removed.id)).status).toBe(200);
  const made = await lastOf('budget_caps');
  expect(made.action).toBe('create');
  expect((await give(made.id)).status).toBe(200);
  expect((await get('/api/budget')).data.caps).toEqual([]);
});

test('the first change of a schedule is given back to the defaults', async () => {
  await as('PUT /api/schedules/purge', { cron: '5 5 * * *', keep: 500 });
  const made = await lastOf('schedules');
  expect(made).toMatchObject({ action: 'create', can_give_back: true });
  expect((await give(made.id)).status).toBe(200);
  const purge = (await get('/api/schedules')).data.find(({ name }: { name: string }) => name === 'purge');
  expect(purge).toMatchObject({ cron: '7 3 * * *', keep: 400 });
});

test('a switch of purchases is given back, and settings of a deleted project are not', async () => {
  await as('POST /api/purchases/state', { state: 'off' });
  const off = await lastOf('budget_settings');
  expect((await give(off.id)).status).toBe(200);
  expect((await get('/api/budget')).data.state).toBe('on');
  const { id } = (await as('POST /api/projects', { name: 'Weg' })).body.data;
  await as(`PUT /api/position_settings/${id}`, { ...POSITIONS, depth: 10 });
  const edit = await lastOf('position_settings');
  await request(server, `DELETE /api/projects/${id}`, { token: server.admin.token });
  expect((await give(edit.id)).status).toBe(404);
});

test('a user gives nothing back', async () => {
  const { token } = await createPerson(server);
  const edit = await lastOf('budget_caps');
  expect((await request(server, `POST /api/audit/${edit.id}/give_back`, { token, body: {} })).status).toBe(403);
});
