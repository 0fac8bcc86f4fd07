// Forms that are opened again begin with what is stored by then, not with an earlier answer.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { request, startServer, type TestServer } from '../../support/server.ts';
import { usePages } from '../support/page.ts';

const open = usePages();
let server: TestServer;
const servers: number[] = [];
let id: number;
let name: string;
let made = 0;
const ask = async (call: string, body?: object) =>
  (await request(server, call, { token: server.admin.token, ...(body && { body }) })).body;

beforeAll(async () => {
  server = await startServer();
  for (const one of ['Alpha', 'Beta']) {
    const body = { name: one, ssh_host: '192.0.2.9', ssh_user: 'root', ssh_password: 'a password' };
    servers.push((await ask('POST /api/servers', body)).data.id);
  }
});
afterAll(() => server.close());
beforeEach(async () => {
  made += 1;
  name = `again-${made}.com`;
  id = (await ask('POST /api/domains', { domain_name: name, server_id: servers[0] })).data.id;
});

const visit = (path: string, expected?: RegExp): Promise<Page> =>
  open(server.url + path, { token: server.admin.token, ...(expected && { expected }) });
const chosen = (page: Page) => page.getByRole('dialog').getByRole('combobox', { name: 'Сервер' });
async function close(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}
const act = async (page: Page, action: string): Promise<void> => {
  await page.getByRole('button', { name: `Ещё: ${name}` }).click();
  await page.getByRole('button', { name: action, exact: true }).click();
};

it('the form of a domain does not say that it has no server where the servers could not be loaded', async () => {
  const page = await open(`${server.url}/sites?domain=${id}`, {
    token: server.admin.token,
    expected: /^500 /,
    prepare: (one) => one.route('**/api/servers', (route) => route.fulfill({ status: 500, json: { error: 'x' } })),
  });
  await expect.poll(() => chosen(page).getAttribute('placeholder')).toBe('Не удалось загрузить список серверов');
});

it('the form of a domain shows the server that it was given meanwhile, or that it could not be loaded', async () => {
  const page = await visit(`/sites?domain=${id}`, /^500 /);
  await expect.poll(() => chosen(page).inputValue()).toBe('Alpha');
  await close(page);
  await ask(`POST /api/domains/${id}`, { server_id: servers[1] });
  const edit = page.getByRole('button', { name: `Изменить: ${name}` });
  await edit.click();
  await chosen(page).waitFor();
  expect(await chosen(page).inputValue()).toBe('Beta');
  await close(page);
  // The page reads by itself as well: until the button is pressed it gets no answer either.
  await page.route(`**/api/domains/${id}`, async (route) => {
    const isPressed = await page.evaluate(() => document.body.dataset['pressed'] !== undefined);
    await (isPressed ? route.continue() : route.fulfill({ status: 500, json: { error: 'x' } }));
  });
  await edit.click();
  const again = page.getByRole('dialog').getByRole('button', { name: 'Повторить' });
  await again.waitFor();
  expect(await chosen(page).count()).toBe(0);
  await page.evaluate(() => {
    document.addEventListener('click', () => (document.body.dataset['pressed'] = 'yes'), true);
  });
  await again.click();
  await expect.poll(() => chosen(page).inputValue()).toBe('Beta');
});

it('domains are attached to the server that a domain has by now', async () => {
  const page = await visit(`/sites?rules=${id}`, /^409 \/api\/domain_page_rules/);
  const tab = page.getByRole('tab', { name: 'Привязать домены' });
  await tab.click();
  await expect.poll(() => chosen(page).inputValue()).toMatch(/^Alpha/);
  await close(page);
  await ask(`POST /api/domains/${id}`, { server_id: servers[1] });
  await act(page, 'Правила');
  await tab.click();
  await chosen(page).waitFor();
  expect(await chosen(page).inputValue()).toMatch(/^Beta/);
});

it('the settings of positions are those that somebody else has saved meanwhile', async () => {
  const { id: projectId } =
    (await ask('POST /api/projects', { name: 'Север' })).data ?? (await ask('GET /api/user_projects')).data[0];
  const page = await visit(`/position?project=${projectId}`, /^500 /);
  const cap = page.getByRole('dialog').locator('input[name="daily_cap"]');
  const press = () => page.getByRole('button', { name: 'Настройки снятия' }).click();
  await press();
  await cap.waitFor();
  const before = await cap.inputValue();
  await close(page);
  const call = `/api/position_settings/${projectId}`;
  const { data } = await ask(`GET ${call}`);
  const { yandex_region, google_region, device, depth, every_days, source } = data;
  const body = { yandex_region, google_region, device, depth, every_days, source, daily_cap: Number(before) + 7 };
  await ask(`PUT ${call}`, body);
  await press();
  await cap.waitFor();
  expect(await cap.inputValue()).toBe(String(Number(before) + 7));
  await close(page);
  await page.route(`**${call}`, (route) => route.fulfill({ status: 500, json: { error: 'x' } }));
  await press();
  await page.getByRole('dialog').getByRole('button', { name: 'Повторить' }).waitFor();
});
