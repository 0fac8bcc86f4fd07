// The screen of the registrars and the list of domains of each, in a browser, against the fake of reg.ru.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ShopServer } from '../../../src/demo/registrars/server.ts';
import { LOGIN, shopState, startRegistrar } from '../../support/registrars/shops.ts';
import { createPerson, request, startServer, type Person, type TestServer } from '../../support/server.ts';
import { faultsOf } from '../support/audit.ts';
import { holdAnswer } from '../support/hold.ts';
import { settled, usePages } from '../support/page.ts';

const open = usePages();
let server: TestServer;
let shop: ShopServer;
let owner: Person;
let other: Person;

beforeAll(async () => {
  shop = await startRegistrar('reg.ru');
  server = await startServer({ registrarUrls: { 'reg.ru': shop.url } });
});
afterAll(async () => {
  await server.close();
  await shop.close();
});
beforeEach(async () => {
  Object.assign(shop.state, shopState('reg.ru'));
  [owner, other] = [await createPerson(server), await createPerson(server)];
});

const visit = (path: string, { token }: Person = owner, expected?: RegExp): Promise<Page> =>
  open(server.url + path, { token, ...(expected && { expected }) });

async function make(path: string, body: object, { token }: Person = owner): Promise<number> {
  const answer = await request(server, `POST /api/${path}`, { token, body });
  expect(answer.status).toBe(200);
  return answer.body.data?.id ?? answer.body.id;
}

const registrar = (name: string): Promise<number> =>
  make('registrars', { name, type: 'reg.ru', login: LOGIN.login, password: LOGIN.password });

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

/** The registrar's account has these names and no others. */
function sells(names: readonly [string, string][]): void {
  const [account] = shop.state.accounts;
  if (!account) throw new Error('the fake has no account');
  account.domains = names.map(([name, expires_at], index) => ({
    id: String(index + 1),
    name,
    created_at: '2025-02-13T21:00:00.000Z',
    expires_at,
    name_servers: [],
  }));
}

