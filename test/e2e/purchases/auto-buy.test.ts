// The settings of automatic buying in a project: their dialog, the check of the template, and what saving says.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { execute, transaction } from '../../../db/index.ts';
import { updateBlocklist } from '../../../src/services/checks/blocklist.ts';
import { DEFAULT_TEMPLATE } from '../../../src/shared/names/name-template.ts';
import { request, startServer, type TestServer } from '../../support/server.ts';
import { delayDeferred } from '../support/acts.ts';
import { faultsOf } from '../support/audit.ts';
import { settled, usePages, type Visit } from '../support/page.ts';
import { seedDomains, seedProjects } from '../support/portfolio.ts';

const open = usePages();
let server: TestServer;

beforeAll(async () => {
  server = await startServer();
  const { id } = server.admin;
  await seedProjects(id, ['Север', 'Юг', 'Запад', 'Восток', 'Центр']);
  await transaction(async () => {
    for (const [number, type, name] of [
      [1, 'reg.ru', 'Рег'],
      [2, 'namecheap.com', 'Чип'],
    ]) {
      await execute(
        `INSERT INTO registrars (id, user_id, type, name, login, password, created_at)
         VALUES ($number, $id, $type, $name, 'ann', '', '2026-01-01T00:00:00.000Z')`,
        { id, number, type, name },
      );
    }
    await execute(
      `INSERT INTO cloudflare_groups (id, user_id, name, created_at) VALUES (1, $id, 'Основная', '2026-01-01T00:00:00.000Z')`,
      { id },
    );
  });
  await seedDomains(id, [{ project_id: 1, domain_name: 'mine1.ru' }]);
  const file = join(server.config.dataDir, 'list.txt');
  writeFileSync(file, 'mine2.ru\n');
  await updateBlocklist(server.config.blocklistDir, { file });
});
afterAll(() => server.close());

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const dialogOf = (page: Page) => page.getByRole('dialog', { name: /^Автопокупка в проекте/ });
const template = (page: Page) => dialogOf(page).getByLabel('Шаблон имени');
const settingsOf = async (project: number) =>
  (await request(server, `GET /api/auto_buy/${project}`, { token: server.admin.token })).body;

async function openDialog(project: number, more: Visit = {}): Promise<Page> {
  const page = await open(`${server.url}/projects?project=${project}`, { token: server.admin.token, ...more });
  await button(page, 'Автопокупка').click();
  await template(page).waitFor();
  await settled(page);
  return page;
}

it('a new project is on and has the default template; what is saved is there again', async () => {
  const page = await openDialog(1);
  const state = dialogOf(page).getByRole('checkbox', { name: 'Покупать резервные домены автоматически' });
  expect(await state.isChecked()).toBe(true);
  expect(await template(page).inputValue()).toBe(DEFAULT_TEMPLATE);
  await template(page).fill('mine{1|2}.ru');
  await dialogOf(page).getByLabel('Регистратор').selectOption('Рег (reg.ru)');
  await dialogOf(page).getByLabel('Группа Cloudflare').selectOption('Основная');
  await dialogOf(page).getByLabel('Сколько резервов держать').fill('3');
  await state.uncheck({ force: true });
  // Also on a slow page the dialog that is opened next has nothing of this one.
  await delayDeferred(page);
  await button(page, 'Сохранить').click();
  await page.getByText('Данные успешно сохранены!').waitFor();
  const saved = {
    template: 'mine{1|2}.ru',
    registrars_id: 1,
    cloudflare_groups_id: 1,
    state: 'off',
    wanted_reserves: 3,
  };
  expect(await settingsOf(1)).toMatchObject(saved);
  await button(page, 'Автопокупка').click();
  await template(page).waitFor();
  await expect.poll(() => template(page).inputValue()).toBe('mine{1|2}.ru');
  await expect.poll(() => dialogOf(page).getByLabel('Регистратор').inputValue()).toBe('1');
  await expect.poll(() => state.isChecked()).toBe(false);
});

