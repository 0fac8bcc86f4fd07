// The line to the server: it goes, comes back, falls silent, and has another version.
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createPerson, request, startServer, type TestServer } from '../../support/server.ts';
import { faultsNow } from '../support/audit.ts';
import { settled, usePages } from '../support/page.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startServer();
});
afterEach(() => server.close());
// Hooks after a test run in reverse order: its pages are closed before their server.
const open = usePages();

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
  // The typed text stays with its form, and can be sent when the server is back.
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
  // All that the page loads must be here before the server goes.
  await settled(page);
});

const GONE = /^404 \/assets\/|dynamically imported module/;

/** Takes a part of the interface away, as an update does; returns what puts it back. */
async function takeAway(page: Page, part: string): Promise<() => Promise<void>> {
  const files = new RegExp(`/assets/${part}-[\\w-]+\\.js$`);
  await page.route(files, (route) => route.fulfill({ status: 404, body: 'Not found' }));
  return () => page.unroute(files);
}

it('a screen whose files an update has taken away says so in its place, and a reload brings it', async () => {
  const page = await open(`${server.url}/log`, { token: server.admin.token, expected: GONE });
  await settled(page);
  const putBack = await takeAway(page, 'Domains');
  // The other screen opens by its keys.
  await page.keyboard.press('KeyG');
  await page.keyboard.press('KeyS');
  const message = page.locator('main').getByRole('alert');
  await message.getByText('Не удалось показать эту страницу').waitFor();
  await page.getByRole('link', { name: 'Главная' }).waitFor();
  await expect.poll(() => faultsNow(page)).toEqual([]);
  await putBack();
  await message.getByRole('button', { name: 'Обновить страницу' }).click();
  await page.getByRole('heading', { name: 'Все сайты' }).waitFor();
});

it('a part of the frame that an update has taken away leaves the screen as it is; what is typed outlives the reload', async () => {
  const page = await open(`${server.url}/check-site`, { token: server.admin.token, expected: GONE });
  await settled(page);
  const names = page.locator('main textarea');
  await names.fill('typed.example');
  const putBack = await takeAway(page, 'Palette');
  await page.keyboard.press('Control+KeyK');
  const message = page.getByRole('alert');
  await message.getByText('Не удалось показать эту страницу').waitFor();
  await expect.poll(() => names.inputValue()).toBe('typed.example');
  await putBack();
  const loaded = page.waitForEvent('load');
  await message.getByRole('button', { name: 'Обновить страницу' }).click();
  await loaded;
  await expect.poll(() => names.inputValue()).toBe('typed.example');
});

/** Runs in the page: whether the cross stands right of the text, at the height of its first line. */
function isInFirstLine(bar: Element): boolean {
  const [text, cross] = [...bar.children].map((part) => part.getBoundingClientRect());
  return text !== undefined && cross !== undefined && cross.left >= text.right && cross.top < text.top + 20;
}

it('an administrator is told once that the server runs another version than is installed', async () => {
  let answer = { installed: '9.1.0', newer: [] as string[] };
  const prepare = (page: Page) =>
    page.route('**/api/health', async (route) => {
      // Also asked for while the server ends.
      const response = await route.fetch().catch(() => null);
      if (!response) return route.abort();
      return route.fulfill({ response, json: { ...((await response.json()) as object), ...answer } });
    });
  const page = await open(`${server.url}/log`, { token: server.admin.token, prepare });
  const bar = page.locator('.connection');
  await bar.getByText(/^Установлена версия 9\.1\.0, а сервер работает на /).waitFor();
  await expect.poll(() => faultsNow(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => bar.locator('.connection-bar').evaluate(isInFirstLine)).toBe(true);
  await bar.getByRole('button', { name: 'Закрыть' }).click();
  await expect.poll(() => bar.textContent()).toBe('');
  await page.reload();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await settled(page);
  await expect.poll(() => bar.textContent()).toBe('');
  // The next version is told of again.
  answer = { ...answer, newer: ['9999-more'] };
  await page.reload();
  await bar.getByText('Установлена версия 9.1.0').waitFor();

  const person = await createPerson(server);
  const other = await open(`${server.url}/sites`, { token: person.token, prepare });
  await other.getByRole('heading', { level: 1 }).waitFor();
  await settled(other);
  await expect.poll(() => other.locator('.connection').textContent()).toBe('');
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
