// Cells of the table editor: walked by keys, edited in their place, copied and pasted as spreadsheets do, and taken back.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { faultsOf } from '../support/audit.ts';
import { holdCalls } from '../support/hold.ts';
import { settled, usePages } from '../support/page.ts';
import { seedDomains } from '../support/portfolio.ts';
import { cell, field, paste } from './cells.ts';
import { post, server, startTables, stored, token, type Row } from './world.ts';

const open = usePages();
startTables();

const focused = (page: Page): Promise<string | null> =>
  page.evaluate(() => document.activeElement?.getAttribute('data-place') ?? null);
/** Returns what copying at the focus puts on the clipboard. */
const copied = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const clipboardData = new DataTransfer();
    document.activeElement?.dispatchEvent(new ClipboardEvent('copy', { clipboardData, bubbles: true }));
    return clipboardData.getData('text/plain');
  });

it('a cell is edited in its place by keys alone, a refusal leaves what was typed, and Ctrl+Z takes it back', async () => {
  const project = await post('projects', { name: 'Запад' });
  const row = await post('domains', { domain_name: 'cell.ru' });
  const page = await open(`${server.url}/tables?table=domains&id=${row.id}`, { token, expected: /^400 / });
  await (await cell(page, 'domain_name')).focus();
  await page.keyboard.press('Enter');
  await field(page, 'domain_name').fill('not a name');
  await page.keyboard.press('Enter');
  await page.locator('.cell-error').waitFor();
  await expect.poll(() => field(page, 'domain_name').inputValue()).toBe('not a name');
  expect(await faultsOf(page, [1280])).toEqual([]);
  await field(page, 'domain_name').fill('cell-renamed.ru');
  await page.keyboard.press('Enter');
  await field(page, 'domain_name').waitFor({ state: 'detached' });
  await expect.poll(() => focused(page)).toBe(await (await cell(page, 'domain_name')).getAttribute('data-place'));
  await expect.poll(() => stored('domains', row.id)).toMatchObject({ domain_name: 'cell-renamed.ru' });

  await page.keyboard.press('F2');
  await field(page, 'domain_name').fill('never.ru');
  await page.keyboard.press('Escape');
  await field(page, 'domain_name').waitFor({ state: 'detached' });
  expect(await stored('domains', row.id)).toMatchObject({ domain_name: 'cell-renamed.ru' });

  await (await cell(page, 'type')).dblclick();
  await field(page, 'type').selectOption('transfer');
  await page.keyboard.press('Tab');
  await expect.poll(() => stored('domains', row.id)).toMatchObject({ type: 'transfer' });

  await (await cell(page, 'project_id')).focus();
  await page.keyboard.press('Enter');
  await field(page, 'project_id').fill('зап');
  await page.getByRole('option', { name: 'Запад' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Запад' }).waitFor();
  await expect.poll(() => stored('domains', row.id)).toMatchObject({ project_id: project.id });

  for (const was of [{ project_id: null }, { type: 'main' }, { domain_name: 'cell.ru' }]) {
    await (await cell(page, 'id')).focus();
    await page.keyboard.press('Control+z');
    await expect.poll(() => stored('domains', row.id)).toMatchObject(was);
  }
  await page.keyboard.press('Control+z');
  await page.getByText('Отменять нечего').waitFor();
});

it('a cell that is opened while another one is being saved stays open, and what could not be saved there is told', async () => {
  const row = await post('domains', { domain_name: 'slow-save.ru' });
  const page = await open(`${server.url}/tables?table=domains&id=${row.id}`, { token, expected: /^500 / });
  for (const isRefused of [false, true]) {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/tables/domains', async (route) => {
      if (route.request().method() === 'GET') return route.continue();
      await held;
      return isRefused ? route.fulfill({ status: 500, json: {} }) : route.continue();
    });
    await (await cell(page, 'type')).dblclick();
    await field(page, 'type').selectOption(isRefused ? 'main' : 'transfer');
    await page.keyboard.press('Tab');
    await (await cell(page, 'domain_name')).focus();
    await page.keyboard.press('Enter');
    await field(page, 'domain_name').fill('typed-meanwhile.ru');
    release();
    await page.getByText(isRefused ? '«main» не сохранено: type строки' : 'Сохранено: type строки').waitFor();
    await settled(page);
    await expect.poll(() => field(page, 'domain_name').inputValue()).toBe('typed-meanwhile.ru');
    expect(await stored('domains', row.id)).toMatchObject({ type: 'transfer', domain_name: 'slow-save.ru' });
    await page.keyboard.press('Escape');
    await field(page, 'domain_name').waitFor({ state: 'detached' });
    await page.unrouteAll({ behavior: 'wait' });
  }
});

