// Unsaved text is not lost without a question: by Back, by a link, by a reload; or it is there again.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startCdn, type Cdn } from '../../support/cdn.ts';
import { settled, usePages } from '../support/page.ts';

const open = usePages();
let cdn: Cdn;
let id: number;
beforeAll(async () => {
  cdn = await startCdn();
  id = await cdn.addDomain('one.com');
  await cdn.addDomain('none.com', { cloudflare_account_id: null });
  cdn.addZone('one.com', ['A @ 198.51.100.1', 'TXT @ hello']);
});
afterAll(() => cdn.close());

const visit = (path: string): Promise<Page> => open(cdn.server.url + path, { token: cdn.server.admin.token });
const question = (page: Page) => page.getByRole('alertdialog').filter({ hasText: 'Закрыть без сохранения?' });
const answer = (page: Page, name: string) => question(page).getByRole('button', { name, exact: true }).click();
const form = (page: Page) => page.getByRole('dialog').last();
const pathOf = (page: Page): string => new URL(page.url()).pathname + new URL(page.url()).search;

/** Whether the browser would ask before the window closes or loads anew. */
const asksOnReload = (page: Page): Promise<boolean> =>
  page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })));

interface Dirty {
  what: string;
  /** The key after `g` of the screen that opens it. */
  from: string;
  open: (page: Page) => Promise<unknown>;
  field: (page: Page) => ReturnType<Page['getByRole']>;
  typed: string;
}

const DIALOGS: Dirty[] = [
  {
    what: 'the records of a zone',
    from: 'KeyS',
    open: (page) => page.getByRole('button', { name: 'DNS: one.com' }).click(),
    field: (page) => page.getByRole('textbox', { name: 'Контент, запись 1', exact: true }),
    typed: '198.51.100.9',
  },
  {
    what: 'a new domain',
    from: 'KeyS',
    open: (page) => page.getByRole('button', { name: 'Добавить домен' }).click(),
    field: (page) => form(page).getByLabel('Домен', { exact: true }),
    typed: 'half-typed.example',
  },
  {
    what: 'a domain',
    from: 'KeyS',
    open: (page) => page.getByRole('button', { name: 'Изменить: one.com' }).click(),
    field: (page) => form(page).getByLabel('Оплачен до'),
    typed: '2031-05-05',
  },
  {
    what: 'names to attach to a zone',
    from: 'KeyS',
    open: async (page) => {
      await page.getByRole('button', { name: 'Ещё: one.com' }).click();
      await page.getByRole('button', { name: 'Правила', exact: true }).click();
      await page.getByRole('tab', { name: 'Привязать домены' }).click();
    },
    field: (page) => page.getByRole('textbox', { name: 'Домены', exact: true }),
    typed: 'half-typed.example',
  },
  {
    what: 'a server',
    from: 'KeyV',
    open: (page) => page.getByRole('button', { name: 'Добавить' }).first().click(),
    field: (page) => form(page).locator('[name="name"]'),
    typed: 'half-typed',
  },
];

it.each(DIALOGS)('$what: Back and a reload ask before what was typed is lost', async ({ from, open, field, typed }) => {
  const page = await visit('/');
  await page.keyboard.press('KeyG');
  await page.keyboard.press(from);
  await settled(page);
  await open(page);
  const before = await page.evaluate(() => location.href);
  await settled(page);
  expect(await asksOnReload(page)).toBe(false);
  await field(page).fill(typed);
  await expect.poll(() => asksOnReload(page)).toBe(true);
  await page.evaluate(() => history.back());
  await question(page).waitFor();
  await answer(page, 'Остаться');
  await question(page).waitFor({ state: 'detached' });
  expect(page.url()).toBe(before);
  expect(await field(page).inputValue()).toBe(typed);
  await page.evaluate(() => history.back());
  await answer(page, 'Закрыть без сохранения');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await settled(page);
  expect(await asksOnReload(page)).toBe(false);
});

