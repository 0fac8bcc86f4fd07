// Filters, tabs and cards on a phone: their lines end where the screen does.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startServer, type TestServer } from '../../support/server.ts';
import { usePages } from '../support/page.ts';
import { seedScreens } from '../support/screens.ts';

const open = usePages();
let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await seedScreens(server);
});
afterAll(() => server.close());

const openPhone = (path: string) => open(server.url + path, { width: 390, token: server.admin.token });

it.each(['/settings?section=backups', '/sites/vulkan-club.ru?tab=checks', '/projects/1?tab=purchases'])(
  '%s: the tabs have one line, in which the chosen one is in sight, and the page stays at its top',
  async (path) => {
    const page = await openPhone(path);
    const tab = page.locator('main [role="tab"][aria-selected="true"]').first();
    const place = () =>
      tab.evaluate((chosen) => {
        const { left, right } = chosen.getBoundingClientRect();
        const lines = new Set([...chosen.parentElement!.children].map((one) => (one as HTMLElement).offsetTop));
        return { isSeen: left >= 0 && right <= window.innerWidth, lines: lines.size, top: window.scrollY };
      });
    await expect.poll(place).toEqual({ isSeen: true, lines: 1, top: 0 });
  },
);

it.each([
  '/sites?status=expired',
  '/sites?status=broken',
  '/operations?state=cancelled',
  '/purchases?state=failed',
  '/sites/vulkan-club.ru?show=log',
])('%s: the pressed chip is in sight, and the page stays at its top', async (path) => {
  const page = await openPhone(path);
  const place = () =>
    page
      .locator('main .chips [aria-pressed="true"]')
      .first()
      .evaluate((chip) => {
        const { left, right } = chip.getBoundingClientRect();
        return {
          isSeen: left >= 0 && right <= window.innerWidth,
          top: window.scrollY,
          focus: document.activeElement?.tagName,
        };
      });
  await expect.poll(place).toEqual({ isSeen: true, top: 0, focus: 'BODY' });
});

it('the filters of all sites stand in pairs, and their chips in one line', async () => {
  const page = await openPhone('/sites');
  const tops = (selector: string) =>
    page.locator(selector).evaluateAll((all) => new Set(all.map((one) => one.getBoundingClientRect().top)).size);
  await expect.poll(() => tops('main .filters .bp6-html-select')).toBe(2);
  await expect.poll(() => tops('main .chips >> nth=0 >> button')).toBe(1);
});

it('the values of a card stand below one another, and its acts need no heading', async () => {
  const page = await openPhone('/servers');
  const card = page.locator('.card').first();
  const lefts = () =>
    card.locator('dl > :not(.card-acts) > dd').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().left));
  await expect.poll(async () => (await lefts()).length).toBeGreaterThan(3);
  expect(new Set(await lefts()).size).toBe(1);
  await expect.poll(() => card.locator('.card-acts > dt').evaluate((one) => one.clientWidth)).toBe(1);
});
