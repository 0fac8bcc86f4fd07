// Enter while the server still looks for what is typed: a hit of an earlier text is not taken.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { request, startServer, type TestServer } from '../../support/server.ts';
import { settled, usePages } from '../support/page.ts';

const open = usePages();
let server: TestServer;
const ask = async (call: string, body?: object) =>
  (await request(server, call, { token: server.admin.token, ...(body && { body }) })).body;
const projects: number[] = [];
const domains: Record<string, number> = {};

beforeAll(async () => {
  server = await startServer();
  for (const name of ['Older one', 'Older two']) projects.push((await ask('POST /api/projects', { name })).data.id);
  for (const [domain_name, type] of [
    ['moves.com', 'main'],
    ['cell.com', 'main'],
    ['older-one.com', 'transfer'],
    ['older-two.com', 'transfer'],
  ] as const) {
    const body = { domain_name, type, project_id: projects[0] };
    domains[domain_name] = (await ask('POST /api/domains', body)).data.id;
  }
});
afterAll(() => server.close());

/** Returns a promise, and what fulfils it. */
function held(): { given: Promise<void>; give: () => void } {
  let give = (): void => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}

// Without an account of a CDN nothing is planned for a reserve that is chosen.
const visit = (path: string) =>
  open(server.url + path, { token: server.admin.token, expected: /^409 \/api\/transfer_explicit\/plan/ });

it('the palette opens the domain that is typed, not the first one of an earlier text', async () => {
  const page = await visit('/servers');
  await page.keyboard.press('Control+KeyK');
  const field = page.getByRole('combobox', { name: 'Найти домен, проект, действие или экран' });
  await field.fill('older');
  await page.getByRole('option', { name: 'older-one.com' }).waitFor();
  await page.getByRole('option', { name: 'older-two.com' }).waitFor();
  const answer = held();
  await page.route(/search=older-/, async (route) => {
    await answer.given;
    return route.continue();
  });
  const first = await page.getByRole('option').first().innerText();
  const other = first.includes('older-one.com') ? 'older-two.com' : 'older-one.com';
  await field.fill(other);
  await field.press('Enter');
  answer.give();
  await page.getByRole('heading', { level: 1, name: other }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/sites/${other}`);
});

it('a cell takes the row that is typed once it is found', async () => {
  const page = await visit(`/tables?table=domains&id=${domains['cell.com']}`);
  await page.getByRole('columnheader', { name: 'project_id' }).waitFor();
  const heads = await page.getByRole('columnheader').allInnerTexts();
  const place = heads.findIndex((text) => text.trim() === 'project_id');
  await page.locator(`[data-place="0:${place}"]`).focus();
  await page.keyboard.press('Enter');
  const field = page.locator('.cell-editor').getByLabel('project_id', { exact: true });
  const options = page.locator('.cell-editor').getByRole('option');
  await options.filter({ hasText: 'Older one' }).waitFor();
  const answer = held();
  await page.route(/\/api\/tables\/projects\?.*search=/, async (route) => {
    await answer.given;
    return route.continue();
  });
  const stored = async (): Promise<unknown> => (await ask(`GET /api/domains/${domains['cell.com']}`)).data.project_id;
  const last = (await options.last().innerText()).startsWith('Older two') ? 1 : 0;
  await field.fill(last === 1 ? 'Older two' : 'Older one');
  await field.press('Enter');
  answer.give();
  await field.waitFor({ state: 'detached' });
  await expect.poll(stored).toBe(projects[last]);
});

it('a reserve of an earlier search is not chosen', async () => {
  const page = await visit(`/sites?transfer=${domains['moves.com']}`);
  const field = page.getByRole('combobox', { name: 'Резервный домен' });
  const active = page.locator('.transfer-option.active');
  await field.fill('older-one');
  await active.filter({ hasText: 'older-one.com' }).waitFor();
  // Both in one turn: the pause in typing has not passed.
  await field.evaluate((input: HTMLInputElement) => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, 'older-two');
    input.dispatchEvent(new Event('input', { bubbles: true }));
    input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', code: 'Enter', bubbles: true, cancelable: true }));
  });
  await active.filter({ hasText: 'older-two.com' }).waitFor();
  await field.fill('');
  await expect.poll(() => page.locator('.transfer-option').count()).toBe(2);
  await settled(page);
  expect(await page.locator('.transfer-option[aria-selected="true"]').count()).toBe(0);
  // Nor where nothing is found.
  await field.fill('older-one');
  await active.filter({ hasText: 'older-one.com' }).waitFor();
  await field.fill('nothing-like-it');
  await active.waitFor({ state: 'detached' });
  await settled(page);
  await field.press('Enter');
  await field.fill('');
  await expect.poll(() => page.locator('.transfer-option').count()).toBe(2);
  expect(await page.locator('.transfer-option[aria-selected="true"]').count()).toBe(0);
  await field.fill('older-two');
  await active.filter({ hasText: 'older-two.com' }).waitFor();
  await field.press('Enter');
  await expect.poll(() => page.locator('.transfer-option[aria-selected="true"]').count()).toBe(1);
});
