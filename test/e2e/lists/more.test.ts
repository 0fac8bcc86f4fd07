// The lists beside that of domains: the log, purchases and accounts.
import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { execute, transaction } from '../../../db/index.ts';
import { request, startServer, type TestServer } from '../../support/server.ts';
import { faultsNow } from '../support/audit.ts';
import { usePages } from '../support/page.ts';
import { seedTeam } from '../support/team.ts';

const open = usePages();
let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await seedTeam(server);
  await transaction(() =>
    execute(
      `INSERT INTO purchases (kind, domain_name, state, registrar_type, asked_by, years, currency, price, periods,
         day, reference, looks, evidence, created_at, changed_at)
       VALUES ('register', 'bought.example', 'committed', 'reg.ru', 'automation', 1, 'RUB', 19900, '[]', '2026-11-23', 'ref', 0,
         '[]', '2026-11-23T05:00:00.000Z', '2026-11-23T05:00:00.000Z')`,
      {},
    ),
  );
});
afterAll(() => server.close());

const heads = (page: Page) => page.locator('.rows thead th').allTextContents();

async function leaveOut(page: Page, ...names: string[]): Promise<void> {
  await page.getByRole('button', { name: 'Столбцы' }).click();
  for (const name of names) {
    const box = page.getByRole('checkbox', { name, exact: true });
    await box.click({ force: true });
    await expect.poll(() => box.isChecked()).toBe(false);
  }
  await expect.poll(() => faultsNow(page)).toEqual([]);
  await page.keyboard.press('Escape');
}

async function keepView(page: Page, name: string): Promise<string | null> {
  await page.getByRole('button', { name: 'Виды' }).click();
  await page.getByLabel('Сохранить нынешний вид под именем').fill(name);
  await page.keyboard.press('Enter');
  const link = page.getByRole('link', { name });
  const address = await link.getAttribute('href');
  await page.keyboard.press('Escape');
  return address;
}

async function seen(page: Page): Promise<{ name: string; lines: string[] }> {
  const waited = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV видимого' }).click();
  const download = await waited;
  const csv = await text(await download.createReadStream());
  return { name: download.suggestedFilename(), lines: csv.replace('\uFEFF', '').trimEnd().split('\r\n') };
}

it('the log has columns, views and a file of what is seen; its rows are one line high', async () => {
  const page = await open(`${server.url}/log?object=servers`, { token: server.admin.token });
  await page.locator('.rows .log-object').first().waitFor();
  await leaveOut(page, 'Откуда', 'Исход');
  await expect.poll(() => heads(page)).toEqual(['Когда', 'Кто', 'Действие', 'Объект']);
  await page.getByRole('button', { name: 'Плотнее' }).click();
  await page.locator('.rows.compact').waitFor();
  expect(await keepView(page, 'Серверы')).toBe('/log?object=servers&columns=at.who.action');
  const { name, lines } = await seen(page);
  expect(name).toMatch(/^log-\d{4}-\d\d-\d\d\.csv$/);
  expect(lines[0]).toBe('at;login;action;object;object_id;object_name');
  const { body } = await request(server, 'GET /api/audit?object=servers', { token: server.admin.token });
  expect(lines).toHaveLength(1 + body.total);
  await page.reload();
  await expect.poll(() => heads(page)).toEqual(['Когда', 'Кто', 'Действие', 'Объект']);
});

it('purchases have columns, views and a file of what is seen', async () => {
  const page = await open(`${server.url}/purchases?state=committed`, { token: server.admin.token });
  await page.getByText('bought.example').waitFor();
  await leaveOut(page, 'Регистратор', 'Проект', 'Кто');
  await expect.poll(() => heads(page)).not.toContain('Регистратор');
  expect(await keepView(page, 'Купленное')).toMatch(/^\/purchases\?state=committed&columns=state\.kind\.price\./);
  const { lines } = await seen(page);
  expect(lines[0]).toMatch(/^domain_name;state;kind;price;charged;currency;/);
  expect(lines[1]).toMatch(/^bought\.example;committed;register;199\.00;;RUB;/);
});

it('purchases show their sums, times and days whole in English, which writes them wider', async () => {
  await transaction(() =>
    execute(
      `INSERT INTO purchases (kind, domain_name, state, registrar_type, asked_by, years, currency, price, periods, expires_before,
         day, reference, looks, evidence, created_at, changed_at)
       VALUES ('renew', 'renewed.example', 'committed', 'reg.ru', 'automation', 2, 'RUB', 349900, '[]', '2026-09-29T00:00:00.000Z',
         '2026-10-30', 'ref-2', 0, '[]', '2026-10-30T06:06:00.000Z', '2026-10-30T06:06:00.000Z')`,
      {},
    ),
  );
  const page = await open(`${server.url}/purchases`, { token: server.admin.token, lang: 'en' });
  const row = page.locator('.rows tbody tr').filter({ hasText: 'renewed.example' });
  await expect.poll(() => row.getByText('30/10/2026, 09:06').count()).toBe(1);
  await expect.poll(() => row.getByText('29/09/2026 → 29/09/2028').count()).toBe(1);
  const cut = await row
    .locator('td')
    .evaluateAll((cells) =>
      cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent),
    );
  expect(cut).toEqual([]);
  await transaction(() => execute(`DELETE FROM purchases WHERE domain_name = 'renewed.example'`, {}));
});

it('accounts have columns and a file without secrets', async () => {
  const page = await open(`${server.url}/servers`, { token: server.admin.token });
  await page.locator('.rows tbody tr').first().waitFor();
  await leaveOut(page, 'user');
  await expect.poll(() => heads(page)).toEqual(['name', 'IP', 'password', 'Доменов', 'SSH', 'actions']);
  const { lines } = await seen(page);
  expect(lines).toHaveLength(3);
  expect(lines[0]).toBe('name;ssh_host;domains;checked_at;check_error');
});

it('accounts on cards have views and a file', async () => {
  const page = await open(`${server.url}/cloudflare`, { token: server.admin.token });
  await page.locator('.account-grid article').first().waitFor();
  expect(await page.getByRole('button', { name: 'Столбцы' }).count()).toBe(0);
  const { lines } = await seen(page);
  expect(lines[0]).toBe('name;email;ns_1;zones;domains;groups;created_at');
});
