import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPerson, form, request, startServer, type Person, type TestServer } from '../../support/server.ts';
import { faultsNow } from '../support/audit.ts';
import { usePages } from '../support/page.ts';

const open = usePages();
let server: TestServer;
let person: Person;
beforeAll(async () => {
  server = await startServer();
  person = await createPerson(server);
});
afterAll(() => server.close());

const LIST = `casino.example\n*.masked.example\nxn--e1afmkfd.xn--p1ai\n`;

const field = (page: Page) => page.getByRole('textbox', { name: 'Домены' });

it('every domain is unknown without a list, and the page says why', async () => {
  const page = await open(`${server.url}/check-site`, { token: person.token });
  expect(await field(page).getAttribute('rows')).toBe('4');
  await field(page).fill('casino.example');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Неизвестно: 1').waitFor();
  await expect.poll(() => page.getByText('Нет списка блокировок не старше 72 часов').isVisible()).toBe(true);
  await expect.poll(() => page.getByText('Free', { exact: true }).count()).toBe(1);
});

it('the page tells Blocked from Free, counts, filters, copies and saves', async () => {
  const blocklist_file = new File([LIST], 'list.txt');
  await request(server, 'POST /api/blocklist', { token: server.admin.token, body: form({ blocklist_file }) });
  const page = await open(`${server.url}/check-site`, {
    token: person.token,
    context: { permissions: ['clipboard-read', 'clipboard-write'] },
  });
  await field(page).fill('casino.example, free.example\nwww.masked.example; пример.рф free.example not_a_host');
  await page.getByText('4 домена, 1 повтор, 1 ошибка').waitFor();
  await page.getByRole('button', { name: 'Проверить' }).click();
  await page.getByRole('status').getByText('Заблокировано 3 из 4').waitFor();
  const chips = page.locator('.rows .bp6-tag');
  await expect.poll(() => chips.allTextContents()).toEqual(['Blocked', 'Free', 'Blocked', 'Blocked']);
  await expect.poll(() => page.getByText('Подпадает под маску: *.masked.example').isVisible()).toBe(true);

  await page.getByRole('button', { name: /^Free/ }).click();
  await expect.poll(() => chips.allTextContents()).toEqual(['Free']);
  await page.getByRole('button', { name: 'Скопировать свободные' }).click();
  await page.getByText('Скопировано').waitFor();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('free.example');

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Скачать CSV' }).click();
  const csv = await text(await (await download).createReadStream());
  expect(csv.split('\r\n')[1]).toBe('casino.example;blocked;casino.example');
});

it('the text stays if the check fails or returns nothing', async () => {
  const page = await open(`${server.url}/check-site`, { token: person.token, expected: /^502 \/api\/check_domains$/ });
  await page.route('**/api/check_domains', (route) => route.fulfill({ status: 502, json: { error: 'Ошибка' } }));
  await field(page).fill('casino.example');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('alert').getByText('Произошла ошибка при проверке доменов').waitFor();
  await page.unrouteAll();
  await page.route('**/api/check_domains', (route) => route.fulfill({ json: {} }));
  await page.getByRole('button', { name: 'Проверить' }).click();
  await page.getByRole('alert').getByText('Не удалось получить результаты проверки').waitFor();
  await expect.poll(() => field(page).inputValue()).toBe('casino.example');
});

it('a text of separators alone is told to have no domains', async () => {
  const page = await open(`${server.url}/check-site`, { token: person.token });
  await field(page).fill(' , ,\n');
  await page.getByRole('button', { name: 'Проверить' }).click();
  await expect.poll(() => field(page).getAttribute('aria-invalid')).toBe('true');
  await page.getByText('Вставьте домены через запятую или с новой строки').waitFor();
});

it('names are checked 500 at a time, and all are shown', async () => {
  const page = await open(`${server.url}/check-site`, { token: person.token });
  const sizes: number[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/check_domains')) sizes.push(request.postDataJSON().domains.length);
  });
  await field(page).evaluate((area: HTMLTextAreaElement) => {
    area.focus();
    const names = Array.from({ length: 1201 }, (_, index) => `name-${index}.example`).join(' ');
    document.execCommand('insertText', false, names);
  });
  await page.keyboard.press('Control+Enter');
  await page.getByRole('status').getByText('Проверка завершена. Заблокировано 0 из 1 201').waitFor();
  expect(sizes).toEqual([500, 500, 201]);
});

it('a name that was checked lately stands beside the form for its person alone, and is taken into it', async () => {
  const page = await open(`${server.url}/check-site`, { token: person.token });
  await field(page).fill('first.example casino.example');
  await page.keyboard.press('Control+Enter');
  const recent = page.getByRole('region', { name: 'Вы проверяли недавно' });
  await expect
    .poll(() => recent.getByRole('listitem').allInnerTexts())
    .toEqual([
      expect.stringMatching(/casino\.example\s+Blocked\s+/),
      expect.stringMatching(/first\.example\s+Free\s+/),
    ]);
  await page.reload();
  await recent.getByRole('button', { name: 'first.example' }).click();
  await expect.poll(() => field(page).inputValue()).toBe('first.example');
  await expect.poll(() => faultsNow(page)).toEqual([]);
  const other = await createPerson(server);
  await page.evaluate((token) => localStorage.setItem('token', token), other.token);
  await page.reload();
  await field(page).waitFor();
  expect(await recent.count()).toBe(0);
});
