// The ledger's screen and the renewal of a domain: what may be spent is seen first, and decided by admins.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, select, transaction } from '../../../db/index.ts';
import type { ShopServer } from '../../../src/demo/registrars/server.ts';
import { REGISTRAR_TYPES } from '../../../src/shared/accounts/registrar-types.ts';
import { startCdn, type Cdn } from '../../support/cdn.ts';
import { LOGIN, startRegistrar } from '../../support/registrars/shops.ts';
import { createPerson } from '../../support/server.ts';
import { faultsOf } from '../support/audit.ts';
import { settled, usePages, type Visit } from '../support/page.ts';

const open = usePages();
let cdn: Cdn;
let shop: ShopServer;
let domain: number;

beforeAll(async () => {
  shop = await startRegistrar('reg.ru');
  cdn = await startCdn({}, 1, { registrarUrls: Object.fromEntries(REGISTRAR_TYPES.map((type) => [type, shop.url])) });
  const { login, password } = LOGIN;
  const registrar = await cdn.call('POST /api/registrars', { name: 'Shop', type: 'reg.ru', login, password });
  domain = await cdn.addDomain('first.ru', { registrars_id: registrar.body.data.id });
  await cdn.addDomain('nowhere.ru', {});
});
afterAll(async () => {
  await cdn.close();
  await shop.close();
});

const visit = (path = '/purchases', options: Visit = {}) =>
  open(cdn.server.url + path, { token: cdn.server.admin.token, ...options });

const addPurchase = (name: string, state: string): Promise<unknown> =>
  transaction(() =>
    execute(
      `INSERT INTO purchases (kind, domain_name, state, registrar_id, registrar_type, asked_by, years, currency, price, periods,
         day, reference, looks, evidence, created_at, changed_at)
       VALUES ('register', $name, $state, 1, 'reg.ru', 'automation', 1, 'RUB', 19900, '[]', '2026-11-23', $name, 0,
         '[{"at":"2026-11-23T05:00:00.000Z","said":{"key":"purchase.slow"}}]', '2026-11-23T05:00:00.000Z', '2026-11-23T05:00:00.000Z')`,
      { name, state },
    ),
  );

