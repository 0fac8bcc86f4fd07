import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hold } from '../../src/demo/cloudflare/faults.ts';
import { startCdn, type Cdn } from '../support/cdn.ts';
import { faultsOf } from './support/audit.ts';
import { settled, usePages, type Visit } from './support/page.ts';

const NAMES = ['one.com', 'two.com', 'three.com'];
const LIST = '**/api/domains-for-under-attack';
const REFUSAL = { success: false, errors: [{ code: 9109, message: 'Not today' }], messages: [], result: null };

const open = usePages();
let cdn: Cdn;
beforeAll(async () => {
  cdn = await startCdn();
  const { body } = await cdn.call('POST /api/projects', { name: 'Первый' });
  for (const name of NAMES) {
    await cdn.addDomain(name, name === 'one.com' ? { project_id: body.data.id } : {});
    cdn.addZone(name);
  }
});
afterAll(() => cdn.close());

const visit = (options: Visit = {}): Promise<Page> =>
  open(cdn.server.url, { token: cdn.server.admin.token, ...options });

const answering = (call: string, json: unknown, status = 200): Visit => ({
  expected: /^500 /,
  prepare: (page) => page.route(call, (route) => route.fulfill({ status, json })),
});
const many = answering(
  LIST,
  Array.from({ length: 1248 }, (_, index) => ({
    domain_name: `site-${index}.com`,
    project_name: null,
    user_login: null,
    cloudflare_account_id: index % 3,
  })),
);

