import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startCdn, type Cdn } from '../support/cdn.ts';
import { settled, usePages } from './support/page.ts';

const open = usePages();
let cdn: Cdn;
let id: number;
beforeEach(async () => {
  cdn = await startCdn();
  id = await cdn.addDomain('one.com');
  cdn.addZone('one.com', ['A @ 198.51.100.1', 'CNAME www one.com', 'TXT @ hello', 'MX @ mail.one.com']);
});
afterEach(() => cdn.close());

const visit = (path: string, expected?: RegExp): Promise<Page> =>
  open(cdn.server.url + path, { token: cdn.server.admin.token, ...(expected && { expected }) });
const editor = (expected?: RegExp): Promise<Page> => visit(`/sites?dns=${id}`, expected);

const records = (zone = 'one.com'): string[] =>
  cdn
    .zone(zone)
    .records.map(({ type, name, content, proxied }) => `${type} ${name} ${content}${proxied ? ' proxied' : ''}`)
    // A TXT record may come quoted or not.
    .map((record) => record.replaceAll('"', ''))
    .toSorted();
const BEFORE = ['A one.com 198.51.100.1', 'CNAME www.one.com one.com', 'MX one.com mail.one.com', 'TXT one.com hello'];

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const field = (page: Page, name: string, record: number) =>
  page.getByRole('textbox', { name: `${name}, запись ${record}`, exact: true });
const typeOf = (page: Page, record: number) =>
  page.getByRole('combobox', { name: `Тип, запись ${record}`, exact: true });
const focusedName = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
const plan = (page: Page) => page.getByRole('heading', { name: 'Что изменится в зоне one.com' });

it('the editor shows the records, the read-only ones, the zone and its name servers', async () => {
  const page = await editor();
  const table = page.getByRole('table', { name: 'Записи: 3' });
  await table.waitFor();
  expect(await table.locator('thead th').allInnerTexts()).toEqual([
    'Изменение',
    'Тип',
    'Имя',
    'Контент',
    'Прокси',
    'Действия',
  ]);
  expect(await typeOf(page, 1).locator('option').allInnerTexts()).toEqual(['A', 'AAAA', 'CNAME', 'TXT', 'URI']);
  expect(await field(page, 'Имя', 1).inputValue()).toBe('@');
  expect(await page.getByText('mail.one.com').isVisible()).toBe(true);
  expect(await page.getByText('ada.ns.cloudflare.com, bob.ns.cloudflare.com').isVisible()).toBe(true);
  // A TXT record can't be proxied: no switch, and the reason.
  expect(await page.getByRole('checkbox', { name: 'Прокси, запись 2' }).count()).toBe(0);
  expect(await page.getByText('Через CDN идут только записи A, AAAA и CNAME').count()).toBe(1);
  expect(await page.getByRole('checkbox', { name: 'Прокси, запись 3' }).isChecked()).toBe(false);
});

it('a record that Cloudflare manages is locked, and others are saved beside it', async () => {
  Object.assign(cdn.zone('one.com').records[1] ?? {}, { meta: { read_only: true } });
  const page = await editor();
  const locked = page.getByRole('row', { name: 'CNAME www one.com' });
  expect(await locked.innerText()).toContain('ведёт Cloudflare');
  expect(await locked.getByRole('textbox').count()).toBe(0);
  await field(page, 'Контент', 1).fill('198.51.100.2');
  await button(page, 'Просмотреть и сохранить').click();
  await plan(page).waitFor();
  await button(page, 'Сохранить: 1 изменение').click();
  await page.getByText('Записи DNS сохранены: one.com').waitFor();
  expect(records()).toContain('A one.com 198.51.100.2');
  expect(records()).toContain('CNAME www.one.com one.com');
});

