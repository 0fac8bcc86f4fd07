import { afterAll, beforeAll, expect, it } from 'vitest';
import { translate } from '../../src/shared/i18n/index.ts';
import { SERVER_IP, startCdn, type Cdn } from '../support/cdn.ts';
import { nothing, press, type Act } from './support/acts.ts';
import { faultsOf, inLooks } from './support/audit.ts';
import { settled, usePages } from './support/page.ts';

const open = usePages();
let cdn: Cdn;
const ids: Record<string, number> = {};
beforeAll(async () => {
  cdn = await startCdn();
  for (const name of ['one.com', 'from.com']) ids[name] = await cdn.addDomain(name);
  ids['none.com'] = await cdn.addDomain('none.com', { cloudflare_account_id: null });
  cdn.addZone('one.com', ['A @ 198.51.100.1', 'CNAME www one.com', 'TXT @ hello', 'MX @ mail.one.com']);
  const body = { accountId: cdn.accounts[0], domainName: 'one.com', ipAddress: SERVER_IP, pageRules: ['from.com'] };
  const { operation } = (await cdn.call('POST /api/manage_dns', body)).body;
  await cdn.ended(operation.id);
});
afterAll(() => cdn.close());

// Uses the last row: a menu covers the rows below, and a half-covered target would be reported as too small.
const menu: Act = ({ page, t }) =>
  page
    .getByRole('button', { name: t('sites.action_on', { action: t('sites.more'), name: '' }) })
    .last()
    .click();
const deleteRecord =
  (n: number): Act =>
  ({ page, t }) =>
    page
      .getByRole('button', {
        name: t('sites.action_on', { action: t('dns_editor.delete'), name: t('dns_editor.record', { n }) }),
      })
      .click();
const then =
  (...acts: Act[]): Act =>
  async (scene) => {
    for (const act of acts) {
      await act(scene);
      await settled(scene.page);
    }
  };

const edit: Act = async ({ page, t }) => {
  const content = page.getByRole('textbox', {
    name: t('dns_editor.of_record', { field: t('dns_editor.content'), n: 1 }),
  });
  await content.fill('198.51.100.9');
};
const attach: Act = async ({ page, t }) => {
  await page.getByRole('tab', { name: t('page_rules.tab_attach') }).click();
  await page.getByRole('combobox', { name: t('page_rules.server'), exact: true }).fill('srv');
  await page.getByRole('option', { name: SERVER_IP }).click();
  await page.getByRole('textbox', { name: t('page_rules.domains'), exact: true }).fill('a.com\nnot a domain');
};

const LOOP = {
  domain: 'one.com',
  redirect: [
    { url: 'https://one.com/', redirectUrl: `https://www.one.com/${'a-long-path/'.repeat(12)}`, status: 301 },
    { url: `https://www.one.com/${'a-long-path/'.repeat(12)}`, redirectUrl: 'https://one.com/', status: 302 },
  ],
  error: 'redirect_loop',
  loop: true,
  final_url: null,
  ms: 120,
};

/** The states: a path to open, and an act there. */
const STATES: readonly [name: string, path: () => string, act: Act][] = [
  ['the menu of a row', () => '/sites', menu],
  ['the menu of a row of the dashboard', () => '/?list=all', menu],
  ['records', () => `/sites?dns=${ids['one.com']}`, nothing],
  [
    'records with faults',
    () => `/sites?dns=${ids['one.com']}`,
    then(edit, press('dns_editor.add'), press('dns_editor.review')),
  ],
  [
    'records, closing with edits',
    () => `/sites?dns=${ids['one.com']}`,
    then(edit, ({ page }) => page.keyboard.press('Escape')),
  ],
  [
    'the plan of deleting all records',
    () => `/sites?dns=${ids['one.com']}`,
    then(deleteRecord(1), deleteRecord(2), deleteRecord(3), press('dns_editor.review')),
  ],
  [
    'the question before all records are deleted',
    () => `/sites?dns=${ids['one.com']}`,
    then(
      deleteRecord(1),
      deleteRecord(2),
      deleteRecord(3),
      press('dns_editor.review'),
      press('dns_editor.save', { n: 3 }),
    ),
  ],
  ['records of a domain without an account', () => `/sites?dns=${ids['none.com']}`, nothing],
  ['rules', () => `/sites?rules=${ids['from.com']}`, nothing],
  [
    'the question before a rule is deleted',
    () => `/sites?rules=${ids['from.com']}`,
    ({ page }) => page.getByRole('button', { name: /\*from\.com/ }).click(),
  ],
  [
    'attaching, incomplete',
    () => `/sites?rules=${ids['none.com']}`,
    then(
      ({ page, t }) => page.getByRole('tab', { name: t('page_rules.tab_attach') }).click(),
      press('page_rules.send'),
    ),
  ],
  ['the plan of attaching', () => `/sites?rules=${ids['one.com']}`, then(attach, press('page_rules.send'))],
  ['redirects in a loop', () => `/sites?redirects=${ids['one.com']}`, nothing],
];

it.each(inLooks(STATES, ([name]) => name))('%s: the dialog has no faults', async (_title, look, [, path, act]) => {
  const page = await open(cdn.server.url + path(), {
    ...look,
    token: cdn.server.admin.token,
    // The domain without an account answers 409.
    expected: /^409 \/api\/domain_(dns|page_rules)\/\d+$/,
    prepare: (page) => page.route('**/api/check_domain_redirect/*', (route) => route.fulfill({ json: LOOP })),
  });
  await act({ page, t: (key, params) => translate(look.lang, key, params) });
  await settled(page);
  expect(await faultsOf(page, look.widths)).toEqual([]);
});
