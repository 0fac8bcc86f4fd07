import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SERVER_IP, startCdn, type Cdn } from '../support/cdn.ts';
import { faultsOf } from './support/audit.ts';
import { describedBy, domainField, fill, planOf, submit, suggestions } from './support/dns-form.ts';
import { settled, usePages, type Visit } from './support/page.ts';

const OLD_IP = '198.51.100.1';
const RECORDS = [`A @ ${OLD_IP}`, `A www ${OLD_IP}`, 'AAAA @ 2001:db8::1', 'MX @ mail.example.com'];

const open = usePages();
let cdn: Cdn;
beforeAll(async () => {
  cdn = await startCdn();
  for (const name of ['one.com', 'two.com', 'three.com']) {
    await cdn.addDomain(name);
    cdn.addZone(name, RECORDS);
  }
});
afterAll(() => cdn.close());

const visit = (path = '/dns', options: Visit = {}): Promise<Page> =>
  open(cdn.server.url + path, { token: cdn.server.admin.token, ...options });

const broken = (call: string, json: object = { error: 'Out of order' }): Visit => ({
  expected: /^500 /,
  prepare: (page) => page.route(call, (route) => route.fulfill({ status: 500, json })),
});

describe('the form', () => {
  it('names the missing fields in the order of the specification, and marks all of them', async () => {
    const { body } = await cdn.call('POST /api/servers', {
      name: 'gone',
      ssh_host: '203.0.113.99',
      ssh_user: 'root',
      ssh_password: 'secret word',
    });
    const page = await visit();
    const missing = async (sentence: string, marked: number): Promise<void> => {
      await submit(page);
      await expect.poll(() => page.getByRole('alert').filter({ hasText: /./ }).innerText()).toBe(sentence);
      await expect.poll(() => page.locator('form [aria-invalid="true"]').count()).toBe(marked);
      await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-invalid'))).toBe('true');
    };
    await missing('Please select a Cloudflare account.', 3);
    await page.getByLabel('Аккаунт Cloudflare').selectOption({ index: 1 });
    await missing('Please enter a domain name.', 2);
    await domainField(page).fill('  ');
    await domainField(page).press('Tab');
    await missing('Please enter a domain name.', 2);
    await domainField(page).fill('one.com');
    await domainField(page).press('Tab');
    await missing('Please select a server.', 1);
    await page.getByLabel('Сервер', { exact: true }).selectOption('gone — 203.0.113.99');
    await cdn.call(`DELETE /api/servers/${body.data.id}`);
    await page.getByRole('heading', { level: 1 }).click();
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    const answered = page.waitForResponse('**/api/servers');
    await page.keyboard.press('r');
    await answered;
    await settled(page);
    await missing('Selected server not found.', 1);
    expect(await describedBy(page.getByLabel('Сервер', { exact: true }))).toBe('Selected server not found.');
  });

  it.each(['ru', 'en'] as const)('says what is wrong with a name that is no domain, and marks it: %s', async (lang) => {
    const page = await open(`${cdn.server.url}/dns`, { token: cdn.server.admin.token, lang, expected: /^400 / });
    await page.locator('main select').first().selectOption({ index: 1 });
    await page.locator('main select').nth(1).selectOption({ index: 1 });
    const name = page.locator('main input[type="text"]').first();
    await name.fill('bad domain!');
    await name.press('Tab');
    await page.locator('main button[type="submit"]').click();
    await page.getByRole('alert').getByText('Incorrect URL', { exact: true }).waitFor();
    await expect.poll(() => name.getAttribute('aria-invalid')).toBe('true');
    expect(await describedBy(name)).toContain('Incorrect URL');
  });

  it('suggests domains of the portfolio while typing, and keeps an unknown name', async () => {
    const page = await visit();
    await domainField(page).fill('t');
    await suggestions(page).filter({ hasText: 'one.com' }).waitFor({ state: 'detached' });
    await expect.poll(() => suggestions(page).allInnerTexts()).toEqual(['three.com', 'two.com']);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => domainField(page).inputValue()).toBe('two.com');
    await domainField(page).fill('brand-new.com');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    await expect.poll(() => domainField(page).inputValue()).toBe('brand-new.com');
  });

  it('locks the domain from the URL, and says why', async () => {
    const page = await visit('/dns?domain=one.com');
    const field = page.getByLabel('Домен', { exact: true });
    expect([await field.inputValue(), await field.isEditable()]).toEqual(['one.com', false]);
    await page.getByText('Домен задан ссылкой.').waitFor();
    await page.getByRole('link', { name: 'Выбрать другой' }).click();
    await expect.poll(() => domainField(page).inputValue()).toBe('');
  });

  it.each([
    ['Failed to fetch Cloudflare accounts', '**/api/cloudflare_accounts'],
    ['Failed to fetch servers', '**/api/servers'],
    ['Failed to fetch domains', '**/api/domains?*'],
  ])('says “%s” and nothing else', async (sentence, call) => {
    const page = await visit('/dns', broken(call));
    const alerts = page.getByRole('alert').filter({ hasText: /./ });
    await alerts.getByText(sentence, { exact: true }).waitFor();
    await settled(page);
    expect(await alerts.count()).toBe(1);
    await page.unroute(call);
    await alerts.getByRole('button', { name: 'Повторить' }).click();
    await alerts.waitFor({ state: 'detached' });
  });
});

