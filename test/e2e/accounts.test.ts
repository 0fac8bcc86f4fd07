import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { select } from '../../db/index.ts';
import { startCloudflare, type CloudflareFake } from '../../src/demo/cloudflare.ts';
import { accountOf, KEY, stateOf } from '../support/cloudflare-state.ts';
import { createPerson, request, startServer, type Person, type TestServer } from '../support/server.ts';
import { settled, usePages } from './support/page.ts';

const ACCOUNT = 'a'.repeat(32);

const open = usePages();
let server: TestServer;
let outside: CloudflareFake;
let owner: Person;
let other: Person;

beforeAll(async () => {
  const logins = [{ email: 'ops@example.net', api_key: KEY, accounts: [ACCOUNT] }];
  outside = await startCloudflare({ state: stateOf([accountOf(ACCOUNT, 'Main')], logins) });
  outside.addZone({ name: 'example.com', account_id: ACCOUNT, status: 'active' });
  server = await startServer({ cloudflareUrl: outside.url });
});
afterAll(async () => {
  await server.close();
  await outside.close();
});
beforeEach(async () => {
  [owner, other] = [await createPerson(server), await createPerson(server)];
});

const visit = (path: string, { token }: Person = owner, expected?: RegExp): Promise<Page> =>
  open(server.url + path, { token, ...(expected && { expected }) });

async function make(path: string, body: object, { token }: Person = owner): Promise<number> {
  const answer = await request(server, `POST /api/${path}`, { token, body });
  return answer.body.data?.id ?? answer.body.id;
}

const makeServer = (name: string, ssh_host: string, ssh_password: string) =>
  make('servers', { name, ssh_host, ssh_user: 'root', ssh_password });
const account = (name: string) => make('cloudflare_accounts', { name, email: 'ops@example.net', api_key: KEY });