it('records are added, changed and deleted by keyboard, shown as a plan, saved and restored', async () => {
  const page = await visit('/sites');
  await button(page, 'DNS: one.com').press('Enter');
  await button(page, 'Добавить запись').press('Enter');
  await expect.poll(() => focusedName(page)).toBe('Имя, запись 4');
  await expect.poll(() => typeOf(page, 4).inputValue()).toBe('A');
  await expect.poll(() => page.getByRole('checkbox', { name: 'Прокси, запись 4' }).isChecked()).toBe(false);
  await page.keyboard.type('new');
  await field(page, 'Контент', 4).fill('198.51.100.4');
  await field(page, 'Контент', 1).fill('198.51.100.9');
  await page.keyboard.press('Enter');
  await expect.poll(() => focusedName(page)).toBe('Контент, запись 2');
  await typeOf(page, 2).focus();
  await page.keyboard.press('Delete');
  await expect.poll(() => field(page, 'Контент', 2).isDisabled()).toBe(true);
  await page.getByRole('checkbox', { name: 'Прокси, запись 3' }).check({ force: true });
  await page.getByText('+1 ±2 −1').waitFor();

  await page.keyboard.press('Control+KeyS');
  await plan(page).waitFor();
  const lines = await page.locator('.plan-lines li').allInnerTexts();
  expect(lines.map((line) => line.replace(/\s+/g, ' ')).toSorted()).toEqual([
    'Изменение A one.com: 198.51.100.1 → 198.51.100.9',
    'Изменение CNAME www.one.com: one.com → one.com, через CDN',
    'Создание A new.one.com → 198.51.100.4',
    'Удаление TXT one.com → hello',
  ]);
  expect(records()).toEqual(BEFORE);
  await button(page, 'Сохранить: 4 изменения').press('Enter');
  await page.getByText('Записи DNS сохранены: one.com').waitFor();
  expect(records()).toEqual([
    'A new.one.com 198.51.100.4',
    'A one.com 198.51.100.9',
    'CNAME www.one.com one.com proxied',
    'MX one.com mail.one.com',
  ]);
  await button(page, 'Вернуть прежние записи').click();
  await page.getByText('Прежние записи возвращены: one.com').waitFor();
  expect(records()).toEqual(BEFORE);
  await settled(page);
  await expect.poll(() => field(page, 'Контент', 1).inputValue()).toBe('198.51.100.1');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expect.poll(() => focusedName(page)).toBe('DNS: one.com');
});

it('a missing value and one that does not fit the type are reported at their field', async () => {
  const page = await editor();
  await button(page, 'Добавить запись').click();
  await button(page, 'Просмотреть и сохранить').click();
  await page.getByRole('alert').getByText('Пожалуйста, заполните все обязательные поля.', { exact: true }).waitFor();
  await expect.poll(() => page.getByText('Введите имя', { exact: true }).isVisible()).toBe(true);
  await expect.poll(() => page.getByText('Введите контент', { exact: true }).isVisible()).toBe(true);
  await expect.poll(() => focusedName(page)).toBe('Имя, запись 4');
  await page.keyboard.type('new');
  await field(page, 'Контент', 4).fill('not an address');
  await button(page, 'Просмотреть и сохранить').click();
  await page.getByText('Исправьте отмеченные записи: 1').waitFor();
  await expect.poll(() => page.getByText('Нужен адрес IPv4, например 203.0.113.10').isVisible()).toBe(true);
  await typeOf(page, 4).selectOption('TXT');
  await button(page, 'Просмотреть и сохранить').click();
  await plan(page).waitFor();
});

it('Ctrl+Z undoes edits, and closing asks before unsaved ones are lost', async () => {
  const page = await editor();
  await field(page, 'Контент', 1).fill('198.51.100.9');
  await button(page, 'Удалить: запись 3').click();
  await page.keyboard.press('Control+KeyZ');
  await expect.poll(() => field(page, 'Контент', 3).isDisabled()).toBe(false);
  await page.keyboard.press('Escape');
  const question = page.getByRole('alertdialog');
  await question.getByText('Закрыть без сохранения?').waitFor();
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  await field(page, 'Контент', 1).focus();
  await page.keyboard.press('Control+KeyZ');
  await expect.poll(() => field(page, 'Контент', 1).inputValue()).toBe('198.51.100.1');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(new URL(page.url()).search).toBe('');
});