async function openDialog(page: Page, button = 'Manage Under Attack Mode') {
  await page.getByRole('button', { name: button, exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await settled(page);
  return dialog;
}

const levels = () => NAMES.map((name) => cdn.zone(name).settings['security_level']?.value);

describe('Under Attack mode', () => {
  it('shows its reach, can’t be closed while it works, reports success, and closes itself', async () => {
    const page = await visit();
    const dialog = await openDialog(page);
    await expect.poll(() => dialog.getByRole('radio', { name: 'enable' }).isChecked()).toBe(true);
    await dialog.getByText('Будет изменено: 3 домена, 1 аккаунт').waitFor();
    // As they are seen: the specification has them in small letters.
    await expect.poll(() => dialog.getByRole('columnheader').allInnerTexts()).toEqual(['domain', 'project', 'user']);
    await expect.poll(() => dialog.locator('.bp6-control strong').allInnerTexts()).toEqual(['enable', 'disable']);
    const row = dialog.getByRole('row').filter({ hasText: 'two.com' });
    await expect
      .poll(async () => (await row.innerText()).split(/\s*\t\s*/))
      .toEqual(['two.com', 'not specified', 'admin']);
    // The focus is on a radio button: Enter as a repeat of a held key must not switch everything.
    await page.keyboard.press('Enter');
    expect(cdn.fake.requests.filter(({ method }) => method === 'PATCH')).toEqual([]);

    const answer = hold();
    cdn.fake.faults.push({ ...answer.fault, call: 'PATCH /zones/*/settings/*', times: 3 });
    await page.keyboard.press('Control+Enter');
    await dialog.getByRole('button', { name: 'Enabling…' }).waitFor();
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 500);
    await expect.poll(() => dialog.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
    await expect.poll(() => dialog.getByRole('button', { name: 'Закрыть' }).isDisabled()).toBe(true);
    answer.release();
    await dialog.getByRole('status').getByText('Готово: изменено 3').waitFor();
    expect(levels()).toEqual(Array(3).fill('under_attack'));
    await dialog.waitFor({ state: 'detached' });
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await expect.poll(focused).toBe('Manage Under Attack Mode');
  });

  it('closes itself after success also where the dashboard behind it is drawn anew all the time', async () => {
    const page = await visit();
    const dialog = await openDialog(page);
    await page.evaluate(() => {
      const counters = [...document.querySelectorAll<HTMLElement>('.counter')];
      let turn = 0;
      setInterval(() => counters[(turn += 1) % counters.length]?.click(), 300);
    });
    await dialog.getByRole('button', { name: 'Enable Under Attack Mode' }).click();
    // The zones may be as wanted already: what is said then is another sentence.
    await dialog.locator('.switch-done').waitFor();
    await expect.poll(() => dialog.count()).toBe(0);
  });

  it('stays open after a partial failure, names the failed zones, and retries them', async () => {
    const page = await visit();
    const dialog = await openDialog(page);
    await dialog.getByText('disable', { exact: true }).click();
    cdn.fake.faults.push({
      kind: 'status',
      status: 403,
      body: REFUSAL,
      call: `PATCH /zones/${cdn.zone('two.com').id}/**`,
    });
    await dialog.getByRole('button', { name: 'Disable Under Attack Mode' }).click();
    await dialog.getByText('Failed to disable Under Attack Mode for domains').waitFor();
    await expect.poll(() => dialog.getByRole('row').filter({ hasText: 'Not today' }).innerText()).toContain('two.com');
    expect(await faultsOf(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 900 });
    await dialog.getByRole('button', { name: 'Повторить для 1' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(levels()).toEqual(Array(3).fill('medium'));
  });

  it('is disabled without domains, and says so', async () => {
    const dialog = await openDialog(await visit(answering(LIST, [])));
    await dialog.getByText('No domains available for this operation', { exact: true }).waitFor();
    await expect.poll(() => dialog.getByRole('button', { name: 'Enable Under Attack Mode' }).isDisabled()).toBe(true);
  });

  it('says if the domains can’t be loaded', async () => {
    const dialog = await openDialog(await visit(answering(LIST, { error: 'Out of order' }, 500)));
    await expect.poll(() => dialog.getByRole('alert').innerText()).toMatch(/^Failed to fetch domains list\n/);
  });

  it.each(['enable', 'disable'])('shows the failure of %s', async (action) => {
    const calls = '**/api/manage-under-attack-mode-all';
    const dialog = await openDialog(await visit(answering(calls, { error: 'Out of order' }, 500)));
    await dialog.getByText(action, { exact: true }).click();
    await dialog.getByRole('button', { name: /Under Attack Mode$/ }).click();
    const alert = dialog.getByRole('alert').filter({ hasText: 'Out of order' });
    await expect.poll(() => alert.innerText()).toBe(`Failed to ${action} Under Attack Mode for domains\nOut of order`);
  });

  it('asks for the number if there are more than a hundred domains, and renders few of them', async () => {
    const page = await visit(many);
    const dialog = await openDialog(page);
    await dialog.getByText(/Будет изменено: 1.248 доменов, 3 аккаунта/).waitFor();
    expect(await dialog.getByRole('row').count()).toBeLessThan(60);
    expect(await dialog.locator('.rows').evaluate((rows) => rows.clientHeight)).toBeLessThanOrEqual(400);
    await dialog.getByRole('button', { name: 'Enable Under Attack Mode' }).click();
    const field = dialog.getByLabel(/введите число доменов/);
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
    await field.fill('1248');
    await page.route('**/api/manage-under-attack-mode-all', (route) =>
      route.fulfill({ status: 500, json: { error: 'It was asked' } }),
    );
    await page.keyboard.press('Control+Enter');
    await dialog.getByText('It was asked').waitFor();
  });
});

describe('TLS 1.3', () => {
  it('is disabled after its reach was shown', async () => {
    const page = await visit();
    const dialog = await openDialog(page, 'Disable All Tls1.3');
    await dialog.getByText('TLS 1.3 будет отключён для 3 доменов (аккаунтов: 1).').waitFor();
    await dialog.getByRole('button', { name: 'Отключить для 3' }).click();
    await page.locator('.toast').getByText('TLS 1.3 отключается для всех доменов').waitFor();
    await dialog.waitFor({ state: 'detached' });
    await expect
      .poll(() => NAMES.map((name) => cdn.zone(name).settings['tls_1_3']?.value))
      .toEqual(Array(3).fill('off'));
  });

  it('shows a failure to disable it', async () => {
    const calls = '**/api/update-all-domains-tls';
    const dialog = await openDialog(await visit(answering(calls, {}, 500)), 'Disable All Tls1.3');
    await dialog.getByRole('button', { name: 'Отключить для 3' }).click();
    await expect
      .poll(() => dialog.getByRole('alert').innerText())
      .toMatch(/^Failed to trigger Batch Disable TLS 1\.3\n/);
  });
});

describe.each(['light', 'dark'] as const)('in %s', (theme) => {
  it.each([
    ['its dialog', {}],
    ['the dialog without domains', answering(LIST, [])],
    ['the dialog out of order', answering(LIST, { error: 'Out of order' }, 500)],
    ['the dialog with many', many],
  ])('%s has no faults', async (_, options) => {
    const page = await visit({ ...options, theme });
    const dialog = await openDialog(page);
    await dialog.getByRole('button', { name: 'Enable Under Attack Mode' }).focus();
    expect(await faultsOf(page)).toEqual([]);
  });

  it('the dialog of TLS 1.3 has no faults', async () => {
    const page = await visit({ theme });
    await openDialog(page, 'Disable All Tls1.3');
    expect(await faultsOf(page)).toEqual([]);
  });
});
