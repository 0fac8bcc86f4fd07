// A dialog that the browser's Back has closed while its answer was awaited.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { request, startServer, type TestServer } from '../../support/server.ts';
import { settled, usePages } from '../support/page.ts';

const open = usePages();
let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  const { token } = server.admin;
  await request(server, 'POST /api/domains', { token, body: { domain_name: 'left.com' } });
});
afterAll(() => server.close());

/** Holds the answer to a form of a domain; returns a function that lets it come. */
async function hold(page: Page): Promise<() => void> {
  let give = (): void => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  await page.route(/\/api\/domains(\/\d+)?$/, async (route) => {
    if (route.request().method() === 'POST') await given;
    return route.continue();
  });
  return give;
}

it('its late answer leaves the reader on the list', async () => {
  const page = await open(`${server.url}/servers`, { token: server.admin.token });
  await page.goto(`${server.url}/sites`);
  await page.getByRole('button', { name: 'Изменить: left.com' }).click();
  await page.getByRole('dialog').getByLabel('Оплачен до').fill('2027-05-05');
  const give = await hold(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Сохранить' }).click();
  await page.goBack();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  give();
  await page.getByText('Домен сохранён: left.com').waitFor();
  await settled(page);
  expect(new URL(page.url()).pathname).toBe('/sites');
});

it('its late answer leaves the reader on the screen before', async () => {
  const page = await open(`${server.url}/servers`, { token: server.admin.token });
  await page.keyboard.press('KeyG');
  await page.keyboard.press('KeyS');
  await page.getByRole('button', { name: 'Изменить: left.com' }).waitFor();
  await page.keyboard.press('KeyN');
  const form = page.getByRole('dialog');
  await form.getByRole('textbox', { name: 'Домен', exact: true }).fill('new.com');
  const give = await hold(page);
  const sent = page.waitForRequest((one) => one.method() === 'POST' && one.url().endsWith('/api/domains'));
  await form.getByRole('button', { name: 'Добавить', exact: true }).click();
  await sent;
  await page.goBack();
  await form.waitFor({ state: 'detached' });
  give();
  await page.getByText('Домен добавлен: new.com').waitFor();
  await settled(page);
  expect(new URL(page.url()).pathname).toBe('/servers');
});
