import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPerson, startServer, type TestServer } from '../support/server.ts';
import { settled, usePages } from './support/page.ts';
import { seedPortfolio } from './support/portfolio.ts';

// Checks the specification's strings where they are shown (spec/strings.tsv); test/shared/strings.test.ts covers all.

const open = usePages();
let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await seedPortfolio(server.admin.id);
});
afterAll(() => server.close());

const visit = (path: string, width?: number) => open(server.url + path, { token: server.admin.token, width });
const texts = async (page: Page, selector: string): Promise<string[]> =>
  (await page.locator(selector).allInnerTexts()).map((text) => text.trim());

it('Login stands in three places', async () => {
  const page = await open(`${server.url}/login`);
  expect(await texts(page, 'h1')).toEqual(['Login']);
  expect(await texts(page, 'label')).toEqual(['Login', 'Password']);
  expect(await texts(page, 'form button[type=submit]')).toEqual(['Login']);
});

it('the menu has the specified groups and screens', async () => {
  const page = await visit('/');
  expect(await texts(page, '.nav-list > li')).toEqual(['Главная', 'Сайты', 'Инструменты', 'Аккаунты', 'Админ']);
  await page.getByRole('button', { name: 'Сайты' }).click();
  await page.getByRole('link', { name: 'Все сайты' }).waitFor();
  await expect.poll(() => texts(page, '.bp6-menu a')).toContain('Проекты');
  await expect.poll(() => page.getByRole('button', { name: 'Logout' }).count()).toBe(1);
});

it('the menu has the specified names of its screens in both languages', async () => {
  const GROUPS: Record<'ru' | 'en', Record<string, string[]>> = {
    ru: {
      Сайты: ['Проекты', 'Проверка позиций', 'Все сайты'],
      Инструменты: ['Добавление в Cloudflare', 'Проверка доменов'],
      Аккаунты: [
        'Аккаунты Cloudflare',
        'Группы Cloudflare',
        'Серверы',
        'Регистраторы',
        'XMLRiver',
        'Arsenkin',
        'Шаблоны',
      ],
      Админ: ['Создать пользователя', 'Таблицы'],
    },
    en: {
      Sites: ['Projects', 'Position check', 'All sites'],
      Tools: ['Adding to the CDN/DNS provider', 'Domain check'],
      Accounts: ['Servers', 'Registrars', 'Templates'],
      Admin: ['Create user', 'Tables'],
    },
  };
  for (const lang of ['ru', 'en'] as const) {
    const page = await open(server.url, { token: server.admin.token, lang });
    for (const [group, names] of Object.entries(GROUPS[lang])) {
      await page.getByRole('button', { name: group, exact: true }).click();
      await page.getByRole('link', { name: names[0], exact: true }).waitFor();
      expect(await texts(page, '.bp6-menu a')).toEqual(expect.arrayContaining(names));
      await page.keyboard.press('Escape');
      await page.locator('.bp6-menu').waitFor({ state: 'detached' });
    }
  }
});

it('the narrow menu has the headings of groups with entries', async () => {
  const headings = async (token: string): Promise<string[]> => {
    const page = await open(server.url, { token, width: 390 });
    await page.getByRole('button', { name: 'Меню' }).click();
    await page.getByRole('button', { name: 'Logout' }).waitFor();
    const box = await page.locator('.narrow-menu').boundingBox();
    expect(box?.width).toBe(250);
    expect(box?.height).toBeLessThanOrEqual(400);
    return texts(page, '.narrow-heading');
  };
  expect(await headings(server.admin.token)).toEqual(['Sites', 'Tools', 'Accounts', 'Admin']);
  expect(await headings((await createPerson(server)).token)).toEqual(['Sites', 'Tools', 'Accounts']);
});

it('the dashboard has the specified buttons, lists and columns', async () => {
  const page = await visit('/');
  const buttons = ['Add Telegram Username', 'Check Domains', 'Disable All Tls1.3', 'Manage Under Attack Mode'];
  expect(await texts(page, '.screen-actions button')).toEqual(buttons);
  expect(await texts(page, '.domain-list h2')).toEqual(['Заблокированные', 'Нерабочие', 'Истекающие', 'Все домены']);
  await page.getByRole('button', { name: 'Все домены' }).click();
  const all = page.locator('.domain-list').last();
  await all.getByText('old-check.org').waitFor();
  const columns = ['Domain', 'Project', 'Mode', 'Type', 'RKN', 'Status', 'Date added'];
  await expect.poll(() => all.locator('th').allInnerTexts()).toEqual(columns);
  const expiring = page.locator('.domain-list').nth(2);
  await expect
    .poll(async () => (await expiring.locator('th').allInnerTexts()).slice(0, 8))
    .toEqual([...columns, 'Expiry date']);
  const cells = await all.locator('tbody').innerText();
  for (const word of ['No Project', 'Automatically', 'Manually', 'Основной', 'Резервный', 'blocked']) {
    expect(cells).toContain(word);
  }
});

it('the Telegram dialog has the specified sentences', async () => {
  const page = await visit('/');
  await page.getByRole('button', { name: 'Add Telegram Username' }).click();
  await page.getByLabel('Telegram', { exact: true }).fill('@ivan_seo');
  await page.getByRole('button', { name: 'Submit' }).click();
  await page
    .getByText('Telegram username updated successfully. Please run /reg in the Telegram bot.', { exact: true })
    .waitFor();
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
});

it('a Telegram name typed before the stored one arrived is kept', async () => {
  const page = await visit('/check-site');
  let answer = (): void => undefined;
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/session', async (route) => {
    await asked;
    await route.continue();
  });
  await page.getByRole('link', { name: 'Главная' }).click();
  await page.getByRole('button', { name: 'Add Telegram Username' }).click();
  const field = page.getByLabel('Telegram', { exact: true });
  await field.fill('typed_early');
  const answered = page.waitForResponse('**/api/session');
  answer();
  await answered;
  await settled(page);
  await expect.poll(() => field.inputValue()).toBe('typed_early');
});

it('a check that did not start shows the specified sentence', async () => {
  const page = await open(server.url, { token: server.admin.token, expected: /^500 \/api\/trigger_background_task$/ });
  await page.route('**/api/trigger_background_task', (route) => route.fulfill({ status: 500, json: {} }));
  await page.getByRole('button', { name: 'Check Domains' }).click();
  const toast = page.getByRole('alert').filter({ hasText: 'Failed to trigger domain check' });
  await toast.waitFor();
  await expect.poll(() => toast.innerText()).toContain('Failed to trigger domain check');
});

it('creating a user reports the user, or why none was created', async () => {
  const page = await open(`${server.url}/admin`, { token: server.admin.token, expected: /^500 \/api\/users$/ });
  const form = page.locator('form');
  expect(await form.locator('label').allInnerTexts()).toEqual(['Login', 'Password', 'Telegram', 'Role']);
  expect(await form.getByLabel('Role').inputValue()).toBe('user');
  expect(await form.getByLabel('Role').getAttribute('readonly')).not.toBeNull();
  await form.getByLabel('Login').fill('ivan');
  await form.getByLabel('Password', { exact: true }).fill('long enough');
  await form.getByRole('button', { name: 'Create' }).click();
  await page.getByText(/^User created with ID: \d+$/).waitFor();
  await page.route('**/api/users', (route) => route.fulfill({ status: 500, json: {} }));
  await form.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Error creating user', { exact: true }).waitFor();
  expect(await page.getByText(/User created with ID/).count()).toBe(0);
});
