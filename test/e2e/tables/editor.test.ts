import { expect, it } from 'vitest';
import { request } from '../../support/server.ts';
import { settled, usePages } from '../support/page.ts';
import { post, server, startTables, token } from './world.ts';

const open = usePages();
startTables();

it('an administrator chooses a table, finds a row, edits it, takes that back, and deletes it', async () => {
  const project = await post('projects', { name: 'Север' });
  const row = await post('domains', { domain_name: 'edited-table.ru', project_id: project.id });
  await post('domains', { domain_name: 'other-table.ru' });
  const page = await open(`${server.url}/tables`, { token, expected: /^400 \/api\/tables\/domains/ });
  await page.getByText('Выберите таблицу').waitFor();
  await page.getByRole('link', { name: 'domains', exact: true }).click();
  await page.getByText('2 строки').waitFor();
  await page.getByLabel('Поиск в строках').fill('edited');
  await page.getByText('1 строка').waitFor();
  await expect
    .poll(() => page.getByRole('link', { name: 'Север' }).getAttribute('href'))
    .toBe(`/tables?table=projects&id=${project.id}`);
  await page
    .getByRole('button', { name: new RegExp(`#${row.id}`) })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await expect.poll(() => dialog.getByLabel('domain_name').inputValue()).toBe('edited-table.ru');
  await dialog.getByLabel('domain_name').fill('not a name');
  await dialog.getByRole('button', { name: 'Сохранить' }).click();
  await dialog.getByRole('alert').waitFor();
  await expect.poll(() => dialog.getByLabel('domain_name').inputValue()).toBe('not a name');
  await dialog.getByLabel('domain_name').fill('renamed-table.ru');
  await dialog.getByLabel('type', { exact: true }).selectOption('transfer');
  await dialog.getByRole('button', { name: 'Сохранить' }).click();
  await page.getByText(`Строка ${row.id} таблицы domains сохранена`).waitFor();
  const stored = async () => (await request(server, `GET /api/domains/${row.id}`, { token })).body.data;
  expect(await stored()).toMatchObject({ domain_name: 'renamed-table.ru', type: 'transfer' });
  await page.getByRole('button', { name: 'Отменить' }).click();
  await page.getByText('Прежние значения возвращены').waitFor();
  expect(await stored()).toMatchObject({ domain_name: 'edited-table.ru', type: 'main', project_id: project.id });
  await settled(page);
  await page.getByRole('button', { name: new RegExp(`Удалить.*#${row.id}`) }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Удалить', exact: true }).click();
  await page.getByText(`Строка ${row.id} таблицы domains удалена`).waitFor();
  await page.getByText('Ни одна строка не подходит').waitFor();
});

it('a row is added with its references and choices, and a secret stays hidden', async () => {
  const page = await open(`${server.url}/tables?table=servers`, { token });
  await page.getByRole('button', { name: 'Добавить строку' }).click();
  const dialog = page.getByRole('dialog');
  for (const [name, value] of [
    ['name', 'srv-table'],
    ['ssh_host', '192.0.2.44'],
    ['ssh_user', 'root'],
    ['ssh_password', 'secret-0123456789'],
  ] as const) {
    await dialog.getByLabel(name, { exact: true }).fill(value);
  }
  await dialog.getByRole('button', { name: 'Сохранить' }).click();
  await page.getByText('srv-table').waitFor();
  await page.getByText('********').first().waitFor();
  expect(await page.content()).not.toContain('secret-0123456789');
});

it('tells in the words of the specification what could not be loaded', async () => {
  for (const [path, text] of [
    ['**/api/tables', 'Failed to fetch tables'],
    ['**/api/columns/*', 'Failed to fetch columns'],
    ['**/api/tables/projects?*', 'Failed to fetch rows'],
  ] as const) {
    const page = await open(`${server.url}/tables?table=projects`, {
      token,
      expected: /^500 \/api\/(?:tables|columns)/,
      prepare: (one) => one.route(path, (route) => route.fulfill({ status: 500, json: { error: 'x' } })),
    });
    await page.getByText(text).waitFor();
    expect(await page.getByText(text).count()).toBe(1);
  }
});

it('columns are hidden and shown again, and stay so', async () => {
  const page = await open(`${server.url}/tables?table=users`, { token });
  await page.getByRole('columnheader', { name: 'telegram' }).waitFor();
  await page.getByRole('button', { name: 'Колонки' }).click();
  await page.getByLabel('telegram', { exact: true }).uncheck({ force: true });
  await page.getByRole('columnheader', { name: 'telegram' }).waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('columnheader', { name: 'login' }).waitFor();
  expect(await page.getByRole('columnheader', { name: 'telegram' }).count()).toBe(0);
});
