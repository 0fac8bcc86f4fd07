// Work on many domains of the list: what is chosen, what a plan says, and what has changed in the database.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { execute, select, transaction } from '../../../db/index.ts';
import { request, startServer, type TestServer } from '../../support/server.ts';
import { faultsOf } from '../support/audit.ts';
import { settled, usePages } from '../support/page.ts';
import { seedDomains, seedProjects } from '../support/portfolio.ts';

const COUNT = 260;
const nameOf = (index: number): string => `site-${String(index).padStart(3, '0')}.example`;

const open = usePages();
let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await seedProjects(server.admin.id, ['Первый', 'Второй']);
});
afterAll(() => server.close());
beforeEach(async () => {
  await transaction(() => execute('DELETE FROM domains'));
  const seeds = Array.from({ length: COUNT }, (_, index) => ({
    domain_name: nameOf(index),
    project_id: 1,
    status: index % 2 === 0 ? ('blocked' as const) : ('available' as const),
  }));
  await seedDomains(server.admin.id, seeds);
});

const visit = (path: string, more: object = {}) => open(server.url + path, { token: server.admin.token, ...more });
const inProject = async (id: number): Promise<number> =>
  (await select('SELECT id FROM domains WHERE deleted_at IS NULL AND project_id = $id', { id })).length;
const bar = (page: Page) => page.getByRole('toolbar', { name: 'Выбранные домены' });
const press = (page: Page, name: string | RegExp) => bar(page).getByRole('button', { name }).click();
/** Chooses a value in the dialog, and waits for what it would change. */
async function plan(page: Page, value: string, changes: string): Promise<void> {
  await page.getByRole('dialog').getByRole('combobox').selectOption({ label: value });
  await page.getByRole('dialog').getByText(changes).first().waitFor();
}
const submit = (page: Page) => page.getByRole('dialog').locator('button[type="submit"]');

it('x begins with the row that has the focus; a range has the rows that were never loaded; Esc gives them free', async () => {
  const page = await visit('/sites');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await bar(page).getByText(`Выбрано 1 из ${COUNT}`).waitFor();
  expect(await page.getByRole('checkbox', { name: nameOf(1) }).isChecked()).toBe(true);
  await page.locator('.rows').evaluate((rows) => rows.scrollTo(0, rows.scrollHeight));
  const last = page.getByRole('checkbox', { name: nameOf(COUNT - 1) });
  await last.waitFor();
  await last.click({ modifiers: ['Shift'], force: true });
  await bar(page)
    .getByText(`Выбрано ${COUNT - 1} из ${COUNT}`)
    .waitFor();
  await page.keyboard.press('Escape');
  await bar(page).waitFor({ state: 'detached' });
});

it.each(['Control+a', 'Meta+a'])(
  '%s chooses all by the filter, from the list or once a row is chosen',
  async (keys) => {
    const page = await visit('/sites?status=blocked');
    const marked = () => page.evaluate(() => getSelection()?.toString() ?? '');
    await page.locator('.domains .rows').focus();
    await page.keyboard.press(keys);
    await bar(page).getByText('Выбрано 130 из 130').waitFor();
    await bar(page).getByText('Заблокированы').waitFor();
    expect(await marked()).toBe('');
    // Rows that were given free are chosen again.
    await page.getByRole('checkbox', { name: nameOf(2) }).uncheck({ force: true });
    await bar(page).getByText('Выбрано 129 из 130').waitFor();
    await page.keyboard.press(keys);
    await bar(page).getByText('Выбрано 130 из 130').waitFor();
    await page.keyboard.press('Escape');
    await bar(page).waitFor({ state: 'detached' });

    await page.getByRole('checkbox', { name: nameOf(0) }).check({ force: true });
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press(keys);
    await bar(page).getByText('Выбрано 130 из 130').waitFor();
  },
);

it('Ctrl+A in a field and outside of the list stays the browser’s; the help tells of it', async () => {
  const page = await visit('/sites');
  const field = page.getByRole('searchbox').first();
  await field.fill('site-00');
  await settled(page);
  await field.press('Control+a');
  expect(
    await field.evaluate((input: HTMLInputElement) => (input.selectionEnd ?? 0) - (input.selectionStart ?? 0)),
  ).toBe(7);
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('Control+a');
  expect(await page.evaluate(() => getSelection()?.toString().length)).toBeGreaterThan(100);
  expect(await bar(page).count()).toBe(0);
  await page.keyboard.press('Shift+Slash');
  await page.getByRole('dialog').getByText('Выбрать все строки списка по фильтру').waitFor();
});