describe('/cloudflare', () => {
  it('adds an account after testing its key; the card shows what is known of it', async () => {
    const page = await visit('/cloudflare');
    await page.keyboard.press('KeyN');
    await page.getByLabel('Account Name').fill('Fresh');
    await page.getByLabel('Email').fill('ops@example.net');
    await page.getByLabel('API Key').fill('nonsense');
    await page.getByRole('button', { name: 'Проверить ключ' }).last().click();
    await page.getByText(/Аккаунт не принят/).waitFor();
    await page.getByLabel('API Key').fill(KEY);
    await page.getByRole('button', { name: 'Проверить ключ' }).last().click();
    await page.getByText('Ключ работает, зон: 1').waitFor();
    await page.keyboard.press('Control+Enter');
    const card = page.getByRole('article', { name: 'Fresh' });
    await card.waitFor();
    await settled(page);
    const text = await card.innerText();
    for (const word of ['ops@example.net', 'ada.ns.cloudflare.com, bob.ns.cloudflare.com', 'проверен']) {
      expect(text).toContain(word);
    }
    expect(text).not.toContain(KEY);
    expect(text).toContain(`••••${KEY.slice(-4)}`);
    await card.getByRole('button', { name: 'Показать секрет: Fresh' }).click();
    await expect.poll(() => card.innerText()).toContain(KEY);
  });

  it('keeps the stored key on an edit without one', async () => {
    const id = await account('Kept');
    const sealed = () => select('SELECT api_key FROM cloudflare_accounts WHERE id = $id', { id });
    const before = await sealed();
    const page = await visit('/cloudflare');
    await page.getByRole('button', { name: 'Изменить: Kept' }).click();
    await expect.poll(() => page.getByLabel('API Key').inputValue()).toBe('');
    await page.getByLabel('Account Name').fill('Renamed');
    await page.getByRole('button', { name: 'Сохранить' }).click();
    await page.getByRole('article', { name: 'Renamed' }).waitFor();
    expect(await sealed()).toEqual(before);
  });

  it('confirms a deletion, and names what still uses the account', async () => {
    const id = await account('Used');
    await make('domains', { domain_name: `used-${id}.example`, cloudflare_account_id: id });
    const page = await visit('/cloudflare', owner, /^409 /);
    await page.getByRole('button', { name: 'Удалить: Used' }).click();
    const question = page.getByRole('alertdialog', { name: 'Аккаунт Used: 1 домен' });
    await question.getByText('Are you sure you want to delete?', { exact: true }).waitFor();
    await question.getByRole('button', { name: 'No' }).click();
    await question.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Удалить: Used' }).press('Delete');
    await question.getByRole('button', { name: 'Yes' }).click();
    const toast = page.getByRole('alert').filter({ hasText: 'Failed to delete account' });
    await toast.waitFor();
    await expect.poll(() => toast.innerText()).toContain(`used-${id}.example`);
  });

  it('shows another’s account without its key and without its buttons', async () => {
    await account('Foreign');
    const page = await visit('/cloudflare', other);
    const card = page.getByRole('article', { name: 'Foreign' });
    expect(await card.innerText()).toContain('••••••••');
    expect(await card.getByRole('button', { name: /Показать|Изменить|Удалить|Проверить/ }).count()).toBe(0);
  });

  it('says why no form opens for the account that the address names, and clears the address', async () => {
    const id = await account('Linked');
    const own = await visit(`/cloudflare?edit=${id}`);
    await own.getByRole('dialog', { name: 'Аккаунт Linked' }).waitFor();
    const cases = [
      [id, 'Изменять может только тот, кто создал, и администратор'],
      [999_999, 'Этой записи нет: её удалили, или ссылка неверная'],
      ['x', 'Этой записи нет: её удалили, или ссылка неверная'],
    ] as const;
    for (const [edit, sentence] of cases) {
      const page = await visit(`/cloudflare?edit=${edit}`, other);
      await page.getByRole('alert').filter({ hasText: sentence }).waitFor();
      await page.waitForURL(`${server.url}/cloudflare`);
      expect(await page.getByRole('dialog').count()).toBe(0);
    }
  });

  it.each([
    ['Failed to fetch accounts', 'GET'],
    ['Failed to add account', 'POST'],
  ])('says “%s”', async (sentence, method) => {
    const page = await open(`${server.url}/cloudflare`, {
      token: owner.token,
      expected: /^[45]00 /,
      prepare: (page) =>
        page.route('**/api/cloudflare_accounts', (route) =>
          route.request().method() === method ? route.fulfill({ status: 500, json: {} }) : route.continue(),
        ),
    });
    await page.getByRole('button', { name: 'Добавить аккаунт' }).first().click();
    await page.getByRole('button', { name: 'Сохранить' }).click();
    await page.getByText(sentence, { exact: true }).first().waitFor();
    await expect.poll(() => page.getByRole('dialog').count()).toBe(1);
  });
});

