// A cell of a row that somebody has changed meanwhile, in a table whose rows have no time of their last change.
import { expect, it } from 'vitest';
import { usePages } from '../support/page.ts';
import { cell, field } from './cells.ts';
import { post, server, startTables, stored, token } from './world.ts';

const open = usePages();
startTables();

it('a cell that somebody has changed since shows their value, and writes over it when that is confirmed', async () => {
  const row = await post('projects', { name: 'Было' });
  const page = await open(`${server.url}/tables?table=projects&id=${row.id}`, { token, expected: /^409 / });
  await (await cell(page, 'name')).dblclick();
  await field(page, 'name').fill('Моё');
  await post('projects', { id: row.id, name: 'Чужое' });
  await page.keyboard.press('Enter');
  await page.getByText('теперь здесь: Чужое').waitFor();
  expect(await field(page, 'name').inputValue()).toBe('Моё');
  expect(await stored('projects', row.id)).toMatchObject({ name: 'Чужое' });
  await page.keyboard.press('Enter');
  await expect.poll(() => stored('projects', row.id)).toMatchObject({ name: 'Моё' });
});

it('a form of a row does not write over another value, and leaves other fields to whoever changed them', async () => {
  const row = await post('projects', { name: 'Было' });
  const page = await open(`${server.url}/tables?table=projects&id=${row.id}`, { token, expected: /^409 / });
  await page
    .getByRole('button', { name: `#${row.id}` })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('name', { exact: true }).fill('Моё');
  await post('projects', { id: row.id, name: 'Чужое' });
  await dialog.getByRole('button', { name: 'Сохранить' }).click();
  await dialog.getByText('Строку с тех пор изменили').waitFor();
  expect(await stored('projects', row.id)).toMatchObject({ name: 'Чужое' });
});

it('own edits of one cell, one after another and back to what it was, are nobody else’s', async () => {
  const row = await post('projects', { name: 'а' });
  const page = await open(`${server.url}/tables?table=projects&id=${row.id}`, { token });
  for (const name of ['б', 'а', 'б', 'в']) {
    await (await cell(page, 'name')).dblclick();
    await field(page, 'name').fill(name);
    await page.keyboard.press('Enter');
    await expect.poll(() => stored('projects', row.id)).toMatchObject({ name });
    await field(page, 'name').waitFor({ state: 'detached' });
  }
});
