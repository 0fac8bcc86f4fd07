// Rows of a list that others change meanwhile: what was opened or focused in a row stays with it.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createPerson, request, startServer, type Person, type TestServer } from '../../support/server.ts';
import { usePages } from '../support/page.ts';

const open = usePages();
let server: TestServer;
let person: Person;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

let [first, second, third] = ['', '', ''];
beforeEach(async () => {
  person = await createPerson(server);
  [first, second, third] = ['a', 'b', 'c'].map((letter) => `${letter}-${person.login}.example`) as [
    string,
    string,
    string,
  ];
  for (const domain_name of [first, second, third])
    await request(server, 'POST /api/domains', { token: person.token, body: { domain_name, type: 'main' } });
});

const listed = async (): Promise<{ id: number; domain_name: string }[]> =>
  (await request(server, 'GET /api/domains?sort=domain_name', { token: person.token })).body.data;

/** Somebody else deletes the first domain, and the list is read anew. */
async function removeFirst(page: Page): Promise<void> {
  const [removed] = await listed();
  await request(server, `DELETE /api/domains/${removed?.id}`, { token: person.token });
  await page.keyboard.press('KeyR');
  await page.locator('tbody, .card').getByText(first).first().waitFor({ state: 'detached' });
}

const more = (page: Page, name: string) => page.getByRole('button', { name: `Ещё: ${name}` });

it.each([1280, 390])('the menu of a row that moves up is still its own, at %i', async (width) => {
  const page = await open(`${server.url}/sites?sort=domain_name`, { token: person.token, width });
  await more(page, second).click();
  await page.locator('.domain-menu').waitFor();
  await removeFirst(page);
  await page.locator('.domain-menu').getByRole('button', { name: 'Удалить' }).click();
  await expect.poll(async () => (await listed()).map(({ domain_name }) => domain_name)).toEqual([third]);
});

it.each([1280, 390])('the focus stays in a row that moves up, at %i', async (width) => {
  const page = await open(`${server.url}/sites?sort=domain_name`, { token: person.token, width });
  await more(page, second).focus();
  await removeFirst(page);
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  await expect.poll(focused).toBe(`Ещё: ${second}`);
});
