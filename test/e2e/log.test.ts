import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPerson, request, startServer, type TestServer } from '../support/server.ts';
import { holdCalls } from './support/hold.ts';
import { settled, usePages } from './support/page.ts';

const open = usePages();
let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

it('the log leads from a name to what was there before and after, and is verified', async () => {
  const { token } = await createPerson(server);
  const { body } = await request(server, 'POST /api/projects', { token, body: { name: 'Север' } });
  await request(server, `PUT /api/projects/${body.data.id}`, { token, body: { name: 'Юг' } });
  const page = await open(`${server.url}/admin`, { token: server.admin.token });
  await page.getByRole('link', { name: 'Журнал' }).click();
  await page.getByLabel('Имя объекта').fill('юг');
  await page.getByText('1 запись').waitFor();
  await page
    .getByRole('button', { name: /проект Юг/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  const row = dialog.getByRole('row', { name: /^name/ });
  await expect.poll(() => row.getByRole('cell').allInnerTexts()).toEqual(['Север', 'Юг']);
  await dialog.getByRole('button', { name: 'Вернуть, как было' }).click();
  await page.getByText('Значения возвращены').waitFor();
  await dialog.waitFor({ state: 'hidden' });
  const { body: list } = await request(server, 'GET /api/user_projects', { token });
  expect(JSON.stringify(list)).toContain('Север');
  await page.getByRole('button', { name: 'Проверить целостность' }).click();
  await page.getByText('Журнал цел, записей:').waitFor();
});

it('a change that is given back late leaves the row that was opened meanwhile', async () => {
  const { token } = await createPerson(server);
  for (const name of ['Запад', 'Восток']) {
    const { body } = await request(server, 'POST /api/projects', { token, body: { name } });
    await request(server, `PUT /api/projects/${body.data.id}`, { token, body: { name: `${name} 2` } });
  }
  const page = await open(`${server.url}/log`, { token: server.admin.token });
  const dialog = page.getByRole('dialog');
  const row = (name: string) => page.getByRole('button', { name: new RegExp(`проект ${name} 2`) }).first();
  await row('Запад').click();
  const release = await holdCalls(page, 'POST', '**/give_back');
  await dialog.getByRole('button', { name: 'Вернуть, как было' }).click();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await row('Восток').click();
  await dialog.getByText('Восток 2').first().waitFor();
  release();
  await page.getByText('Значения возвращены').waitFor();
  await settled(page);
  expect(await dialog.count()).toBe(1);
});

it('the objects stand in the order of the language that is read, whatever the browser speaks', async () => {
  const labelsIn = async (locale: string) => {
    const page = await open(`${server.url}/log`, { token: server.admin.token, context: { locale } });
    const options = page.getByRole('option', { name: 'аккаунт Arsenkin' }).locator('xpath=..').getByRole('option');
    await expect.poll(() => options.count()).toBeGreaterThan(20);
    return options.allInnerTexts();
  };
  const russian = await labelsIn('ru-RU');
  expect(await labelsIn('de-DE')).toEqual(russian);
});

it('a user does not find the log', async () => {
  const { token } = await createPerson(server);
  const page = await open(`${server.url}/log`, { token });
  await page.getByText('Страница не найдена').waitFor();
  expect(await page.getByRole('table').count()).toBe(0);
});
