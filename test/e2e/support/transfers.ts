// Shared parts of the tests of transfers: a demo, its domains by what they are for, and the states of the dialog.
import { rmSync } from 'node:fs';
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { domainAt } from '../../../src/demo/domains.ts';
import { startDemo, type Demo } from '../../../src/demo/index.ts';
import { createLog } from '../../../src/lib/log.ts';
import { serve, type Serving } from '../../../src/server.ts';
import { setGate } from '../../../src/services/transfers/gate.ts';
import { translate, type Key, type Params } from '../../../src/shared/i18n/index.ts';
import { request, temporaryConfig } from '../../support/server.ts';
import { inTurn, type Act, type Scene } from './acts.ts';
import { settled, usePages, type Visit } from './page.ts';

/** The id of a domain of the demo: by project from 0, and the number in it. */
export const idOf = (project: number, number: number): number => number * 6 + project + 1;
/** The name of a domain of the demo. */
export const nameOf = (id: number): string => domainAt(id - 1, new Date()).unicode_name;
/** A main domain that is blocked. */
export const BLOCKED = idOf(0, 0);
const FREE = idOf(0, 1);
/** The main domain of a project whose one reserve is blocked. */
export const OF_LONE = idOf(4, 0);
/** That reserve. */
export const LONE = idOf(4, 27);
/** A main domain of a project without reserves. */
export const WITHOUT = idOf(5, 0);
const NO_PROJECT = idOf(5, 23);
/** A reserve. */
export const RESERVE = idOf(0, 3);
/** A domain that was moved to. */
export const ARRIVED = idOf(1, 11);

let open: ReturnType<typeof usePages>;
const config = temporaryConfig();
/** The demo of the test file. */
export let demo: Demo;
/** Its server. */
export let serving: Serving;
/** The session of its administrator. */
export let token: string;

/** Starts the server of a demo before the tests of a file. */
export function startTransfers(): void {
  open = usePages();
  beforeAll(async () => {
    setGate({ everyMs: 10 });
    demo = await startDemo(config, { size: undefined, frozen: false });
    serving = await serve({ ...demo, log: createLog('silent'), host: '127.0.0.1', port: 0, scheduler: false });
    ({ token } = (await request(serving, 'POST /api/login', { body: { login: 'demo', password: 'demo' } })).body);
  });
  afterAll(async () => {
    setGate({ everyMs: 1_000 });
    await serving.close();
    await demo.close();
    rmSync(config.dataDir, { recursive: true });
  });
}

/** A text in Russian. */
export const russian = (key: Key, params?: Params): string => translate('ru', key, params);
/** Opens a path in a session of its own. */
export const visit = (path: string, visit: Visit = {}): Promise<Page> => open(serving.url + path, { token, ...visit });
/** The field in which a reserve is searched. */
export const field = ({ page, t }: Scene) => page.getByRole('combobox', { name: t('transfer_dialog.reserve') });
/** The button that moves the site to a domain. */
export const submitTo = ({ page, t }: Scene, id: number) =>
  page.getByRole('button', { name: t('transfer_dialog.submit', { name: nameOf(id) }) });
/** The dialog. */
export const dialog = (page: Page) => page.getByRole('dialog');

/** Chooses a reserve. */
export const chosen =
  (id: number): Act =>
  async (scene) => {
    await field(scene).fill(nameOf(id));
    await scene.page.locator('.transfer-option.active').getByText(nameOf(id), { exact: true }).waitFor();
    await scene.page.keyboard.press('Enter');
    await settled(scene.page);
  };
/** Presses a button. */
export const press =
  (key: Key): Act =>
  async ({ page, t }) => {
    await page.getByRole('button', { name: t(key) }).click();
    await settled(page);
  };
const opened: Act = ({ page }) => dialog(page).waitFor();

/** Makes calls fail as they do when the database is locked. */
const broken = (calls: string) => (page: Page) =>
  page.route(calls, (route: Route) =>
    route.fulfill({ status: 503, json: { error: 'The database is locked', code: 'unavailable' } }),
  );
/** The error that a broken call gives. */
export const EXPECTED = /^503 /;

/** A page at the reserve. */
export const SEEN = {
  title: 'A title of <b>theirs</b>',
  address: 'https://there.example/',
  status: 200,
  print: 'the-print',
};
/** Makes the plan show this page at the reserve; `shown` may change between calls. */
export const seen = (shown: () => typeof SEEN) => (page: Page) =>
  page.route('**/api/transfer_explicit/plan', async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    json.data.readiness.seen = shown();
    await route.fulfill({ response, json });
  });

const NAMES = 'very-long-'.repeat(6);
/** A history with long names, an IDN among them, on both sides. */
const longHistory = (page: Page) =>
  page.route('**/api/domain_transfer_history/*', (route) =>
    route.fulfill({
      json: {
        data: [1, 2].map((id) => ({
          id,
          main_domain_id: id,
          transfer_domain_id: id === 1 ? null : 5,
          main_domain_name: `${NAMES}${id}.example.com`,
          transfer_domain_name: 'xn--80aaf4bq.xn--p1ai',
          action: id === 1 ? 'auto' : 'explicit',
          operation_id: null,
          created_at: '2026-10-01T10:00:00.000Z',
        })),
      },
    }),
  );

/** A name, a path to open, an act there, and the calls to make fail. */
export const STATES: readonly [name: string, path: string, act: Act, prepare?: (page: Page) => Promise<unknown>][] = [
  ['reserves', `/sites?transfer=${BLOCKED}`, opened],
  [
    'nothing found',
    `/sites?transfer=${BLOCKED}`,
    async (scene) => {
      await field(scene).fill('no such name');
      await scene.page.getByText(scene.t('ui.nothing_found')).waitFor();
    },
  ],
  ['a plan', `/sites?transfer=${BLOCKED}`, chosen(idOf(0, 19))],
  ['a plan that copies records', `/sites?transfer=${FREE}`, chosen(idOf(0, 7))],
  ['the question before a blocked reserve', `/sites?transfer=${OF_LONE}`, chosen(LONE)],
  ['a blocked reserve', `/sites?transfer=${OF_LONE}`, inTurn(chosen(LONE), press('transfer_dialog.anyway'))],
  ['no reserves', `/sites?transfer=${WITHOUT}`, opened],
  ['a reserve', `/sites?transfer=${RESERVE}`, opened],
  ['a domain without a project', `/sites?transfer=${NO_PROJECT}`, opened],
  ['reserves that do not come', `/sites?transfer=${BLOCKED}`, opened, broken('**/api/project_unassigned_domains/*')],
  ['a plan that does not come', `/?transfer=${BLOCKED}`, chosen(idOf(0, 19)), broken('**/api/transfer_explicit/plan')],
  ['the history', `/sites?transfers=${ARRIVED}`, opened],
  ['a history of long names', `/sites?transfers=${ARRIVED}`, opened, longHistory],
  ['no history', `/?transfers=${BLOCKED}`, opened],
  ['a history that does not come', `/sites?transfers=${BLOCKED}`, opened, broken('**/api/domain_transfer_history/*')],
];
