import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SERVER_IP, startCdn, type Cdn } from '../support/cdn.ts';
import { withMessage } from './support/acts.ts';
import { settled, usePages } from './support/page.ts';

const open = usePages();
let cdn: Cdn;
let id: number;
beforeEach(async () => {
  cdn = await startCdn();
  id = await cdn.addDomain('main.com');
  cdn.addZone('main.com');
});
afterEach(() => cdn.close());

const visit = (path: string, expected?: RegExp): Promise<Page> =>
  open(cdn.server.url + path, { token: cdn.server.admin.token, ...(expected && { expected }) });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const rulesOf = (name: string): number => cdn.zone(name).page_rules.length;
const zones = (): string[] => Object.values(cdn.fake.state.zones).map(({ name }) => name);
const sendAttached = async (names: string[]): Promise<void> => {
  const body = { accountId: cdn.accounts[0], domainName: 'main.com', ipAddress: SERVER_IP, pageRules: names };
  const answer = await cdn.call('POST /api/manage_dns', body);
  await cdn.ended(answer.body.operation.id);
};

/** Opens the panel that attaches domains, and chooses the server. */
async function attaching(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Привязать домены' }).click();
  await page.getByRole('combobox', { name: 'Сервер', exact: true }).fill('srv');
  await page.getByRole('option', { name: `srv — ${SERVER_IP}` }).click();
}

it('rules are listed in words, and one is deleted after its target was named, and restored', async () => {
  await sendAttached(['from.com']);
  const from = await cdn.addDomain('from.com');
  const page = await visit('/sites');
  await button(page, 'Ещё: from.com').press('Enter');
  await button(page, 'Правила').press('Enter');
  expect(new URL(page.url()).search).toBe(`?rules=${from}`);
  const row = page.getByRole('table', { name: 'Правила' }).locator('tbody tr');
  await row.waitFor();
  await expect
    .poll(async () => (await row.innerText()).replace(/\s+/g, ' ').trim())
    .toBe('*from.com/* Перенаправление на https://main.com/$2 (301) active');
  await button(page, 'Удалить: *from.com/*').click();
  const question = page.getByRole('alertdialog');
  await question.getByText('Удалить правило для *from.com/*?').waitFor();
  await withMessage('**/api/domain_page_rules/*/*')(page);
  expect(rulesOf('from.com')).toBe(1);
  await question.getByRole('button', { name: 'Удалить' }).click();
  await page.getByText('Правило успешно удалено!', { exact: true }).waitFor();
  await page.getByText('Правил нет').waitFor();
  expect(rulesOf('from.com')).toBe(0);
  await page.getByRole('status').getByRole('button', { name: 'Отменить' }).click();
  await row.waitFor();
  expect(rulesOf('from.com')).toBe(1);
});

