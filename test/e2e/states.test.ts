import { afterAll, beforeAll, expect, it } from 'vitest';
import { translate } from '../../src/shared/i18n/index.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { holdToast, inTurn, nothing, onRow, press, type, type Act, type Scene } from './support/acts.ts';
import { faultsOf, inLooks, type Look } from './support/audit.ts';
import { settled, usePages } from './support/page.ts';
import { seedOperations, seedPortfolio } from './support/portfolio.ts';
import { seedPositions } from './support/positions.ts';
import { seedTeam } from './support/team.ts';

const NAME = 'vulkan-club.ru';
const editTelegram = inTurn(press('dashboard.telegram'), ({ page, t }) =>
  type('dashboard.telegram_label', `somebody_${t('ui.keys').length}`)({ page, t }),
);

const editCell: Act = ({ page }) =>
  page
    .locator('td[data-place]')
    .filter({ hasText: new RegExp(`^${NAME}$`) })
    .first()
    .dblclick();

/** A name, a path to open, and an act there. */
type State = [name: string, path: string, act: Act];

const DIALOGS: readonly State[] = [
  ['Telegram name', '/', press('dashboard.telegram')],
  ['closing with something typed', '/', inTurn(editTelegram, ({ page }) => page.keyboard.press('Escape'))],
  ['keys', '/', ({ page }) => page.keyboard.press('Shift+Slash')],
  ['the palette', '/', ({ page }) => page.keyboard.press('Control+KeyK')],
  [
    'the palette, nothing found',
    '/',
    inTurn(({ page }) => page.keyboard.press('Control+KeyK'), type('palette.label', 'zzzz')),
  ],
  ['the first steps', '/?open=first_steps', nothing],
  ['new project', '/projects', press('projects.create')],
  ['new project, refused', '/projects', inTurn(press('projects.create'), press('projects.save'))],
  ['project name', '/projects?project=1', press('projects.rename')],
  ['deleting a project', '/projects?project=1', press('projects.delete')],
  ['new domain', '/sites', press('projects.add_domain')],
  ['new domain, refused', '/sites', inTurn(press('projects.add_domain'), press('domain_form.add'))],
  [
    'new domain, choosing a project',
    '/sites',
    inTurn(press('projects.add_domain'), ({ page, t }) =>
      page
        .getByRole('dialog')
        .getByRole('combobox', { name: t('domain_form.project') })
        .click(),
    ),
  ],
  [
    'pasted domains',
    '/sites',
    inTurn(press('projects.add_domain'), press('domain_form.many'), type('domain_form.many_label', 'a.ru, b.ru, ???')),
  ],
  ['a domain', '/sites?domain=1', nothing],
  ['new CDN account', '/cloudflare', press('cloudflare.add')],
  ['new CDN account, refused', '/cloudflare', inTurn(press('cloudflare.add'), press('team.save'))],
  [
    'a CDN account, tried',
    '/cloudflare',
    inTurn(onRow('sites.edit', 'Second'), ({ page, t }) =>
      page
        .getByRole('dialog')
        .getByRole('button', { name: t('cloudflare.test') })
        .click(),
    ),
  ],
  ['deleting a CDN account', '/cloudflare', onRow('sites.delete', 'Second')],
  [
    'a group, choosing accounts',
    '/cloudflare-groups',
    inTurn(onRow('sites.edit', 'Пустая'), ({ page, t }) =>
      page.getByRole('combobox', { name: t('group.accounts') }).click(),
    ),
  ],
  ['a group with accounts', '/cloudflare-groups', onRow('sites.edit', 'Все')],
  ['a server', '/servers', onRow('sites.edit', 'Falkenstein')],
  ['new server, refused', '/servers', inTurn(press('servers.add'), press('team.save'))],
  ['a template', '/templates', onRow('sites.edit', 'Промо')],
  ['files of a template', '/templates', onRow('templates.files', 'Промо')],
  ['deleting a template', '/templates', onRow('sites.delete', 'Промо')],
  ['new template, refused', '/templates', inTurn(press('templates.add'), press('team.save'))],
  ['keywords', '/position?project=1', press('positions.keywords')],
  [
    'deleting a keyword',
    '/position?project=1',
    inTurn(press('positions.keywords'), ({ page, t }) =>
      page.getByRole('button', { name: t('keywords.delete_one', { keyword: 'второй' }) }).click(),
    ),
  ],
  ['how positions are read', '/position?project=1', press('positions.settings')],
  ['results of two days', '/position?project=1&keyword=2', press('positions.view_results')],
  ['two dates', '/position?project=1&days=two&look=plain', nothing],
  ['positions of a domain', '/sites?positions=1', nothing],
  ['a domain that is not there', '/sites?domain=999', nothing],
  ['a cell that is edited', '/tables?table=domains', editCell],
  ['a cell, refused', '/tables?table=domains', inTurn(editCell, ({ page }) => page.keyboard.type('???\n'))],
  ['checks of a domain', `/sites?search=${NAME}`, inTurn(onRow('sites.more', NAME), press('sites.history'))],
];

