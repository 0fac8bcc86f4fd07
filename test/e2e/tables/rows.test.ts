// The table editor by keyboard, under refusals and beside somebody else, and what can be taken back.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { execute, transaction } from '../../../db/index.ts';
import { createPerson, request, startServer, type Person, type TestServer } from '../../support/server.ts';
import { settled, usePages } from '../support/page.ts';

const open = usePages();
let server: TestServer;
let token: string;
let owner: Person;
beforeAll(async () => {
  server = await startServer();
  token = server.admin.token;
  owner = await createPerson(server);
});
afterAll(() => server.close());

type Row = Record<string, unknown> & { id: number };
const post = async (table: string, body: object): Promise<Row> =>
  (await request(server, `POST /api/tables/${table}`, { token, body })).body;
const stored = async (table: string, id: number): Promise<Row | undefined> =>
  (await request(server, `GET /api/tables/${table}?limit=1&id=${id}`, { token })).body.data[0];
const focusOf = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.id ?? '');

it('a row is edited and deleted by keys alone, where the table lets it, and the deletion is taken back', async () => {
  const row = await post('domains', { domain_name: 'keys-table.ru' });
  const page = await open(`${server.url}/tables?table=domains&search=keys-table`, { token });
  await page
    .getByRole('button', { name: `#${row.id}` })
    .first()
    .focus();
  const before = await focusOf(page);
  await page.keyboard.press('e');
  await page.getByRole('dialog').getByLabel('type', { exact: true }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await stored('domains', row.id)).toMatchObject({ type: 'transfer' });
  await expect.poll(() => focusOf(page)).toBe(before);
  await page.keyboard.press('Delete');
  await page.getByRole('alertdialog').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText(`Строка ${row.id} таблицы domains удалена`).waitFor();
  expect(await stored('domains', row.id)).toBeUndefined();
  const toast = page.locator('.toast').filter({ hasText: 'удалена' });
  await toast.getByRole('button', { name: 'Отменить' }).click();
  await page.getByText(`Строка ${row.id} таблицы domains возвращена`).waitFor();
  expect(await stored('domains', row.id)).toMatchObject({ domain_name: 'keys-table.ru' });
  await page.getByText('keys-table.ru', { exact: true }).first().waitFor();
});

it('Delete does nothing on a row of a table whose rows are not deleted', async () => {
  const page = await open(`${server.url}/tables?table=users`, { token });
  await page.getByRole('button', { name: '#1' }).first().focus();
  await page.keyboard.press('Delete');
  await page.keyboard.press('n');
  await settled(page);
  await expect.poll(() => page.getByRole('alertdialog').count()).toBe(0);
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  await page.keyboard.press('e');
  await page.getByRole('dialog').getByLabel('telegram').waitFor();
});

