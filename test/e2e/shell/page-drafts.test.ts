// Input that outlives the session on pages and in dialogs that are no ordinary forms.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SERVER_IP, startCdn, type Cdn } from '../../support/cdn.ts';
import { PASSWORD, request, signIn } from '../../support/server.ts';
import { settled, usePages } from '../support/page.ts';

const open = usePages();
let cdn: Cdn;
let project: number;
beforeAll(async () => {
  cdn = await startCdn();
  project = (await cdn.call('POST /api/projects', { name: 'Север' })).body.data.id;
  await cdn.call('POST /api/keywords', { keyword: 'слово', project_id: project });
});
afterAll(() => cdn.close());

async function visit(path: string): Promise<{ page: Page; leave: () => Promise<void> }> {
  const { server } = cdn;
  const token = await signIn(server, server.admin.login);
  const page = await open(server.url + path, { token, expected: /^40[13] / });
  const leave = async (): Promise<void> => {
    await request(server, 'POST /api/logout', { token, body: {} });
    await page.getByText('Сессия истекла. Войдите снова').waitFor();
    await page.getByLabel('Login', { exact: true }).fill(server.admin.login);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Login', exact: true }).click();
  };
  return { page, leave };
}

const stored = (page: Page) => page.evaluate(() => JSON.stringify(sessionStorage));
const next = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Далее' }).click();
  await settled(page);
};

it('a change of DNS that was half filled is there again after the sign-in', async () => {
  const { page, leave } = await visit('/dns');
  const account = page.getByLabel('Аккаунт Cloudflare');
  const server = page.getByLabel('Сервер', { exact: true });
  const domain = page.getByRole('combobox', { name: 'Домен' });
  await account.selectOption({ index: 1 });
  await domain.fill('half-typed.ru');
  await domain.press('Tab');
  await server.selectOption(`srv — ${SERVER_IP}`);
  await page.getByText('TLS', { exact: false }).first().click();
  await expect.poll(() => page.getByRole('checkbox').first().isChecked()).toBe(true);
  const chosen = [await account.inputValue(), await server.inputValue()];
  expect(chosen).not.toContain('');
  await leave();
  await expect.poll(() => domain.inputValue()).toBe('half-typed.ru');
  await expect.poll(async () => [await account.inputValue(), await server.inputValue()]).toEqual(chosen);
  await expect.poll(() => page.getByRole('checkbox').first().isChecked()).toBe(true);
  await expect.poll(() => stored(page)).not.toContain('half-typed');
});

it('keywords that were typed in the dialog of positions are there again after the sign-in, and so are the fields of one', async () => {
  const { page, leave } = await visit(`/position?project=${project}`);
  const lines = page.getByRole('dialog').getByLabel('По одному в строке');
  const tags = page.getByRole('dialog').getByLabel('Метки: слово', { exact: true });
  const opener = page.getByRole('button', { name: 'Ключевые слова', exact: true });
  await opener.click();
  await lines.fill('half-typed one\nhalf-typed two');
  await tags.fill('half-typed tag');
  await leave();
  await opener.click();
  await expect.poll(() => lines.inputValue()).toBe('half-typed one\nhalf-typed two');
  await expect.poll(() => tags.inputValue()).toBe('half-typed tag');
  await tags.press('Enter');
  const saved = async () => (await cdn.call(`GET /api/keywords/${project}`)).body[0].tags;
  await expect.poll(saved).toEqual(['half-typed tag']);
  // Closing asks of lines that are not added, those of a former session as well.
  await page.keyboard.press('Escape');
  await page.getByRole('alertdialog').waitFor();
});

it('a pasted list with its columns is at its step again after the sign-in, and after a reload', async () => {
  const { page, leave } = await visit('/import');
  const step = page.locator('.import-steps [aria-current]');
  await page.getByLabel('Или вставьте').fill('half-typed.ru\t2027-02-01\nhalf-typed2.ru\t2027-03-01');
  await next(page);
  await page.getByLabel('Столбец 2').selectOption('expired_at');
  await leave();
  await expect.poll(() => step.textContent()).toBe('Столбцы');
  await expect.poll(() => page.getByLabel('Столбец 2').inputValue()).toBe('expired_at');
  await next(page);
  await page.getByText('Заполнить пустые поля').click();
  await settled(page);
  await page.reload();
  await expect.poll(() => step.textContent()).toBe('Проверка');
  await expect.poll(() => page.getByRole('radio', { checked: true }).inputValue()).toBe('fill');
  await page.getByText('01.03.2027').waitFor();
  await page.getByRole('button', { name: 'Импортировать 2 строки' }).click();
  await page.getByText('Создано: 2').waitFor();
  await page.reload();
  await expect.poll(() => step.textContent()).toBe('Источник');
  expect(await page.getByLabel('Или вставьте').inputValue()).toBe('');
});