it('two cells of a row that are written in quick turn, and two quick Ctrl+Z, are not taken for somebody else’s', async () => {
  const row = await post('domains', { domain_name: 'quick.ru' });
  const page = await open(`${server.url}/tables?table=domains&id=${row.id}`, { token });
  const releaseWrites = await holdCalls(page, 'POST', '**/api/tables/domains');
  await (await cell(page, 'type')).dblclick();
  await field(page, 'type').selectOption('transfer');
  await page.keyboard.press('Enter');
  await (await cell(page, 'domain_name')).dblclick();
  await field(page, 'domain_name').fill('quick-too.ru');
  await page.keyboard.press('Enter');
  releaseWrites();
  await expect
    .poll(() => stored('domains', row.id), { timeout: 10_000 })
    .toMatchObject({ type: 'transfer', domain_name: 'quick-too.ru' });
  await field(page, 'domain_name').waitFor({ state: 'detached' });
  await settled(page);

  await (await cell(page, 'id')).focus();
  const releaseUndo = await holdCalls(page, 'POST', '**/api/tables/domains');
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  releaseUndo();
  await expect
    .poll(() => stored('domains', row.id), { timeout: 10_000 })
    .toMatchObject({ type: 'main', domain_name: 'quick.ru' });
  await settled(page);
  await expect.poll(() => page.getByText('Прежние значения возвращены, кроме').count()).toBe(0);
});

it('a cell of a row that somebody has changed since shows their value, and writes over it when that is confirmed', async () => {
  const row = await post('domains', { domain_name: 'both.ru' });
  const page = await open(`${server.url}/tables?table=domains&id=${row.id}`, { token, expected: /^409 / });
  await (await cell(page, 'domain_name')).dblclick();
  await field(page, 'domain_name').fill('mine-cell.ru');
  await post('domains', { id: row.id, domain_name: 'theirs-cell.ru' });
  await page.keyboard.press('Enter');
  await page.getByText('теперь здесь: theirs-cell.ru').waitFor();
  await expect.poll(() => field(page, 'domain_name').inputValue()).toBe('mine-cell.ru');
  expect(await stored('domains', row.id)).toMatchObject({ domain_name: 'theirs-cell.ru' });
  await field(page, 'domain_name').press('Enter');
  await field(page, 'domain_name').waitFor({ state: 'detached' });
  expect(await stored('domains', row.id)).toMatchObject({ domain_name: 'mine-cell.ru' });
});

