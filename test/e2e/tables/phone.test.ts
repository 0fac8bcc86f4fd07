// The table editor on a phone: a value on a card is edited in its place, refused, saved and taken back by touches alone.
import { expect, it } from 'vitest';
import { faultsOf } from '../support/audit.ts';
import { usePages } from '../support/page.ts';
import { post, server, startTables, stored, token } from './world.ts';

const open = usePages();
startTables();

const PHONE = { width: 390, context: { hasTouch: true, isMobile: true } } as const;

it('a value is edited on its card: a refusal stands at the field, saving is a button, and the toast takes it back', async () => {
  const row = await post('domains', { domain_name: 'phone.ru' });
  const page = await open(`${server.url}/tables?table=domains&id=${row.id}`, { token, ...PHONE, expected: /^400 / });
  const card = page.getByRole('article');
  const edit = card.getByRole('button', { name: `domain_name #${row.id}` });
  await edit.tap();
  const field = card.getByLabel('domain_name', { exact: true });
  await field.fill('not a name');
  // A touch elsewhere scrolls; it saves nothing.
  await page.getByRole('heading', { level: 2, name: 'domains' }).tap();
  await card.getByRole('button', { name: 'Сохранить' }).tap();
  await card.locator('.cell-error').waitFor();
  expect(await field.inputValue()).toBe('not a name');
  expect(await faultsOf(page, [390, 320])).toEqual([]);
  await field.fill('phone-renamed.ru');
  await card.getByRole('button', { name: 'Сохранить' }).tap();
  await field.waitFor({ state: 'detached' });
  expect(await stored('domains', row.id)).toMatchObject({ domain_name: 'phone-renamed.ru' });
  await expect.poll(() => edit.evaluate((button) => button === document.activeElement)).toBe(true);
  await page.getByRole('button', { name: 'Отменить' }).tap();
  await expect.poll(() => stored('domains', row.id)).toMatchObject({ domain_name: 'phone.ru' });
});

it('cancelling keeps the former value; a choice waits for the button; what the program keeps has no button', async () => {
  const project = await post('projects', { name: 'Телефон' });
  const row = await post('domains', { domain_name: 'choice.ru' });
  const page = await open(`${server.url}/tables?table=domains&id=${row.id}`, { token, ...PHONE });
  const card = page.getByRole('article');
  const edit = (column: string) => card.getByRole('button', { name: `Изменить: ${column} #${row.id}`, exact: true });
  await edit('domain_name').tap();
  await card.getByLabel('domain_name', { exact: true }).fill('never.ru');
  await card.getByRole('button', { name: 'Отмена' }).tap();
  await card.getByLabel('domain_name', { exact: true }).waitFor({ state: 'detached' });
  expect(await stored('domains', row.id)).toMatchObject({ domain_name: 'choice.ru' });

  await edit('type').tap();
  await card.getByLabel('type', { exact: true }).selectOption('transfer');
  await card.getByRole('button', { name: 'Сохранить' }).tap();
  await expect.poll(() => stored('domains', row.id)).toMatchObject({ type: 'transfer' });

  await edit('project_id').tap();
  await card.getByLabel('project_id', { exact: true }).fill('теле');
  await page.getByRole('option', { name: 'Телефон' }).tap();
  await card.getByRole('button', { name: 'Сохранить' }).tap();
  await expect.poll(() => stored('domains', row.id)).toMatchObject({ project_id: project.id });
  expect(await edit('created_at').count()).toBe(0);
});