it('a dialog that was opened before buying was switched off does not switch it on', async () => {
  const { token } = server.admin;
  const body = { project_id: 5, template: 'mine{1|2}.ru', state: 'on', wanted_reserves: 1 };
  await request(server, 'POST /api/auto_buy', { token, body });
  const page = await openDialog(5);
  await request(server, 'POST /api/auto_buy', { token, body: { ...body, template: 'ours{1|2}.ru', state: 'off' } });
  await dialogOf(page).getByLabel('Сколько резервов держать').fill('2');
  const sent = page.waitForRequest('**/api/auto_buy');
  await button(page, 'Сохранить').click();
  expect((await sent).postDataJSON()).toEqual({ project_id: 5, wanted_reserves: 2 });
  await page.getByText('Данные успешно сохранены!').waitFor();
  expect(await settingsOf(5)).toMatchObject({ template: 'ours{1|2}.ru', state: 'off', wanted_reserves: 2 });
});

it('the check shows combinations, warnings and five samples with their marks, for the template as it is', async () => {
  const page = await openDialog(2);
  await template(page).fill('mine{1|2|3}{.ru|.sub.ru}');
  await button(page, 'Проверить').click();
  await dialogOf(page).getByText('Комбинаций: 6').waitFor();
  const samples = dialogOf(page).getByRole('list', { name: 'Примеры' }).getByRole('listitem');
  await expect.poll(() => samples.count()).toBe(5);
  const words: Record<string, string> = {
    'mine1.ru': 'Уже в портфеле',
    'mine2.ru': 'В реестре блокировок',
    'mine3.ru': 'Можно искать в продаже',
  };
  await samples.first().locator('.status').waitFor();
  for (const text of await samples.allInnerTexts()) {
    const [name = '', mark] = text.split(/\s*\n\s*/);
    expect(`${name}: ${mark}`).toBe(`${name}: ${words[name] ?? 'Нельзя зарегистрировать'}`);
  }
  await template(page).fill('a{b|c}--{1|2}.ru');
  await expect.poll(() => samples.count()).toBe(0);
  await button(page, 'Проверить').click();
  await dialogOf(page).getByText('Комбинаций: 4').waitFor();
  await expect.poll(() => dialogOf(page).locator('.bp6-intent-warning:not(.budget-note)').count()).toBe(1);
  await expect.poll(() => samples.count()).toBe(5);
});

it('a number of reserves that cannot be is told at its field, and nothing is saved', async () => {
  const page = await openDialog(2);
  const wanted = dialogOf(page).getByLabel('Сколько резервов держать');
  expect(await wanted.inputValue()).toBe('1');
  await dialogOf(page).getByText('лимиты', { exact: false }).first().waitFor();
  for (const text of ['21', '-1', '1.5', '']) {
    await wanted.fill(text);
    await button(page, 'Сохранить').click();
    await expect.poll(() => wanted.getAttribute('aria-invalid')).toBe('true');
  }
  await dialogOf(page).getByText('Нужно целое число от 0 до 20').waitFor();
  expect((await settingsOf(2)).wanted_reserves).toBe(1);
});

it.each([
  ['', 'Шаблон не может быть пустым'],
  ['name{a|b}', 'Шаблон должен содержать точку и зону, например .com'],
  ['name{a|b.ru', 'Не сбалансированы фигурные скобки { }'],
  ['name[a|b.ru', 'Не сбалансированы квадратные скобки [ ]'],
  ['name{a|}.ru', 'В группе {…} нужно минимум два непустых варианта через «|»'],
  ['name[a].ru', 'В группе […] нужно минимум два непустых варианта через «|» (разделитель +sep+ необязателен)'],
  ['name{a|{b|c}}.ru', 'Вложенные группы не поддерживаются'],
  [`${'n'.repeat(64)}.ru`, 'Базовая длина шаблона не должна превышать 63 символа'],
  ['-name.ru', 'Первая часть домена не может начинаться или заканчиваться дефисом'],
  ['name{a|b}-{-c|d}.ru', 'Предупреждение: возможны два дефиса подряд'],
  [`n${'{a|b|c|d|e|f}'.repeat(4)}.ru`, 'Предупреждение: больше 1000 комбинаций может быть избыточно'],
])('the check of the template "%s" says "%s"', async (text, message) => {
  const page = await openDialog(2);
  await template(page).fill(text);
  await button(page, 'Проверить').click();
  await expect.poll(() => dialogOf(page).getByText(message).count()).toBeGreaterThan(0);
});

