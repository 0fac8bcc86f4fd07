// Two people in the same form: what one has not touched the other keeps, and what both have changed is shown before it is written over.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { request, startServer, type TestServer } from '../../support/server.ts';
import { usePages } from '../support/page.ts';

const open = usePages();
let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const ask = async (call: string, body?: object) =>
  (await request(server, call, { token: server.admin.token, ...(body && { body }) })).body;
const visit = (path: string, expected?: RegExp): Promise<Page> =>
  open(server.url + path, { token: server.admin.token, ...(expected && { expected }) });
const dialogOf = (page: Page) => page.getByRole('dialog');
const save = (page: Page) => dialogOf(page).getByRole('button', { name: 'Сохранить', exact: true }).click();
const gone = (page: Page) => dialogOf(page).waitFor({ state: 'detached' });

it('a domain: the other value is shown at its field, what was typed stays, and saving again writes it', async () => {
  const { id } = (await ask('POST /api/domains', { domain_name: 'both.example' })).data;
  const { data: north } = await ask('POST /api/projects', { name: 'Север' });
  const page = await visit(`/sites?domain=${id}`, /^409 /);
  const path = dialogOf(page).getByLabel('Папка сайта на сервере');
  await path.fill('/srv/mine');
  await dialogOf(page).getByLabel('Тип').selectOption('Резервный');
  await ask(`POST /api/domains/${id}`, { file_path: '/srv/theirs', project_id: north.id, transfer_type: 'manual' });
  await save(page);
  await dialogOf(page).getByText('теперь здесь: /srv/theirs').waitFor();
  expect(await path.inputValue()).toBe('/srv/mine');
  expect((await ask(`GET /api/domains/${id}`)).data).toMatchObject({ file_path: '/srv/theirs', type: 'main' });
  await save(page);
  await gone(page);
  const kept = { project_id: north.id, transfer_type: 'manual' };
  expect((await ask(`GET /api/domains/${id}`)).data).toMatchObject({
    file_path: '/srv/mine',
    type: 'transfer',
    ...kept,
  });
});

it('a project: a rename leaves what somebody has ticked, and does not write over another name', async () => {
  const { id } = (await ask('POST /api/projects', { name: 'Юг' })).data;
  const project = async () => (await ask('GET /api/user_projects')).data.find((one: { id: number }) => one.id === id);
  const page = await visit(`/projects?project=${id}`, /^409 /);
  const rename = async (name: string): Promise<void> => {
    await page.getByRole('button', { name: 'Изменить название' }).click();
    await dialogOf(page).getByLabel('Название проекта').fill(name);
  };
  await rename('Юг 2');
  await ask(`PUT /api/projects/${id}`, { last_reserve: 'on' });
  await save(page);
  await gone(page);
  expect(await project()).toMatchObject({ name: 'Юг 2', last_reserve: 'on' });
  await rename('Юг 3');
  await ask(`PUT /api/projects/${id}`, { name: 'Чужое имя' });
  await save(page);
  await dialogOf(page).getByText('теперь здесь: Чужое имя').waitFor();
  expect(await project()).toMatchObject({ name: 'Чужое имя' });
  await save(page);
  await gone(page);
  expect(await project()).toMatchObject({ name: 'Юг 3', last_reserve: 'on' });
});

it('an account: only what was changed is sent, and another name is shown before it is written over', async () => {
  const body = { name: 'Первый', login: '17', key: 'key-0123456789' };
  const { id } = (await ask('POST /api/xmlriver', body)).data;
  const page = await visit('/xmlriver', /^409 /);
  await page.getByRole('button', { name: 'Изменить: Первый' }).click();
  await dialogOf(page).getByRole('textbox').first().fill('Мой');
  await ask(`PUT /api/xmlriver/${id}`, { name: 'Чужой', login: '18' });
  await save(page);
  await dialogOf(page).getByText('теперь здесь: Чужой').waitFor();
  await save(page);
  await gone(page);
  const { data } = await ask('GET /api/xmlriver');
  expect(data).toMatchObject([{ id, name: 'Мой', login: '18' }]);
});

it('the settings of positions, a user and a group of accounts: what was not touched is not sent', async () => {
  const { data: project } = await ask('POST /api/projects', { name: 'Позиции' });
  const { id: group } = await ask('POST /api/cloudflare_groups', { name: 'Группа', accounts: [] });
  const { id: user } = await ask('POST /api/users', { login: 'vera', password: 'long-enough-1' });
  const sentBy = async (page: Page, path: string): Promise<unknown> => {
    const sent = page.waitForRequest(`**${path}`);
    await save(page);
    const body: unknown = (await sent).postDataJSON();
    await gone(page);
    return body;
  };
  const positions = await visit(`/position?project=${project.id}`);
  await positions.getByRole('button', { name: 'Настройки снятия' }).click();
  await dialogOf(positions).locator('input[name="daily_cap"]').fill('7');
  expect(await sentBy(positions, `/api/position_settings/${project.id}`)).toEqual({ daily_cap: 7 });
  const groups = await visit('/cloudflare-groups');
  await groups.getByRole('button', { name: 'Изменить: Группа' }).click();
  await dialogOf(groups).locator('input[name="name"]').fill('Группа 2');
  expect(await sentBy(groups, `/api/cloudflare_groups/${group}`)).toEqual({ name: 'Группа 2' });
  const users = await visit('/settings?section=users');
  await users.getByRole('button', { name: 'Изменить: vera' }).click();
  await dialogOf(users).getByRole('checkbox').uncheck({ force: true });
  expect(await sentBy(users, `/api/users/${user}`)).toEqual({ active: false });
});
