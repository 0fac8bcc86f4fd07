// Loading ahead of a click: the page under a resting pointer.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { request, startServer, type TestServer } from '../../support/server.ts';
import { settled, usePages } from '../support/page.ts';

const NAMES = ['first.example', 'second.example', 'third.example', 'fourth.example'];

const open = usePages();
let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  for (const domain_name of NAMES)
    await request(server, 'POST /api/domains', { token: server.admin.token, body: { domain_name } });
});
afterAll(() => server.close());

const link = (page: Page, name: string) => page.locator('tbody a.domain-name', { hasText: name });

/** Opens the list with a clock that stands still until the test lets it go on, and returns what is asked for from then on. */
async function openList(prepare?: (page: Page) => Promise<unknown>): Promise<{ page: Page; asked: string[] }> {
  const page = await open(`${server.url}/sites`, {
    token: server.admin.token,
    prepare: async (page) => {
      await page.clock.install();
      await prepare?.(page);
    },
  });
  await link(page, 'fourth').waitFor();
  await settled(page);
  // Far enough ahead for a slow browser, and sooner than the page takes its events for lost and reads everything anew.
  await page.clock.pauseAt(Date.now() + 10_000);
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/domain_pages|DomainPage-.*\.js$/.test(pathname)) asked.push(pathname);
  });
  return { page, asked };
}

const isOf = (name: string) => (path: string) => path === `/api/domain_pages/${name}`;

it('a pointer that crosses the list asks for nothing, one that rests for the page under it, once', async () => {
  const { page, asked } = await openList();
  for (const name of NAMES) {
    await link(page, name).hover();
    await page.clock.runFor(50);
  }
  expect(asked).toEqual([]);
  await page.clock.runFor(100);
  await expect.poll(() => asked.filter(isOf('fourth.example'))).toHaveLength(1);
  await expect.poll(() => asked.filter((path) => path.endsWith('.js'))).not.toEqual([]);
  await page.clock.resume();
  await link(page, 'fourth').click();
  await page.getByRole('heading', { level: 1, name: 'fourth.example' }).waitFor();
  await settled(page);
  expect(asked.filter((path) => path.startsWith('/api/'))).toEqual(['/api/domain_pages/fourth.example']);
});

it('a link that a key has focused is loaded ahead like one under the pointer', async () => {
  const { page, asked } = await openList();
  await link(page, 'first').focus();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Tab');
  await expect.poll(() => link(page, 'first').evaluate((one) => one.matches(':focus-visible'))).toBe(true);
  await page.clock.runFor(100);
  await expect.poll(() => asked.filter(isOf('first.example'))).toHaveLength(1);
  await page.clock.resume();
});

it('a finger loads nothing before it opens a link', async () => {
  const { page, asked } = await openList();
  await link(page, 'second').dispatchEvent('pointerover', { pointerType: 'touch', bubbles: true });
  await page.clock.runFor(500);
  expect(asked).toEqual([]);
  await page.clock.resume();
});

it('for a reader who saves data nothing is loaded before a link is opened', async () => {
  const { page, asked } = await openList((page) =>
    page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } })),
  );
  await link(page, 'second').hover();
  await page.clock.runFor(500);
  expect(asked).toEqual([]);
  await page.clock.resume();
  await link(page, 'second').click();
  await page.getByRole('heading', { level: 1, name: 'second.example' }).waitFor();
  await settled(page);
  expect(asked.filter(isOf('second.example'))).toHaveLength(1);
});
