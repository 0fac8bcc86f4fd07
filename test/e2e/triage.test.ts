// The dashboard as a triage: what needs somebody comes first, each row with its one act.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { execute, transaction } from '../../db/index.ts';
import { createPerson, request, startServer, type TestServer } from '../support/server.ts';
import { faultsOf } from './support/audit.ts';
import { settled, usePages } from './support/page.ts';
import { inDays, insert, seedDomains, seedPortfolio } from './support/portfolio.ts';

const open = usePages();
let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  const me = server.admin.id;
  await seedPortfolio(me);
  await insert('cloudflare_accounts', [
    { name: 'CDN', email: 'ops@cdn.example', api_key: '', zones: 0, created_at: inDays(-50) },
  ]);
  await transaction(() =>
    execute(`UPDATE domains SET cloudflare_account_id = 1 WHERE domain_name = 'vulkan-play.com'`),
  );
  const body = { name: 'srv-3', ssh_host: '203.0.113.30', ssh_user: 'root', ssh_password: 'secret' };
  await request(server, 'POST /api/servers', { token: server.admin.token, body });
  const silent = { server_id: 1, project_id: 2, http_status_code: null, http_error: 'timeout' };
  await seedDomains(me, [
    { domain_name: 'raduga-one.example', ...silent },
    { domain_name: 'raduga-two.example', ...silent },
    { domain_name: 'raduga-three.example', ...silent },
    { domain_name: 'pusto.ru', project_id: 3, status: 'blocked', transfer_type: 'manual' },
  ]);
  // A move of the day: one of the lines of thirty days.
  await insert('transfer_history', [
    {
      project_id: 1,
      main_domain_id: 8,
      transfer_domain_id: 2,
      main_domain_name: 'xn--e1afmkfd.xn--p1ai',
      transfer_domain_name: 'new.example',
      action: 'auto',
      created_at: inDays(-0.1),
    },
  ]);
});
afterAll(() => server.close());

const visit = (path = '/') => open(server.url + path, { token: server.admin.token });
const rows = (page: Page) => page.locator('.triage-row');
const row = (page: Page, text: string) => rows(page).filter({ hasText: text });
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));

it('the worst items come first, by cause; the sentence counts them; nothing has faults', async () => {
  const page = await visit();
  expect(await page.locator('.triage-head h3').allInnerTexts()).toEqual([
    'Заблокированы, готового резерва нет',
    'Заблокированы, резерв готов',
    'Одна причина',
    'Не отвечают',
    'Истекают',
  ]);
  expect(await page.locator('.screen-lead').innerText()).toMatch(
    /^\d+ дел ждут решения\. Неполадки у \d+ имён из 12\.$/,
  );
  await row(page, 'Сервер srv-3').getByText('raduga-one.example, raduga-three.example и ещё 1').waitFor();
  await row(page, 'vulkan-club.ru').getByText('→ vulkan-play.com готов').first().waitFor();
  expect(await page.locator('.repairs').innerText()).toContain('пример.рф → new.example');
  await page.getByRole('img', { name: 'Переезды за 30 дней: 1' }).waitFor();
  // One button in sight is filled.
  expect(await page.locator('main .bp6-intent-primary').count()).toBe(1);
  expect(await page.locator('.domain-list').count()).toBe(4);
  expect(await faultsOf(page)).toEqual([]);
});