it('a wrong template is told at the check and at its field, and nothing is saved', async () => {
  const page = await openDialog(2);
  await template(page).fill('a{b|c.ru');
  await button(page, 'Проверить').click();
  await dialogOf(page).locator('.bp6-intent-danger li').first().waitFor();
  await button(page, 'Сохранить').click();
  await expect.poll(() => template(page).getAttribute('aria-invalid')).toBe('true');
  expect((await settingsOf(2)).template).toBe(DEFAULT_TEMPLATE);
});

it('a registrar that can’t buy the names is told at its field, an unreachable server as such', async () => {
  const page = await openDialog(2, { expected: /^(?:422|500) \/api\/auto_buy$/ });
  await template(page).fill('a{b|c}.ru');
  await dialogOf(page).getByLabel('Регистратор').selectOption('Чип (namecheap.com)');
  await button(page, 'Сохранить').click();
  await dialogOf(page).getByText('namecheap.com не продаёт .ru').waitFor();
  const alert = dialogOf(page).getByRole('alert');
  await expect.poll(() => alert.textContent()).toContain('Ошибка при сохранении данных');
  await page.route('**/api/auto_buy', (route) => route.abort());
  await button(page, 'Сохранить').click();
  await dialogOf(page).getByText('Произошла ошибка при сохранении данных').waitFor();
});

it('settings that can’t be loaded are told, and loaded again', async () => {
  const page = await open(`${server.url}/projects?project=3`, {
    token: server.admin.token,
    expected: /^500 \/api\/auto_buy\/3$/,
    prepare: (page) =>
      page.route('**/api/auto_buy/3', (route) =>
        route.fulfill({ status: 500, json: { error: 'Нет связи', code: 'internal' } }),
      ),
  });
  await button(page, 'Автопокупка').click();
  await dialogOf(page).getByText('Ошибка при загрузке данных').waitFor();
  await page.unrouteAll();
  await button(page, 'Повторить').click();
  await template(page).waitFor();
  await expect.poll(() => template(page).inputValue()).toBe(DEFAULT_TEMPLATE);
});

it('a purchase that the settings stand against leads to them', async () => {
  await seedDomains(server.admin.id, [{ project_id: 4, domain_name: 'main.example' }]);
  const page = await open(`${server.url}/projects?project=4`, { token: server.admin.token });
  await button(page, 'Купить резерв').click();
  const refusal = page.getByRole('dialog').getByText('В настройках покупки не выбран регистратор');
  await refusal.waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Автопокупка' }).click();
  await template(page).waitFor();
  expect(await refusal.count()).toBe(0);
  await page.keyboard.press('Escape');
  await dialogOf(page).waitFor({ state: 'detached' });
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Купить резерв');
});

it('all is done by keyboard; what was typed is asked for before it is thrown away', async () => {
  const page = await open(`${server.url}/projects?project=4`, { token: server.admin.token });
  await button(page, 'Автопокупка').focus();
  await page.keyboard.press('Enter');
  await template(page).waitFor();
  await settled(page);
  await page.keyboard.press('Tab');
  await expect.poll(() => template(page).evaluate((field) => field === document.activeElement)).toBe(true);
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('zed{1|2}.ru');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await dialogOf(page).getByText('Комбинаций: 2').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('alertdialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('alertdialog').waitFor({ state: 'detached' });
  await template(page).press('Control+Enter');
  await page.getByText('Данные успешно сохранены!').waitFor();
  expect((await settingsOf(4)).template).toBe('zed{1|2}.ru');
  await expect.poll(() => button(page, 'Автопокупка').evaluate((one) => one === document.activeElement)).toBe(true);
});

it.each([1280, 390])('the dialog has no axe violations in both themes and fits into %d px', async (width) => {
  const page = await openDialog(3, { width });
  await template(page).fill(`a{b|c}--{${Array.from({ length: 600 }, (_, index) => index).join('|')}}.ru`);
  await button(page, 'Проверить').click();
  await dialogOf(page).locator('.template-samples .status').first().waitFor();
  expect(await faultsOf(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
});