describe('the change', () => {
  it('is not made by the keys that asked for it, while they are held', async () => {
    const page = await visit();
    await fill(page, 'three.com');
    await page.keyboard.down('Control');
    await page.keyboard.down('Enter');
    const plan = page.getByRole('dialog', { name: 'Что изменится: three.com' });
    await plan.waitFor();
    await expect.poll(() => plan.evaluate((dialog) => dialog.contains(document.activeElement))).toBe(true);
    for (let repeat = 0; repeat < 3; repeat++) await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    await page.keyboard.up('Control');
    await settled(page);
    expect(await plan.isVisible()).toBe(true);
    expect(cdn.zone('three.com').records).toHaveLength(RECORDS.length);
  });

  it('is shown before it is made, followed to its end, and leads to the next domain', async () => {
    const page = await visit();
    const plan = await planOf(page, 'one.com');
    expect((await plan.getByRole('listitem').allInnerTexts()).map((line) => line.replace(/\s+/g, ' ').trim())).toEqual([
      `Изменение A one.com: ${OLD_IP} → ${SERVER_IP}, через CDN`,
      `Изменение A www.one.com: ${OLD_IP} → ${SERVER_IP}, через CDN`,
      'Удаление AAAA one.com → 2001:db8::1',
      'Изменение TLS 1.3: вкл → выкл',
    ]);
    expect(await plan.getByText('В новой зоне').count()).toBe(0);
    expect(cdn.zone('one.com').records).toHaveLength(RECORDS.length);
    await plan.getByRole('button', { name: 'Применить: 4 изменения' }).waitFor();
    await page.keyboard.press('Control+Enter');
    await page.locator('.toast').getByText('Смена DNS для one.com').waitFor();
    await page.getByText('DNS changed successfully.').waitFor();
    await page.getByText('ada.ns.cloudflare.com', { exact: true }).waitFor();
    expect(cdn.zone('one.com').records.map(({ content }) => content)).toEqual([
      SERVER_IP,
      SERVER_IP,
      'mail.example.com',
    ]);
    await page.getByRole('button', { name: 'Следующий домен' }).click();
    await expect.poll(() => domainField(page).inputValue()).toBe('');
    await expect.poll(() => domainField(page).evaluate((field) => field === document.activeElement)).toBe(true);
    await expect.poll(() => page.getByLabel('Сервер', { exact: true }).inputValue()).not.toBe('');
    const again = await planOf(page, 'one.com');
    await again.getByText('Ничего не изменится').waitFor();
  });

  it('creates a zone, and shows the name servers to enter by hand', async () => {
    const page = await visit();
    await fill(page, 'brand-new.com');
    await page.getByText('Обновить NS-серверы', { exact: true }).click();
    await page
      .getByText(`brand-new.com → ${SERVER_IP} (srv), аккаунт Account 1, TLS 1.3 выкл, NS обновить у регистратора`)
      .waitFor();
    await submit(page);
    await page.getByRole('dialog').getByText('зона brand-new.com').waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByText(/NS у регистратора не изменены/).waitFor();
    await page.getByRole('button', { name: 'Скопировать NS' }).waitFor();
    expect(cdn.zone('brand-new.com').records.map(({ content }) => content)).toEqual([SERVER_IP, SERVER_IP]);
  });

  it('shows what failed and why, and is retried', async () => {
    const page = await visit('/dns?domain=two.com');
    await page.getByLabel('Аккаунт Cloudflare').selectOption({ index: 1 });
    await page.getByLabel('Сервер', { exact: true }).selectOption({ index: 1 });
    await submit(page);
    await page.getByRole('dialog').waitFor();
    const refusal = { success: false, errors: [{ code: 9109, message: 'Not today' }], messages: [], result: null };
    cdn.fake.faults.push({ kind: 'status', status: 403, body: refusal, call: 'PATCH /zones/*/settings/*' });
    await page.getByRole('button', { name: /^Применить/ }).click();
    await page
      .locator('.dns-result')
      .getByText(/Not today|9109|отказал|принят/)
      .waitFor();
    await page.locator('.dns-result').getByRole('button', { name: 'Повторить' }).click();
    await page.getByText('DNS changed successfully.').waitFor();
    expect(cdn.zone('two.com').settings['tls_1_3']?.value).toBe('off');
  });

  it.each([
    ['Out of order', { error: 'Out of order' }],
    ['Failed to change DNS. Please try again later.', {}],
  ])('that can’t be started shows “%s”', async (sentence, json) => {
    const page = await visit('/dns', broken('**/api/manage_dns', json));
    const plan = await planOf(page, 'three.com');
    await page.keyboard.press('Control+Enter');
    await expect.poll(async () => (await plan.getByRole('alert').innerText()).split('\n')[0]).toBe(sentence);
  });

  it('whose answer has no operation to follow has succeeded, and the form is free', async () => {
    const page = await visit();
    await page.route('**/api/manage_dns', (route) => route.fulfill({ json: {} }));
    const plan = await planOf(page, 'three.com');
    await page.keyboard.press('Control+Enter');
    await page.getByText('DNS changed successfully.', { exact: true }).waitFor();
    await plan.waitFor({ state: 'detached' });
    await expect.poll(() => page.getByRole('button', { name: 'Сменить DNS' }).isEnabled()).toBe(true);
  });

  it('that differs from the shown plan changes nothing, and says why', async () => {
    const page = await visit('/dns');
    await planOf(page, 'three.com');
    cdn.zone('three.com').records = cdn.zone('three.com').records.filter(({ type }) => type !== 'AAAA');
    const before = structuredClone(cdn.zone('three.com').records);
    await page.keyboard.press('Control+Enter');
    await page
      .locator('.dns-result')
      .getByText(/План устарел/)
      .waitFor();
    expect(cdn.zone('three.com').records).toEqual(before);
  });
});

it.each(['light', 'dark'] as const)('the DNS form has no faults in any state, %s', async (theme) => {
  const page = await visit('/dns', { theme });
  expect(await faultsOf(page)).toEqual([]);
  await submit(page);
  expect(await faultsOf(page)).toEqual([]);
  await domainField(page).fill('o');
  await suggestions(page).first().waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await planOf(page, 'three.com');
  await settled(page);
  expect(await faultsOf(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await planOf(page, `${theme}.com`);
  await page.keyboard.press('Control+Enter');
  await page.getByText('DNS changed successfully.').waitFor();
  await page.locator('.toast').first().waitFor({ state: 'detached' });
  expect(await faultsOf(page)).toEqual([]);
});