it('edits are kept if the zone has changed meanwhile, and the changes are shown', async () => {
  const page = await editor(/^409 \/api\/domain_dns\/\d+\/plan$/);
  await field(page, 'Контент', 1).fill('198.51.100.9');
  await field(page, 'Контент', 2).fill('mine');
  const zone = cdn.zone('one.com');
  zone.records = zone.records.filter(({ type }) => type !== 'TXT');
  for (const record of zone.records) {
    if (record.type === 'A') record.content = '198.51.100.77';
    if (record.type === 'CNAME') record.content = 'other.com';
  }
  await page.keyboard.press('Control+KeyS');
  const note = page.getByRole('alert').filter({ hasText: 'Зона one.com за это время изменилась' });
  await note.waitFor();
  await expect
    .poll(() => note.locator('li').allInnerTexts())
    .toEqual([
      expect.stringContaining('198.51.100.1 → 198.51.100.77 – ваша правка заменит это'),
      expect.stringContaining('hello – ваша правка создаст запись заново'),
      expect.stringContaining('CNAME www.one.com: one.com → other.com'),
    ]);
  await expect.poll(() => field(page, 'Контент', 1).inputValue()).toBe('198.51.100.9');
  await expect.poll(() => field(page, 'Контент', 3).inputValue()).toBe('other.com');
  await page.keyboard.press('Control+KeyS');
  await plan(page).waitFor();
  await page.keyboard.press('Control+Enter');
  await page.getByText('Записи DNS сохранены: one.com').waitFor();
  expect(records()).toEqual([
    'A one.com 198.51.100.9',
    'CNAME www.one.com other.com',
    'MX one.com mail.one.com',
    'TXT one.com mine',
  ]);
});

it('all records are deleted only after the numbers were confirmed', async () => {
  const page = await editor();
  for (const record of [1, 2, 3]) await button(page, `Удалить: запись ${record}`).click();
  await button(page, 'Просмотреть и сохранить').click();
  await page.getByText('Будет удалено 3 из 3 записей.').waitFor();
  await button(page, 'Сохранить: 3 изменения').click();
  const question = page.getByRole('alertdialog');
  await question.getByText('Удалить 3 из 3 записей зоны one.com?').waitFor();
  expect(records()).toEqual(BEFORE);
  await question.getByRole('button', { name: 'Удалить 3 из 3' }).click();
  await page.getByText('Записи DNS сохранены: one.com').waitFor();
  expect(records()).toEqual(['MX one.com mail.one.com']);
});

it('copying on transfer is switched without changing a record', async () => {
  const page = await editor();
  await page.getByRole('checkbox', { name: 'Копировать при переносе' }).check({ force: true });
  await button(page, 'Просмотреть и сохранить').click();
  await page.getByText('Копирование при переносе включается.').waitFor();
  await button(page, 'Сохранить: 1 изменение').click();
  await page.getByText('Записи DNS сохранены: one.com').waitFor();
  expect((await cdn.call(`GET /api/domains/${id}`)).body.data).toMatchObject({ transfer_dns: 'on' });
  expect(records()).toEqual(BEFORE);
});

it('only the visible records of a large zone are rendered, any is found, and one is added at its end', async () => {
  const big = await cdn.addDomain('big.com');
  cdn.addZone(
    'big.com',
    Array.from({ length: 300 }, (_, index) => `A host${index} 198.51.100.${index % 250}`),
  );
  const page = await visit(`/sites?dns=${big}`);
  expect(await page.getByRole('table', { name: 'Записи: 300' }).getAttribute('aria-rowcount')).toBe('301');
  expect(await page.locator('[data-key]').count()).toBeLessThan(60);
  await page.getByRole('searchbox', { name: 'Найти запись' }).fill('host299');
  await page.getByRole('table', { name: 'Записи: 1' }).waitFor();
  await page.getByRole('searchbox', { name: 'Найти запись' }).fill('');
  await page.getByRole('table', { name: 'Записи: 300' }).waitFor();
  await page.locator('.add-record').evaluate((element: HTMLElement) => element.click());
  await expect.poll(() => focusedName(page)).toBe('Имя, запись 301');
});

it('a domain without an account links to the DNS form', async () => {
  const none = await cdn.addDomain('none.com', { cloudflare_account_id: null });
  const page = await visit(`/sites?dns=${none}`, /^409 \/api\/domain_dns\/\d+$/);
  await page.getByText('Не удалось загрузить записи DNS').waitFor();
  expect(await page.getByRole('dialog').getByRole('link', { name: 'Сменить DNS…' }).getAttribute('href')).toBe(
    '/dns?domain=none.com',
  );
});
