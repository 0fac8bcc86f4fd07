import iconv from 'iconv-lite';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLog } from '../../src/lib/log.ts';
import { serve, type Serving } from '../../src/server.ts';
import { createSetupToken } from '../../src/services/access/session.ts';
import { PASSWORD, temporaryConfig } from '../support/server.ts';
import { startWorld, type World } from '../support/world.ts';
import { faultsOf } from './support/audit.ts';
import { settled, usePages } from './support/page.ts';

const open = usePages();
let world: World;
let serving: Serving;
beforeAll(async () => {
  world = await startWorld({
    'fine.example': {},
    'xn--e1afmkfd.xn--p1ai': {},
    'deep.masked.example': {},
    // Long enough that the progress is still there after a reload, on a machine that does ten times as much beside.
    'soon.example': { delayMs: 7_000 },
    'broken.example': { status: 503 },
    'silent.example': { fault: 'reset' },
  });
  const connectTo = `:443:127.0.0.1:${world.tlsPort},::127.0.0.1:${world.port}`;
  const config = temporaryConfig({ allowPrivate: true, connectTo });
  serving = await serve({ config, log: createLog('silent'), host: '127.0.0.1', port: 0, scheduler: false });
});
afterAll(async () => {
  await serving.close();
  await world.close();
});

const file = (name: string, lines: readonly string[]) => ({
  name,
  mimeType: 'text/csv',
  buffer: iconv.encode(lines.join('\r\n'), 'windows-1251'),
});

const soon = new Date(Date.now() + 5 * 86_400_000).toLocaleDateString('ru-RU', { dateStyle: 'short' });
const PORTFOLIO = file('портфель.csv', [
  'Домен;Проект;Тип;Истекает',
  'fine.example;Север;основной;',
  'пример.рф;Север;основной;',
  'deep.masked.example;Север;резервный;',
  `soon.example;;;${soon}`,
  'broken.example;Юг;;',
  'silent.example;Юг;;',
]);

// The format of the z-i dump: a date line, then addresses; name; URL; authority; number; date.
const today = new Date().toISOString().slice(0, 10);
const BLOCKLIST = file('dump.csv', [
  `Updated: ${today} 00:00:00 +0000`,
  `192.0.2.1;пример.рф;;Роскомнадзор;1-ТИ;${today}`,
  `192.0.2.2;*.masked.example;;Суд;2-6-27;${today}`,
  `192.0.2.3;fine.example;http://fine.example/page;Суд;2-6-28;${today}`,
]);

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const counter = (page: Page, label: string) =>
  page
    .getByRole('region', { name: 'Сводка' })
    .getByRole('button', { name: label })
    .locator('.counter-number')
    .innerText();

async function makeAdministrator(page: Page): Promise<void> {
  await page.getByLabel('Логин').fill('admin');
  await page.getByLabel('Пароль', { exact: true }).fill('short');
  await button(page, 'Создать и войти').click();
  await page.getByText('Пароль должен содержать не меньше 10 символов').waitFor();
  await page.getByLabel('Пароль', { exact: true }).fill(PASSWORD);
  await button(page, 'Создать и войти').click();
  await page.getByRole('heading', { name: 'С чего начать' }).waitFor();
}

async function importPortfolio(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Добавьте домены' }).click();
  // The dashboard has a file field, too: waits for the import page.
  await page.getByRole('heading', { level: 1, name: 'Импорт' }).waitFor();
  await page.locator('input[type=file]').setInputFiles(PORTFOLIO);
  await page.getByText('Файл: портфель.csv').waitFor();
  await button(page, 'Далее').click();
  await page.getByText('Кодировка: Windows-1251, разделитель: точка с запятой').waitFor();
  await button(page, 'Далее').click();
  await page.getByText('Новые проекты (2): Север, Юг').waitFor();
  await button(page, 'Импортировать 6 строк').click();
  await page.getByText('Создано: 6. Обновлено: 0. Пропущено: 0. С ошибками: 0.').waitFor();
}

async function loadBlocklist(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Главная' }).click();
  await page.getByText('Списка блокировок ещё нет').waitFor();
  await page.locator('input[type=file]').setInputFiles(BLOCKLIST);
  await page.getByText('Список блокировок: 2 записи').waitFor();
}

/** Starts the check and leaves; its progress is shown on every screen, and after a reload. */
async function checkDomains(page: Page): Promise<void> {
  // The checks, and the look-ups of registrations.
  const running = page.getByRole('button', { name: /^Операции: выполняется [12]$/ });
  await button(page, 'Check Domains').click();
  await running.waitFor();
  await button(page, 'Сайты').click();
  await page.getByRole('link', { name: 'Все сайты' }).click();
  await page.getByRole('heading', { name: 'Найдено: 6 доменов' }).waitFor();
  await running.waitFor();
  await page.reload();
  await running.click();
  await page
    .getByRole('progressbar', { name: /^Ход работы/ })
    .first()
    .waitFor();
  // Two checks of six domains.
  await page.getByText('Сделано проверок: 12, не удалось: 0').first().waitFor();
  await page.keyboard.press('Escape');
}

it('a new user gets from the link in the terminal to the faults of the portfolio', async () => {
  const page = await open(`${serving.url}/login`, { expected: /^400 \/api\/setup$/ });
  await page.getByText('Первый запуск. Откройте ссылку из терминала').waitFor();
  const link = `${serving.url}/setup#t=${await createSetupToken()}`;
  await page.goto(link);
  await settled(page);
  expect(await faultsOf(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 900 });
  await makeAdministrator(page);
  await importPortfolio(page);
  await loadBlocklist(page);
  await checkDomains(page);

  await page.getByRole('link', { name: 'Главная' }).click();
  await settled(page);
  const counts = ['Всего', 'Заблокированы', 'Не отвечают', 'Истекают'].map((label) => counter(page, label));
  expect(await Promise.all(counts)).toEqual(['6', '2', '2', '1']);
  const names = (list: string) =>
    page.getByRole('region', { name: list, exact: true }).first().locator('tbody .domain-name').allInnerTexts();
  await expect.poll(() => names('Заблокированные')).toEqual(['пример.рф', 'deep.masked.example']);
  await expect.poll(() => names('Нерабочие')).toEqual(['broken.example', 'silent.example']);
  await expect.poll(() => names('Истекающие')).toEqual(['soon.example']);

  await page.goto(`${serving.url}/import`);
  await button(page, 'Отменить импорт').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Отменить импорт' }).click();
  await page.getByText('Импорт отменён: удалено 6, возвращено 0').waitFor();

  const late = await open(link);
  await expect.poll(() => late.getByRole('heading', { level: 1 }).innerText()).toBe('Страница не найдена');
});
