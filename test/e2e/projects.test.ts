import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPerson, request, startServer, type Person, type TestServer } from '../support/server.ts';
import { delayDeferred } from './support/acts.ts';
import { holdCalls } from './support/hold.ts';
import { settled, usePages } from './support/page.ts';

const open = usePages();
let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

/** Creates a user with a project and the given main domains. */
async function personWith(...names: string[]): Promise<Person & { project: number }> {
  const person = await createPerson(server);
  const { body } = await request(server, 'POST /api/projects', { token: person.token, body: { name: 'Север' } });
  const project: number = body.data.id;
  for (const domain_name of names) {
    await request(server, 'POST /api/domains', { token: person.token, body: { domain_name, project_id: project } });
  }
  return { ...person, project };
}

const domainOf = async ({ token }: Person, name: string) => {
  const { body } = await request(server, 'GET /api/domains', { token });
  return body.data.find(({ domain_name }: { domain_name: string }) => domain_name === name);
};

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const name = (page: Page) => page.getByRole('dialog').getByLabel('Домен', { exact: true });
const assigned = (page: Page) => page.getByRole('region', { name: 'Назначенные домены', exact: true });

it('the page prompts in both wordings until a project is chosen, and remembers the choice', async () => {
  const person = await personWith('first.example');
  const page = await open(`${server.url}/projects`, { token: person.token });
  await page.getByText('Выберите проект').waitFor();
  expect(await page.getByText('Select project').getAttribute('lang')).toBe('en');
  await page.getByRole('link', { name: /Север/ }).click();
  await page.waitForURL(`${server.url}/projects?project=${person.project}`);
  await page.locator('a[aria-current="true"]', { hasText: 'Север' }).waitFor();
  await page.goto(`${server.url}/projects`);
  await page.waitForURL(`${server.url}/projects?project=${person.project}`);
});

