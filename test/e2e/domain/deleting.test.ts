// A deleted domain comes back long after the undo is gone.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { execute, transaction } from '../../../db/index.ts';
import { createPerson, request, startServer, type Person, type TestServer } from '../../support/server.ts';
import { faultsOf } from '../support/audit.ts';
import { usePages } from '../support/page.ts';

const open = usePages();
let server: TestServer;
let person: Person;
let project: number;
beforeAll(async () => {
  server = await startServer();
  const at = new Date().toISOString();
  await transaction(async () => {
    await execute(
      `INSERT INTO servers (name, ssh_host, ssh_user, ssh_password, created_at)
       VALUES ('falkenstein', '203.0.113.7', 'root', '', $at)`,
      { at },
    );
    await execute(`INSERT INTO templates (name, created_at) VALUES ('Promo', $at)`, { at });
  });
});
beforeEach(async () => {
  await transaction(() => execute('DELETE FROM domains'));
  person = await createPerson(server);
  project = await made('projects', { name: 'Shop' });
});
afterAll(() => server.close());

async function made(path: string, body: object): Promise<number> {
  return (await request(server, `POST /api/${path}`, { token: person.token, body })).body.data.id;
}

const visit = (path: string): Promise<Page> =>
  open(server.url + path, { token: person.token, expected: /^404 \/api\/(domain_pages|domains)\// });
const names = async (): Promise<string[]> =>
  (await request(server, 'GET /api/domains', { token: person.token })).body.data.map(
    ({ domain_name }: { domain_name: string }) => domain_name,
  );

async function pressDelete(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: `Ещё: ${name}` }).click();
  await page.locator('.domain-menu').getByRole('button', { name: 'Удалить' }).click();
}

/** Adds a domain whose site is deployed on the server. */
async function addHosted(domain_name: string, fields: object): Promise<number> {
  const id = await made('domains', { domain_name, ...fields });
  const at = new Date().toISOString();
  await transaction(async () => {
    await execute('UPDATE domains SET server_id = (SELECT MAX(id) FROM servers) WHERE id = $id', { id });
    await execute(
      `INSERT INTO sites (domain_id, template_id, html_name, html, deployed_at, updated_at)
       SELECT $id, MAX(id), 'a.html', '', $at, $at FROM templates`,
      { id, at },
    );
  });
  return id;
}

it('a domain is deleted on its page at once; the list takes the place of the page, with the undo', async () => {
  await addHosted('main.example', { project_id: project });
  const page = await visit('/sites/main.example');
  await pressDelete(page, 'main.example');
  await page.waitForURL(`${server.url}/sites`);
  await page.getByText('Домен удалён: main.example').waitFor();
  expect(await names()).toEqual([]);
  await page.getByRole('button', { name: 'Отменить' }).click();
  await page.getByRole('link', { name: 'main.example' }).waitFor();
});

it('the page of a deleted domain says so to whose it was, and brings it back; to others it is not there', async () => {
  const id = await addHosted('gone.example', { project_id: project });
  await request(server, `DELETE /api/domains/${id}`, { token: person.token });
  const page = await visit('/sites/gone.example');
  await page.getByRole('heading', { level: 1, name: 'Домен gone.example удалён' }).waitFor();
  await page.getByText('Основной домен проекта Shop').waitFor();
  await page.getByText('Сайт развёрнут на сервере falkenstein').waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByRole('button', { name: 'Вернуть домен' }).click();
  await page.getByRole('heading', { level: 1, name: 'gone.example', exact: true }).waitFor();
  await page.getByText('Домен возвращён: gone.example').waitFor();
  expect(await names()).toEqual(['gone.example']);
  await request(server, `DELETE /api/domains/${id}`, { token: person.token });
  const { token } = await createPerson(server);
  const others = await open(`${server.url}/sites/gone.example`, { token, expected: /^404 / });
  await others.getByRole('heading', { level: 1, name: 'Домена gone.example нет среди ваших' }).waitFor();
});

it('the dialog offers the deleted domain of a name that is added again, and brings it back or adds a new one', async () => {
  const id = await made('domains', { domain_name: 'again.example', project_id: project });
  await request(server, `DELETE /api/domains/${id}`, { token: person.token });
  const page = await visit('/sites?open=new');
  const form = page.getByRole('dialog');
  const name = form.getByLabel('Домен', { exact: true });
  const add = (text: string) => form.getByRole('button', { name: text, exact: true }).click();
  await name.fill('again.example');
  await add('Добавить');
  const note = form.getByRole('alert').filter({ hasText: 'Домен again.example удалён' });
  await note.getByText('Основной домен проекта Shop').waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Вернуть домен');
  expect(await names()).toEqual([]);
  expect(await faultsOf(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 900 });
  await name.fill('other.example');
  await note.waitFor({ state: 'detached' });
  await name.fill('again.example');
  await note.getByRole('button', { name: 'Вернуть домен' }).click();
  await page.getByText('Домен возвращён: again.example').waitFor();
  await form.waitFor({ state: 'detached' });
  const { data } = (await request(server, `GET /api/domains/${id}`, { token: person.token })).body;
  expect(data).toMatchObject({ id, project_id: project });
  await request(server, `DELETE /api/domains/${id}`, { token: person.token });
  await page.getByRole('button', { name: 'Добавить домен' }).click();
  await name.fill('again.example');
  await add('Добавить');
  await add('Добавить заново');
  await page.getByText('Домен добавлен: again.example').waitFor();
  expect(await names()).toEqual(['again.example']);
});
