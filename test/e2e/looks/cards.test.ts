// The values of a card on a phone, in a portfolio of 20,000 names: none of them is cut.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startServer, type TestServer } from '../../support/server.ts';
import { settled, usePages } from '../support/page.ts';
import { inDays, seedDomains, seedProjects, type Seed } from '../support/portfolio.ts';

const open = usePages();
let server: TestServer;

const domainOf = (index: number): Seed => ({
  domain_name: `remont-zhurnal${index}.online`,
  project_id: (index % 2) + 1,
  type: index % 3 === 0 ? 'transfer' : 'main',
  expired_at: inDays(index % 5 === 0 ? 200 : -9),
  ...(index % 4 === 0 && { http_status_code: 503 }),
  ...(index % 4 === 1 && { http_status_code: null, http_error: 'dns_not_found' }),
});

beforeAll(async () => {
  server = await startServer();
  await seedProjects(server.admin.id, ['Дачный сезон', 'Путешествия']);
  await seedDomains(
    server.admin.id,
    Array.from({ length: 20_000 }, (_, index) => domainOf(index)),
  );
});
afterAll(() => server.close());

/** The values of the cards that are drawn, and those of them that do not fit where they stand. */
const values = (page: Page): Promise<{ dates: number; cut: string[] }> =>
  page.locator('.card-lines').evaluateAll((all) => {
    const parts = all.flatMap((lines) => [...lines.querySelectorAll<HTMLElement>('dd, dd *')]);
    const boxes = parts.filter((part) => part.clientWidth > 0);
    return {
      dates: all.flatMap((lines) => [...lines.querySelectorAll('.status-expired .status-word')]).length,
      cut: boxes.filter((part) => part.scrollWidth > part.clientWidth).map((part) => part.innerText),
    };
  });

const LOOKS = [390, 320].flatMap((width) =>
  (['ru', 'en'] as const).flatMap((lang) => (['light', 'dark'] as const).map((theme) => ({ width, lang, theme }))),
);

it.each(LOOKS)('a card cuts no value at $width px ($lang, $theme)', async (look) => {
  const page = await open(`${server.url}/sites?status=expired`, { ...look, token: server.admin.token });
  const seen = await values(page);
  expect(seen.dates).toBeGreaterThan(3);
  expect(seen.cut).toEqual([]);
});

it('a card cuts no value after the list was scrolled far and fast', async () => {
  const page = await open(`${server.url}/sites?status=expired`, { width: 320, token: server.admin.token });
  for (const part of [0.2, 0.9, 0.5]) {
    await page.evaluate((at) => window.scrollTo(0, document.body.scrollHeight * at), part);
    await settled(page);
    await page.locator('.card-lines').first().waitFor();
    const seen = await values(page);
    expect(seen.dates).toBeGreaterThan(3);
    expect(seen.cut).toEqual([]);
  }
});
