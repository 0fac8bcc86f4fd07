// The test of a login in the dialog of its account.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startCloudflare, type CloudflareFake } from '../../src/demo/cloudflare.ts';
import { accountOf, KEY, stateOf } from '../support/cloudflare-state.ts';
import { request, startServer, type TestServer } from '../support/server.ts';
import { holdCalls } from './support/hold.ts';
import { usePages } from './support/page.ts';

const ACCOUNT = 'a'.repeat(32);

const open = usePages();
let server: TestServer;
let outside: CloudflareFake;
beforeAll(async () => {
  const logins = [{ email: 'ops@example.net', api_key: KEY, accounts: [ACCOUNT] }];
  outside = await startCloudflare({ state: stateOf([accountOf(ACCOUNT, 'Main')], logins) });
  server = await startServer({ cloudflareUrl: outside.url });
});
afterAll(async () => {
  await server.close();
  await outside.close();
});

it('the stored key is tested with its own login alone; another login asks for its key', async () => {
  const { token } = server.admin;
  const body = { name: 'Main', email: 'ops@example.net', api_key: KEY };
  await request(server, 'POST /api/cloudflare_accounts', { token, body });
  const page = await open(`${server.url}/cloudflare`, { token, expected: /^400 / });
  await page.getByRole('button', { name: 'Изменить: Main' }).click();
  const dialog = page.getByRole('dialog');
  const test = dialog.getByRole('button', { name: 'Проверить ключ' });
  await test.click();
  await dialog.getByText('Ключ работает').waitFor();
  await dialog.getByLabel('Account Name').fill('Renamed');
  await test.click();
  await dialog.getByText('Ключ работает').waitFor();
  await dialog.getByLabel('Email').fill('someone@example.net');
  await test.click();
  await dialog.getByText('Введите ключ или токен').waitFor();
  expect(await dialog.getByText('Ключ работает').count()).toBe(0);
  const key = dialog.getByLabel('API Key');
  await expect.poll(() => key.evaluate((field) => field === document.activeElement)).toBe(true);
  await key.fill(KEY);
  await test.click();
  await dialog.getByText(/Аккаунт не принят/).waitFor();
});

it('the result of a test stands only beside the login that was tested', async () => {
  const { token } = server.admin;
  const page = await open(`${server.url}/cloudflare?open=new`, { token });
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Email').fill('ops@example.net');
  await dialog.getByLabel('API Key').fill(KEY);
  const works = dialog.getByText('Ключ работает');
  const test = dialog.getByRole('button', { name: 'Проверить ключ' });
  const release = await holdCalls(page, 'POST', '**/api/cloudflare_accounts/**');
  await test.click();
  await dialog.getByLabel('API Key').fill(`${KEY}x`);
  const answered = page.waitForResponse(/cloudflare_accounts/);
  release();
  await answered;
  await test.and(page.locator('[aria-busy="false"]')).waitFor();
  expect(await works.count()).toBe(0);
  await dialog.getByLabel('API Key').fill(KEY);
  await test.click();
  await works.waitFor();
  await dialog.getByLabel('Email').fill('someone@example.net');
  await expect.poll(() => works.count()).toBe(0);
});
