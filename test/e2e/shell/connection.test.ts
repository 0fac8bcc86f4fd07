// The line to the server: it goes, comes back, falls silent, and has another version.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { request, startServer, type TestServer } from '../../support/server.ts';
import { settled, usePages } from '../support/page.ts';

const open = usePages();
let server: TestServer;
beforeEach(async () => {
  server = await startServer();
});
afterEach(() => server.close());

const addDomain = (domain_name: string) =>
  request(server, 'POST /api/domains', { token: server.admin.token, body: { domain_name } });

it('a server that has gone is told of, what is shown stays, and all is read anew when it is back', async () => {
  await addDomain('before.example');
  const page = await open(`${server.url}/sites`, { token: server.admin.token });
  const names = page.locator('tbody a.domain-name');
  await expect.poll(() => names.allTextContents()).toEqual(['before.example']);
  await settled(page);
  await page.getByRole('button', { name: 'Добавить домен' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Домен', { exact: true }).fill('typed.example');
  const start = await server.pause();
  const bar = page.locator('.connection').getByText('Нет связи с сервером');
  await bar.waitFor();
  expect(await names.allTextContents()).toEqual(['before.example']);
  // What was being typed stays with its form, and can be sent when the server is back.
  await page.keyboard.press('Control+Enter');
  await dialog.getByText('Сервер недоступен, проверьте соединение').waitFor();
  await start();
  await addDomain('after.example');
  await bar.waitFor({ state: 'detached' });
  await expect.poll(() => names.allTextContents()).toContain('after.example');
  expect(await dialog.getByLabel('Домен', { exact: true }).inputValue()).toBe('typed.example');
  await page.keyboard.press('Control+Enter');
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => names.allTextContents()).toContain('typed.example');
});

it('another version of the interface is offered when the server is back, and no reload is forced', async () => {
  const page = await open(`${server.url}/projects`, { token: server.admin.token });
  await settled(page);
  await page.route(`${server.url}/`, async (route) => {
    // Also asked for while the server is away.
    const answer = await route.fetch().catch(() => null);
    if (!answer) return route.abort();
    const body = (await answer.text()).replace(/src="\/assets\/[^"]+\.js"/, 'src="/assets/of-tomorrow.js"');
    return route.fulfill({ response: answer, body });
  });
  const start = await server.pause();
  await page.locator('.connection').getByText('Нет связи с сервером').waitFor();
  await start();
  await expect.poll(() => page.locator('.connection').textContent()).toContain('Вышла новая версия');
  const loaded = page.waitForEvent('load');
  await page.locator('.connection').getByRole('button', { name: 'Обновить страницу' }).click();
  await loaded;
});

it('without a network the page says so at once, and goes on by itself', async () => {
  const page = await open(`${server.url}/projects`, { token: server.admin.token });
  await settled(page);
  await page.context().setOffline(true);
  const bar = page.locator('.connection').getByText('Нет связи с сервером');
  await bar.waitFor();
  await page.context().setOffline(false);
  await expect.poll(() => bar.count()).toBe(0);
});