it('rules that can’t be loaded or deleted show the specified sentences', async () => {
  await sendAttached(['from.com']);
  const from = await cdn.addDomain('from.com');
  const page = await visit(`/sites?rules=${from}`, /^500 \/api\/domain_page_rules\//);
  await page.route('**/api/domain_page_rules/*/*', (route) => route.fulfill({ status: 500, json: {} }));
  await button(page, 'Удалить: *from.com/*').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Удалить' }).click();
  await page.getByRole('alert').getByText('Ошибка при удалении правила. Не удалось выполнить запрос').waitFor();
  await page.route('**/api/domain_page_rules/*', (route) => route.fulfill({ status: 500, json: {} }));
  await page.reload();
  await page.getByText('Не удалось загрузить аккаунты или правила Cloudflare.').waitFor();
  expect(rulesOf('from.com')).toBe(1);
});

it('the form warns of missing fields, then of a list without a domain', async () => {
  const page = await visit(`/sites?rules=${id}`);
  await page.getByRole('tab', { name: 'Привязать домены' }).click();
  await button(page, 'Отправить').click();
  await page.getByRole('alert').getByText('Пожалуйста, заполните все поля.', { exact: true }).waitFor();
  await attaching(page);
  await page.getByLabel('Домены', { exact: true }).fill('no domain; neither_this');
  await button(page, 'Отправить').click();
  await page.getByRole('alert').getByText('Введите хотя бы один корректный домен.', { exact: true }).waitFor();
  expect(zones()).toEqual(['main.com']);
});

it('a list is counted while typing, shown as a plan and sent, and its domains then redirect', async () => {
  const page = await visit(`/sites?rules=${id}`);
  await attaching(page);
  const list = page.getByLabel('Домены', { exact: true });
  await list.fill('https://a.com/, b.com\nno domain;a.com');
  await page.getByText('4 → 2 корректных, 1 повтор, 1 ошибка: строка 2').waitFor();
  await list.press('Control+Enter');
  await page.getByRole('heading', { name: 'Что изменится' }).waitFor();
  const lines = async (): Promise<string[]> =>
    (await page.locator('.plan-lines li').allInnerTexts()).map((line) => line.replace(/\s+/g, ' '));
  await expect.poll(lines).toContain('Создание зона a.com');
  const forwards = async (): Promise<number> =>
    (await lines()).filter((line) => line === 'Создание перенаправление на main.com').length;
  await expect.poll(forwards).toBe(2);
  await page.getByText('В новой зоне будут только записи этого плана.').waitFor();
  expect(zones()).toEqual(['main.com']);
  await page.getByRole('button', { name: /^Отправить: \d+ изменени/ }).click();
  await page.getByText('Запрос успешно отправлен!', { exact: true }).waitFor();
  await expect.poll(zones).toEqual(['main.com', 'a.com', 'b.com']);
  await expect.poll(() => [rulesOf('a.com'), rulesOf('b.com')]).toEqual([1, 1]);
  await expect.poll(() => list.inputValue()).toBe('');
});

it('the lines of wrong entries are named as one or as several, however many entries they have', async () => {
  const page = await visit(`/sites?rules=${id}`);
  await attaching(page);
  const list = page.getByLabel('Домены', { exact: true });
  await list.fill('no domain; neither_this\na.com');
  await page.getByText('3 → 1 корректный, 2 ошибки: строка 1', { exact: true }).waitFor();
  await list.fill(Array.from({ length: 21 }, () => 'no domain').join('\n'));
  const counted = page.getByText(/21 ошибка: /);
  await counted.waitFor();
  expect(await counted.innerText()).toContain('21 ошибка: строки 1, 2, ');
});

it('the press that asks for the plan does not send it, however long the key is held', async () => {
  const page = await visit(`/sites?rules=${id}`);
  await attaching(page);
  await page.getByLabel('Домены', { exact: true }).fill('a.com');
  await page.keyboard.down('Control');
  await page.keyboard.down('Enter');
  const send = page.getByRole('button', { name: /^Отправить: \d+ изменени/ });
  await expect.poll(() => send.evaluate((button) => button === document.activeElement)).toBe(true);
  await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await page.keyboard.up('Control');
  await settled(page);
  expect(await send.isVisible()).toBe(true);
  expect(zones()).toEqual(['main.com']);
  await page.keyboard.press('Enter');
  await page.getByText('Запрос успешно отправлен!', { exact: true }).waitFor();
  await expect.poll(zones).toEqual(['main.com', 'a.com']);
});

it('a list that could not be sent is kept, with the reason', async () => {
  const page = await visit(`/sites?rules=${id}`, /^(500|422) \/api\/manage_dns/);
  await attaching(page);
  const list = page.getByLabel('Домены', { exact: true });
  await list.fill('a.com');
  await page.route('**/api/manage_dns/plan', (route) => route.fulfill({ status: 500, json: {} }));
  await button(page, 'Отправить').click();
  await page.getByRole('alert').getByText('Произошла ошибка при отправке данных.', { exact: true }).waitFor();
  await page.unroute('**/api/manage_dns/plan');
  await page.route('**/api/manage_dns/plan', (route) =>
    route.fulfill({ status: 422, json: { error: 'Зона занята', code: 'refused' } }),
  );
  await button(page, 'Отправить').click();
  await page.getByRole('alert').getByText('Зона занята', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Остаться' }).click();
  await expect.poll(() => list.inputValue()).toBe('a.com');
});

it('redirects are followed, and checked again on request', async () => {
  const check = (redirect: object[], more: object = {}) => ({
    domain: 'main.com',
    redirect,
    error: null,
    loop: false,
    final_url: null,
    ms: 120,
    ...more,
  });
  const chain = [
    { url: 'http://main.com/', redirectUrl: 'https://main.com/', status: 301 },
    { url: 'https://main.com/', redirectUrl: null, status: 200 },
  ];
  const answers = [
    check(chain),
    check(chain.slice(1)),
    check([{ url: 'https://main.com/', redirectUrl: 'https://main.com/', status: 302 }], {
      error: 'redirect_loop',
      loop: true,
    }),
  ];
  const page = await open(`${cdn.server.url}/sites?redirects=${id}`, {
    token: cdn.server.admin.token,
    prepare: (page) =>
      page.route('**/api/check_domain_redirect/*', (route) => route.fulfill({ json: answers.shift() })),
  });
  const rows = page.getByRole('table', { name: 'Путь: 1 редирект, 120 мс' }).locator('tbody tr');
  await rows.first().waitFor();
  expect((await rows.allInnerTexts()).map((row) => row.split(/\s*\t\s*/))).toEqual([
    ['http://main.com/', 'https://main.com/', '301'],
    ['https://main.com/', 'конец пути', '200'],
  ]);
  await button(page, 'Проверить снова').click();
  await page.getByText('Редиректов нет').waitFor();
  await settled(page);
  await button(page, 'Проверить снова').click();
  await page.getByText('Петля: путь возвращается туда, где уже был').waitFor();
});

it('the redirect check asks the real server, which reports why a host does not answer', async () => {
  const page = await visit(`/sites?redirects=${id}`);
  await button(page, 'Проверить снова').waitFor();
  expect(await page.getByRole('dialog').locator('.bp6-callout.bp6-intent-danger').count()).toBe(1);
});
