// Notices in the browser: the bell and its answer, what the section saves, and a webhook whose secret is shown once.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { recordEvents } from '../../../db/events.ts';
import { transaction } from '../../../db/index.ts';
import { groupPending } from '../../../src/services/notices/notices.ts';
import { request, startServer, type TestServer } from '../../support/server.ts';
import { delayDeferred } from '../support/acts.ts';
import { faultsOf, sidewaysOf } from '../support/audit.ts';
import { holdCalls } from '../support/hold.ts';
import type { Page } from 'playwright-core';
import { settled, usePages } from '../support/page.ts';

const open = usePages();
let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const SECTION = '/settings?section=notices';
const get = async (call: string) => (await request(server, call, { token: server.admin.token })).body;

it.each([1280, 390])('the bell shows what waits, and takes an answer, at %i', async (width) => {
  const name = `river-${width}`;
  await transaction(() => recordEvents([{ kind: 'account_refused', name }]));
  await groupPending(new Date(Date.now() + 60_000));
  const page = await open(server.url, { token: server.admin.token, width });
  await page.getByRole('button', { name: '1 уведомление ждёт ответа' }).click();
  const title = `Аккаунт ${name}: вход отклонён`;
  await page.getByRole('link', { name: title }).waitFor();
  expect(await sidewaysOf(page)).toEqual([]);
  await page.getByRole('button', { name: `Подтвердить: ${title}` }).click();
  await expect.poll(async () => (await get('GET /api/notices?open=1')).waiting).toBe(0);
  await page.getByRole('button', { name: /ждёт ответа/ }).waitFor({ state: 'detached' });
});

it('an answer by keyboard takes its button along, and leaves the focus in the bell, which Esc closes', async () => {
  await transaction(() => recordEvents([{ kind: 'account_refused', name: 'by keyboard' }]));
  await groupPending(new Date(Date.now() + 60_000));
  const page = await open(server.url, { token: server.admin.token });
  await page.getByRole('button', { name: /ждёт ответа/ }).click();
  const answer = page.getByRole('button', { name: /^Подтвердить: / });
  await answer.press('Enter');
  await answer.waitFor({ state: 'detached' });
  await expect.poll(() => page.evaluate(() => document.activeElement === document.body)).toBe(false);
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { name: 'Уведомления' }).waitFor({ state: 'detached' });
});

it('the section saves levels and quiet hours in 24 hours, and tells a wrong time at its field', async () => {
  const page = await open(`${server.url}${SECTION}`, {
    token: server.admin.token,
    expected: /^400 \/api\/notice-preferences$/,
  });
  const info = page.getByLabel('Сведения: Telegram');
  const was = await info.isChecked();
  // The box itself is drawn over.
  await info.press('Space');
  await expect
    .poll(async () => (await get('GET /api/notice-preferences')).data.levels.telegram.includes('info'))
    .toBe(!was);
  const from = page.getByLabel('Тихо с');
  expect(await from.getAttribute('type')).not.toBe('time');
  await from.fill('10 pm');
  await page.getByRole('button', { name: 'Сохранить' }).click();
  await page.getByText('Время в виде 23:30').waitFor();
  await from.fill('22:30');
  await page.getByRole('button', { name: 'Сохранить' }).click();
  await expect.poll(async () => (await get('GET /api/notice-preferences')).data.quiet_from).toBe('22:30');
  expect((await from.boundingBox())!.width).toBeLessThanOrEqual(420);
  expect(await faultsOf(page)).toEqual([]);
});

it('levels that are chosen while the page and the server are slow are shown at once, and each is saved', async () => {
  const page = await open(`${server.url}${SECTION}`, { token: server.admin.token });
  const boxes = ['Сведения: Telegram', 'Предупреждение: Telegram'].map((label) => page.getByLabel(label));
  const checked = () => Promise.all(boxes.map((box) => box.isChecked()));
  const before = await checked();
  const wanted = before.map((isOn) => !isOn);
  await delayDeferred(page);
  let release = (): void => undefined;
  const held = transaction(() => new Promise<void>((resolve) => (release = resolve)));
  try {
    for (const box of boxes) await box.press('Space');
    await expect.poll(checked).toEqual(wanted);
  } finally {
    release();
    await held;
  }
  const stored = async (): Promise<boolean[]> => {
    const { telegram } = (await get('GET /api/notice-preferences')).data.levels;
    return ['info', 'warning'].map((level) => telegram.includes(level));
  };
  await expect.poll(stored).toEqual(wanted);
  await page.reload();
  await expect.poll(checked).toEqual(wanted);
});

it('a level that is on its way to the server is not taken back by what was read before it was stored', async () => {
  const page = await open(`${server.url}${SECTION}`, { token: server.admin.token });
  const info = page.getByLabel('Сведения: Telegram');
  const warning = page.getByLabel('Предупреждение: Telegram');
  const wanted = [!(await info.isChecked()), !(await warning.isChecked())];
  const release = await holdCalls(page, 'PUT', '**/api/notice-preferences');
  await info.press('Space');
  // Another call of the same reading takes longer, so that the answer about the levels would be here.
  await page.route('**/api/deliveries*', async (route) => {
    await page.waitForTimeout(500);
    await route.continue();
  });
  const read = page.waitForResponse('**/api/deliveries*');
  await page.locator('main').press('KeyR');
  await read;
  expect(await info.isChecked()).toBe(wanted[0]);
  await warning.press('Space');
  release();
  await expect
    .poll(async () => {
      const { telegram } = (await get('GET /api/notice-preferences')).data.levels;
      return ['info', 'warning'].map((level) => telegram.includes(level));
    })
    .toEqual(wanted);
  await expect.poll(async () => [await info.isChecked(), await warning.isChecked()]).toEqual(wanted);
});

