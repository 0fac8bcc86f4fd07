// The fields of a domain's form that choose from a list: what stands in one is what is saved.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { request, startServer, type TestServer } from '../../support/server.ts';
import { usePages } from '../support/page.ts';

const open = usePages();
let server: TestServer;
const servers: number[] = [];
let id: number;
let made = 0;
const ask = async (name: string, body?: object) =>
  (await request(server, name, { token: server.admin.token, ...(body && { body }) })).body;

beforeAll(async () => {
  server = await startServer();
  for (const name of ['Alpha', 'Beta', 'Beta two']) {
    const body = { name, ssh_host: '192.0.2.9', ssh_user: 'root', ssh_password: 'a password' };
    servers.push((await ask('POST /api/servers', body)).data.id);
  }
});
afterAll(() => server.close());
beforeEach(async () => {
  made += 1;
  id = (await ask('POST /api/domains', { domain_name: `site-${made}.com`, server_id: servers[0] })).data.id;
});

const edit = (prepare?: (page: Page) => Promise<unknown>): Promise<Page> =>
  open(`${server.url}/sites?domain=${id}`, { token: server.admin.token, ...(prepare && { prepare }) });
const field = (page: Page) => page.getByRole('dialog').getByRole('combobox', { name: 'Сервер' });
/** Types over what stands in the field, as people do. */
async function typeOver(page: Page, text: string): Promise<void> {
  await field(page).press('Control+KeyA');
  await page.keyboard.type(text);
}
async function save(page: Page): Promise<unknown> {
  await page.getByRole('dialog').getByRole('button', { name: 'Сохранить' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  return (await ask(`GET /api/domains/${id}`)).data.server_id;
}

it.each(['Tab', 'Escape', 'Enter'])('a name that was typed in full is chosen by %s', async (key) => {
  const page = await edit();
  await typeOver(page, ' beta ');
  await page.keyboard.press(key);
  await expect.poll(() => field(page).inputValue()).toBe('Beta');
  expect(await save(page)).toBe(servers[1]);
});

it('a name that was typed in full is saved by a press on the button', async () => {
  const page = await edit();
  await typeOver(page, 'Beta');
  expect(await save(page)).toBe(servers[1]);
});

it('a part of a name gives way to what is chosen', async () => {
  const page = await edit();
  await typeOver(page, 'bet');
  await page.keyboard.press('Tab');
  await expect.poll(() => field(page).inputValue()).toBe('Alpha');
  expect(await save(page)).toBe(servers[0]);
});

it('an emptied field stays empty after a part of a name, and takes a whole one', async () => {
  const page = await edit();
  await field(page).fill('');
  await page.keyboard.type('bet');
  await page.keyboard.press('Tab');
  await expect.poll(() => field(page).inputValue()).toBe('');
  await field(page).fill('Beta two');
  await page.keyboard.press('Tab');
  expect(await save(page)).toBe(servers[2]);
});

it('a click into what is typed leaves it, and Esc in a closed field does not empty it', async () => {
  const page = await edit();
  await typeOver(page, 'bet');
  await field(page).click();
  await expect.poll(() => field(page).inputValue()).toBe('bet');
  await page.keyboard.press('Escape');
  await expect.poll(() => field(page).inputValue()).toBe('Alpha');
  await page.getByRole('dialog').getByLabel('Оплачен до').fill('2027-05-05');
  await field(page).press('Escape');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Остаться' }).click();
  await expect.poll(() => field(page).inputValue()).toBe('Alpha');
});

it('a list that is fetched anew leaves what is typed', async () => {
  let reads = 0;
  const page = await edit(async (page) => {
    await page.clock.install();
    await page.route(/\/api\/servers(\?|$)/, async (route) => {
      const answer = await route.fetch();
      const { data } = (await answer.json()) as { data: object[] };
      reads += 1;
      for (const one of data) Object.assign(one, { domains: reads });
      return route.fulfill({ json: { data } });
    });
  });
  await typeOver(page, 'bet');
  const before = reads;
  await page.clock.fastForward(60_000);
  const read = page.waitForResponse(/\/api\/servers(\?|$)/);
  await page.evaluate(() => dispatchEvent(new Event('visibilitychange')));
  await read;
  await expect.poll(() => reads).toBeGreaterThan(before);
  await page.keyboard.type('a');
  await expect.poll(() => field(page).inputValue()).toBe('beta');
});