it('a deleted project comes back with its domains', async () => {
  const project = await post('projects', { name: 'Вернётся' });
  const domain = await post('domains', { domain_name: 'back-with-project.ru', project_id: project.id });
  const page = await open(`${server.url}/tables?table=projects&id=${project.id}`, { token });
  await page.getByRole('button', { name: new RegExp(`Удалить.*#${project.id}`) }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Удалить', exact: true }).click();
  await page.getByText('Ни одна строка не подходит').waitFor();
  expect(await stored('domains', domain.id)).toMatchObject({ project_id: null });
  await page.getByRole('button', { name: 'Отменить' }).click();
  await page.getByText('Вернётся', { exact: true }).waitFor();
  expect(await stored('domains', domain.id)).toMatchObject({ project_id: project.id });
});

it('an undo says what did not come back', async () => {
  const { body } = await request(server, 'POST /api/projects', { token: owner.token, body: { name: 'Чужой' } });
  const row = await post('domains', { domain_name: 'changes-hands.ru' });
  const page = await open(`${server.url}/tables?table=domains&id=${row.id}`, { token });
  await page
    .getByRole('button', { name: `#${row.id}` })
    .first()
    .click();
  await page.getByRole('dialog').getByLabel('project_id').selectOption(String(body.data.id));
  await page.getByRole('button', { name: 'Сохранить' }).click();
  await page.getByRole('button', { name: 'Отменить' }).click();
  await page.getByText('Прежние значения возвращены, кроме: user_id').waitFor();
  expect(await stored('domains', row.id)).toMatchObject({ project_id: null, user_id: owner.id });
});

it('an undo leaves a row that somebody has changed since, in a table without times of changes as well', async () => {
  const row = await post('projects', { name: 'Прежний' });
  const page = await open(`${server.url}/tables?table=projects&id=${row.id}`, { token, expected: /^409 / });
  await page.getByText('Прежний', { exact: true }).dblclick();
  await page.locator('.cell-editor').getByLabel('name', { exact: true }).fill('В ячейке');
  await page.keyboard.press('Enter');
  const undo = page.getByRole('button', { name: 'Отменить' });
  await undo.waitFor();
  await post('projects', { id: row.id, name: 'Чужая правка' });
  await undo.click();
  await page.getByText(/Не удалось вернуть прежние значения: Строку с тех пор изменили/).waitFor();
  expect(await stored('projects', row.id)).toMatchObject({ name: 'Чужая правка' });
  for (const isChanged of [true, false]) {
    await page.reload();
    const opener = page.getByRole('button', { name: `#${row.id}` });
    await opener.first().click();
    await page.getByRole('dialog').getByLabel('name', { exact: true }).fill('В форме');
    await page.getByRole('button', { name: 'Сохранить' }).click();
    await undo.waitFor();
    if (isChanged) await post('projects', { id: row.id, name: 'Чужая правка' });
    await undo.click();
    const told = isChanged ? /Не удалось изменить строку: Строку с тех пор изменили/ : 'Прежние значения возвращены';
    await page.getByText(told).waitFor();
    expect(await stored('projects', row.id)).toMatchObject({ name: 'Чужая правка' });
  }
});

it('an edit of a row that somebody has changed since is refused, and what was typed stays', async () => {
  const row = await post('domains', { domain_name: 'two-people.ru' });
  const page = await open(`${server.url}/tables?table=domains&id=${row.id}`, { token, expected: /^409 / });
  await page
    .getByRole('button', { name: `#${row.id}` })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('domain_name').fill('mine.ru');
  await post('domains', { id: row.id, domain_name: 'theirs.ru' });
  await dialog.getByRole('button', { name: 'Сохранить' }).click();
  await dialog.getByText('Не удалось изменить строку').waitFor();
  await dialog.getByText('Строку с тех пор изменили').waitFor();
  await expect.poll(() => dialog.getByLabel('domain_name').inputValue()).toBe('mine.ru');
  expect(await stored('domains', row.id)).toMatchObject({ domain_name: 'theirs.ru' });
  // Behind the dialog the row is shown as it is now, and opens so.
  await page.getByText('theirs.ru', { exact: true }).first().waitFor();
});

it('tells in the words of the specification that a row was not added or deleted', async () => {
  const used = await post('servers', {
    name: 'used',
    ssh_host: '192.0.2.5',
    ssh_user: 'root',
    ssh_password: 'secret-01234',
  });
  await post('domains', { domain_name: 'uses-server.ru', server_id: used.id });
  const page = await open(`${server.url}/tables?table=servers&id=${used.id}`, { token, expected: /^4(00|09) / });
  await page.getByRole('button', { name: new RegExp(`Удалить.*#${used.id}`) }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Удалить', exact: true }).click();
  const toast = page.locator('.toast');
  await toast.getByText(/^Failed to delete row: .*uses-server\.ru/).waitFor();
  await page.getByRole('button', { name: 'Добавить строку' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('name', { exact: true }).fill('typed');
  await dialog.getByRole('button', { name: 'Сохранить' }).click();
  await dialog.getByText('Failed to add row').waitFor();
  await expect.poll(() => dialog.getByLabel('name', { exact: true }).inputValue()).toBe('typed');
});

it('an administrator whose role was taken meanwhile is signed out, and writes nothing', async () => {
  const admin = await createPerson(server, 'admin');
  const row = await post('projects', { name: 'Под защитой' });
  const page = await open(`${server.url}/tables?table=projects&id=${row.id}`, {
    token: admin.token,
    expected: /^403 /,
  });
  await page
    .getByRole('button', { name: `#${row.id}` })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('name', { exact: true }).fill('Захвачен');
  await transaction(() => execute(`UPDATE users SET role = 'user' WHERE id = $id`, { id: admin.id }));
  await dialog.getByRole('button', { name: 'Сохранить' }).click();
  await page.getByText('Сессия истекла').waitFor();
  expect(await stored('projects', row.id)).toMatchObject({ name: 'Под защитой' });
});

it('accounts at the CDN are told by name, and choices of registrars too', async () => {
  const account = await post('cloudflare_accounts', { name: 'cdn', email: '', api_key: 'key-0123456789' });
  await transaction(() =>
    execute(`UPDATE cloudflare_accounts SET cf_accounts = $seen WHERE id = $id`, {
      id: account.id,
      seen: JSON.stringify([
        { id: 'a1', name: 'Первый' },
        { id: 'a2', name: 'Второй' },
      ]),
    }),
  );
  const registrar = await post('registrars', {
    type: 'porkbun.com',
    name: 'Свинка',
    login: 'l',
    password: 'secret-012345',
  });
  const page = await open(`${server.url}/tables?table=cloudflare_accounts`, { token });
  await page.getByText('Первый, Второй').waitFor();
  await page.goto(`${server.url}/tables?table=domains`);
  await page.getByRole('button', { name: 'Добавить строку' }).click();
  const field = page.getByRole('dialog').getByLabel('registrars_id');
  await field.selectOption({ label: `Свинка #${registrar.id}` });
  await expect.poll(() => field.inputValue()).toBe(String(registrar.id));
});
