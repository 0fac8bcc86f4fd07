import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { translate, type Key } from '../../src/shared/i18n/index.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { faultsOf, sidewaysOf, WIDTHS } from './support/audit.ts';
import { settled, usePages } from './support/page.ts';
import { seedOperations, seedPortfolio } from './support/portfolio.ts';
import { seedTeam } from './support/team.ts';

/** A screen, and the button on it that opens a dialog. */
type Place = [path: string, button?: Key];

const PLACES: readonly Place[] = [
  ['/'],
  ['/', 'dashboard.telegram'],
  ['/', 'protect.manage'],
  ['/projects?project=1'],
  ['/projects?project=1&transfer=1'],
  ['/sites'],
  ['/sites?domain=1'],
  ['/sites?dns=1'],
  ['/sites?checks=1'],
  ['/import'],
  ['/dns'],
  ['/check-site'],
  ['/cloudflare'],
  ['/cloudflare-groups'],
  ['/servers'],
  ['/templates'],
  ['/operations'],
  ['/admin'],
];

const open = usePages();
let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await seedPortfolio(server.admin.id);
  await seedTeam(server);
  await seedOperations(server.admin.id);
});
afterAll(() => server.close());

const facesOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => [...document.fonts].filter(({ family }) => /Inter/.test(family)).map(({ status }) => status));

test('the interface draws Latin and Cyrillic letters with its own font files', async () => {
  const page = await open(`${server.url}/login`);
  expect(await facesOf(page)).toEqual(['loaded', 'loaded']);
  const families = await page.evaluate(() =>
    ['body', 'button', 'input'].map((name) => getComputedStyle(document.querySelector(name) as Element).fontFamily),
  );
  for (const family of families) expect(family).toMatch(/^"?Inter\b/);
});

// The fallback font here is DejaVu, which is wider than the interface's own and any other common font. Russian texts
// are the longer ones.
test('without the web font no main screen or dialog scrolls sideways', async () => {
  const page = await open(`${server.url}/login`, {
    lang: 'ru',
    token: server.admin.token,
    expected: /^(404|409) /,
    prepare: (page) => page.route(/\.woff2/, (route) => route.abort()),
  });
  const faults: string[] = [];
  for (const [path, button] of PLACES) {
    await page.goto(server.url + path);
    await settled(page);
    if (button !== undefined) await page.getByRole('button', { name: translate('ru', button), exact: true }).click();
    const found = await faultsOf(page, WIDTHS, sidewaysOf);
    faults.push(...found.map((fault) => `${path} ${button ?? ''} ${fault}`));
  }
  expect(await facesOf(page)).not.toContain('loaded');
  expect(faults).toEqual([]);
});
