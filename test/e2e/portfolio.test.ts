import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startServer, type TestServer } from '../support/server.ts';
import { usePages } from './support/page.ts';
import { seedDomains, seedProjects } from './support/portfolio.ts';

const COUNT = 20_000;
const nameOf = (index: number): string => `site-${String(index).padStart(5, '0')}.example`;

const open = usePages();
let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await seedProjects(server.admin.id, ['Первый', 'Второй']);
  const seeds = Array.from({ length: COUNT }, (_, index) => ({
    domain_name: nameOf(index),
    project_id: (index % 2) + 1,
    status: index % 10 === 0 ? ('blocked' as const) : ('available' as const),
  }));
  await seedDomains(server.admin.id, seeds);
});
afterAll(() => server.close());

const visit = (path: string) => open(server.url + path, { token: server.admin.token });
it(`${COUNT} domains are shown in few nodes, to the last row`, async () => {
  const page = await visit('/check-site');
  await page.getByRole('button', { name: 'Сайты' }).click();
  await page.getByRole('link', { name: 'Все сайты' }).click();
  await page.locator('tbody').getByText(nameOf(0)).waitFor();
  const [ms, nodes] = await page.evaluate(() => {
    const data = performance.getEntriesByType('resource').find(({ name }) => /api\/domains\?/.test(name));
    const times = data as PerformanceResourceTiming;
    return [performance.now() - times.responseEnd, document.querySelectorAll('*').length] as const;
  });
  console.log(`/sites with ${COUNT} domains: ${nodes} nodes, first rows seen ${Math.round(ms)} ms after the data`);
  expect(nodes).toBeLessThan(15_000);
  expect(await page.locator('tbody tr').count()).toBeLessThan(200);

  await page.locator('.rows').evaluate((rows) => rows.scrollTo(0, rows.scrollHeight));
  await page.getByText(nameOf(COUNT - 1)).waitFor();
  expect(await page.locator('tbody tr').count()).toBeLessThan(200);
  await expect.poll(() => page.getByRole('table').getAttribute('aria-rowcount')).toBe(String(COUNT + 1));
});

it('closed lists of the dashboard are not requested', async () => {
  const asked: string[] = [];
  const listen = (page: Page): void => {
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === '/api/user_domains') asked.push(searchParams.get('status') ?? '');
    });
  };
  const page = await open(server.url, { token: server.admin.token, prepare: async (page) => listen(page) });
  expect(asked.sort()).toEqual(['blocked', 'broken', 'expired']);
  await page.getByRole('button', { name: 'Все домены' }).click();
  await page.getByText(nameOf(1), { exact: true }).waitFor();
  expect(asked).toContain('all');
});

it(`${COUNT} rows of a table are few nodes, and the last one has its keys`, async () => {
  const page = await visit('/tables?table=domains');
  expect(await page.locator('tbody tr').count()).toBeLessThan(200);
  await page.locator('.rows').evaluate((rows) => rows.scrollTo(0, rows.scrollHeight));
  await page
    .getByRole('button', { name: `#${COUNT}` })
    .first()
    .focus();
  await page.keyboard.press('e');
  await expect.poll(() => page.getByRole('dialog').getByLabel('domain_name').inputValue()).toBe(nameOf(COUNT - 1));
});
