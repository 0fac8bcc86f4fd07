// The second factor and the tokens as a person uses them, with Chromium's own authenticator.
import { Secret, TOTP } from 'otpauth';
import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { execute, transaction } from '../../../db/index.ts';
import { createPerson, PASSWORD, request, startServer, type TestServer } from '../../support/server.ts';
import { faultsOf } from '../support/audit.ts';
import { holdCalls } from '../support/hold.ts';
import { settled, usePages } from '../support/page.ts';

const open = usePages();
let server: TestServer;
// Passkeys need a name, and localhost is one that needs no TLS.
let base: string;
beforeAll(async () => {
  server = await startServer();
  base = `http://localhost:${server.port}`;
});
afterAll(() => server.close());

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const inDialog = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
const own = (page: Page) => page.getByRole('dialog').getByLabel('Текущий пароль');

async function login(page: Page, name: string): Promise<void> {
  await page.getByLabel('Login', { exact: true }).fill(name);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await press(page, 'Login');
}

/** Gives a page an authenticator that verifies its user and answers at once. */
async function addAuthenticator(page: Page): Promise<{ devtools: CDPSession; authenticatorId: string }> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { devtools, authenticatorId };
}

const focusedName = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('name'));

it('a user sets up an app and a passkey, and signs in with a code, a recovery code and the passkey', async () => {
  const person = await createPerson(server);
  const page = await open(`${base}/settings?section=security`, {
    token: person.token,
    expected: /^(401 \/api\/login|422 \/api\/second_factor\/totp)$/,
  });
  await addAuthenticator(page);
  // The app.
  await press(page, 'Подключить приложение');
  await own(page).fill('wrong password');
  await inDialog(page, 'Далее');
  await page.getByText('Неверный текущий пароль').first().waitFor();
  await own(page).fill(PASSWORD);
  await inDialog(page, 'Далее');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('img', { name: 'QR-код с ключом приложения' }).waitFor();
  expect(await faultsOf(page, [390, 1280])).toEqual([]);
  const secret = ((await dialog.locator('code').textContent()) ?? '').trim();
  const code = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  await dialog.getByLabel('Код из приложения').fill(code());
  await inDialog(page, 'Подтвердить');
  await page.getByRole('dialog').getByText('Сохраните коды').waitFor();
  const codes = await page.getByRole('dialog').locator('li').allTextContents();
  expect(codes).toHaveLength(10);
  await page.keyboard.press('Escape');
  // The passkey.
  await press(page, 'Добавить ключ доступа');
  await page.getByRole('dialog').getByLabel('Название').fill('Laptop');
  await own(page).fill(PASSWORD);
  await inDialog(page, 'Далее');
  await page.getByText('Laptop').waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await faultsOf(page, [390, 1280])).toEqual([]);
  // A code of the app: a wrong one keeps the step, and the focus.
  await transaction(() => execute('UPDATE totp_secrets SET last_step = 0 WHERE user_id = $id', { id: person.id }));
  await press(page, 'Logout');
  await page.waitForURL(`${base}/login`);
  await login(page, person.login);
  const field = page.getByLabel('Код из приложения');
  await field.waitFor();
  await expect.poll(() => focusedName(page)).toBe('code');
  await expect.poll(() => field.getAttribute('autocomplete')).toBe('one-time-code');
  expect(await faultsOf(page, [390, 1280])).toEqual([]);
  await field.fill('000000');
  await page.keyboard.press('Enter');
  await page.getByText('Неверный или уже использованный код').waitFor();
  await expect.poll(() => focusedName(page)).toBe('code');
  await field.fill(code());
  await page.keyboard.press('Enter');
  await page.waitForURL(`${base}/`);
  // A recovery code, after going back.
  await press(page, 'Logout');
  await page.waitForURL(`${base}/login`);
  await login(page, person.login);
  await press(page, 'Назад');
  await expect.poll(() => page.getByLabel('Login', { exact: true }).inputValue()).toBe(person.login);
  await login(page, person.login);
  await press(page, 'Ввести код восстановления');
  await page.getByLabel('Код восстановления').fill(codes[0] ?? '');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${base}/`);
  // The passkey.
  await press(page, 'Logout');
  await page.waitForURL(`${base}/login`);
  await login(page, person.login);
  await press(page, 'Войти с ключом доступа');
  await page.waitForURL(`${base}/`);
  const token = (await page.evaluate(() => localStorage.getItem('token'))) ?? '';
  const { body } = await request(server, 'GET /api/second_factor', { token });
  expect(body).toMatchObject({ totp: true, recovery_codes: 9, passkeys: [{ name: 'Laptop' }] });
  expect(body.passkeys[0].last_used_at).not.toBeNull();
});

it('a passkey alone signs in, and what the browser does not give is told', async () => {
  const person = await createPerson(server);
  const page = await open(`${base}/settings?section=security`, {
    token: person.token,
    expected: /^401 \/api\/passkey_login$/,
  });
  const { devtools, authenticatorId } = await addAuthenticator(page);
  await press(page, 'Добавить ключ доступа');
  await page.getByRole('dialog').getByLabel('Название').fill('Phone');
  await own(page).fill(PASSWORD);
  await inDialog(page, 'Далее');
  await page.getByRole('dialog').getByText('Сохраните коды').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await press(page, 'Logout');
  await page.waitForURL(`${base}/login`);
  await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
  await press(page, 'Войти с ключом доступа');
  await page.getByText('Браузер не получил ключ доступа').waitFor();
  expect(await faultsOf(page, [390, 1280])).toEqual([]);
  await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
  await press(page, 'Войти с ключом доступа');
  await page.waitForURL(`${base}/`);
  const token = (await page.evaluate(() => localStorage.getItem('token'))) ?? '';
  expect((await request(server, 'GET /api/session', { token })).body.login).toBe(person.login);
  // The passkey is removed at the server, and the browser still has it.
  await transaction(() => execute('DELETE FROM passkeys WHERE user_id = $id', { id: person.id }));
  await press(page, 'Logout');
  await page.waitForURL(`${base}/login`);
  await press(page, 'Войти с ключом доступа');
  await page.getByText('Ключ доступа не подошёл: войдите с паролем').waitFor();
});

it('a token is made, shown once and revoked', async () => {
  const page = await open(`${server.url}/settings?section=tokens`, { token: server.admin.token });
  await press(page, 'Новый токен');
  await page.getByRole('dialog').getByLabel('Название').fill('nightly');
  await inDialog(page, 'Создать токен');
  const shown = page.getByRole('dialog').locator('code');
  await shown.waitFor();
  const token = ((await shown.textContent()) ?? '').trim();
  expect((await request(server, 'GET /api/session', { token })).status).toBe(200);
  await page.keyboard.press('Escape');
  await page.getByText('nightly').first().waitFor();
  expect(await page.content()).not.toContain(token);
  await page.getByRole('button', { name: /^Отозвать.*nightly/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Отозвать' }).click();
  await page.getByText('Токенов нет').waitFor();
  expect((await request(server, 'GET /api/session', { token })).status).toBe(403);
});

it('an administrator disables a user and resets the password of another', async () => {
  const person = await createPerson(server);
  const page = await open(`${server.url}/settings?section=users`, { token: server.admin.token });
  await page.getByPlaceholder('Найти пользователя').fill(person.login);
  const change = page.getByRole('button', { name: `Изменить: ${person.login}` });
  await change.click();
  await inDialog(page, 'Сбросить пароль');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Сбросить пароль' }).click();
  const shown = page.getByRole('dialog').locator('code');
  await shown.waitFor();
  const password = ((await shown.textContent()) ?? '').trim();
  const login = () => request(server, 'POST /api/login', { body: { login: person.login, password } });
  expect((await login()).status).toBe(200);
  expect(await faultsOf(page, [390, 1280])).toEqual([]);
  await page.getByRole('dialog').getByText('Может входить').click();
  await inDialog(page, 'Сохранить');
  await page.getByText('закрыт').first().waitFor();
  expect((await login()).status).toBe(401);
});

it('Ctrl+Enter in a question does not save the form under it', async () => {
  const person = await createPerson(server);
  const page = await open(`${server.url}/settings?section=users`, { token: server.admin.token });
  await page.getByPlaceholder('Найти пользователя').fill(person.login);
  await page.getByRole('button', { name: `Изменить: ${person.login}` }).click();
  await page.getByRole('dialog').getByText('Может входить').click();
  await inDialog(page, 'Сбросить пароль');
  const sent: string[] = [];
  page.on('request', (call) => call.method() !== 'GET' && sent.push(call.url()));
  await page.getByRole('alertdialog').getByRole('button', { name: 'Отмена' }).press('Control+Enter');
  // It has pressed the button.
  await page.getByRole('alertdialog').waitFor({ state: 'detached' });
  await settled(page);
  expect(sent).toEqual([]);
  expect(await page.getByRole('dialog').count()).toBe(1);
});

it('a secret that is shown once does not wait for the lists that are read after it', async () => {
  const person = await createPerson(server);
  const page = await open(`${server.url}/settings?section=security`, { token: person.token });
  await press(page, 'Подключить приложение');
  await own(page).fill(PASSWORD);
  await inDialog(page, 'Далее');
  const dialog = page.getByRole('dialog');
  const secret = ((await dialog.locator('code').textContent()) ?? '').trim();
  await dialog.getByLabel('Код из приложения').fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate());
  const giveSessions = await holdCalls(page, 'GET', '**/api/sessions');
  await inDialog(page, 'Подтвердить');
  await expect.poll(() => dialog.locator('.people-codes li').count()).toBe(10);
  giveSessions();
  await page.goto(`${server.url}/settings?section=tokens`);
  await press(page, 'Новый токен');
  await dialog.getByLabel('Название').fill('at once');
  const giveTokens = await holdCalls(page, 'GET', '**/api/tokens');
  await inDialog(page, 'Создать токен');
  await expect.poll(() => dialog.locator('code').count()).toBe(1);
  giveTokens();
});

it('other sessions are ended by one call, however often that is pressed', async () => {
  const { login: name, token } = await createPerson(server);
  await request(server, 'POST /api/login', { body: { login: name, password: PASSWORD } });
  const page = await open(`${server.url}/settings?section=security`, { token });
  const sent: string[] = [];
  page.on('request', (call) => call.method() === 'DELETE' && sent.push(call.url()));
  const release = await holdCalls(page, 'DELETE', '**/api/sessions');
  const button = page.getByRole('button', { name: 'Завершить остальные' });
  await button.press('Enter');
  await button.press('Enter');
  release();
  await button.waitFor({ state: 'detached' });
  expect(sent).toHaveLength(1);
});
