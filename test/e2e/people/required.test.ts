// A second factor that is required of everybody, as a user meets it who has none.
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPerson, PASSWORD, request, startServer, type Person, type TestServer } from '../../support/server.ts';
import { faultsOf } from '../support/audit.ts';
import { holdCalls } from '../support/hold.ts';
import { settled, usePages } from '../support/page.ts';

const open = usePages();
let server: TestServer;
let person: Person;
beforeAll(async () => {
  server = await startServer();
  person = await createPerson(server);
  const { token } = server.admin;
  const { body } = await request(server, 'POST /api/second_factor/totp', { token, body: { password: PASSWORD } });
  await request(server, 'POST /api/second_factor/totp/confirm', { token, body: { code: codeFor(body.secret) } });
  await request(server, 'PUT /api/second_factor/policy', { token, body: { second_factor: 'all' } });
});
afterAll(() => server.close());

const codeFor = (secret: string): string => new TOTP({ secret: Secret.fromBase32(secret) }).generate();
const WHY = 'Администратор требует второй фактор. Подключите приложение с кодами или добавьте ключ доступа';

it('every screen leads to the own security, which says why and what to do, and afterwards all are open', async () => {
  const page = await open(`${server.url}/sites`, { token: person.token, expected: /^403 \/api\// });
  await page.waitForURL(`${server.url}/settings?section=security`);
  await page.getByText(WHY).waitFor();
  await settled(page);
  // The screen stands, although what the frame around it reads is refused.
  let loads = 0;
  page.on('load', () => (loads += 1));
  expect(await faultsOf(page, [320, 390, 1280])).toEqual([]);
  expect(loads).toBe(0);
  // The appearance needs no call, and stays open; what needs one leads back.
  await page.getByRole('tab', { name: 'Внешний вид' }).click();
  await page.waitForURL(`${server.url}/settings`);
  await settled(page);
  await page.getByRole('checkbox', { name: 'Тёмная тема' }).waitFor({ state: 'attached' });
  await page.goto(`${server.url}/settings?section=appearance`);
  await settled(page);
  expect(new URL(page.url()).search).toBe('?section=appearance');
  await page.goto(`${server.url}/settings?section=tokens`);
  await page.waitForURL(`${server.url}/settings?section=security`);
  // Within the interface, too.
  await page.getByRole('link', { name: 'Главная', exact: true }).click();
  await page.waitForURL(`${server.url}/settings?section=security`);
  await page.getByText(WHY).waitFor();

  await page.getByRole('button', { name: 'Подключить приложение' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Текущий пароль').fill(PASSWORD);
  await page.keyboard.press('Enter');
  const secret = ((await dialog.locator('code').textContent()) ?? '').trim();
  await dialog.getByLabel('Код из приложения').fill(codeFor(secret));
  await page.keyboard.press('Enter');
  await dialog.getByText('Сохраните коды').waitFor();
  await page.keyboard.press('Escape');
  await page.getByText(WHY).waitFor({ state: 'detached' });
  await page.goto(`${server.url}/sites`);
  await settled(page);
  expect(new URL(page.url()).pathname).toBe('/sites');
});

it('who needs one is shown as it was chosen, and of two choices the last one is stored', async () => {
  const page = await open(`${server.url}/settings?section=users`, { token: server.admin.token });
  const policy = page.getByLabel('Второй фактор обязателен');
  const sent: unknown[] = [];
  page.on('request', (call) => call.method() === 'PUT' && sent.push(call.postDataJSON().second_factor));
  const release = await holdCalls(page, 'PUT', '**/api/second_factor/policy');
  await policy.selectOption('optional');
  expect(await policy.inputValue()).toBe('optional');
  await policy.selectOption('admins');
  expect(await policy.inputValue()).toBe('admins');
  // One after the other: of two on their way the first could be stored last.
  expect(sent).toEqual(['optional']);
  release();
  await expect.poll(() => sent).toEqual(['optional', 'admins']);
  await settled(page);
  expect(await policy.inputValue()).toBe('admins');
  const { body } = await request(server, 'GET /api/second_factor/policy', { token: server.admin.token });
  expect(body.second_factor).toBe('admins');
});
