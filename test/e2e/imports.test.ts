import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPerson, request, startServer, type Person, type TestServer } from '../support/server.ts';
import { faultsOf } from './support/audit.ts';
import { holdCalls } from './support/hold.ts';
import { settled, usePages } from './support/page.ts';

const open = usePages();
let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const next = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Далее' }).click();
  await settled(page);
};
const step = (page: Page) => page.locator('.import-steps [aria-current]').textContent();
const domainsOf = async ({ token }: Person): Promise<string[]> => {
  const { body } = await request(server, 'GET /api/domains', { token });
  return body.data.map(({ domain_name }: { domain_name: string }) => domain_name);
};

// «Домен;Проект;Истекает» and three rows, as saved by a Russian Excel.
const EXCEL = {
  name: 'портфель.csv',
  mimeType: 'text/csv',
  buffer: Buffer.concat([
    Buffer.from('c4eeece5ed3bcff0eee5eaf23bc8f1f2e5eae0e5f20d0aeff0e8ece5f02ef0f43bd1e5e2e5f0', 'hex'),
    Buffer.from(';01.02.2027\r\nsecond.example;;03/04/25\r\nthird.example;;\r\n'),
  ]),
};

it('a file of a Russian Excel is imported, its bad rows are reported, and the import is undone', async () => {
  const person = await createPerson(server);
  const page = await open(`${server.url}/import`, { token: person.token });
  await page.locator('input[type=file]').setInputFiles(EXCEL);
  await page.getByText('Файл: портфель.csv').waitFor();
  await next(page);
  await expect
    .poll(() => page.getByText('Кодировка: Windows-1251, разделитель: точка с запятой').isVisible())
    .toBe(true);
  await expect.poll(() => page.getByLabel('Истекает').inputValue()).toBe('expired_at');
  await next(page);
  await page.getByText('Неверная дата: ожидается ДД.ММ.ГГГГ или ГГГГ-ММ-ДД, есть 03/04/25').first().waitFor();
  await expect.poll(() => page.getByText('Новые проекты (1): Север').isVisible()).toBe(true);
  await expect.poll(() => page.getByText('xn--e1afmkfd.xn--p1ai').isVisible()).toBe(true);
  expect(await domainsOf(person)).toEqual([]);

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Скачать строки с ошибками (CSV)' }).click();
  const saved = await text(await (await download).createReadStream());
  expect(saved.split('\r\n')[1]).toMatch(/^second\.example;;03\/04\/25;3;Неверная дата/);

  await page.getByRole('button', { name: 'Импортировать 2 строки' }).click();
  await page.getByText('Создано: 2. Обновлено: 0. Пропущено: 0. С ошибками: 1.').waitFor();
  expect(await domainsOf(person)).toEqual(['xn--e1afmkfd.xn--p1ai', 'third.example']);
  await settled(page);

  await page.getByRole('button', { name: 'Отменить импорт' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Отменить импорт' }).click();
  await page.getByText('Импорт отменён: удалено 2, возвращено 0').waitFor();
  expect(await domainsOf(person)).toEqual([]);
});

it('a pasted list is previewed anew when the mode changes', async () => {
  const person = await createPerson(server);
  await request(server, 'POST /api/domains', { token: person.token, body: { domain_name: 'known.example' } });
  const page = await open(`${server.url}/import`, { token: person.token });
  await next(page);
  await expect.poll(() => page.getByText('Выберите файл или вставьте список').isVisible()).toBe(true);
  await page.getByLabel('Или вставьте').fill('known.example\t2027-02-01\nnew.example\t2027-03-01');
  await next(page);
  await page.getByLabel('Столбец 2').selectOption('expired_at');
  await next(page);
  await page.getByRole('button', { name: 'Импортировать 1 строку' }).waitFor();
  await page.getByText('Заполнить пустые поля').click();
  await page.getByRole('button', { name: 'Импортировать 2 строки' }).click();
  await page.getByText('Создано: 1. Обновлено: 1.').waitFor();
  const { body } = await request(server, 'GET /api/domains', { token: person.token });
  expect(body.data.map(({ expired_at }: { expired_at: string }) => expired_at.slice(0, 10))).toEqual([
    '2027-02-01',
    '2027-03-01',
  ]);
});

it('a choice whose preview could not be read is not taken', async () => {
  const { token } = await createPerson(server);
  await request(server, 'POST /api/domains', { token, body: { domain_name: 'stays.example' } });
  const page = await open(`${server.url}/import`, { token });
  await page.getByLabel('Или вставьте').fill('stays.example\t2027-02-01\ncomes.example\t2027-03-01');
  await next(page);
  await page.getByLabel('Столбец 2').selectOption('expired_at');
  await next(page);
  await page.route('**/api/imports/preview', (route) => route.abort());
  await page.getByText('Заполнить пустые поля').click();
  await page.getByText('Не удалось прочитать файл').waitFor();
  expect(await page.getByRole('radio', { checked: true }).inputValue()).toBe('skip');
  await page.getByRole('button', { name: 'Импортировать 1 строку' }).click();
  await page.getByText('Создано: 1. Обновлено: 0.').waitFor();
});

it('settings that change while the preview is read are shown by a preview of their own before they are written', async () => {
  const person = await createPerson(server);
  const page = await open(`${server.url}/import`, { token: person.token });
  await page.getByLabel('Или вставьте').fill('shown.example\tmain');
  await next(page);
  const kind = page.getByRole('combobox', { name: 'Тип', exact: true });
  const release = await holdCalls(page, 'POST', '**/api/imports/preview');
  await page.getByRole('button', { name: 'Далее' }).click();
  await kind.selectOption('transfer');
  const answer = page.waitForResponse('**/api/imports/preview');
  release();
  await (await answer).finished();
  await settled(page);
  await expect.poll(() => step(page)).toBe('Столбцы');
  await next(page);
  await expect.poll(() => step(page)).toBe('Проверка');
  await page.getByRole('button', { name: 'Импортировать 1 строку' }).click();
  await page.getByText('Создано: 1').waitFor();
  const { body } = await request(server, 'GET /api/domains', { token: person.token });
  expect(body.data).toMatchObject([{ domain_name: 'shown.example', type: 'transfer' }]);
});

it('a list that is pasted while another one is read is not taken for that one', async () => {
  const person = await createPerson(server);
  const page = await open(`${server.url}/import`, { token: person.token });
  await page.getByLabel('Или вставьте').fill('former.example');
  const release = await holdCalls(page, 'POST', '**/api/imports/preview');
  await page.getByRole('button', { name: 'Далее' }).click();
  await page.getByLabel('Или вставьте').fill('latter.example');
  const answer = page.waitForResponse('**/api/imports/preview');
  release();
  await (await answer).finished();
  await settled(page);
  await expect.poll(() => step(page)).toBe('Источник');
  await next(page);
  await expect.poll(() => page.getByText('latter.example').isVisible()).toBe(true);
});

it('while an import is written no settings change and no step is left', async () => {
  const person = await createPerson(server);
  await request(server, 'POST /api/domains', { token: person.token, body: { domain_name: 'kept.example' } });
  const page = await open(`${server.url}/import`, { token: person.token });
  await page.getByLabel('Или вставьте').fill('kept.example\nadded.example');
  await next(page);
  await next(page);
  const release = await holdCalls(page, 'POST', '**/api/imports');
  await page.getByRole('button', { name: 'Импортировать 1 строку' }).click();
  await page.getByText('Заполнить пустые поля').click();
  await page.getByRole('button', { name: 'Назад' }).click();
  await expect.poll(() => step(page)).toBe('Проверка');
  release();
  await page.getByText('Создано: 1. Обновлено: 0. Пропущено: 1.').waitFor();
});

it('the preview shows the days of the registry, wherever the reader is', async () => {
  const person = await createPerson(server);
  const context = { timezoneId: 'America/New_York' };
  const page = await open(`${server.url}/import`, { token: person.token, context });
  await page.getByLabel('Или вставьте').fill('days.example\t2027-03-01\ndays.ru\t2027-03-02');
  await next(page);
  await page.getByLabel('Столбец 2').selectOption('expired_at');
  await next(page);
  const details = page.locator('.import-details').filter({ hasText: 'Истекает' });
  await expect.poll(() => details.allInnerTexts()).toEqual(['Истекает: 01.03.2027', 'Истекает: 02.03.2027']);
});

it('input is kept after a server failure, and a column has to hold the domain', async () => {
  const person = await createPerson(server);
  const page = await open(`${server.url}/import`, { token: person.token });
  await page.route('**/api/imports/preview', (route) => route.abort());
  await page.getByLabel('Или вставьте').fill('a.example;Север');
  await next(page);
  await page.getByText('Не удалось прочитать файл').waitFor();
  await expect.poll(() => page.getByLabel('Или вставьте').inputValue()).toBe('a.example;Север');
  await page.unroute('**/api/imports/preview');
  await next(page);
  await expect.poll(() => step(page)).toBe('Столбцы');
  await page.getByLabel('Столбец 1').selectOption('');
  await expect.poll(() => page.getByText('Укажите, в каком столбце домен').isVisible()).toBe(true);
  await expect.poll(() => page.getByRole('button', { name: 'Далее' }).isDisabled()).toBe(true);
});

it.each([
  { width: 1280, theme: 'light' },
  { width: 390, theme: 'dark' },
  { width: 320, theme: 'light' },
  { width: 1280, theme: 'dark' },
] as const)('has no faults at any step: $width px, $theme', async (look) => {
  const person = await createPerson(server);
  await request(server, 'POST /api/imports', { token: person.token, body: { text: `before-${person.login}.example` } });
  const page = await open(`${server.url}/import`, { token: person.token, ...look });
  const faults: string[] = [];
  const audit = async (): Promise<void> => {
    await settled(page);
    faults.push(...(await faultsOf(page)));
  };
  await audit();
  await page.locator('input[type=file]').setInputFiles(EXCEL);
  await audit();
  await next(page);
  await audit();
  await next(page);
  await audit();
  await page.getByRole('button', { name: 'Импортировать' }).click();
  await page.getByText('Создано: 2').waitFor();
  await audit();
  await page.getByRole('button', { name: 'Отменить импорт' }).click();
  await audit();
  // Frees the names for the next run.
  await page.getByRole('alertdialog').getByRole('button', { name: 'Отменить импорт' }).click();
  await page.getByText('Импорт отменён: удалено 2').waitFor();
  expect(faults).toEqual([]);
});

it('names beside those that are taken are told before the import', async () => {
  const { token } = await createPerson(server);
  const page = await open(`${server.url}/import`, { token });
  await page.getByLabel('Или вставьте список доменов либо таблицу').fill('a.com, b.com\nc.com, x\nd.com, y\ne.com, z');
  await next(page);
  await next(page);
  const skipped = page.locator('section').filter({ hasText: 'Что пропущено' });
  await skipped.getByText('Имя в той же строке не взято: b.com').waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Импортировать 4 строки' }).isEnabled()).toBe(true);
});