const OTHERS: readonly State[] = [
  ['a toast', '/', inTurn(editTelegram, press('dashboard.telegram_submit'), holdToast)],
  ['a failed toast', '/', inTurn(press('dashboard.check'), holdToast)],
  [
    'operations',
    '/',
    ({ page, t }) => page.getByRole('button', { name: t('ui.operations_running', { n: 1 }) }).click(),
  ],
  [
    'a deleted domain',
    '/sites',
    inTurn(
      ({ page, t }) =>
        page
          .getByRole('button', { name: t('sites.action_on', { action: t('sites.more'), name: '' }) })
          .last()
          .click(),
      press('sites.delete'),
      holdToast,
    ),
  ],
  ['an empty check', '/check-site', press('check_site.submit')],
  [
    'checked domains',
    '/check-site',
    inTurn(type('check_site.label', 'casino.ru\nпример.рф, example.com example.com ???'), press('check_site.submit')),
  ],
  ['a refused user', '/admin', press('users.create')],
  [
    'a created user',
    '/admin',
    async ({ page, t }) => {
      await page.getByLabel(t('users.login'), { exact: true }).fill(`user${Math.random()}`);
      await page.getByLabel(t('users.password'), { exact: true }).fill('long enough');
      await press('users.create')({ page, t });
      await page.getByRole('button', { name: t('users.copy_access') }).waitFor();
    },
  ],
  [
    'a row of the log',
    '/log',
    ({ page, t }) =>
      page
        .getByRole('button', { name: t('log.open', { id: 1 }) })
        .first()
        .click(),
  ],
  ['a new row', '/tables?table=domains', press('tables.add')],
  ['a row that is refused', '/tables?table=projects', inTurn(press('tables.add'), press('team.save'))],
  ['the columns of a table', '/tables?table=domains', press('tables.columns')],
  ['the columns of an import', '/import', importColumns],
  ['the preview of an import', '/import', inTurn(importColumns, press('import.next'))],
];

async function importColumns(scene: Scene): Promise<void> {
  const rows = [
    'домен;проект;тип;истекает',
    'new-one.ru;Новый;основной;01.02.2027',
    `${NAME};;;`,
    'x.ru;;боковой;03/04/25',
  ];
  await type('import.paste', rows.join('\n'))(scene);
  await press('import.next')(scene);
  await scene.page.getByText(scene.t('import.header')).waitFor();
}

// The lists and forms of the screens, while the server fails.
const FAILING: readonly State[] = [
  ['dashboard', '/', nothing],
  ['one list', '/?list=all', nothing],
  ['projects', '/projects', nothing],
  ['sites', '/sites', nothing],
  ['the page of a domain', '/sites/vulkan-club.ru', nothing],
  ['the page of a project', '/projects/1', nothing],
  ['the page of a transfer', '/transfers/1', nothing],
  ['import', '/import', inTurn(type('import.paste', 'casino.ru'), press('import.next'))],
  ['check', '/check-site', inTurn(type('check_site.label', 'casino.ru'), press('check_site.submit'))],
  ['users', '/admin', press('users.create')],
  ['tables', '/tables', nothing],
  ['CDN accounts', '/cloudflare', nothing],
  ['groups', '/cloudflare-groups', nothing],
  ['servers', '/servers', press('servers.add')],
  ['templates', '/templates', press('templates.add')],
  ['positions', '/position?project=1', nothing],
  ['positions of a domain', '/sites?positions=1', nothing],
  ['XMLRiver', '/xmlriver', nothing],
];

const open = usePages();
let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await seedPortfolio(server.admin.id);
  await seedTeam(server);
  await seedPositions(1, { id: 1, domain_name: NAME }, [
    { value: 'первый', yandex: [20, 12, 5, 4], google: [9, 8, 0, 7], tags: ['бренд'], frequency: 300 },
    { value: 'второй', yandex: [4, 45, 0, 70], target_url: `https://${NAME}/second` },
  ]);
  await seedOperations(server.admin.id);
});
afterAll(() => server.close());

const BROKEN = { status: 500, json: { error: 'Out of order', code: 'internal' } };
const EXPECTED =
  /^(404 \/api\/domains\/999|400 \/api\/(users|servers|templates|cloudflare_accounts|tables\/(projects|domains))|500 .*)$/;

/** Makes the calls that match `calls` fail, opens the page, acts, and returns the faults. */
async function faultsIn([, path, act]: State, look: Look, calls: string): Promise<string[]> {
  const { lang, theme } = look;
  const page = await open(server.url + path, {
    lang,
    theme,
    token: server.admin.token,
    expected: EXPECTED,
    prepare: (page) => page.route(calls, (route) => route.fulfill(BROKEN)),
  });
  await act({ page, t: (key, params) => translate(lang, key, params) });
  await settled(page);
  return faultsOf(page, look.widths);
}

const nameOf = ([name]: State): string => name;

it.each(inLooks([...DIALOGS, ...OTHERS], nameOf))('%s has no faults', async (_title, look, state) => {
  expect(await faultsIn(state, look, '**/api/trigger_background_task')).toEqual([]);
});

it.each(inLooks(FAILING, nameOf))('%s has no faults while the server fails', async (_title, look, state) => {
  expect(await faultsIn(state, look, '**/api/**')).toEqual([]);
});

it.each(inLooks([1280, 390, 320], (width) => `menus at ${width} px`))(
  '%s have no faults',
  async (_title, look, width) => {
    const page = await open(server.url, { ...look, width, token: server.admin.token });
    const menus = page.getByRole('navigation').getByRole('button');
    for (const menu of await menus.all()) {
      await menu.click();
      expect(await faultsOf(page, [width])).toEqual([]);
      await page.keyboard.press('Escape');
    }
  },
);
