import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPerson, PASSWORD, request, signIn, startServer, type TestServer } from '../support/server.ts';
import { settled, usePages } from './support/page.ts';

const open = usePages();
let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

/** Lets the storage of the browser refuse: all of it, as where site data are blocked, or what is new, as where it is full. */
const refuseStorage = (page: Page, kind: 'blocked' | 'full'): Promise<unknown> =>
  page.addInitScript((what) => {
    const refuse = (): never => {
      throw new DOMException('refused', what === 'full' ? 'QuotaExceededError' : 'SecurityError');
    };
    if (what === 'full') Storage.prototype.setItem = refuse;
    else for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { get: refuse });
  }, kind);

const storedToken = (page: Page): Promise<string | null> => page.evaluate(() => localStorage.getItem('token'));

async function login(page: Page, name: string, password: string): Promise<void> {
  await page.getByLabel('Login', { exact: true }).fill(name);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Login', exact: true }).click();
}

it('a user signs in, the token is stored as the specification names it, and the user signs out', async () => {
  const page = await open(`${server.url}/sites`);
  expect(page.url()).toBe(`${server.url}/login?next=%2Fsites`);
  await login(page, 'admin', PASSWORD);
  await page.waitForURL(`${server.url}/sites`);
  const token = (await storedToken(page)) ?? '';
  expect(token.split('.')).toHaveLength(3);
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.waitForURL(`${server.url}/login`);
  await expect.poll(() => storedToken(page)).toBeNull();
  const { status } = await request(server, 'GET /api/session', { token });
  expect(status).toBe(403);
});

it('a screen that was still loading at the sign-out asks the server for nothing', async () => {
  const page = await open(`${server.url}/login?next=/sites`);
  const held: Route[] = [];
  const ofScreen = /\/assets\/Domains-[^/]+\.js$/;
  await page.route(ofScreen, (route) => void held.push(route));
  await page.route('**/api/logout', async (route) => {
    const answer = await route.fetch();
    await page.unroute(ofScreen);
    // The screen's code arrives when its session has ended, before the page hears of it.
    await Promise.all(held.map((script) => script.continue()));
    await page.waitForTimeout(500);
    await route.fulfill({ response: answer });
  });
  await login(page, 'admin', PASSWORD);
  await expect.poll(() => held.length).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.waitForURL(`${server.url}/login`);
  await expect.poll(() => storedToken(page)).toBeNull();
});

it('every failed sign-in shows the same message, and keeps the login', async () => {
  const page = await open(`${server.url}/login`, { expected: /^401 \/api\/login$/ });
  for (const [name, password] of [
    ['admin', 'wrong password'],
    ['nobody', PASSWORD],
    ['', ''],
  ] as const) {
    await login(page, name, password);
    const alert = page.getByRole('alert').filter({ hasText: 'Invalid login or password' });
    await alert.waitFor();
    await expect.poll(async () => (await alert.textContent())?.trim()).toBe('Invalid login or password');
    await expect.poll(() => page.getByLabel('Login', { exact: true }).inputValue()).toBe(name);
    await expect.poll(() => page.getByLabel('Password', { exact: true }).inputValue()).toBe('');
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('password');
  }
});

it('the sign-in says if the server is not reached', async () => {
  const page = await open(`${server.url}/login`);
  await page.route('**/api/login', (route) => route.abort());
  await login(page, 'admin', PASSWORD);
  await page.getByText('Сервер недоступен, проверьте соединение').waitFor();
  await expect.poll(() => page.getByText('Invalid login or password').isVisible()).toBe(true);
});

it('a person who is signed in does not see the sign-in, and one of two tabs signs in for both', async () => {
  const first = await open(`${server.url}/login?next=/sites`);
  const second = await first.context().newPage();
  await second.goto(`${server.url}/login?next=/dns`);
  await login(second, 'admin', PASSWORD);
  await second.waitForURL(`${server.url}/dns`);
  await first.waitForURL(`${server.url}/sites`);
  await first.goto(`${server.url}/LOGIN/?next=/dns`);
  await first.waitForURL(`${server.url}/dns`);
  expect(await storedToken(first)).toBe(await storedToken(second));
});

it('signing in never redirects to another site', async () => {
  const page = await open(`${server.url}/login?next=${encodeURIComponent('//example.com/x')}`);
  await login(page, 'admin', PASSWORD);
  await page.waitForURL((url) => url.pathname === '/');
  expect(new URL(page.url()).origin).toBe(server.url);
});

it('an ended, cut or forged token leads back to the sign-in', async () => {
  const ended = await signIn(server, 'admin');
  await request(server, 'POST /api/logout', { token: ended, body: {} });
  const forged = server.admin.token.replace(/.{8}$/, 'AAAAAAAA');
  for (const token of [ended, forged, 'not a token']) {
    const page = await open(`${server.url}/?list=blocked`, { token, expected: /^403 / });
    await page.waitForURL(/\/login\?expired=1/);
    await page.getByText('Сессия истекла. Войдите снова').waitFor();
    expect(await storedToken(page)).toBeNull();
    expect(new URL(page.url()).searchParams.get('next')).toBe('/?list=blocked');
  }
});