it('Back on the address of a dialog asks, and leaves the page once it is confirmed', async () => {
  const page = await visit('/check-site');
  await page.keyboard.press('KeyG');
  await page.keyboard.press('KeyS');
  await settled(page);
  await page.keyboard.press('KeyN');
  const name = form(page).getByLabel('Домен', { exact: true });
  await name.fill('half-typed.example');
  await page.evaluate(() => history.back());
  await question(page).waitFor();
  expect(pathOf(page)).toBe('/sites?open=new');
  await page.keyboard.press('Escape');
  await question(page).waitFor({ state: 'detached' });
  expect(await name.inputValue()).toBe('half-typed.example');
  await page.evaluate(() => history.back());
  await answer(page, 'Закрыть без сохранения');
  await page.waitForURL(`${cdn.server.url}/check-site`);
  await page.evaluate(() => history.forward());
  await page.waitForURL(`${cdn.server.url}/sites?open=new`);
  await expect.poll(() => name.inputValue()).toBe('');
});

it('a link asks before it leaves what was typed in a dialog, and leads on once it is confirmed', async () => {
  const page = await visit(`/sites?rules=${id}`);
  await page.getByRole('tab', { name: 'Привязать домены' }).click();
  await page.getByRole('textbox', { name: 'Домены', exact: true }).fill('half-typed.example');
  const follow = () => page.locator('a[href="/"]').first().dispatchEvent('click', { button: 0 });
  await follow();
  await answer(page, 'Остаться');
  await question(page).waitFor({ state: 'detached' });
  expect(pathOf(page)).toBe(`/sites?rules=${id}`);
  await follow();
  await answer(page, 'Закрыть без сохранения');
  await page.waitForURL(`${cdn.server.url}/`);
});

it('a saved dialog closes and its address goes back without a question', async () => {
  const page = await visit('/sites');
  await page.getByRole('button', { name: 'Изменить: one.com' }).click();
  await form(page).getByLabel('Оплачен до').fill('2032-05-05');
  await form(page).getByRole('button', { name: 'Сохранить' }).click();
  await page.getByText('Домен сохранён: one.com').waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expect.poll(() => pathOf(page)).toBe('/sites');
  expect(await page.getByRole('alertdialog').count()).toBe(0);
});

it('the login of a new user is there again after another screen and after a reload, which asks; the password is not', async () => {
  const page = await visit('/admin');
  const field = (label: string) => page.getByLabel(label, { exact: true });
  await field('Login').fill('half-typed');
  await field('Password').fill('half-typed-secret');
  expect(await asksOnReload(page)).toBe(true);
  await page.getByRole('link', { name: 'Главная' }).click();
  await page.waitForURL(`${cdn.server.url}/`);
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('secret');
  expect(await asksOnReload(page)).toBe(false);
  await page.evaluate(() => history.back());
  await expect.poll(() => field('Login').inputValue()).toBe('half-typed');
  expect(await field('Password').inputValue()).toBe('');
  await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pagehide')));
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).toContain('half-typed');
});

it('a list for the check is there again after another screen and after a reload', async () => {
  const page = await visit('/check-site');
  const list = page.getByRole('textbox', { name: 'Домены' });
  await list.fill('half-typed.example\nother.example');
  await page.getByRole('link', { name: 'Главная' }).click();
  await page.waitForURL(`${cdn.server.url}/`);
  await page.evaluate(() => history.back());
  await expect.poll(() => list.inputValue()).toBe('half-typed.example\nother.example');
  await page.reload();
  await expect.poll(() => list.inputValue()).toBe('half-typed.example\nother.example');
  await list.fill('');
  await page.getByRole('link', { name: 'Главная' }).click();
  await page.waitForURL(`${cdn.server.url}/`);
  await page.evaluate(() => history.back());
  await settled(page);
  expect(await list.inputValue()).toBe('');
});
