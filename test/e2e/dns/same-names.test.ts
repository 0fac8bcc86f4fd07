// Accounts that share a name are told apart where one is chosen.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startCdn, type Cdn } from '../../support/cdn.ts';
import { usePages } from '../support/page.ts';

const open = usePages();
let cdn: Cdn;
let main: number;
let names: string[];
beforeAll(async () => {
  cdn = await startCdn();
  main = await cdn.addDomain('main.com');
  cdn.addZone('main.com');
  const rename = (id: number) => cdn.call(`POST /api/cloudflare_accounts/${id}`, { name: 'Same' });
  const { body } = await cdn.call('POST /api/cloudflare_accounts', {
    name: 'Same',
    email: '',
    api_key: 'k'.repeat(40),
  });
  const ids = [...cdn.accounts, Number(body.data.id)];
  await Promise.all(ids.map(rename));
  names = ids.map((id) => `Same (${id})`);
});
afterAll(() => cdn.close());

const visit = (path: string) => open(cdn.server.url + path, { token: cdn.server.admin.token });

it('for a change of DNS', async () => {
  const page = await visit('/dns');
  const options = page.getByLabel('Аккаунт Cloudflare').getByRole('option');
  await expect
    .poll(async () => (await options.allTextContents()).map((text) => text.split(' — ')[0]))
    .toEqual(expect.arrayContaining(names));
});

it('for the attaching of domains', async () => {
  const page = await visit(`/sites?rules=${main}`);
  await page.getByRole('tab', { name: 'Привязать домены' }).click();
  const field = page.getByRole('combobox', { name: 'Аккаунт Cloudflare' });
  await expect.poll(() => field.inputValue()).toBe(names[0]);
  await field.fill('Same');
  await page.getByRole('option', { name: names[1] ?? '' }).click();
  await expect.poll(() => field.inputValue()).toBe(names[1]);
});

it('for a group', async () => {
  const page = await visit('/cloudflare-groups');
  await page.getByRole('button', { name: 'Создать группу' }).first().click();
  await page.getByRole('combobox', { name: 'Аккаунты' }).fill('Same');
  await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(expect.arrayContaining(names));
});
