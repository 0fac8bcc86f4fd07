// The texts of acts that failed are shown where the act was begun, with the server's message.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { breakCalls, isShown, REASON, startFailures } from './world.ts';

const visit = startFailures();

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click();
const dialog = (page: Page) => page.getByRole('dialog').last();

type Step = (page: Page) => Promise<unknown>;
const pressed =
  (name: string): Step =>
  (page) =>
    press(page, name);
const filled =
  (label: string, value: string): Step =>
  (page) =>
    dialog(page).getByLabel(label, { exact: true }).fill(value);
/** Presses the last button of the dialog whose name begins so. */
const submitted =
  (name: string): Step =>
  (page) =>
    dialog(page)
      .getByRole('button', { name: new RegExp(`^${name}`) })
      .last()
      .click();
const confirmed =
  (name: string): Step =>
  (page) =>
    page.getByRole('alertdialog').getByRole('button', { name, exact: true }).click();
const ACCOUNT = [filled('Account Name', 'Third'), filled('API Key', 'third-token-0123456789')];
const SERVER = [filled('name', 'Third'), filled('ssh_host', '203.0.113.30'), filled('ssh_user', 'root')];
const RIVER = [filled('name', 'Third'), filled('login (user_id)', '777'), filled('key', 'third-key-0123456789')];

