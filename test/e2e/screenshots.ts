// Takes the README's screenshots: `npm run screenshots`. The clock is frozen and the portfolio generated, so that a
// picture changes only with the interface.
import '../support/acting.ts';
import { mkdirSync, rmSync } from 'node:fs';
import { mock } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser, type Page } from 'playwright-core';
import { startDemo } from '../../src/demo/index.ts';
import { createLog } from '../../src/lib/log.ts';
import { serve } from '../../src/server.ts';
import { DEMO_USERS } from '../../src/shared/demo.ts';
import { findChromium } from '../support/browser.ts';
import { form, request, startServer, temporaryConfig, type TestServer } from '../support/server.ts';
import { openPage, settled, type Visit } from './support/page.ts';
import { inDays, seedDomains, seedProjects, type Seed } from './support/portfolio.ts';
import { ensureUi } from './setup.ts';

const NOW = new Date('2026-11-20T06:30:00Z');
const FOLDER = fileURLToPath(new URL('../../ui/screenshots/', import.meta.url));
const PROJECTS = ['Гороскопы', 'Дачный сезон', 'Кулинария', 'Путешествия', 'Ремонт'];
const WORDS = ['astro', 'dacha', 'vkus', 'puti', 'remont'];
const ENDS = ['mir.ru', 'portal.com', 'blog.net', 'klub.site', 'plus.online', 'info.info', 'zhurnal.org', 'pro.pro'];

/** Returns the fault of a domain of the portfolio, for some numbers. */
function fault(number: number): Partial<Seed> {
  if (number % 14 === 0) return { status: 'blocked' };
  if (number % 17 === 3) return { http_status_code: 503 };
  if (number % 19 === 5) return { http_status_code: null, http_error: 'dns_not_found' };
  // Expired, soon and later.
  return number % 9 === 7 ? { expired_at: inDays((number % 5) * 6 - 2) } : {};
}

function seedOf(project: number, index: number): Seed {
  const number = project * ENDS.length + index;
  return {
    domain_name: `${WORDS[project]}-${ENDS[index]}`,
    project_id: project + 1,
    type: index < 2 ? 'main' : 'transfer',
    transfer_type: index % 3 === 2 ? 'manual' : 'auto',
    created_at: inDays(-400 + number * 7),
    google_indexation: Number(index < 4),
    yandex_indexation: Number(index < 3),
    last_check_indexation: inDays(-1),
    ...fault(number),
  };
}

/** Returns eight domains per project, of which the first two are main ones. */
const portfolio = (): Seed[] => PROJECTS.flatMap((_, project) => ENDS.map((_, index) => seedOf(project, index)));

async function fill({ url, admin }: TestServer): Promise<void> {
  await seedProjects(admin.id, PROJECTS);
  await seedDomains(admin.id, portfolio());
  const listed = portfolio().flatMap(({ status, domain_name }) => (status === 'blocked' ? [domain_name] : []));
  const others = Array.from({ length: 180_000 }, (_, index) => `listed-${index}.example`);
  const list = new File([[...listed, ...others].join('\n')], 'domains.lst');
  await request({ url }, 'POST /api/blocklist', { token: admin.token, body: form({ blocklist_file: list }) });
}

interface Shot {
  name: string;
  path: string;
  visit?: Visit;
  act?: (page: Page) => Promise<void>;
}

async function checkSome(page: Page): Promise<void> {
  const blocked = portfolio().filter(({ status }) => status === 'blocked');
  const names = [...blocked.slice(0, 2), ...portfolio().slice(1, 7)].map(({ domain_name }) => domain_name);
  await page.getByLabel('Домены').fill(names.join('\n'));
  await page.getByRole('button', { name: 'Проверить', exact: true }).click();
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
  const config = temporaryConfig();
  const demo = await startDemo(config, { size: undefined, frozen: true });
  const { url, close } = await serve({
    ...demo,
    log: createLog('silent'),
    host: '127.0.0.1',
    port: 0,
    scheduler: false,
  });
  const [{ login, password }] = DEMO_USERS;
  const { token } = (await request({ url }, 'POST /api/login', { body: { login, password } })).body;
  const page = await openPage(browser, url, { token });
  await page.goto(`${url}/projects?project=1&transfer=1`);
  await page.getByRole('dialog').getByRole('option').first().click();
  await page.getByText('План переноса').waitFor();
  await settled(page);
  await page.screenshot({ path: `${FOLDER}transfer.png` });
  await page.goto(`${url}/position?project=1&keyword=1`);
  await page.getByRole('grid').waitFor();
  await settled(page);
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.screenshot({ path: `${FOLDER}positions.png` });
  await page.context().close();
  await close();
  await demo.close();
  rmSync(config.dataDir, { recursive: true });
}

async function take(server: TestServer, browser: Browser): Promise<void> {
  for (const { name, path, visit, act } of SHOTS) {
    const page = await openPage(browser, server.url, { ...visit, token: server.admin.token });
    await page.clock.setFixedTime(NOW);
    await page.goto(server.url + path);
    await settled(page);
    await act?.(page);
    await settled(page);
    await page.screenshot({ path: `${FOLDER}${name}.png` });
    await page.context().close();
  }
}

const found = findChromium();
if ('missing' in found) throw new Error(`The screenshots: ${found.missing}`);
ensureUi();
mkdirSync(FOLDER, { recursive: true });
const browser = await chromium.launch(found);
// A frozen demo sets the clock of this process itself, so it comes before the mocked one.
await takeDemo(browser);
mock.timers.enable({ apis: ['Date'], now: NOW });
const server = await startServer();
await fill(server);
await take(server, browser);
await server.close();
await browser.close();