it('the act of a blocked domain opens the transfer to the reserve that is ready, and closing it returns to the act', async () => {
  // The plan is refused: neither domain has a zone here. test/e2e/transfer.test.ts starts one.
  const expected = /^409 \/api\/transfer_explicit\/plan$/;
  const page = await open(server.url, { token: server.admin.token, expected });
  await row(page, 'vulkan-club.ru').getByRole('button', { name: 'Перенести: vulkan-club.ru' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Перенести на vulkan-play.com' }).waitFor();
  expect(new URL(page.url()).search).toBe('?transfer=1&transfer_to=2');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expect.poll(() => focused(page)).toBe('Перенести: vulkan-club.ru');
});

it('keys lead from row to row, and skip to the first', async () => {
  const page = await visit();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('К делам');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('pusto.ru');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => focused(page)).toBe('Перенести: vulkan-club.ru');
  await page.keyboard.press('j');
  await expect.poll(() => focused(page)).toBe('Проверить: srv-3');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('k');
  await expect.poll(() => focused(page)).toBe('Купить…: pusto.ru');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
});

it('a check that a row asks for is started once, and said in the row until it ends; then the triage is read anew', async () => {
  let answer = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const asked: string[] = [];
  const page = await visit();
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.route('**/api/triage/check', async (route) => {
    await held;
    await route.continue();
  });
  await row(page, 'srv-3').getByRole('button', { name: 'Проверить: srv-3' }).click();
  await row(page, 'srv-3').getByRole('button', { name: 'Идёт проверка: srv-3' }).click({ force: true });
  answer();
  await row(page, 'srv-3').getByRole('button', { name: 'Проверить: srv-3' }).waitFor();
  await expect.poll(() => asked.filter((path) => path === '/api/triage').length).toBeGreaterThan(0);
  expect(asked.filter((path) => path === '/api/triage/check')).toHaveLength(1);
});

it('a triage that cannot be read leaves the lists; a calm one says so, and how others fare is not told', async () => {
  const failing = await open(server.url, {
    token: server.admin.token,
    expected: /^500 \/api\/triage$/,
    prepare: (page) =>
      page.route('**/api/triage', (route) => route.fulfill({ status: 500, json: { error: 'Сломано' } })),
  });
  await failing.getByText('Не удалось узнать, что требует решения').waitFor();
  expect(await failing.locator('.domain-list').count()).toBe(4);
  await failing.unroute('**/api/triage');
  await failing.getByRole('alert').getByRole('button').click();
  await rows(failing).first().waitFor();

  const person = await createPerson(server);
  await seedDomains(person.id, [{ domain_name: 'calm.example' }]);
  const page = await open(server.url, { token: person.token });
  await page.getByText('Ничего не ждёт решения. Имён: 1').waitFor();
  await settled(page);
  expect(await rows(page).count()).toBe(0);
  expect(await page.locator('.repairs').count()).toBe(0);
  expect(await faultsOf(page)).toEqual([]);
});

it('the sort of a list is in the URL', async () => {
  const page = await visit('/?sort_blocked=domain_name&sort_expired=-expired_at');
  const names = (list: string) =>
    page.getByRole('table', { name: list, exact: true }).locator('tbody .domain-name').allInnerTexts();
  await expect.poll(() => names('Заблокированные')).toEqual(['pusto.ru', 'vulkan-club.ru']);
  const ends = ['vulkan-club.ru', 'папироска.рф', 'old-check.org'];
  await expect.poll(() => names('Истекающие')).toEqual(ends);
  await page.getByRole('table', { name: 'Заблокированные' }).getByRole('button', { name: 'Domain' }).click();
  await expect.poll(() => names('Заблокированные')).toEqual(['vulkan-club.ru', 'pusto.ru']);
  expect(new URL(page.url()).search).toBe('?sort_blocked=-domain_name&sort_expired=-expired_at');
});

it('the name of a blocked row opens the page of its domain, and its icon the site', async () => {
  const page = await visit();
  const blocked = row(page, 'pusto.ru').first();
  const site = blocked.getByRole('link', { name: /Открыть сайт/ });
  await expect.poll(() => site.getAttribute('href')).toBe('http://pusto.ru/');
  expect([await site.getAttribute('target'), await site.getAttribute('rel')]).toEqual([
    '_blank',
    'noopener noreferrer',
  ]);
  await blocked.getByRole('link', { name: 'pusto.ru', exact: true }).click();
  await page.waitForURL(`${server.url}/sites/pusto.ru`);
  expect(await page.getByRole('dialog').count()).toBe(0);
});