const ACTS: readonly [text: string, screen: string, call: string, method: string, ...steps: Step[]][] = [
  ['Failed to trigger domain check', '/', '**/api/trigger_background_task', 'POST', pressed('Check Domains')],
  [
    'Failed to trigger Batch Disable TLS 1.3',
    '/',
    '**/api/update-all-domains-tls',
    'POST',
    pressed('Disable All Tls1.3'),
    submitted('Отключить'),
  ],
  [
    'Failed to update Telegram username',
    '/',
    '**/api/update_telegram',
    'PUT',
    pressed('Add Telegram Username'),
    filled('Telegram', 'ivan_seo'),
    submitted('Submit'),
  ],
  [
    'Failed to fetch domains list',
    '/',
    '**/api/domains-for-under-attack**',
    'GET',
    pressed('Manage Under Attack Mode'),
  ],
  [
    'Failed to enable Under Attack Mode for domains',
    '/',
    '**/api/manage-under-attack-mode-all',
    'POST',
    pressed('Manage Under Attack Mode'),
    submitted('Enable'),
  ],
  [
    'Failed to disable Under Attack Mode for domains',
    '/',
    '**/api/manage-under-attack-mode-all',
    'POST',
    pressed('Manage Under Attack Mode'),
    (page) => dialog(page).getByText('disable', { exact: true }).click(),
    submitted('Disable'),
  ],
  [
    'Failed to add account',
    '/cloudflare',
    '**/api/cloudflare_accounts',
    'POST',
    pressed('Добавить аккаунт'),
    ...ACCOUNT,
    submitted('Сохранить'),
  ],
  [
    'Failed to edit account',
    '/cloudflare',
    '**/api/cloudflare_accounts/*',
    'POST',
    pressed('Изменить: Second'),
    filled('Account Name', 'Other'),
    submitted('Сохранить'),
  ],
  [
    'Failed to delete account',
    '/cloudflare',
    '**/api/cloudflare_accounts/*',
    'DELETE',
    pressed('Удалить: Second'),
    confirmed('Yes'),
  ],
  [
    'Failed to fetch Cloudflare accounts',
    '/cloudflare-groups',
    '**/api/cloudflare_accounts**',
    'GET',
    pressed('Создать группу'),
  ],
  [
    'Не удалось добавить сервер',
    '/servers',
    '**/api/servers',
    'POST',
    pressed('Добавить сервер'),
    ...SERVER,
    filled('ssh_password', 'secret word'),
    submitted('Сохранить'),
  ],
  [
    'Не удалось обновить сервер',
    '/servers',
    '**/api/servers/*',
    'PUT',
    pressed('Изменить: Falkenstein'),
    filled('name', 'Other'),
    submitted('Сохранить'),
  ],
  [
    'Не удалось удалить сервер',
    '/servers',
    '**/api/servers/*',
    'DELETE',
    pressed('Удалить: Falkenstein'),
    confirmed('Удалить'),
  ],
  [
    'Ошибка сохранения',
    '/xmlriver',
    '**/api/xmlriver',
    'POST',
    pressed('Добавить аккаунт'),
    ...RIVER,
    submitted('Сохранить'),
  ],
  [
    'Не удалось удалить аккаунт',
    '/xmlriver',
    '**/api/xmlriver/*',
    'DELETE',
    pressed('Удалить: Река'),
    confirmed('Удалить'),
  ],
  [
    'Ошибка сохранения',
    '/arsenkin',
    '**/api/arsenkin/*',
    'PUT',
    pressed('Изменить: Арс'),
    filled('name', 'Other'),
    submitted('Сохранить'),
  ],
  [
    'Не удалось удалить аккаунт',
    '/arsenkin',
    '**/api/arsenkin/*',
    'DELETE',
    pressed('Удалить: Арс'),
    confirmed('Удалить'),
  ],
  [
    'Failed to edit template',
    '/templates',
    '**/api/templates/*',
    'POST',
    pressed('Изменить: Промо'),
    filled('Название', 'Other'),
    submitted('Сохранить'),
  ],
  [
    'Failed to delete template',
    '/templates',
    '**/api/templates/*',
    'DELETE',
    pressed('Удалить: Промо'),
    confirmed('Удалить'),
  ],
  [
    'Не удалось создать проект',
    '/projects',
    '**/api/projects',
    'POST',
    pressed('Создать проект'),
    filled('Название проекта', 'Новый'),
    submitted('Сохранить'),
  ],
  [
    'Не удалось отредактировать проект',
    '/projects?project=1',
    '**/api/projects/*',
    'PUT',
    pressed('Изменить название'),
    filled('Название проекта', 'Новый'),
    submitted('Сохранить'),
  ],
  ['Не удалось удалить проект', '/projects?project=3', '**/api/projects/*', 'DELETE', pressed('Удалить проект')],
  [
    'Не удалось добавить домен',
    '/projects?project=1',
    '**/api/domains',
    'POST',
    pressed('Добавить домен'),
    filled('Домен', 'new.example'),
    submitted('Добавить'),
  ],
  ['Не удалось загрузить список серверов', '/projects?project=1', '**/api/servers**', 'GET', pressed('Добавить домен')],
  [
    'Не удалось загрузить аккаунты Cloudflare',
    '/projects?project=1',
    '**/api/cloudflare_accounts**',
    'GET',
    pressed('Добавить домен'),
  ],
  [
    'Не удалось удалить домен',
    '/projects?project=1',
    '**/api/domains/*',
    'DELETE',
    pressed('Ещё: vulkan-club.ru'),
    pressed('Удалить'),
  ],
  [
    'Не удалось загрузить детали домена',
    '/projects?project=1',
    '**/api/domains/*',
    'GET',
    pressed('Изменить: vulkan-club.ru'),
  ],
  [
    'Не удалось отредактировать домен',
    '/projects?project=1',
    '**/api/domains/*',
    'POST',
    pressed('Изменить: vulkan-club.ru'),
    filled('Папка сайта на сервере', '/var/www/other'),
    submitted('Сохранить'),
  ],
  [
    'Не удалось загрузить историю переездов домена',
    '/projects?project=1',
    '**/api/domain_transfer_history/*',
    'GET',
    pressed('Ещё: vulkan-club.ru'),
    pressed('История переездов'),
  ],
  ['Не удалось загрузить ключевые слова', '/position?project=1', '**/api/keywords/*', 'GET', pressed('Ключевые слова')],
  [
    'Не удалось удалить ключевое слово',
    '/position?project=1',
    '**/api/keywords/*',
    'DELETE',
    pressed('Ключевые слова'),
    pressed('Удалить ключевое слово первый'),
    confirmed('Удалить'),
  ],
  [
    'Произошла ошибка при запросе позиций',
    '/position?project=1',
    '**/api/fetch-positions',
    'POST',
    pressed('Обновить позиции'),
  ],
  ['Ошибка при загрузке данных', '/projects?project=1', '**/api/auto_buy/*', 'GET', pressed('Автопокупка')],
  [
    'Ошибка при сохранении данных',
    '/projects?project=1',
    '**/api/auto_buy',
    'POST',
    pressed('Автопокупка'),
    submitted('Сохранить'),
  ],
  [
    'Произошла ошибка при проверке доменов',
    '/check-site',
    '**/api/check_domains',
    'POST',
    (page) => page.getByRole('textbox').fill('a.ru'),
    (page) => page.locator('main form').getByRole('button').last().click(),
  ],
];

it.each(ACTS)('"%s" is shown on %s', async (text, screen, call, method, ...steps) => {
  const page = await visit(screen);
  await breakCalls(page, call, method);
  for (const step of steps) await step(page);
  await expect.poll(() => isShown(page, text)).toBe(true);
  await expect.poll(() => isShown(page, REASON)).toBe(true);
});