describe('/registrars', () => {
  it('shows type, name, login, password and actions in this order, and what is known beneath the name', async () => {
    const id = await registrar('Columns');
    await make('domains', { domain_name: `counted-${id}.ru`, registrars_id: id });
    const page = await visit('/registrars');
    const headers = await page.locator('thead th').allInnerTexts();
    expect(headers).toEqual(['type', 'name', 'login', 'password', 'actions']);
    const row = page.getByRole('row').filter({ hasText: 'Columns' });
    const text = await row.innerText();
    for (const word of ['reg.ru', 'Баланс 5', 'RUB', '1 домен', 'проверен', 'list of domains']) {
      expect(text).toContain(word);
    }
    expect(text).not.toContain('мало денег');
    expect(text).not.toContain(LOGIN.password);
    expect(await faultsOf(page, [390, 320, 1280])).toEqual([]);
    await row.getByRole('link', { name: '1 домен' }).click();
    await page.waitForURL(`**/sites?registrar=${id}`);
    await page.getByText(`counted-${id}.ru`).waitFor();
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
  });

  it('marks an account with little money, and says what is little', async () => {
    const [account] = shop.state.accounts;
    if (account) account.balance = 99_999;
    await registrar('Poor');
    const page = await visit('/registrars');
    const row = page.getByRole('row').filter({ hasText: 'Poor' });
    await row.getByText('мало денег').waitFor();
    expect(await row.innerText()).toMatch(/мало денег: меньше 1\s000,00\sRUB/);
  });

  it('locks the type on an edit, and says why a registrar is not saved', async () => {
    await registrar('Locked');
    const page = await visit('/registrars', owner, /^400 /);
    await page.getByRole('button', { name: 'Изменить: Locked' }).click();
    await expect.poll(() => page.getByLabel('type').isDisabled()).toBe(true);
    await page.getByText('Тип регистратора изменить нельзя').waitFor();
    await page.getByLabel('login/key').fill('');
    await page.getByRole('button', { name: 'Сохранить' }).click();
    await page.getByText('Ошибка сохранения регистратора').waitFor();
    await page.getByText('Введите логин или ключ').waitFor();
    await expect.poll(() => page.getByRole('dialog').count()).toBe(1);
  });

  it('says that the list, and that a deletion, has failed', async () => {
    const id = await registrar('Held');
    await make('domains', { domain_name: `held-${id}.ru`, registrars_id: id });
    const page = await visit('/registrars', owner, /^(409|500) /);
    await page.getByRole('button', { name: 'Удалить: Held' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Удалить' }).click();
    const toast = page.getByRole('alert').filter({ hasText: 'Не удалось удалить регистратора' });
    await toast.waitFor();
    await expect.poll(() => toast.innerText()).toContain(`held-${id}.ru`);
    await page.route('**/api/registrars', (route) => route.fulfill({ status: 500, json: {} }));
    await page.reload();
    await page.getByText('Не удалось загрузить список регистраторов').first().waitFor();
    await expect.poll(() => page.getByRole('row').count()).toBe(0);
  });
});

describe('the list of domains of a registrar', () => {
  it('is sorted, searched and told by day, by keyboard alone', async () => {
    const id = await registrar('Keyboard');
    sells([
      ['later.ru', inDays(100)],
      ['soon.ru', inDays(10)],
      ['over.ru', inDays(-3)],
      ['xn--80aswg.xn--p1ai', inDays(200)],
    ]);
    const page = await visit('/registrars');
    await page.getByRole('link', { name: 'list of domains: Keyboard' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Список доменов: Keyboard' });
    await dialog.getByText('over.ru').waitFor();
    const names = async () => (await dialog.locator('tbody .domain-name').allInnerTexts()).join(' ');
    await expect.poll(() => names()).toBe('over.ru soon.ru later.ru сайт.рф');
    await dialog.locator('.status-expired').filter({ hasText: 'истёк' }).waitFor();
    await expect.poll(() => dialog.locator('.status-expiring').count()).toBe(1);
    await dialog.getByRole('button', { name: 'Expiry date' }).press('Enter');
    await expect.poll(() => names()).toBe('сайт.рф later.ru soon.ru over.ru');
    await dialog.getByRole('searchbox').fill('сайт');
    await dialog.getByText('later.ru').waitFor({ state: 'detached' });
    await expect.poll(() => names()).toBe('сайт.рф');
    expect(await faultsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('');
    expect(id).toBeGreaterThan(0);
  });

  it('imports what is new into a project, with registrar and expiry; another user’s name is told and stays theirs', async () => {
    const id = await registrar('Imports');
    const project = await make('projects', { name: 'Target' });
    const [mine, theirs, fresh] = [`mine-${id}.ru`, `theirs-${id}.ru`, `fresh-${id}.ru`];
    await make('domains', { domain_name: mine, registrars_id: id });
    await make('domains', { domain_name: theirs }, other);
    await make('domains', { domain_name: `gone-${id}.ru`, registrars_id: id });
    const end = '2027-02-13T21:00:00.000Z';
    sells([mine, theirs, fresh].map((name): [string, string] => [name, end]));
    const page = await visit(`/registrars?domains=${id}`);
    await page.getByRole('button', { name: /^Есть здесь, у регистратора больше нет ?1$/ }).click();
    await page.getByText(`gone-${id}.ru`).waitFor();
    await page.getByRole('button', { name: 'Импортировать новые (2)' }).click();
    const form = page.getByRole('dialog', { name: /^Импортировать 2 домена/ });
    await form.getByRole('combobox', { name: 'Проект' }).fill('targ');
    await page.getByRole('listbox').getByRole('option', { name: 'Target' }).click();
    await form.getByRole('button', { name: 'Импортировать' }).click();
    const told = page.getByRole('dialog', { name: 'Импортировано: 1 домен' });
    await told.waitFor();
    await expect.poll(() => told.innerText()).toContain(theirs);
    const { body } = await request(server, `GET /api/domains?search=fresh-${id}`, { token: owner.token });
    expect(body.data).toMatchObject([
      { domain_name: fresh, registrars_id: id, registrar_type: 'reg.ru', project_id: project, expired_at: end },
    ]);
    const stays = await request(server, `GET /api/domains?search=theirs-${id}`, { token: other.token });
    expect(stays.body.data).toMatchObject([{ domain_name: theirs, registrars_id: null, expired_at: null }]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Импортировать новые (1)' }).waitFor();
  });

  it('of a registrar that answers with a page says that it could not be loaded, and why', async () => {
    const id = await registrar('Page');
    shop.faults.push({ kind: 'malformed', call: 'POST /service/get_list' });
    const page = await visit(`/registrars?domains=${id}`, owner, /^50\d /);
    const alert = page.getByRole('alert').filter({ hasText: 'Не удалось загрузить домены регистратора' });
    await alert.waitFor();
    expect(await alert.innerText()).not.toContain('<html');
    await alert.getByRole('button', { name: 'Повторить' }).click();
    await page.getByText('first.ru').waitFor();
  });

  it('of another user’s registrar holds one’s own domains alone', async () => {
    const id = await registrar('Foreign');
    const page = await visit(`/registrars?domains=${id}`, other);
    await page.getByText('Этот регистратор не ваш').waitFor();
    await page.getByText('У этого регистратора нет доменов').waitFor();
    expect(await page.getByText('first.ru').count()).toBe(0);
  });

  it('of 5,000 names renders only those in sight', async () => {
    const id = await registrar('Large');
    sells(Array.from({ length: 5_000 }, (_, index): [string, string] => [`name-${index}.ru`, inDays(index / 10)]));
    const page = await visit(`/registrars?domains=${id}`);
    await page.getByText('name-0.ru').waitFor();
    expect(await page.getByRole('button', { name: /Импортировать новые/ }).innerText()).toMatch(/5\s000/);
    await page.getByRole('searchbox').fill('name-4999');
    await page.getByText('name-4999.ru').waitFor();
    await page.getByRole('searchbox').fill('');
    await page.getByText('name-0.ru').waitFor();
    expect(await page.locator('tbody tr').count()).toBeLessThan(60);
    await settled(page);
  });
});

it('the registrar of a domain is chosen in its form', async () => {
  const registrars_id = await registrar('Chosen');
  const id = await make('domains', { domain_name: 'chooses-registrar.ru', expired_at: '2027-02-13T21:00:00.000Z' });
  const page = await visit(`/sites?domain=${id}`);
  // Midnight in Moscow is the day that people know.
  expect(await page.getByLabel('Оплачен до').inputValue()).toBe('2027-02-14');
  await page.getByRole('dialog').getByRole('combobox', { name: 'Регистратор' }).fill('chos');
  await page.getByRole('listbox').getByRole('option', { name: 'Chosen' }).click();
  await page.getByRole('button', { name: 'Сохранить' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const { body } = await request(server, `GET /api/domains/${id}`, { token: owner.token });
  expect(body.data).toMatchObject({ registrars_id, registrar_type: 'reg.ru', expired_at: '2027-02-13T21:00:00.000Z' });
});

it('a list that was told before an import does not offer again what that has added', async () => {
  const { token } = server.admin;
  const body = { name: 'Meanwhile', type: 'reg.ru', login: LOGIN.login, password: LOGIN.password };
  const { id } = (await request(server, 'POST /api/registrars', { token, body })).body.data;
  const page = await open(`${server.url}/registrars?domains=${id}`, { token });
  const begin = page.getByRole('button', { name: /^Импортировать новые/ });
  await begin.waitFor();
  const late = await holdAnswer(page, `**/api/registrars/${id}`);
  await page.getByRole('button', { name: 'Спросить ещё раз' }).click();
  await late.came;
  await begin.click();
  await page.getByRole('button', { name: 'Импортировать', exact: true }).click();
  await page.getByText(/^Импортировано: /).waitFor();
  late.release();
  await settled(page);
  expect(await begin.count()).toBe(0);
});
