// The zone that is shown beside the form of a DNS change: whose it is, and how it is now.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SERVER_IP, startCdn, type Cdn } from '../../support/cdn.ts';
import { usePages } from '../support/page.ts';

const OLD_IP = '198.51.100.1';

const open = usePages();
let cdn: Cdn;
beforeAll(async () => {
  cdn = await startCdn({}, 2);
  for (let n = 0; n < 25; n += 1) await cdn.addDomain(`n${n}-one.com`);
  for (const name of ['one.com', 'two.com', 'three.com']) cdn.addZone(name, [`A @ ${OLD_IP}`]);
  await cdn.addDomain('one.com');
  await cdn.addDomain('two.com');
  await cdn.addDomain('three.com', { cloudflare_account_id: null });
});
afterAll(() => cdn.close());

const visit = (expected?: RegExp): Promise<Page> =>
  open(`${cdn.server.url}/dns`, { token: cdn.server.admin.token, ...(expected && { expected }) });
const domainField = (page: Page) => page.getByRole('combobox', { name: 'Домен' });
const zone = (page: Page, name: string) => page.getByRole('table', { name: `Записи DNS: ${name}` });

it.each(['one.com', 'https://one.com/', 'ONE.com.'])('%s is found, however many names contain it', async (typed) => {
  const page = await visit();
  await domainField(page).fill(typed);
  await expect.poll(() => zone(page, 'one.com').getByText(OLD_IP).count()).toBe(1);
});

it.each(['two.com', 'three.com'])('after the change of %s it is shown as it has become', async (name) => {
  const page = await visit();
  await page.getByLabel('Аккаунт Cloudflare').selectOption({ index: 1 });
  await domainField(page).fill(name);
  await domainField(page).press('Tab');
  await page.getByLabel('Сервер', { exact: true }).selectOption(`srv — ${SERVER_IP}`);
  await zone(page, name).getByText(OLD_IP).waitFor();
  await page.getByRole('button', { name: 'Сменить DNS' }).click();
  await page
    .getByRole('dialog', { name: `Что изменится: ${name}` })
    .getByRole('button', { name: /^Применить/ })
    .click();
  await page.getByText('DNS changed successfully.').waitFor();
  await zone(page, name).getByText(SERVER_IP).first().waitFor({ timeout: 10_000 });
  expect(await zone(page, name).getByText(OLD_IP).count()).toBe(0);
});

it.each([0, 2])(
  'the zone is looked for in the chosen account, where the domain has none or another one: %s',
  async (own) => {
    const name = `zone-elsewhere${own}.com`;
    await cdn.addDomain(name, { cloudflare_account_id: cdn.accounts[own - 1] ?? null });
    cdn.addZone(name, [`A @ ${OLD_IP}`]);
    const page = await visit(/^422 \/api\/domain_dns/);
    await domainField(page).fill(name);
    await domainField(page).press('Tab');
    await page.getByText(own === 0 ? 'Выберите аккаунт: здесь' : 'Зоны этого домена в Cloudflare не видно').waitFor();
    await page.getByLabel('Аккаунт Cloudflare').selectOption({ index: 1 });
    await expect.poll(() => zone(page, name).getByText(OLD_IP).count()).toBe(1);
  },
);

it('the name servers to enter are those of the zone, which are not those of the account', async () => {
  const name = 'four.com';
  cdn.addZone(name, [`A @ ${OLD_IP}`]);
  cdn.zone(name).name_servers = ['own-1.ns.cloudflare.com', 'own-2.ns.cloudflare.com'];
  await cdn.addDomain(name);
  const page = await visit();
  await page.getByLabel('Аккаунт Cloudflare').selectOption({ index: 1 });
  await domainField(page).fill(name);
  await domainField(page).press('Tab');
  await page.getByLabel('Сервер', { exact: true }).selectOption(`srv — ${SERVER_IP}`);
  await page.getByRole('button', { name: 'Сменить DNS' }).click();
  await page
    .getByRole('dialog', { name: `Что изменится: ${name}` })
    .getByRole('button', { name: /^Применить/ })
    .click();
  const result = page.locator('.dns-result');
  await result.getByRole('button', { name: 'Скопировать NS' }).waitFor();
  await expect
    .poll(() => result.locator('.name-servers code').allInnerTexts())
    .toEqual(['own-1.ns.cloudflare.com', 'own-2.ns.cloudflare.com']);
});