it('a webhook is made, its secret is shown once, and its fields are as narrow as those of other forms', async () => {
  const page = await open(`${server.url}${SECTION}`, { token: server.admin.token });
  const url = page.getByLabel('Адрес вызова');
  expect((await url.boundingBox())!.width).toBeLessThanOrEqual(420);
  await page.getByLabel('Название').fill('pager');
  await url.fill('https://hooks.example.com/a');
  await page.getByRole('button', { name: 'Добавить webhook' }).click();
  const secret = await page.getByRole('alert').locator('code').innerText();
  expect(secret.length).toBeGreaterThan(20);
  expect(JSON.stringify(await get('GET /api/webhooks'))).not.toContain(secret);
  await page.setViewportSize({ width: 390, height: 900 });
  await settled(page);
  expect(await sidewaysOf(page)).toEqual([]);
  await page.reload();
  await page.getByText('https://hooks.example.com/a').waitFor();
  expect(await page.content()).not.toContain(secret);
});

it('the switch of a webhook leaves what another admin has changed since the page was opened', async () => {
  const { token } = server.admin;
  const body = { name: 'switched', url: 'https://hooks.example.com/old', levels: ['critical'], active: true };
  const { id } = (await request(server, 'POST /api/webhooks', { token, body })).body.data;
  const page = await open(`${server.url}${SECTION}`, { token });
  const box = page.getByLabel(/^switched/);
  await box.waitFor();
  const change = { ...body, url: 'https://hooks.example.com/new', levels: ['info'] };
  await request(server, `PUT /api/webhooks/${id}`, { token, body: change });
  await box.press('Space');
  await page.getByText(change.url).waitFor();
  const { data } = await get('GET /api/webhooks');
  expect(data.find((one: { id: number }) => one.id === id)).toMatchObject({ ...change, active: false });
});

it('a webhook that is switched twice at once is as the second press has left it', async () => {
  const { token } = server.admin;
  const body = { name: 'twice', url: 'https://hooks.example.com/twice', levels: ['critical'], active: true };
  await request(server, 'POST /api/webhooks', { token, body });
  const page = await open(`${server.url}${SECTION}`, { token });
  const box = page.getByLabel(/^twice/);
  const sent: unknown[] = [];
  page.on('request', (call) => call.method() === 'PUT' && sent.push(call.postDataJSON()));
  const release = await holdCalls(page, 'PUT', '**/api/webhooks/*');
  await box.press('Space');
  await box.press('Space');
  release();
  await expect.poll(() => sent).toEqual([{ active: false }, { active: true }]);
  await settled(page);
  expect(await box.isChecked()).toBe(true);
});

/** Answers as a server that sends e-mail, with an address that is confirmed, until it is removed. */
async function withEmail(page: Page): Promise<void> {
  let email: string | null = 'own@example.com';
  let confirmed: string | null = new Date().toISOString();
  await page.route('**/api/notice-preferences', async (route) => {
    const answer = await route.fetch();
    const { data } = await answer.json();
    const shown = { channels: ['email'], email, email_confirmed_at: confirmed, email_next: null };
    await route.fulfill({ json: { data: { ...data, ...shown } } });
  });
  await page.route('**/api/notice-preferences/email**', async (route) => {
    const url = route.request().url();
    email = url.endsWith('/remove') ? null : 'own@example.com';
    confirmed = url.endsWith('/confirm') ? new Date().toISOString() : null;
    await route.fulfill({ json: { message: 'ok' } });
  });
}

it('a trial e-mail is sent once, however often that is pressed', async () => {
  const page = await open(`${server.url}${SECTION}`, { token: server.admin.token, prepare: withEmail });
  const sent: string[] = [];
  page.on('request', (call) => call.method() === 'POST' && sent.push(call.url()));
  await page.route('**/api/notices/test', (route) => route.fulfill({ json: { message: 'ok' } }));
  const release = await holdCalls(page, 'POST', '**/api/notices/test');
  const button = page.getByRole('button', { name: 'Отправить пробное' });
  await button.press('Enter');
  await button.press('Enter');
  release();
  await page.getByText('Пробное уведомление поставлено в очередь').waitFor();
  await settled(page);
  expect(sent).toHaveLength(1);
});

it('an address that is removed takes the field of its code along', async () => {
  const page = await open(`${server.url}${SECTION}`, { token: server.admin.token, prepare: withEmail });
  const remove = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Убрать адрес' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Текущий пароль').fill('not looked at');
    await dialog.getByRole('button', { name: 'Убрать адрес' }).click();
  };
  await remove();
  await page.getByLabel('Адрес', { exact: true }).fill('own@example.com');
  await page.getByRole('button', { name: 'Отправить код' }).click();
  await page.getByLabel('Код из письма').fill('12345678');
  await page.getByRole('button', { name: 'Подтвердить адрес' }).click();
  await remove();
  await page.getByRole('button', { name: 'Отправить код' }).waitFor();
  expect(await page.getByLabel('Код из письма').count()).toBe(0);
});
