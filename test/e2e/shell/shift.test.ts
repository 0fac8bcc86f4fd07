// Nothing that is seen moves while a page is loaded, in whatever order its calls are answered.
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPerson, startServer, type TestServer } from '../../support/server.ts';
import { usePages } from '../support/page.ts';
import { seedPortfolio } from '../support/portfolio.ts';

const open = usePages();
let server: TestServer;
let newcomer: string;
beforeAll(async () => {
  server = await startServer();
  await seedPortfolio(server.admin.id);
  newcomer = (await createPerson(server)).token;
});
afterAll(() => server.close());

/** Starts to count how much of the page moves; runs before its scripts. */
function countShift(): void {
  const seen = { shift: 0, moved: [] as string[] };
  // After three seconds a page shows what it has, though it will move: here, however slow the machine is, it waits.
  const later = window.setTimeout;
  const patient = (work: () => void, ms?: number) => (ms === 3_000 ? 0 : later(work, ms));
  Object.assign(window, { seen, setTimeout: patient });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      value: number;
      hadRecentInput: boolean;
      sources: { node: Element | null }[];
    })[]) {
      if (entry.hadRecentInput) continue;
      seen.shift += entry.value;
      seen.moved.push(...entry.sources.map(({ node }) => `${node?.nodeName}.${node?.className}`));
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

type Order = 'first to last' | 'last to first';

/** Lets a page load with its calls answered one after the other, each when the former one has been drawn. */
async function load(page: Page, order: Order): Promise<{ shift: number; moved: string[] }> {
  const waiting: Route[] = [];
  await page.route('**/api/**', async (route) => {
    if (route.request().url().includes('/api/events')) await route.continue();
    else waiting.push(route);
  });
  await page.addInitScript(countShift);
  await page.reload();
  const drawn = () => page.evaluate(() => new Promise((done) => setTimeout(done, 80)));
  // A page that has asked for nothing more six times over is loaded.
  for (let rest = 0; rest < 6; rest += 1) {
    await drawn();
    const next = order === 'first to last' ? waiting.shift() : waiting.pop();
    if (!next) continue;
    rest = 0;
    await next.continue();
  }
  return page.evaluate(() => (window as unknown as { seen: { shift: number; moved: string[] } }).seen);
}

const PAGES = ['/', '/sites', '/projects', '/dns', '/check-site'];
const ORDERS: Order[] = ['first to last', 'last to first'];

test.each(PAGES.flatMap((path) => ORDERS.map((order) => [path, order] as const)))(
  '%s stands still while its calls are answered from the %s',
  async (path, order) => {
    for (const token of [server.admin.token, newcomer]) {
      const page = await open(server.url + path, { token });
      const { shift, moved } = await load(page, order);
      expect({ shift, moved: shift > 0.05 ? moved : [] }).toEqual({ shift, moved: [] });
      await page.close();
    }
  },
);
