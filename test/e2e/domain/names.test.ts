// Errors of a domain's form for a name that can't be one: the real reason, once, and nothing about fields that nobody has touched.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { execute, transaction } from '../../../db/index.ts';
import { request, startServer, type TestServer } from '../../support/server.ts';
import { usePages } from '../support/page.ts';

const open = usePages();
let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const dialogOf = (page: Page) => page.getByRole('dialog');
const nameOf = (page: Page) => dialogOf(page).getByLabel('Домен', { exact: true });

it.each([
  ['http://xx.ru/path', 'Incorrect URL'],
  ['1.2.3.4', 'Incorrect URL'],
  ['www.a_b.ru', 'Incorrect URL'],
  ['a_b.ru', 'Имя домена может содержать только буквы, цифры и дефис'],
  ['nozone', 'Домен должен содержать точку и зону, например .com'],
  ['-bad.ru', 'Имя домена не может начинаться или заканчиваться дефисом'],
  ['a.b-', 'Имя домена не может начинаться или заканчиваться дефисом'],
])('a new domain %s: “%s”', async (name, reason) => {
  const { token } = server.admin;
  const page = await open(`${server.url}/sites`, { token });
  await page.getByRole('button', { name: 'Добавить домен' }).first().click();
  await nameOf(page).fill(name);
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => nameOf(page).getAttribute('aria-invalid')).toBe('true');
  await dialogOf(page).getByText(reason, { exact: true }).first().waitFor();
  expect(await dialogOf(page).getByText(reason, { exact: true }).count()).toBe(1);
  expect(await dialogOf(page).locator('[aria-invalid="true"]').count()).toBe(1);
  await nameOf(page).fill('good-name.ru');
  const path = dialogOf(page).getByLabel('Папка сайта на сервере');
  await expect.poll(() => path.inputValue()).toBe('/var/www/www-root/data/www/good-name.ru');
});

it('an older domain whose name no new one gets is edited', async () => {
  const { token } = server.admin;
  const { id } = (await request(server, 'POST /api/domains', { token, body: { domain_name: 'old.ru' } })).body.data;
  await transaction(() => execute("UPDATE domains SET domain_name = 'old-.ru' WHERE id = $id", { id }));
  const page = await open(`${server.url}/sites?domain=${id}`, { token });
  await dialogOf(page).getByLabel('Оплачен до').fill('2030-02-01');
  await page.keyboard.press('Control+Enter');
  await dialogOf(page).waitFor({ state: 'detached' });
  const { data } = (await request(server, `GET /api/domains/${id}`, { token })).body;
  expect(data).toMatchObject({ domain_name: 'old-.ru', expired_at: '2030-02-01T00:00:00.000Z' });
});
