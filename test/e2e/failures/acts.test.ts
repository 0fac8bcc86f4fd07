// The texts of acts of the dashboard and the team that failed are shown where the act was begun, with the server's message.
import { expect, it } from 'vitest';
import { confirmed, dialog, doAct, filled, pressed, submitted, type FailingAct } from './steps.ts';
import { isShown, REASON, startFailures } from './world.ts';

const visit = startFailures();

const ACCOUNT = [filled('Account Name', 'Third'), filled('API Key', 'third-token-0123456789')];
const SERVER = [filled('name', 'Third'), filled('ssh_host', '203.0.113.30'), filled('ssh_user', 'root')];
const RIVER = [filled('name', 'Third'), filled('login (user_id)', '777'), filled('key', 'third-key-0123456789')];

const ACTS: readonly FailingAct[] = [
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
];

it.each(ACTS)('"%s" is shown on %s', async (text, screen, call, method, ...steps) => {
  const page = await doAct(visit, [text, screen, call, method, ...steps]);
  await expect.poll(() => isShown(page, text)).toBe(true);
  await expect.poll(() => isShown(page, REASON)).toBe(true);
});