it.each([
  [401, 'No token provided'],
  [403, 'Failed to authenticate token'],
])('%i with the error "%s" alone ends the session', async (status, error) => {
  const answer = new RegExp(`^${status} /api/`);
  const page = await open(`${server.url}/check-site`, { token: server.admin.token, expected: answer });
  await page.route('**/api/user_projects**', (route) => route.fulfill({ status, json: { error } }));
  await page.getByRole('button', { name: 'Сайты', exact: true }).click();
  await page.getByRole('link', { name: 'Проекты', exact: true }).click();
  await page.waitForURL((url) => url.pathname === '/login');
  await page.getByText('Сессия истекла. Войдите снова', { exact: true }).waitFor();
  await expect.poll(() => storedToken(page)).toBeNull();
});

it.each([
  [403, 'No token provided'],
  [401, 'Failed to authenticate token'],
  [403, 'Forbidden'],
])('%i with the error "%s" is told where it was called, and the session goes on', async (status, error) => {
  const answer = new RegExp(`^${status} /api/user_projects$`);
  const page = await open(`${server.url}/check-site`, { token: server.admin.token, expected: answer });
  await page.route('**/api/user_projects**', (route) => route.fulfill({ status, json: { error } }));
  await page.getByRole('button', { name: 'Сайты', exact: true }).click();
  await page.getByRole('link', { name: 'Проекты', exact: true }).click();
  await page.getByText(error, { exact: true }).waitFor();
  expect([new URL(page.url()).pathname, await storedToken(page)]).toEqual(['/projects', server.admin.token]);
});

it('a user sees the not-found page instead of the admin screens', async () => {
  const { token } = await createPerson(server);
  const page = await open(`${server.url}/admin`, { token });
  await page.getByRole('heading', { level: 1, name: 'Страница не найдена' }).waitFor();
  expect(await page.getByRole('button', { name: 'Админ' }).count()).toBe(0);
});

it('a token with an edited payload gets no admin data', async () => {
  const { token } = await createPerson(server);
  const [head, payload = '', signature] = token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
  const edited = Buffer.from(JSON.stringify({ ...claims, role: 'admin' })).toString('base64url');
  const page = await open(`${server.url}/admin`, { token: `${head}.${edited}.${signature}`, expected: /^403 / });
  await page.waitForURL(/\/login\?expired=1/);
  expect(await page.getByText(server.admin.login, { exact: true }).count()).toBe(0);
});

it('theme and language are kept for 365 days', async () => {
  const page = await open(server.url, { token: server.admin.token });
  await page.getByRole('button', { name: 'Тёмная тема' }).click();
  await page.getByRole('button', { name: 'EN: English' }).click();
  await page.getByRole('button', { name: 'Light theme' }).waitFor();
  const cookies = await page.context().cookies();
  const days = (name: string) => {
    const expires = cookies.find((cookie) => cookie.name === name)?.expires ?? 0;
    return Math.round((expires - Date.now() / 1000) / 86_400);
  };
  expect([days('theme'), days('lang')]).toEqual([365, 365]);
  await page.reload();
  await settled(page);
  const look = () => page.evaluate(() => [document.documentElement.className, document.documentElement.lang]);
  await expect.poll(() => look()).toEqual(['bp6-dark', 'en']);
});

it('the first paint uses the system’s theme if none was chosen', async () => {
  const page = await open(`${server.url}/login`, { context: { colorScheme: 'dark' } });
  expect(await page.evaluate(() => document.documentElement.className)).toBe('bp6-dark');
});

it.each(['blocked', 'full'] as const)('the sign-in says that the storage is %s', async (kind) => {
  const page = await open(`${server.url}/login`, { prepare: (page) => refuseStorage(page, kind) });
  await login(page, 'admin', PASSWORD);
  await expect.poll(() => page.getByText('Браузер не хранит данные этого сайта').count()).toBe(1);
});

it('with a full storage, screens open as before', async () => {
  const { token } = await createPerson(server);
  const { body } = await request(server, 'POST /api/projects', { token, body: { name: 'Полный' } });
  const page = await open(`${server.url}/projects`, { token });
  await refuseStorage(page, 'full');
  await page.reload();
  await page.getByRole('link', { name: /Полный/ }).click();
  await page.getByRole('heading', { name: 'Полный' }).waitFor();
  await page.goto(server.url);
  await settled(page);
  await page.keyboard.press('Control+KeyK');
  await page.getByRole('combobox').last().fill('Полный');
  await page.getByRole('option', { name: 'Полный' }).first().click();
  await expect.poll(() => new URL(page.url()).searchParams.get('project')).toBe(String(body.data.id));
});

it('a page that the browser shows again after another user has signed in is loaded anew', async () => {
  const [first, second] = [await createPerson(server), await createPerson(server)];
  await request(server, 'POST /api/projects', { token: first.token, body: { name: 'Чужой' } });
  const page = await open(`${server.url}/projects`, { token: first.token });
  await page.getByRole('link', { name: /Чужой/ }).waitFor();
  const loaded = page.waitForEvent('load');
  await page.evaluate((token) => {
    localStorage.setItem('token', token);
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  }, second.token);
  await loaded;
  await settled(page);
  expect(await page.getByText('Чужой').count()).toBe(0);
});

it('the end of a former session leaves a newer one of the same browser', async () => {
  const [first, second] = [await createPerson(server), await createPerson(server)];
  const page = await open(`${server.url}/check-site`, { token: first.token, expected: /^403 / });
  await page.evaluate((token) => localStorage.setItem('token', token), second.token);
  await request(server, 'POST /api/logout', { token: first.token, body: {} });
  await page.keyboard.press('KeyR');
  await page.waitForEvent('load');
  await page.waitForURL(`${server.url}/check-site`);
  expect(await storedToken(page)).toBe(second.token);
});