it('all by a filter but one go to another project, and come back', async () => {
  const page = await visit('/sites?status=blocked');
  await page.getByRole('checkbox', { name: nameOf(0) }).check({ force: true });
  await press(page, 'Все 130 по фильтру');
  await bar(page).getByText('Заблокированы').waitFor();
  await page.getByRole('checkbox', { name: nameOf(2) }).uncheck({ force: true });
  await bar(page).getByText('Выбрано 129 из 130').waitFor();
  await press(page, 'Проект…');
  await plan(page, 'Второй', 'Изменится: 129');
  await settled(page);
  expect(await faultsOf(page)).toEqual([]);
  await submit(page).dblclick();
  await page.getByText('Изменено: 129 доменов').waitFor();
  expect(await inProject(2)).toBe(129);
  await bar(page).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Вернуть' }).click();
  await page.getByText('Возвращено: 129').waitFor();
  expect(await inProject(2)).toBe(0);
});

it.each([0, 3010])(
  'the box of the head chooses the rows in sight alone where the list is scrolled to %d',
  async (top) => {
    const page = await visit('/sites');
    await page.locator('.rows').evaluate((rows, at) => rows.scrollTo(0, at), top);
    await page
      .locator('.list-foot')
      .getByText(top === 0 ? /^Строки 1–/ : /^Строки 7[56]–/)
      .waitFor();
    await settled(page);
    const [, first, last] = /^Строки (\d+)–(\d+) /.exec(await page.locator('.list-foot').innerText()) ?? [];
    const count = Number(last) - Number(first) + 1;
    await page.getByRole('checkbox', { name: 'Выбрать строки на экране' }).click({ force: true });
    await bar(page).getByText(`Выбрано ${count} из ${COUNT}`).waitFor();
    expect(await page.getByRole('checkbox', { name: nameOf(Number(first) - 1) }).isChecked()).toBe(true);
    expect(await page.locator('tbody input:checked').count()).toBe(count);
    await page.getByRole('checkbox', { name: 'Выбрать строки на экране' }).click({ force: true });
    await bar(page).waitFor({ state: 'detached' });
  },
);

it('four presses give fifty names another server', async () => {
  const body = { name: 'srv-new', ssh_host: '192.0.2.9', ssh_user: 'root', ssh_password: 'a password' };
  const { id } = (await request(server, 'POST /api/servers', { token: server.admin.token, body })).body.data;
  const page = await visit('/sites?status=blocked&search=site-0');
  await page.getByRole('checkbox', { name: nameOf(0) }).waitFor();
  await page.getByRole('checkbox', { name: 'Выбрать все строки' }).click({ force: true });
  await bar(page).getByText('Выбрано 50 из 50').waitFor();
  await press(page, 'Сервер…');
  await plan(page, 'srv-new', 'Изменится: 50');
  await submit(page).click();
  await page.getByText('Изменено: 50 доменов').waitFor();
  expect(await select('SELECT id FROM domains WHERE server_id = $id', { id })).toHaveLength(50);
});

it('where others are found by the filter than the plan said, nothing is done and the new plan is shown', async () => {
  const page = await visit('/sites?status=blocked', { expected: /^409/ });
  await page.getByRole('checkbox', { name: nameOf(0) }).check({ force: true });
  await press(page, 'Все 130 по фильтру');
  await press(page, 'Проект…');
  await plan(page, 'Второй', 'Изменится: 130');
  await seedDomains(server.admin.id, [{ domain_name: 'late.example', project_id: 1, status: 'blocked' }]);
  await submit(page).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('выбор изменился: теперь в нём 131').waitFor();
  await dialog.getByText('Изменится: 131').first().waitFor();
  expect(await inProject(2)).toBe(0);
  // The old name was written down; the new plan holds.
  await submit(page).click();
  await page.getByText('Изменено: 131').waitFor();
  expect(await inProject(2)).toBe(131);
});

it('on a phone many are deleted only with their number, and names that are gone are told', async () => {
  const page = await visit('/sites', { width: 390 });
  await page.getByRole('checkbox', { name: nameOf(0) }).check({ force: true });
  await settled(page);
  expect(await faultsOf(page)).toEqual([]);
  await press(page, `Все ${COUNT} по фильтру`);
  await press(page, 'Ещё');
  await page.getByRole('button', { name: 'Удалить…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(`Изменится: ${COUNT}`).first().waitFor();
  await submit(page).click();
  expect(await inProject(1)).toBe(COUNT);
  await dialog.getByRole('textbox').fill(String(COUNT));
  await submit(page).click();
  await page.getByText(`Удалено: ${COUNT}`).waitFor();
  expect(await inProject(1)).toBe(0);
});

it('of work outside it is said which domains are not reached, and why; a check goes on among the operations', async () => {
  const page = await visit('/sites?status=blocked');
  await page.getByRole('checkbox', { name: nameOf(0) }).check({ force: true });
  await press(page, 'Перенести…');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Менять нечего').waitFor();
  await dialog.getByText('Останется как есть: 1.').waitFor();
  expect(await submit(page).isDisabled()).toBe(true);
  await settled(page);
  expect(await faultsOf(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await press(page, 'Проверить…');
  await dialog.getByText('Будет сделано: 1').waitFor();
  await submit(page).click();
  await page.getByRole('link', { name: 'Ход и результаты – в операциях' }).waitFor();
  expect(await select("SELECT id FROM operations WHERE kind = 'check'")).toHaveLength(1);
});