it('projects are walked through by keyboard', async () => {
  const { token } = await personWith();
  const { body } = await request(server, 'POST /api/projects', { token, body: { name: 'Юг' } });
  const page = await open(`${server.url}/projects`, { token });
  await page.keyboard.press('Slash');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${server.url}/projects?project=${body.data.id}`);
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('Юг');
});

it('a domain is added: blanks are removed, the path follows the name, both forms of an IDN are shown', async () => {
  const person = await personWith();
  const page = await open(`${server.url}/projects?project=${person.project}`, { token: person.token });
  await button(page, 'Добавить домен').click();
  await name(page).fill(' новый\t.рф ');
  await expect.poll(() => name(page).inputValue()).toBe('новый.рф');
  await page.getByText('новый.рф · xn--b1aoke0e.xn--p1ai').waitFor();
  const path = page.getByLabel('Папка сайта на сервере');
  await expect.poll(() => path.inputValue()).toBe('/var/www/www-root/data/www/xn--b1aoke0e.xn--p1ai');
  await path.fill('/srv/site');
  await name(page).fill('other.example');
  await expect.poll(() => path.inputValue()).toBe('/srv/site');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Домен добавлен: other.example').waitFor();
  await assigned(page).getByRole('link', { name: 'other.example' }).waitFor();
  expect(await domainOf(person, 'other.example')).toMatchObject({
    project_id: person.project,
    type: 'main',
    transfer_type: 'auto',
    file_path: '/srv/site',
  });
});

it('an invalid name is reported at its field, and stays', async () => {
  const { token, project } = await personWith('taken.example');
  const page = await open(`${server.url}/projects?project=${project}`, { token, expected: /^409 \/api\/domains$/ });
  await button(page, 'Добавить домен').click();
  await name(page).fill('nozone');
  await page.keyboard.press('Tab');
  await page.getByText('Домен должен содержать точку и зону, например .com').waitFor();
  await expect.poll(() => name(page).getAttribute('aria-invalid')).toBe('true');
  await name(page).fill('taken.example');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Домен уже есть: taken.example').waitFor();
  await expect.poll(() => name(page).inputValue()).toBe('taken.example');
});

it('an edit sends the changed fields and keeps the others on the server', async () => {
  const person = await personWith('kept.example');
  const { token, project } = person;
  const page = await open(`${server.url}/projects?project=${project}`, { token });
  await button(page, 'Изменить: kept.example').click();
  await name(page).waitFor();
  const { id } = await domainOf(person, 'kept.example');
  await request(server, `POST /api/domains/${id}`, { token, body: { transfer_type: 'manual' } });
  await page.getByLabel('Оплачен до').fill('2030-02-01');
  await button(page, 'Сохранить').click();
  await page.getByText('Домен сохранён: kept.example').waitFor();
  expect(await domainOf(person, 'kept.example')).toMatchObject({
    transfer_type: 'manual',
    expired_at: '2030-02-01T00:00:00.000Z',
  });
  expect(page.url()).toBe(`${server.url}/projects?project=${project}`);
});

it('a pasted list is added, and refused names stay with their reasons', async () => {
  const person = await personWith('taken2.example');
  const page = await open(`${server.url}/projects?project=${person.project}`, {
    token: person.token,
    expected: /^409 \/api\/domains$/,
  });
  await button(page, 'Добавить домен').click();
  await button(page, 'Добавить списком').click();
  const field = page.getByRole('textbox', { name: 'Домены' });
  await field.fill('one.example, two.example\ntaken2.example; not_a_host one.example');
  await page.getByText('3 домена, 1 повтор, 1 ошибка').waitFor();
  await button(page, 'Добавить 3 домена').click();
  await page.getByText('Не добавлено: 1 из 3').waitFor();
  await expect.poll(() => field.inputValue()).toBe('taken2.example # Домен уже есть: taken2.example\nnot_a_host');
  expect(await domainOf(person, 'two.example')).toMatchObject({ project_id: person.project });
});

it('a domain is deleted at once and restored; the focus stays in the list', async () => {
  const person = await personWith('gone.example', 'stays.example');
  const page = await open(`${server.url}/projects?project=${person.project}`, { token: person.token });
  await button(page, 'Ещё: gone.example').click();
  await button(page, 'Удалить').click();
  await page.getByText('Домен удалён: gone.example').waitFor();
  expect(await domainOf(person, 'gone.example')).toBeUndefined();
  await expect.poll(() => page.evaluate(() => document.activeElement?.classList.contains('rows'))).toBe(true);
  await button(page, 'Отменить').click();
  await assigned(page).getByRole('link', { name: 'gone.example' }).waitFor();
  expect(await domainOf(person, 'gone.example')).toBeDefined();
});

it('deleting a project with domains is confirmed, and undone together with them', async () => {
  const person = await personWith('inside.example');
  const page = await open(`${server.url}/projects?project=${person.project}`, { token: person.token });
  await button(page, 'Удалить проект').click();
  await page.getByText('1 домен останется без проекта.').waitFor();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Удалить проект' }).click();
  await page.getByText('Проект удалён').waitFor();
  expect(await domainOf(person, 'inside.example')).toMatchObject({ project_id: null });
  await button(page, 'Отменить').click();
  await page.waitForURL(`${server.url}/projects?project=${person.project}`);
  await settled(page);
  expect(await domainOf(person, 'inside.example')).toMatchObject({ project_id: person.project });
});

it('a loading failure is shown in place and as a toast', async () => {
  const { token, project } = await personWith('any.example');
  const page = await open(`${server.url}/projects?project=${project}`, {
    token,
    expected: /^500 \/api\/project_unassigned_domains/,
    prepare: async (page) => {
      await page.route('**/api/project_unassigned_domains/**', (route) =>
        route.fulfill({ status: 500, json: { error: 'Внутренняя ошибка', code: 'internal' } }),
      );
    },
  });
  const reserve = page.getByRole('region', { name: 'Резервные домены', exact: true });
  await reserve.getByText('Не удалось загрузить резервные домены').waitFor();
  expect(await page.getByText('Не удалось загрузить резервные домены: Внутренняя ошибка').isVisible()).toBe(true);
  await page.unrouteAll();
  await reserve.getByRole('button', { name: 'Повторить' }).click();
  await reserve.getByText('Резервных доменов нет').waitFor();
});

it('a name of 24 characters stands to its end at 1280 px in both lists, with the acts beside it', async () => {
  const person = await personWith('remont-kvartir-moskva.ru');
  for (const path of ['/sites', `/projects?project=${person.project}`]) {
    const page = await open(server.url + path, { token: person.token });
    const cut = () =>
      page.locator('.rows tbody a.domain-name').evaluate((link) => {
        const list = link.closest('.rows');
        const acts = list?.querySelector('.icon-actions button:last-child');
        if (!list || !acts) return undefined;
        return {
          name: link.scrollWidth - link.clientWidth,
          list: list.scrollWidth - list.clientWidth,
          acts: Math.max(0, acts.getBoundingClientRect().right - list.getBoundingClientRect().right),
        };
      });
    await expect.poll(cut).toEqual({ name: 0, list: 0, acts: 0 });
  }
});

it('a pasted list is added once, however often its button is pressed', async () => {
  const person = await personWith();
  const page = await open(`${server.url}/projects?project=${person.project}`, { token: person.token });
  await button(page, 'Добавить домен').click();
  await button(page, 'Добавить списком').click();
  await page.getByRole('dialog').getByLabel('Домены', { exact: true }).fill('pasted-1.example\npasted-2.example');
  const sent: unknown[] = [];
  page.on('request', (call) => call.method() === 'POST' && sent.push(call.postDataJSON().domain_name));
  const release = await holdCalls(page, 'POST', '**/api/domains');
  const add = button(page, 'Добавить 2 домена');
  await add.click();
  await expect.poll(() => sent.length).toBe(2);
  await add.click({ force: true });
  await page.keyboard.press('Control+Enter');
  release();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(sent).toEqual(['pasted-1.example', 'pasted-2.example']);
});

it('a project that is made on a slow page is made once', async () => {
  const person = await personWith();
  const page = await open(`${server.url}/projects?open=new`, { token: person.token });
  await page.getByLabel('Название проекта').fill('Однажды');
  const sent: string[] = [];
  page.on('request', (call) => call.method() === 'POST' && sent.push(call.url()));
  await delayDeferred(page);
  // As the second press of a double click, between the answer and the next picture.
  await page.evaluate(() => {
    const press = (): void => document.querySelector<HTMLElement>('.form-dialog [type="submit"]')?.click();
    const timer = setInterval(() => {
      if (!document.querySelector('.form-dialog')) clearInterval(timer);
      else press();
    }, 50);
  });
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(sent).toHaveLength(1);
});
