// The zone that is shown beside the form of a DNS change: whose it is, and how it is now.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, it } from 'vitest';
import { startCdn, type Cdn } from '../../support/cdn.ts';
import { usePages } from '../support/page.ts';

const OLD_IP = '198.51.100.1';

const open = usePages();
let cdn: Cdn;
beforeAll(async () => {
  cdn = await startCdn();
  for (let n = 0; n < 25; n += 1) await cdn.addDomain(`n${n}-one.com`);
  for (const name of ['one.com', 'two.com', 'three.com']) cdn.addZone(name, [`A @ ${OLD_IP}`]);
  await cdn.addDomain('one.com');
  await cdn.addDomain('two.com');
  await cdn.addDomain('three.com', { cloudflare_account_id: null });
});
afterAll(() => cdn.close());

const visit = (): Promise<Page> => open(`${cdn.server.url}/dns`, { token: cdn.server.admin.token });
const domainField = (page: Page) => page.getByRole('combobox', { name: 'Домен' });
const zone = (page: Page, name: string) => page.getByRole('table', { name: `Записи DNS: ${name}` });

it.each(['one.com', 'https://one.com/', 'ONE.com.'])('%s is found, however many names contain it', async (typed) => {
  const page = await visit();
  await domainField(page).fill(typed);
  await zone(page, 'one.com').getByText(OLD_IP).waitFor();
});
