// Names that have little room: of domains in lists, and of projects on a phone.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { request, startServer, type TestServer } from '../../support/server.ts';
import { settled, usePages } from '../support/page.ts';
import { seedDomains } from '../support/portfolio.ts';

const open = usePages();
let server: TestServer;
const NAMES = [
  'kupit-divan-moskva-zerkalo1.com',
  'kupit-divan-moskva-zerkalo1.net',
  'avtoservis-remont-dvigatelej-msk.online',
];
const LONG = `${'odinakovoe-nachalo-'.repeat(3)}mirror.online`;
beforeAll(async () => {
  server = await startServer();
  await seedDomains(
    server.admin.id,
    [...NAMES, LONG].map((domain_name) => ({ domain_name, type: 'main' as const, status: 'available' as const })),
  );
});
afterAll(() => server.close());

/** Returns what is shown of the names of a list, and which of them are cut. */
const namesOf = (page: Page) =>
  page.locator('.rows tbody a.domain-name').evaluateAll((links) =>
    links.map((link) => {
      const cell = link.closest('td')!.getBoundingClientRect();
      const range = document.createRange();
      range.selectNodeContents(link);
      const isCut = Array.from(range.getClientRects()).some(
        ({ top, right, bottom }) => top < cell.top || right > cell.right || bottom > cell.bottom,
      );
      return { text: link.textContent, isCut };
    }),
  );

it.each([
  ['/sites', 'regular', 1280],
  ['/sites', 'compact', 1280],
  ['/sites', 'regular', 800],
] as const)('a name of up to 39 letters is whole on %s, %s at %d', async (path, density, width) => {
  const page = await open(server.url + path, { token: server.admin.token, width });
  await settled(page);
  if (density === 'compact') await page.getByRole('button', { name: 'Плотнее' }).click();
  await expect.poll(() => namesOf(page)).toEqual(expect.arrayContaining(NAMES.map((text) => ({ text, isCut: false }))));
});

it('a longer name is cut in its middle, and its link says all of it', async () => {
  const page = await open(`${server.url}/sites`, { token: server.admin.token });
  const link = page.getByRole('link', { name: LONG, exact: true });
  await expect.poll(() => link.textContent()).toMatch(/^odinakovoe-.*….*mirror\.online$/);
  expect(await link.getAttribute('title')).toBe(LONG);
});

it.each([390, 320])(
  'the page of a project with a name of a hundred letters does not scroll sideways at %d',
  async (width) => {
    const { token } = server.admin;
    const { body } = await request(server, 'POST /api/projects', {
      token,
      body: { name: `${width}${'я'.repeat(96)}` },
    });
    const page = await open(`${server.url}/projects/${body.data.id}`, { token, width });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await settled(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
  },
);
