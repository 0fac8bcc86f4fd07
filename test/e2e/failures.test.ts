// The texts of failed calls (spec/strings.tsv): each is shown on its screen, with the server's message where there is one.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { request, startServer, type TestServer } from '../support/server.ts';
import { usePages } from './support/page.ts';
import { seedDomains, seedPortfolio } from './support/portfolio.ts';
import { seedPositions } from './support/positions.ts';
import { seedTeam } from './support/team.ts';

const open = usePages();
let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await seedPortfolio(server.admin.id);
  await seedTeam(server);
  await seedDomains(server.admin.id, [{ domain_name: 'behind-cdn.ru', cloudflare_account_id: 1 }]);
  await seedPositions(1, { id: 1, domain_name: 'vulkan-club.ru' }, [{ value: 'первый', yandex: [3, 2] }]);
  const post = (path: string, body: object) =>
    request(server, `POST /api/${path}`, { token: server.admin.token, body });
  await post('xmlriver', { name: 'Река', login: '12345', key: 'xmlriver-key-0123456789' });
  await post('arsenkin', { name: 'Арс', token: 'arsenkin-token-0123456789' });
});
afterAll(() => server.close());

const REASON = 'причина сервера';

/** Makes the calls that a pattern matches fail with a message of the server; with a method, those of it alone. */
const breakCalls = (page: Page, pattern: string, method?: string): Promise<void> =>
  page.route(pattern, (route) =>
    method === undefined || route.request().method() === method
      ? route.fulfill({ status: 500, json: { error: REASON, code: 'internal' } })
      : route.fallback(),
  );

const visit = (path: string, prepare?: (page: Page) => Promise<unknown>): Promise<Page> =>
  open(server.url + path, { token: server.admin.token, expected: /^500 /, ...(prepare && { prepare }) });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click();
const dialog = (page: Page) => page.getByRole('dialog').last();
const shown = (page: Page, text: string) => page.getByText(text).filter({ visible: true }).first().waitFor();

const LISTS: readonly [screen: string, call: string, text: string][] = [
  ['/?list=all', '**/api/user_domains**', 'Failed to fetch domains'],
  ['/cloudflare', '**/api/cloudflare_accounts**', 'Failed to fetch accounts'],
  ['/cloudflare-groups', '**/api/cloudflare_groups**', 'Не удалось загрузить список групп'],
  ['/servers', '**/api/servers**', 'Не удалось загрузить список серверов'],
  ['/dns', '**/api/cloudflare_accounts**', 'Failed to fetch Cloudflare accounts'],
  ['/dns', '**/api/servers**', 'Failed to fetch servers'],
  ['/templates', '**/api/templates**', 'Failed to fetch templates'],
  ['/registrars', '**/api/registrars**', 'Не удалось загрузить список регистраторов'],
  ['/xmlriver', '**/api/xmlriver**', 'Не удалось загрузить аккаунты'],
  ['/arsenkin', '**/api/arsenkin**', 'Не удалось загрузить аккаунты'],
  ['/projects', '**/api/user_projects**', 'Не удалось загрузить проекты'],
  ['/projects?project=1', '**/api/project_domains/**', 'Не удалось загрузить назначенные домены'],
  ['/projects?project=1', '**/api/project_unassigned_domains/**', 'Не удалось загрузить резервные домены'],
  ['/position?project=1', '**/api/position**', 'Произошла ошибка при загрузке данных'],
  ['/tables', '**/api/tables', 'Failed to fetch tables'],
  ['/tables?table=servers', '**/api/columns/servers', 'Failed to fetch columns'],
  ['/tables?table=servers', '**/api/tables/servers**', 'Failed to fetch rows'],
  ['/sites?transfer=1', '**/api/project_unassigned_domains/**', 'Не удалось загрузить список доменов для переноса'],
];

it.each(LISTS)('%s, where %s fails, shows "%s"', async (screen, call, text) => {
  const page = await visit(screen, (one) => breakCalls(one, call));
  await shown(page, text);
});

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
  await shown(page, text);
  await shown(page, REASON);
});