describe('/cloudflare-groups', () => {
  it('creates a group of accounts chosen by typing', async () => {
    await account('Group one');
    await account('Group two');
    const page = await visit('/cloudflare-groups');
    await page.getByRole('button', { name: 'Создать группу' }).first().click();
    await page.getByLabel('Название группы').fill('Pair');
    await page.getByRole('combobox', { name: 'Аккаунты' }).fill('group o');
    await page.getByRole('option', { name: 'Group one' }).click();
    await page.getByRole('combobox', { name: 'Аккаунты' }).fill('group t');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Убрать: Group two' }).waitFor();
    await page.keyboard.press('Control+Enter');
    const row = page.getByRole('row').filter({ hasText: 'Pair' });
    await row.waitFor();
    await expect.poll(() => row.innerText()).toMatch(/Group one\s+Group two/);
    await page.getByRole('button', { name: 'Изменить: Pair' }).click();
    await page.getByRole('combobox', { name: 'Аккаунты' }).press('Backspace');
    await page.getByRole('button', { name: 'Убрать: Group one' }).click();
    await page.getByRole('button', { name: 'Сохранить' }).click();
    await row.getByText('no accounts').waitFor();
    await page.getByRole('button', { name: 'Удалить: Pair' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Удалить' }).click();
    await page.getByText('Группа удалена').waitFor();
  });

  it('shows the server’s reason for a group that was not saved, else its own sentence', async () => {
    const page = await visit('/cloudflare-groups', owner, /^(400|500) /);
    await page.getByRole('button', { name: 'Создать группу' }).first().click();
    await page.getByRole('button', { name: 'Сохранить' }).click();
    await page.getByText('Введите название').waitFor();
    await page.route('**/api/cloudflare_groups', (route) => route.fulfill({ status: 500, json: {} }));
    await page.getByLabel('Название группы').fill('X');
    await page.getByRole('button', { name: 'Сохранить' }).click();
    await page.getByText('Failed add/update Cloudflare group', { exact: true }).waitFor();
    await expect.poll(() => page.getByText('Введите название').count()).toBe(0);
    await page.route('**/api/cloudflare_groups', (route) => route.abort());
    await page.getByRole('button', { name: 'Сохранить' }).click();
    const alert = page.getByRole('alert').filter({ hasText: 'Failed add/update Cloudflare group' });
    await alert.getByText('Сервер недоступен').waitFor();
  });
});

describe('/servers', () => {
  it('shows passwords in clear until they are hidden, and remembers the choice', async () => {
    await makeServer('Clear', '203.0.113.10', 'in the clear 1');
    const page = await visit('/servers');
    const row = page.getByRole('row').filter({ hasText: 'Clear' });
    expect(await page.locator('thead th').allInnerTexts()).toEqual([
      'name',
      'IP',
      'user',
      'password',
      'Доменов',
      'SSH',
      'actions',
    ]);
    expect(await row.innerText()).toContain('in the clear 1');
    await page.getByText('Скрыть секреты').click();
    await expect.poll(() => row.innerText()).not.toContain('in the clear 1');
    await page.reload();
    await settled(page);
    expect(await row.innerText()).not.toContain('in the clear 1');
  });

  it('adds, edits and deletes a server; a new host needs the password again', async () => {
    const page = await visit('/servers', owner, /^400 /);
    await page.getByRole('button', { name: 'Добавить сервер' }).first().click();
    await page.getByLabel('name', { exact: true }).fill('Moved');
    await page.getByLabel('ssh_host').fill('203.0.113.20');
    await page.getByLabel('ssh_user').fill('root');
    await page.getByLabel('ssh_password').fill('first password');
    await page.getByRole('button', { name: 'Сохранить' }).click();
    await page.getByRole('button', { name: 'Изменить: Moved' }).click();
    await page.getByLabel('ssh_host').fill('203.0.113.21');
    await page.getByRole('button', { name: 'Сохранить' }).click();
    await page.getByText('Хост изменён: введите пароль ещё раз').waitFor();
    await page.getByLabel('ssh_password').fill('second password');
    await page.getByRole('button', { name: 'Сохранить' }).click();
    await page.getByText('203.0.113.21').waitFor();
    await page.getByRole('button', { name: 'Удалить: Moved' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Удалить' }).click();
    await page.getByText('Сервер удалён: Moved').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Изменить: Moved' }).count()).toBe(0);
  });
});

it('assigns a server and an account to a domain', async () => {
  const [cloudflare_account_id, server_id] = [
    await account('Of a domain'),
    await makeServer('Of a site', '203.0.113.30', 'password 1'),
  ];
  const id = await make('domains', { domain_name: 'chooses.example' });
  const page = await visit(`/sites?domain=${id}`);
  await page.getByRole('combobox', { name: 'Сервер' }).fill('of a');
  await page.getByRole('listbox').getByRole('option', { name: 'Of a site' }).click();
  await page.getByRole('combobox', { name: 'Аккаунт Cloudflare' }).fill('of a');
  await page.getByRole('option', { name: 'Of a domain' }).click();
  await page.getByRole('button', { name: 'Сохранить' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const { body } = await request(server, `GET /api/domains/${id}`, { token: owner.token });
  expect(body.data).toMatchObject({ server_id, cloudflare_account_id, cloudflare_account_name: 'Of a domain' });
});
