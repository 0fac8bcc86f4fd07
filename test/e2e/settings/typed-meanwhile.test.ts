// Typed text is lost neither to an answer nor to a choice beside it.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { request, startServer, type TestServer } from '../../support/server.ts';
import { holdCalls } from '../support/hold.ts';
import { settled, usePages } from '../support/page.ts';

const open = usePages();
let server: TestServer;
const ask = async (call: string, body?: object) =>
  (await request(server, call, { token: server.admin.token, ...(body && { body }) })).body;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const visit = (path: string) => open(server.url + path, { token: server.admin.token });

it('limits that were typed stay when another currency is chosen', async () => {
  const page = await visit('/settings?section=caps');
  await page.getByRole('button', { name: 'Задать лимиты' }).click();
  const form = page.getByRole('dialog', { name: 'Лимиты покупок' });
  await form.getByLabel('Имён в день', { exact: true }).fill('2');
  await form.getByLabel('Валюта').selectOption('USD');
  await expect.poll(() => form.getByLabel('Имён в день', { exact: true }).inputValue()).toBe('2');
  await form.getByRole('button', { name: 'Сохранить' }).click();
  await form.waitFor({ state: 'detached' });
  expect((await ask('GET /api/budget')).data.names_day).toBe(2);
});

it('tags that are typed while earlier ones are saved stay', async () => {
  const project = (await ask('POST /api/projects', { name: 'Север' })).data.id;
  await ask('POST /api/keywords', { keyword: 'слово', project_id: project });
  const page = await visit(`/position?project=${project}`);
  await page.getByRole('button', { name: 'Ключевые слова', exact: true }).click();
  const field = page.getByLabel('Метки: слово');
  let give = (): void => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  await page.route('**/api/keywords/*', async (route) => {
    if (route.request().method() === 'PUT') await given;
    return route.continue();
  });
  await field.fill('one');
  const sent = page.waitForResponse((answer) => answer.request().method() === 'PUT');
  await field.press('Enter');
  await field.fill('one, two');
  give();
  await sent;
  await settled(page);
  expect(await field.inputValue()).toBe('one, two');
});

it('tags that are taken back while they are saved are taken back', async () => {
  const project = (await ask('POST /api/projects', { name: 'Юг' })).data.id;
  await ask('POST /api/keywords', { keyword: 'имя', project_id: project });
  const page = await visit(`/position?project=${project}`);
  await page.getByRole('button', { name: 'Ключевые слова', exact: true }).click();
  const field = page.getByLabel('Метки: имя');
  const sent: unknown[] = [];
  page.on('request', (call) => call.method() === 'PUT' && sent.push(call.postDataJSON().tags));
  const release = await holdCalls(page, 'PUT', '**/api/keywords/*');
  await field.fill('one');
  await field.press('Enter');
  await expect.poll(() => sent).toEqual([['one']]);
  await field.fill('');
  await field.press('Tab');
  release();
  await settled(page);
  await expect.poll(() => sent).toEqual([['one'], []]);
  expect(await field.inputValue()).toBe('');
  await expect.poll(() => ask(`GET /api/keywords/${project}`)).toMatchObject([{ tags: [] }]);
});
