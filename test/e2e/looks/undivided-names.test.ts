// Names that nothing divides, and the longest ones: they stay in their page and their dialog.
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SERVER_IP, startCdn, type Cdn } from '../../support/cdn.ts';
import { settled, usePages } from '../support/page.ts';
import { seedDomains } from '../support/portfolio.ts';

const open = usePages();
let cdn: Cdn;
beforeEach(async () => {
  cdn = await startCdn();
});
afterEach(() => cdn.close());

const UNDIVIDED = 'besplatnyegoroskopynakazhdyydenonlaynbezregistracii.ru';
const LONGEST = ['a', 'b', 'c'].map((letter) => `${letter.repeat(63)}.`).join('') + `${'d'.repeat(58)}.ru`;

/** Returns by how many pixels the page is wider than its window. */
const sideways = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

it.each([
  [UNDIVIDED, 390],
  [UNDIVIDED, 320],
  [LONGEST, 390],
  [LONGEST, 1280],
])('the pages of the project of %s and of that domain do not scroll sideways at %d', async (name, width) => {
  const { server, accounts, call } = cdn;
  const { body } = await call('POST /api/projects', { name: 'One' });
  const project_id: number = body.data.id;
  await seedDomains(server.admin.id, [
    { domain_name: name, project_id, http_status_code: null, last_http_check_at: null },
    // The button of the page names a reserve that is ready.
    { domain_name: `r${name.slice(1)}`, project_id, type: 'transfer', cloudflare_account_id: accounts[0] },
  ]);
  const page = await open(`${server.url}/projects/${project_id}`, { token: server.admin.token, width });
  await page.locator('.domain-sentence').getByText(name).waitFor();
  expect(await sideways(page)).toBe(0);
  await page.goto(`${server.url}/sites/${name}`);
  await page.getByRole('button', { name: `Перенести на r${name.slice(1)}` }).waitFor();
  await settled(page);
  expect(await sideways(page)).toBe(0);
});

it.each([
  [UNDIVIDED, 390],
  [LONGEST, 1280],
])('the plan of attaching %s stays in its dialog at %d', async (name, width) => {
  const id = await cdn.addDomain('main.com');
  cdn.addZone('main.com');
  const page = await open(`${cdn.server.url}/sites?rules=${id}`, { token: cdn.server.admin.token, width });
  await page.getByRole('tab', { name: 'Привязать домены' }).click();
  await page.getByRole('combobox', { name: 'Сервер', exact: true }).fill('srv');
  await page.getByRole('option', { name: `srv — ${SERVER_IP}` }).click();
  await page.getByLabel('Домены', { exact: true }).fill(`${name}, other.com`);
  await page.getByRole('button', { name: 'Отправить', exact: true }).click();
  await page.locator('.attach-groups').getByText(name, { exact: true }).waitFor();
  await settled(page);
  const outside = await page.getByRole('dialog').evaluate((dialog) => {
    const { right } = dialog.getBoundingClientRect();
    return [...dialog.querySelectorAll('.attach-groups *')].filter((one) => one.getBoundingClientRect().right > right);
  });
  expect(outside).toHaveLength(0);
});

it('a failure that names a zone does not make the page of a domain wider than a phone', async () => {
  await cdn.addDomain(UNDIVIDED);
  const page = await open(`${cdn.server.url}/sites/${UNDIVIDED}?tab=dns`, {
    token: cdn.server.admin.token,
    width: 390,
    expected: /^\d+ \/api\/domain_dns\/\d+$/,
  });
  await page.locator('.failure-reason').getByText(UNDIVIDED).waitFor();
  expect(await sideways(page)).toBe(0);
});
