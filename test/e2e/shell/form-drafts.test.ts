// The forms beside those of domains, and drafts that are older than what they are about.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PASSWORD, request, signIn, startServer, type TestServer } from '../../support/server.ts';
import { usePages } from '../support/page.ts';

const open = usePages();
let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await request(server, 'POST /api/projects', { token: server.admin.token, body: { name: 'Drafts' } });
});
afterAll(() => server.close());

async function visit(path: string): Promise<{ page: Page; end: () => Promise<unknown> }> {
  const token = await signIn(server, server.admin.login);
  const page = await open(server.url + path, { token, expected: /^403 / });
  const end = async () => {
    await request(server, 'POST /api/logout', { token, body: {} });
    await page.getByText('Сессия истекла. Войдите снова').waitFor();
  };
  return { page, end };
}

async function enter(page: Page): Promise<void> {
  await page.getByLabel('Login', { exact: true }).fill(server.admin.login);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Login', exact: true }).click();
}

const stored = (page: Page) => page.evaluate(() => JSON.stringify(sessionStorage));
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

interface Form {
  path: string;
  /** Opens it where it is a dialog. */
  opener?: string;
  /** Typed texts by label. */
  typed: Record<string, string>;
}

const FORMS: Form[] = [
  {
    path: '/settings?section=notices',
    typed: { Название: 'half-typed-hook', 'Адрес вызова': 'https://half-typed.example/hook', 'Тихо с': '21:15' },
  },
  { path: '/settings?section=tokens', opener: 'Новый токен', typed: { Название: 'half-typed-token' } },
  {
    path: '/settings?section=caps',
    opener: 'Задать лимиты',
    typed: { 'Всего за день, RUB': '1234,5' },
  },
  {
    path: '/projects?project=1',
    opener: 'Автопокупка',
    typed: { 'Шаблон имени': 'half{1|2}.ru', 'Сколько резервов держать': '7' },
  },
  {
    path: '/tables?table=domains',
    opener: 'Добавить строку',
    typed: { domain_name: 'half-typed-row.ru', file_path: '/half/typed' },
  },
];

it.each(FORMS)('text that was typed on $path is there again after the sign-in', async ({ path, opener, typed }) => {
  const { page, end } = await visit(path);
  const field = (label: string) => page.getByLabel(label, { exact: true });
  if (opener !== undefined) await button(page, opener).click();
  for (const [label, text] of Object.entries(typed)) await field(label).fill(text);
  await end();
  await enter(page);
  if (opener !== undefined) await button(page, opener).click();
  for (const [label, text] of Object.entries(typed)) await expect.poll(() => field(label).inputValue()).toBe(text);
  await expect.poll(() => stored(page)).not.toContain('typed');
});

it('a budget that was typed in another currency is there again in that currency', async () => {
  const { page, end } = await visit('/settings?section=caps');
  await button(page, 'Задать лимиты').click();
  await page.getByLabel('Валюта', { exact: true }).selectOption('USD');
  await page.getByLabel('Всего за день, USD', { exact: true }).fill('77');
  await end();
  await enter(page);
  await button(page, 'Задать лимиты').click();
  await expect.poll(() => page.getByLabel('Всего за день, USD', { exact: true }).inputValue()).toBe('77');
});

it('the password of a new user is in no draft, the login is', async () => {
  const { page, end } = await visit('/admin');
  await page.getByLabel('Login', { exact: true }).fill('half-typed-login');
  await page.getByLabel('Password', { exact: true }).fill('half-typed-secret');
  await end();
  expect(await stored(page)).toContain('half-typed-login');
  expect(await stored(page)).not.toContain('half-typed-secret');
  await enter(page);
  await expect.poll(() => page.getByLabel('Login', { exact: true }).inputValue()).toBe('half-typed-login');
  expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('');
});

it('a field that somebody has changed meanwhile is not written over by a draft, which a message tells', async () => {
  const { token } = server.admin;
  const body = { domain_name: 'draft-older.ru', file_path: '/srv/before' };
  const { id } = (await request(server, 'POST /api/tables/domains', { token, body })).body;
  const { page, end } = await visit(`/tables?table=domains&search=draft-older`);
  // Named by its number and its action.
  const row = (on: Page) => on.getByRole('button', { name: `#${id}` });
  const edit = async () => {
    await row(page).first().focus();
    await page.keyboard.press('e');
  };
  const form = page.getByRole('dialog');
  await edit();
  await form.getByLabel('file_path', { exact: true }).fill('/srv/typed-by-me');
  await form.getByLabel('domain_name', { exact: true }).fill('draft-mine.ru');
  await end();
  const now = (await request(server, `GET /api/tables/domains?limit=1&id=${id}`, { token })).body.data[0];
  const change = { id, updated_at: now.updated_at, file_path: '/srv/by-somebody-else' };
  await request(server, 'POST /api/tables/domains', { token, body: change });
  await enter(page);
  await row(page).first().waitFor();
  await edit();
  await page.getByText('Введённое до входа не подставлено: /srv/typed-by-me').waitFor();
  await expect.poll(() => form.getByLabel('domain_name', { exact: true }).inputValue()).toBe('draft-mine.ru');
  expect(await form.getByLabel('file_path', { exact: true }).inputValue()).toBe('/srv/by-somebody-else');
});

it('the draft of a second tab is kept as well where the session ends in the first', async () => {
  const { page, end } = await visit('/check-site');
  const other = await page.context().newPage();
  await other.goto(`${server.url}/check-site`);
  const list = (tab: Page) => tab.getByRole('textbox', { name: 'Домены' });
  await list(page).fill('first-tab.example');
  await list(other).fill('second-tab.example');
  await end();
  await other.waitForURL(/\/login/);
  await enter(page);
  await expect.poll(() => list(page).inputValue()).toBe('first-tab.example');
  await other.waitForURL(/\/check-site/);
  await expect.poll(() => list(other).inputValue()).toBe('second-tab.example');
});