it('a block from a spreadsheet is shown before it is written; what can’t be written is refused, and each row has its result', async () => {
  const names = ['paste-a.ru', 'paste-b.ru', 'paste-c.ru'];
  const rows: Row[] = [];
  for (const name of names) rows.push(await post('domains', { domain_name: name }));
  const project = await post('projects', { name: 'Из таблицы' });
  const page = await open(`${server.url}/tables?table=domains&search=paste-`, { token, expected: /^400 / });
  await (await cell(page, 'domain_name')).focus();
  const headers = (await page.getByRole('columnheader').allInnerTexts()).map((text) => text.trim());
  const between = headers.slice(headers.indexOf('domain_name') + 1, headers.indexOf('type'));
  const lines = [
    ['paste-a.ru', 'transfer'],
    ['not a name', 'main'],
    ['paste-c2.ru', 'both'],
    ['paste-d.ru', 'main'],
  ];
  const block = lines.map(([name = '', type = ''], index) => {
    const former = between.map((column) => {
      const value = rows[index]?.[column];
      return typeof value === 'string' ? value : '';
    });
    return [name, ...former, type].join('\t');
  });
  await paste(page, `${block.join('\r\n')}\r\n`);
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Изменится ячеек: 3, в 3 строках.').waitFor();
  await dialog.getByText('Такого значения здесь нет').waitFor();
  await dialog.getByText('Ниже последней строки писать некуда').waitFor();
  expect(await faultsOf(page, [1280])).toEqual([]);
  expect(await stored('domains', rows[0]?.id ?? 0)).toMatchObject({ type: 'main' });
  await dialog.getByRole('button', { name: 'Записать 3 строки' }).click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByRole('button', { name: 'Записать 1 строку' }).waitFor();
  expect(await stored('domains', rows[0]?.id ?? 0)).toMatchObject({ type: 'transfer' });
  expect(await stored('domains', rows[1]?.id ?? 0)).toMatchObject({ domain_name: 'paste-b.ru' });
  expect(await stored('domains', rows[2]?.id ?? 0)).toMatchObject({ domain_name: 'paste-c2.ru', type: 'main' });
  await page.getByRole('button', { name: 'Отмена', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });

  // A single value fills the chosen block; a name stands for its row.
  await (await cell(page, 'project_id')).focus();
  await page.keyboard.press('Shift+ArrowDown');
  await paste(page, 'Из таблицы');
  await dialog.getByRole('button', { name: 'Записать 2 строки' }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => stored('domains', rows[1]?.id ?? 0)).toMatchObject({ project_id: project.id });
  expect(await stored('domains', rows[2]?.id ?? 0)).toMatchObject({ project_id: null });
  await page.locator('[data-place="0:0"]').focus();
  await page.keyboard.press('Control+z');
  await expect.poll(() => stored('domains', rows[1]?.id ?? 0)).toMatchObject({ project_id: null });
  await page.keyboard.press('Control+z');
  await expect.poll(() => stored('domains', rows[2]?.id ?? 0)).toMatchObject({ domain_name: 'paste-c.ru' });
  expect(await stored('domains', rows[0]?.id ?? 0)).toMatchObject({ type: 'main' });
});

it('a secret is neither copied nor pasted, and a log has no cell that is written', async () => {
  const account = await post('servers', {
    name: '=cmd',
    ssh_host: '192.0.2.9',
    ssh_user: 'root',
    ssh_password: 'secret-cells-01',
  });
  const page = await open(`${server.url}/tables?table=servers&id=${account.id}`, { token });
  await (await cell(page, 'name')).focus();
  await page.keyboard.press('Shift+End');
  const text = await copied(page);
  expect(text.startsWith("'=cmd\t")).toBe(true);
  expect(text).not.toContain('secret-cells-01');
  await (await cell(page, 'ssh_password')).focus();
  await paste(page, 'another-secret');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Секреты вводятся только в форме строки').waitFor();
  await expect.poll(() => dialog.getByRole('button', { name: /^Записать/ }).isDisabled()).toBe(true);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await (await cell(page, 'id')).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('.cell-editor').count()).toBe(0);
});

it('arrows, Home, End and Page keys walk the cells of a list of any length', async () => {
  const names = Array.from({ length: 20_000 }, (_, index) => ({ domain_name: `walk-${index}.ru` }));
  await seedDomains(server.admin.id, names);
  const page = await open(`${server.url}/tables?table=domains`, { token });
  const grid = page.getByRole('grid');
  const total = Number(await grid.getAttribute('aria-rowcount')) - 1;
  expect(total).toBeGreaterThan(19_000);
  await page.locator('[data-place="0:0"]').focus();
  const go = async (key: string, place: string): Promise<void> => {
    await page.keyboard.press(key);
    await expect.poll(() => focused(page), { message: key }).toBe(place);
  };
  await go('ArrowRight', '0:1');
  await go('ArrowDown', '1:1');
  await go('PageDown', '11:1');
  await go('Home', '11:0');
  await go('ArrowLeft', '11:0');
  const last = (await page.getByRole('columnheader').count()) - 1;
  await go('Control+End', `${total - 1}:${last}`);
  expect(await page.locator('tbody tr').count()).toBeLessThan(100);
  const row = page.locator(`tr[aria-rowindex="${total + 1}"]`);
  await row.waitFor();
  await go('ArrowDown', `${total - 1}:${last}`);
  await go('Control+Home', '0:0');
});
