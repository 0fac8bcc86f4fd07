import type { Page } from 'playwright-core';
import { newPair } from '../../src/demo/ssh/keys.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPerson, request, startServer, type Person, type TestServer } from '../support/server.ts';
import { findSshd, isRoot, startSshd, WEB_ROOT, type Sshd } from '../support/sshd.ts';
import { faultsOf } from './support/audit.ts';
import { settled, usePages } from './support/page.ts';

const ADDRESS = '203.0.113.10';
const found = findSshd();
const why = ('missing' in found && ` (${found.missing})`) || (isRoot ? '' : ' (takes root)');

const open = usePages();
let server: TestServer;
let sshd: Sshd;
let person: Person;

beforeAll(async () => {
  if (why === '') sshd = await startSshd();
  server = await startServer({ connectTo: `${ADDRESS}:22:127.0.0.1:${sshd?.port ?? 9}` });
  person = await createPerson(server);
});
afterAll(async () => {
  await server.close();
  await sshd?.close();
});

const visit = (path: string, { token }: Person = person): Promise<Page> => open(server.url + path, { token });

async function make(path: string, body: object): Promise<number> {
  const answer = await request(server, `POST /api/${path}`, { token: person.token, body });
  return answer.body.data.id;
}

const login = () => {
  const { user: ssh_user, secret: ssh_password } = sshd.passwordLogin();
  return { ssh_host: ADDRESS, ssh_user, ssh_password };
};

describe.skipIf(why !== '')(`a server is tested${why}`, () => {
  it('from its row, and shows its host key', async () => {
    await make('servers', { ...login(), name: 'Looked at' });
    const page = await visit('/servers');
    const row = page.getByRole('row').filter({ hasText: 'Looked at' });
    await row.getByText('не проверен').waitFor();
    await page.getByRole('button', { name: 'Проверить SSH: Looked at' }).click();
    await page.getByText(`Looked at: SSH работает: вход, SFTP и запись в ${WEB_ROOT}`).waitFor();
    await row.getByText(/^проверен /).waitFor();
    await expect.poll(() => row.locator('code[title]').getAttribute('title')).toBe(sshd.hostKey());
  });

  it('from its dialog, while nothing is typed', async () => {
    await make('servers', { ...login(), ssh_password: 'wrong', name: 'In a dialog' });
    const page = await visit('/servers');
    await page.getByRole('button', { name: 'Изменить: In a dialog' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: /Проверить SSH/ }).click();
    await page.getByText('In a dialog: Сервер не принял логин или пароль').waitFor();
    await dialog.getByText(`Такой адрес уже есть: Looked at`).waitFor();
    await dialog.getByLabel('ssh_user').fill('other');
    await expect.poll(() => dialog.getByRole('button', { name: /Проверить SSH/ }).count()).toBe(0);
  });

  it('and with another key it is not used until an admin accepts that key', async () => {
    const id = await make('servers', { ...login(), name: 'Changed' });
    const look = () => request(server, `POST /api/servers/${id}/test`, { token: person.token, body: {} });
    await look();
    const known = sshd.hostKey();
    await sshd.changeHostKey();
    await look();

    const theirs = await visit('/servers');
    const alert = theirs.getByRole('alert').filter({ hasText: 'Changed' });
    await alert.getByText('Решает администратор').waitFor();
    expect(await alert.locator('code').allInnerTexts()).toEqual([known, sshd.hostKey()]);
    expect(await alert.getByRole('button', { name: /Принять/ }).count()).toBe(0);

    const page = await visit('/servers', server.admin);
    await page.getByText('ключ изменился').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole('button', { name: 'Оставить прежний: Changed' }).click();
    await page.getByText('Для сервера Changed оставлен прежний ключ').waitFor();
    await look();
    await page.reload();
    await settled(page);
    await page.getByRole('button', { name: 'Принять новый ключ: Changed' }).click();
    await page.getByText('Новый ключ сервера Changed принят').waitFor();
    await page.getByRole('button', { name: 'Проверить SSH: Changed' }).click();
    await page.getByText('Changed: SSH работает').waitFor();
  });
});

describe('a server', () => {
  it('accepts a pasted private key with all its lines', async () => {
    const key = newPair().private;
    const page = await visit('/servers');
    await page.getByRole('button', { name: 'Добавить сервер' }).first().click();
    await page.getByLabel('name', { exact: true }).fill('By key');
    await page.getByLabel('ssh_host').fill('203.0.113.77:2222');
    await page.getByLabel('ssh_user').fill('root');
    await page.getByLabel('ssh_password').evaluate((field, text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text', text);
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, key);
    await page.getByRole('button', { name: 'Пароль вместо ключа' }).waitFor();
    await expect.poll(() => page.getByLabel('ssh_password').inputValue()).toBe(key);
    expect(await faultsOf(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole('button', { name: 'Сохранить' }).click();
    await page.getByText('Сервер добавлен: By key').waitFor();
    const { body } = await request(server, 'GET /api/servers', { token: person.token });
    const saved = body.data.find(({ name }: { name: string }) => name === 'By key');
    expect([saved.ssh_host, saved.ssh_password]).toEqual(['203.0.113.77:2222', key]);
    const row = page.getByRole('row').filter({ hasText: 'By key' });
    expect(await row.innerText()).not.toContain('BEGIN');
    await row.getByRole('button', { name: 'Скопировать: ssh -p 2222 root@203.0.113.77' }).waitFor();
  });

  it('has whole buttons in a middling window, however wide its texts are', async () => {
    const wide = {
      name: 'Wide',
      ssh_host: '203.0.113.77:2222',
      ssh_user: 'operator-of-it',
      ssh_password: 'WWWWWWWWWWWWWWWW',
    };
    await make('servers', wide);
    const page = await visit('/servers');
    await page.getByText('Wide', { exact: true }).waitFor();
    for (const width of [612, 624, 640, 800]) expect(await faultsOf(page, [width])).toEqual([]);
  });

  it('links to its domains', async () => {
    const body = { name: 'With domains', ssh_host: '203.0.113.30', ssh_user: 'root', ssh_password: 'password 1' };
    const server_id = await make('servers', body);
    await make('domains', { domain_name: 'on-it.example', server_id });
    await make('domains', { domain_name: 'elsewhere.example' });
    const page = await visit('/servers');
    await page.getByRole('row').filter({ hasText: 'With domains' }).getByRole('link', { name: '1' }).click();
    await page.getByText('on-it.example').first().waitFor();
    await settled(page);
    expect(await page.getByText('elsewhere.example').count()).toBe(0);
    await expect.poll(() => page.getByRole('combobox', { name: 'Где размещены' }).inputValue()).toBe(String(server_id));
  });
});
