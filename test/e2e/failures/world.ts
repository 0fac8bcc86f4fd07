// A small portfolio and a page whose calls fail, for the texts of failed calls (spec/strings.tsv).
import type { Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { request, startServer, type TestServer } from '../../support/server.ts';
import { usePages } from '../support/page.ts';
import { seedDomains, seedPortfolio } from '../support/portfolio.ts';
import { seedPositions } from '../support/positions.ts';
import { seedTeam } from '../support/team.ts';

/** The server's reason in every call that fails. */
export const REASON = 'причина сервера';

/** Makes the calls that a pattern matches fail; with a method, those of it alone. */
export const breakCalls = (page: Page, pattern: string, method?: string): Promise<unknown> =>
  page.route(pattern, (route) =>
    method === undefined || route.request().method() === method
      ? route.fulfill({ status: 500, json: { error: REASON, code: 'internal' } })
      : route.fallback(),
  );

/** Whether a text is to be seen on a page. */
export const isShown = async (page: Page, text: string): Promise<boolean> =>
  (await page.getByText(text).filter({ visible: true }).count()) > 0;

/** Called at the head of a test file: starts a server with the portfolio; returns a function that opens a screen as its administrator. */
export function startFailures(
  expected = /^500 /,
): (path: string, prepare?: (page: Page) => Promise<unknown>) => Promise<Page> {
  const open = usePages();
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
    await seedPortfolio(server.admin.id);
    await seedTeam(server);
    await seedDomains(server.admin.id, [{ domain_name: 'behind-cdn.ru', cloudflare_account_id: 1 }]);
    await seedPositions(1, { id: 1, domain_name: 'vulkan-club.ru' }, [{ value: 'первый', yandex: [3, 2] }]);
    const { token } = server.admin;
    const river = { name: 'Река', login: '12345', key: 'xmlriver-key-0123456789' };
    await request(server, 'POST /api/xmlriver', { token, body: river });
    await request(server, 'POST /api/arsenkin', { token, body: { name: 'Арс', token: 'arsenkin-token-0123456789' } });
  });
  afterAll(() => server.close());
  return (path, prepare) =>
    open(server.url + path, { token: server.admin.token, expected, ...(prepare && { prepare }) });
}
