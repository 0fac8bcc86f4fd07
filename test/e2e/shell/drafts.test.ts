// Typed text outlives a session that the server has ended, in its tab and for its user.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPerson, PASSWORD, request, signIn, startServer, type TestServer } from '../../support/server.ts';
import { usePages } from '../support/page.ts';

const open = usePages();
let server: TestServer;
let login: string;
beforeAll(async () => {
  server = await startServer();
  ({ login } = await createPerson(server));
});
afterAll(() => server.close());

async function visit(path: string): Promise<{ page: Page; end: () => Promise<unknown> }> {
  const token = await signIn(server, login);
  const page = await open(server.url + path, { token, expected: /^403 / });
  const end = async () => {
    await request(server, 'POST /api/logout', { token, body: {} });
    await page.getByText('Сессия истекла. Войдите снова').waitFor();
  };
  return { page, end };
}

async function enter(page: Page, name = login): Promise<void> {
  await page.getByLabel('Login', { exact: true }).fill(name);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Login', exact: true }).click();
}

const stored = (page: Page) => page.evaluate(() => JSON.stringify(sessionStorage));

it('a form that was half filled is there again after the sign-in, and can be sent', async () => {
  const { page, end } = await visit('/sites?open=new');
  const name = page.getByRole('dialog').getByLabel('Домен', { exact: true });
  await name.fill('half-typed.example');
  await end();
  await enter(page);
  await expect.poll(() => name.inputValue()).toBe('half-typed.example');
  await expect.poll(() => stored(page)).not.toContain('half-typed');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('link', { name: 'half-typed.example' }).waitFor();
});

it.each(['', '/srv/half-typed'])(
  'the folder of a new domain is there again after the sign-in, typed as “%s”',
  async (typed) => {
    const { page, end } = await visit('/sites?open=new');
    const field = (label: string) => page.getByRole('dialog').getByLabel(label, { exact: true });
    const folder = field('Папка сайта на сервере');
    await field('Домен').fill('half-typed-folder.example');
    if (typed !== '') await folder.fill(typed);
    const shown = await folder.inputValue();
    expect(shown).toBe(typed || '/var/www/www-root/data/www/half-typed-folder.example');
    await end();
    await enter(page);
    await expect.poll(() => folder.inputValue()).toBe(shown);
  },
);

it('two tabs with the same form keep what was typed into each, whichever of them signs in', async () => {
  const { page, end } = await visit('/sites?open=new');
  const name = (tab: Page) => tab.getByRole('dialog').getByLabel('Домен', { exact: true });
  const other = await page.context().newPage();
  await other.goto(`${server.url}/sites?open=new`);
  await name(page).fill('first-tab.example');
  await name(other).fill('second-tab.example');
  await end();
  await other.getByText('Сессия истекла. Войдите снова').waitFor();
  await enter(page);
  await expect.poll(() => name(page).inputValue()).toBe('first-tab.example');
  await expect.poll(() => name(other).inputValue()).toBe('second-tab.example');
  for (const tab of [page, other]) await expect.poll(() => stored(tab)).not.toContain('-tab');
});

it('a secret is in no draft, and a draft is for no other user', async () => {
  const { page, end } = await visit('/servers?open=new');
  const name = page.getByRole('dialog').locator('[name="name"]');
  await name.fill('half-typed');
  await page.getByRole('dialog').locator('[name="ssh_password"]').fill('half-typed-secret');
  await end();
  expect(await stored(page)).toContain('half-typed');
  expect(await stored(page)).not.toContain('half-typed-secret');
  const other = await createPerson(server);
  await enter(page, other.login);
  await expect.poll(() => name.inputValue()).toBe('');
  await expect.poll(() => stored(page)).not.toContain('half-typed');
});

it('a list of names for the check is there again, and goes by a sign-out by hand', async () => {
  const { page, end } = await visit('/check-site');
  const field = page.getByRole('textbox', { name: 'Домены' });
  await field.fill('half-typed.example');
  await end();
  expect(await stored(page)).toContain('half-typed.example');
  await enter(page);
  await expect.poll(() => field.inputValue()).toBe('half-typed.example');
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.waitForURL(`${server.url}/login`);
  expect(await stored(page)).not.toContain('half-typed');
});
