// Takes the pictures of the README and the documentation, in both languages: `npm run screenshots`. The clock is frozen and the
// portfolio generated, so that a picture changes only with the interface.
import '../../support/acting.ts';
import { mkdirSync } from 'node:fs';
import { mock } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser, type Page } from 'playwright-core';
import sharp from 'sharp';
import { translate, LANGUAGES, type Language } from '../../../src/shared/i18n/index.ts';
import { findChromium } from '../../support/browser.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { openPage, settled, type Visit } from '../support/page.ts';
import { ensureUi } from '../setup.ts';
import { serveDemo } from './demo.ts';
import { fill, portfolio } from './portfolio.ts';
import { record } from './recording.ts';

const NOW = new Date('2026-11-20T06:30:00Z');
const FOLDER = fileURLToPath(new URL('../../../ui/screenshots/', import.meta.url));
const fileOf = (lang: Language, name: string): string => `${FOLDER}${lang}/${name}`;
interface Shot {
  name: string;
  path: string;
  visit?: Visit;
  act?: (page: Page, lang: Language) => Promise<void>;
}

/** Takes a picture of few colours: a fourth of the bytes, and the same to the eye. */
async function shoot(page: Page, lang: Language, name: string): Promise<void> {
  const picture = await page.screenshot();
  await sharp(picture)
    .png({ palette: true, colours: 128, compressionLevel: 9, effort: 10 })
    .toFile(fileOf(lang, `${name}.png`));
}

async function checkSome(page: Page, lang: Language): Promise<void> {
  const blocked = portfolio().filter(({ status }) => status === 'blocked');
  const names = [...blocked.slice(0, 2), ...portfolio().slice(1, 7)].map(({ domain_name }) => domain_name);
  await page.getByLabel(translate(lang, 'check_site.label')).fill(names.join('\n'));
  await page.getByRole('button', { name: translate(lang, 'check_site.submit'), exact: true }).click();
}

const SHOTS: readonly Shot[] = [
  { name: 'dashboard-light', path: '/' },
  { name: 'dashboard-dark', path: '/', visit: { theme: 'dark' } },
  { name: 'dashboard-390', path: '/', visit: { width: 390 } },
  { name: 'sites', path: '/sites' },
  { name: 'projects', path: '/projects?project=2' },
  { name: 'check-site', path: '/check-site', act: checkSome },
];

/** Takes two screens of the demo: a blocked main domain with its reserves and the plan, and the positions of its project. */
async function takeDemo(browser: Browser): Promise<void> {
  const demo = await serveDemo(true);
  for (const lang of LANGUAGES) {
    const page = await openPage(browser, demo.url, { token: demo.token, lang });
    await page.goto(`${demo.url}/projects?project=1&transfer=1`);
    await page.getByRole('dialog').getByRole('option').first().click();
    await page.getByText(translate(lang, 'transfer_dialog.plan')).waitFor();
    await settled(page);
    await shoot(page, lang, 'transfer');
    await page.goto(`${demo.url}/position?project=1&keyword=1`);
    await page.getByRole('grid').waitFor();
    await settled(page);
    await page.evaluate(() => window.scrollTo(0, 0));
    await shoot(page, lang, 'positions');
    await page.context().close();
  }
  await demo.close();
}

async function take(server: TestServer, browser: Browser, lang: Language): Promise<void> {
  for (const { name, path, visit, act } of SHOTS) {
    const page = await openPage(browser, server.url, { ...visit, lang, token: server.admin.token });
    await page.clock.setFixedTime(NOW);
    await page.goto(server.url + path);
    await settled(page);
    await act?.(page, lang);
    await settled(page);
    await shoot(page, lang, name);
    await page.context().close();
  }
}

const found = findChromium();
if ('missing' in found) throw new Error(`The screenshots: ${found.missing}`);
ensureUi();
for (const lang of LANGUAGES) mkdirSync(fileOf(lang, ''), { recursive: true });
const browser = await chromium.launch(found);
for (const lang of LANGUAGES) await record(browser, lang, fileOf(lang, 'loop.webp'));
// A frozen demo sets the clock of this process itself, so it comes before the mocked one.
await takeDemo(browser);
mock.timers.enable({ apis: ['Date'], now: NOW });
const server = await startServer();
await fill(server);
for (const lang of LANGUAGES) await take(server, browser, lang);
await server.close();
await browser.close();