describe('the ledger', () => {
  it('says that nothing is bought until caps are set, marks wrong sums, and shows what is left', async () => {
    const page = await visit();
    await page.getByText('Лимиты не заданы').waitFor();
    await page.getByText('Покупок ещё не было').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Задать лимиты' }).click();
    const form = page.getByRole('dialog', { name: 'Лимиты покупок' });
    await form.getByLabel('Всего за день, RUB').fill('1500,505');
    await page.keyboard.press('Control+Enter');
    await form.getByText(/Сумма – десятичное число/).waitFor();
    await expect
      .poll(() => form.getByLabel('Всего за день, RUB').evaluate((field) => field === document.activeElement))
      .toBe(true);
    expect(await faultsOf(page)).toEqual([]);
    await form.getByLabel('Всего за день, RUB').fill('1 500,50');
    await form.getByLabel('Одно имя, RUB').fill('300');
    await page.keyboard.press('Control+Enter');
    await page
      .getByRole('cell', { name: /1\s500,50\sRUB/ })
      .first()
      .waitFor();
    await expect.poll(() => page.getByText('Лимиты не заданы').count()).toBe(0);
  });

  it('keeps the form of the caps, and what was typed, where the budget can’t be read anew', async () => {
    const page = await visit('/purchases', {
      expected: /^500 \/api\/budget$/,
      prepare: (one) => one.clock.install(),
    });
    await page.getByRole('button', { name: 'Задать лимиты' }).click();
    const sum = page.getByRole('dialog', { name: 'Лимиты покупок' }).getByLabel('Всего за день, RUB');
    await sum.fill('777');
    await page.route('**/api/budget', (route) => route.fulfill({ status: 500, json: {} }));
    const refused = page.waitForResponse('**/api/budget');
    await page.clock.fastForward(31_000);
    await refused;
    await settled(page);
    expect(await sum.count()).toBe(1);
    expect(await sum.inputValue()).toBe('777');
  });

  it('is switched off and on after a question', async () => {
    const page = await visit();
    await page.getByRole('button', { name: 'Выключить покупки' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Выключить покупки' }).click();
    await page.locator('.panel').getByText('Покупки выключены', { exact: true }).first().waitFor();
    await page.getByText(/^Переключил: admin, /).waitFor();
    expect((await cdn.call('GET /api/budget')).body.data.state).toBe('off');
    await page.getByRole('button', { name: 'Включить покупки' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Включить покупки' }).click();
    await page.getByText('Покупки включены').first().waitFor();
    expect((await cdn.call('GET /api/budget')).body.data.state).toBe('on');
  });

  it.each(['light', 'dark'] as const)(
    'has no faults with purchases in every state, %s, and asks an admin, with the evidence',
    async (theme) => {
      await transaction(() => execute('DELETE FROM purchases'));
      for (const state of ['unknown', 'awaiting_approval', 'simulated', 'released'])
        await addPurchase(`${state.slice(0, 3)}.ru`, state);
      const page = await visit('/purchases', { theme });
      await page.getByText('unk.ru').first().waitFor();
      expect(await faultsOf(page)).toEqual([]);
      await page.getByRole('button', { name: 'Решить: unk.ru' }).click();
      const dialog = page.getByRole('dialog', { name: /unk\.ru/ });
      await dialog.getByText('Регистратор не ответил вовремя').waitFor();
      await settled(page);
      expect(await faultsOf(page)).toEqual([]);
      await dialog.getByText('Не куплено', { exact: true }).click();
      await page.keyboard.press('Control+Enter');
      await dialog.waitFor({ state: 'detached' });
      expect((await cdn.call('GET /api/purchases?state=released')).body.data).toHaveLength(2);
    },
  );

  it('of what was charged in another currency than quoted shows no sum, until an admin has seen it', async () => {
    await transaction(() => execute('DELETE FROM purchases'));
    await addPurchase('odd.ru', 'committed');
    const page = await visit();
    await page.getByText('odd.ru').first().waitFor();
    expect(await page.getByText(/199,00\sRUB/).count()).toBe(0);
    await page.getByRole('button', { name: 'Решить: odd.ru' }).click();
    const dialog = page.getByRole('dialog', { name: /odd\.ru/ });
    await expect.poll(() => dialog.getByRole('radio').count()).toBe(1);
    await dialog.getByText('Списание проверено', { exact: true }).click();
    expect(await faultsOf(page)).toEqual([]);
    await page.keyboard.press('Control+Enter');
    await dialog.waitFor({ state: 'detached' });
    expect((await cdn.call('GET /api/purchases')).body.data[0]).toMatchObject({ needs_person: false, charged: null });
  });

  it('keeps the caps that were typed in one currency while those of another are, and what somebody else has set', async () => {
    const before = (await cdn.call('GET /api/budget')).body.data.names_day;
    const page = await visit('/purchases');
    await page.getByRole('button', { name: 'Задать лимиты' }).click();
    const dialog = page.getByRole('dialog');
    const currency = dialog.getByLabel('Валюта');
    await currency.selectOption('EUR');
    const sum = (code: string) => dialog.getByLabel(new RegExp(`^Одно имя, ${code}`, 'i'));
    await sum('EUR').fill('many');
    await currency.selectOption('USD');
    await sum('USD').fill('31,50');
    await cdn.call('PUT /api/budget', { names_day: before + 3 });
    await dialog.getByRole('button', { name: 'Сохранить' }).click();
    // The fault is shown where it is.
    await expect.poll(() => currency.inputValue()).toBe('EUR');
    await expect.poll(() => sum('EUR').getAttribute('aria-invalid')).toBe('true');
    await sum('EUR').fill('27');
    await dialog.getByRole('button', { name: 'Сохранить' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { caps, names_day } = (await cdn.call('GET /api/budget')).body.data;
    const told = caps.map(({ scope, currency: code, amount }: Record<string, string>) => `${scope} ${amount} ${code}`);
    expect([names_day, told]).toEqual([before + 3, expect.arrayContaining(['name 27.00 EUR', 'name 31.50 USD'])]);
    const none = ['EUR', 'USD'].map((code) => ({ scope: 'name', scope_id: 0, currency: code, amount: null }));
    await cdn.call('PUT /api/budget', { caps: none, names_day: before });
  });

  it('shows a user no budget and no decisions, but whether anything is bought', async () => {
    const { token } = await createPerson(cdn.server);
    const page = await visit('/purchases', { token });
    await page.getByText('Покупок ещё не было').waitFor();
    expect(await page.getByText(/Лимиты не заданы|Покупки выключены/).count()).toBe(0);
    const caps = (amount: string | null) => ({ caps: [{ scope: 'name', scope_id: 0, currency: 'RUB', amount }] });
    await cdn.call('PUT /api/budget', caps(null));
    await cdn.call('POST /api/purchases/state', { state: 'off' });
    await page.reload();
    await page.getByText('Лимиты не заданы').waitFor();
    await page.getByText('Покупки выключены').waitFor();
    await cdn.call('POST /api/purchases/state', { state: 'on' });
    await cdn.call('PUT /api/budget', caps('300'));
    await expect.poll(() => page.getByRole('button', { name: 'Задать лимиты' }).count()).toBe(0);
  });
});

it.each(['America/Los_Angeles', 'Asia/Vladivostok'])(
  'the days before and after a renewal are those of the registry for a reader in %s',
  async (timezoneId) => {
    await transaction(() => execute('DELETE FROM purchases'));
    await transaction(() =>
      execute(
        `INSERT INTO purchases (kind, domain_name, state, registrar_id, registrar_type, asked_by, years, currency, price, periods,
           day, reference, looks, evidence, expires_before, created_at, changed_at)
         VALUES ('renew', 'second.ru', 'committed', 1, 'reg.ru', 'person', 1, 'RUB', 24900, '[]', '2026-11-23', 'zones', 0, '[]',
           '2027-02-13T21:00:00.000Z', '2026-11-23T05:00:00.000Z', '2026-11-23T05:00:00.000Z')`,
      ),
    );
    const page = await visit(`/sites?renew=${domain}`, { context: { timezoneId } });
    const dialog = page.getByRole('dialog', { name: 'Продлить на год' });
    await dialog.getByText('14.02.2027').waitFor();
    expect(await dialog.getByText('14.02.2028').count()).toBe(1);
    await page.goto(`${cdn.server.url}/purchases`);
    await page.getByText('14.02.2027 → 14.02.2028').waitFor();
  },
);

it('a domain is renewed from its menu: the price and the balance are seen first', async () => {
  await transaction(() => execute('DELETE FROM purchases'));
  const page = await visit(`/sites?renew=${domain}`);
  const dialog = page.getByRole('dialog', { name: 'Продлить на год' });
  await dialog.getByText('На счёте').waitFor();
  await settled(page);
  expect(await faultsOf(page)).toEqual([]);
  await page.keyboard.press('Control+Enter');
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => shop.state.accounts[0]?.charges.length).toBe(1);
});

it.each(['the dashboard', 'a phone'])(
  'several chosen of a list are planned together and renewed, on %s',
  async (where) => {
    await transaction(() => execute('DELETE FROM purchases'));
    await transaction(() => execute('DELETE FROM budget_periods'));
    await transaction(() => execute('UPDATE domains SET expired_at = $at', { at: new Date().toISOString() }));
    const charges = (): number => shop.state.accounts[0]?.charges.length ?? 0;
    const before = charges();
    const isPhone = where === 'a phone';
    const page = await visit(isPhone ? '/sites' : '/?list=expired', { width: isPhone ? 390 : 1280 });
    if (!isPhone) {
      await page.getByRole('button', { name: 'Продлить несколько' }).click();
      await page.getByText('Выбрано: 0').waitFor();
    }
    await page.getByRole('checkbox', { name: 'Выбрать: first.ru' }).check({ force: true });
    await page.getByRole('checkbox', { name: 'Выбрать: nowhere.ru' }).check({ force: true });
    await settled(page);
    // Where the list was scrolled to, the bar at the top covers half of a row by chance.
    await page.evaluate(() => window.scrollTo(0, 0));
    expect(await faultsOf(page)).toEqual([]);
    if (isPhone) {
      await page.getByRole('button', { name: 'Ещё', exact: true }).click();
      await page.getByRole('button', { name: 'Продлить…' }).click();
    } else await page.getByRole('button', { name: 'Продлить выбранные' }).click();
    const dialog = page.getByRole('dialog', { name: 'Продлить на год' });
    await dialog.getByText('У домена не указан регистратор').waitFor();
    await dialog.getByText(/Всего: 249,00\sRUB/).waitFor();
    await settled(page);
    expect(await faultsOf(page)).toEqual([]);
    await page.keyboard.press('Control+Enter');
    await dialog.waitFor({ state: 'detached' });
    if (isPhone) await page.getByRole('toolbar', { name: 'Выбранные домены' }).waitFor({ state: 'detached' });
    else await page.getByRole('button', { name: 'Продлить несколько' }).waitFor();
    await expect.poll(charges).toBe(before + 1);
    // Its end sets the day of expiry, which the next order must name.
    await expect.poll(() => select(`SELECT id FROM operations WHERE state IN ('queued', 'running')`)).toEqual([]);
  },
);
