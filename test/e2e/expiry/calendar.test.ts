// The list of what expires and the calendar on the dashboard, in a browser whose clock is in Moscow.
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { execute, transaction } from '../../../db/index.ts';
import { dayAfter } from '../../../src/shared/portfolio/expiry-day.ts';
import { createPerson, request, startServer, type Person, type TestServer } from '../../support/server.ts';
import { faultsOf } from '../support/audit.ts';
import { settled, usePages } from '../support/page.ts';

const open = usePages();
let server: TestServer;
let owner: Person;
const today = new Date(Date.now() + 3 * 3_600_000).toISOString().slice(0, 10);
// Midnight in Moscow.
const endOf = (days: number): string => `${dayAfter(today, days - 1)}T21:00:00.000Z`;

beforeAll(async () => {
  server = await startServer();
  owner = await createPerson(server);
  for (const [name, days] of Object.entries({ over: -2, now: 0, soon: 5, also: 5, month: 30, later: 31, far: 900 })) {
    const body = { domain_name: `${name}.ru`, expired_at: endOf(days) };
    await request(server, 'POST /api/domains', { token: owner.token, body });
  }
});
afterAll(() => server.close());

it('lists what expires by date: red where it is today or past, amber up to thirty days', async () => {
  const page = await open(`${server.url}/?list=expired`, { token: owner.token });
  const rows = page.getByRole('table', { name: 'Истекающие' }).locator('tbody tr');
  await rows.nth(4).waitFor();
  const names = await rows.locator('.domain-name').allInnerTexts();
  expect(names.slice(0, 2)).toEqual(['over.ru', 'now.ru']);
  expect(names.slice(2).toSorted()).toEqual(['also.ru', 'month.ru', 'soon.ru']);
  expect(await rows.locator('.status-expired').allInnerTexts()).toEqual([
    expect.stringContaining('истёк'),
    expect.stringContaining('сегодня'),
  ]);
  expect(await rows.locator('.status-expiring').count()).toBe(3);
  const [year, month, day] = today.split('-');
  expect(await rows.nth(1).innerText()).toContain(`${day}.${month}.${year}`);
});

it('has the date at every width of a table, on the edges of the other lists', async () => {
  const page = await open(server.url, { token: owner.token });
  await page.getByRole('button', { name: 'Все домены' }).click();
  const headsOf = (name: string): Locator => page.getByRole('table', { name }).locator('thead th');
  const edges = (heads: Locator): Promise<number[]> =>
    heads.evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().left));
  for (const width of [1280, 1024, 768, 767, 700, 640, 600]) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(() => headsOf('Истекающие').allInnerTexts(), { message: `${width} px` }).toContain('Expiry date');
    await expect
      .poll(async () => {
        const [all, expiring] = [await edges(headsOf('Все домены')), await edges(headsOf('Истекающие'))];
        return all.length > 2 && all.every((edge) => expiring.includes(edge));
      })
      .toBe(true);
  }
});

it('a date in doubt is marked by a word and a sign in lists, with the other date; the calendar counts them', async () => {
  const now = new Date().toISOString();
  await transaction(() =>
    execute(
      `INSERT INTO domain_registrations (domain_id, looked_up_at, suspect_date, suspect_source, suspect_since)
       SELECT id, $now, '2026-02-13T21:00:00.000Z', 'whois', $now FROM domains WHERE domain_name = 'soon.ru'`,
      { now },
    ),
  );
  for (const path of ['/?list=expired', '/sites?status=expired']) {
    for (const width of [1280, 390]) {
      const page = await open(server.url + path, { token: owner.token, width });
      const mark = page.locator('.expiry-doubted .status-stale');
      await mark.getByText('под вопросом').waitFor();
      expect([await mark.count(), await mark.locator('.icon').count()]).toEqual([1, 1]);
      expect(await mark.getAttribute('title')).toContain('14.02.2026');
      expect(await faultsOf(page)).toEqual([]);
      if (!path.startsWith('/?')) continue;
      await page.getByRole('link', { name: 'Сроков под вопросом: 1' }).click();
      await page.getByText('Найдено: 1 домен').waitFor();
      await page.getByRole('button', { name: /под вопросом/ }).waitFor();
      await page.getByRole('link', { name: 'под вопросом' }).click();
      await page.getByRole('dialog').getByText('14.02.2026').waitFor();
    }
  }
  await transaction(() => execute('DELETE FROM domain_registrations'));
});

it('the list of all domains is sorted by date, too, where it shows what expires', async () => {
  const page = await open(`${server.url}/sites?status=expired`, { token: owner.token });
  const names = page.locator('tbody .domain-name');
  await names.nth(4).waitFor();
  expect((await names.allInnerTexts()).slice(0, 2)).toEqual(['over.ru', 'now.ru']);
  expect(await page.getByRole('columnheader', { name: 'Expiry date' }).getAttribute('aria-sort')).toBe('ascending');
});

it('each day leads to its domains, by keyboard alone', async () => {
  const page = await open(server.url, { token: owner.token });
  const strip = page.getByRole('table', { name: 'Календарь сроков' });
  await strip.waitFor();
  expect(await page.getByRole('list', { name: 'Сроки регистрации' }).innerText()).toMatch(
    /Просрочено\s+2\s+До 7 дней\s+2\s+До 30 дней\s+1\s+До 90 дней\s+1\s+Позже\s+1/,
  );
  expect(await strip.locator('a[tabindex="0"]').count()).toBe(1);
  await strip.locator('a[tabindex="0"]').focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Home');
  // The calendar begins with this month: on its first two days the one that is over is in none of its rows.
  const isOverShown = dayAfter(today, -2).slice(0, 7) === today.slice(0, 7);
  for (let days = isOverShown ? 2 : 1; days > 0; days -= 1) await page.keyboard.press('ArrowRight');
  const label = await page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  expect(label).toMatch(/^\d+ \S+: 2 домена, скоро$/);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/sites?expires_from=${dayAfter(today, 5)}&expires_to=${dayAfter(today, 5)}**`);
  await page.getByText('soon.ru').waitFor();
  await page.getByText('Найдено: 2 домена').waitFor();
  await page.getByRole('button', { name: /Срок/ }).click();
  await page.getByText('Найдено: 7 доменов').waitFor();
});

it('has no faults, and is a list by week in a narrow window', async () => {
  const page = await open(server.url, { token: owner.token });
  await page.getByRole('table', { name: 'Календарь сроков' }).waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 900 });
  await page.getByRole('link', { name: /: 2 домена, скоро$/ }).waitFor();
  await expect.poll(() => page.getByRole('table', { name: 'Календарь сроков' }).count()).toBe(0);
});

it('the address of a new feed, which is shown once, stays where the calendar can’t be read anew', async () => {
  const person = await createPerson(server);
  await request(server, 'POST /api/domains', { token: person.token, body: { domain_name: 'feed.ru' } });
  const page = await open(server.url, {
    token: person.token,
    expected: /^500 \/api\/expiry_calendar/,
    prepare: (one) => one.clock.install(),
  });
  await page.getByRole('button', { name: 'Подписка iCal' }).click();
  const dialog = page.getByRole('dialog', { name: 'Сроки в вашем календаре' });
  await dialog.getByRole('button', { name: 'Создать адрес' }).click();
  const address = await dialog.locator('.feed-address').innerText();
  await page.route('**/api/expiry_calendar*', (route) => route.fulfill({ status: 500, json: {} }));
  const refused = page.waitForResponse('**/api/expiry_calendar*');
  await page.clock.fastForward(31_000);
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
  await refused;
  await settled(page);
  expect(await dialog.locator('.feed-address').allInnerTexts()).toEqual([address]);
});

it('the button that makes an address keeps the focus', async () => {
  const { token } = await createPerson(server);
  await request(server, 'POST /api/domains', { token, body: { domain_name: 'focus.ru' } });
  const page = await open(server.url, { token });
  await page.getByRole('button', { name: 'Подписка iCal' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Создать адрес' }).press('Enter');
  const renew = dialog.getByRole('button', { name: 'Новый адрес вместо прежнего' });
  await renew.waitFor();
  expect(await renew.evaluate((one) => one === document.activeElement)).toBe(true);
});

it('makes, shows once and revokes the address of a calendar’s feed', async () => {
  const page = await open(server.url, { token: owner.token });
  await page.getByRole('button', { name: 'Подписка iCal' }).click();
  const dialog = page.getByRole('dialog', { name: 'Сроки в вашем календаре' });
  await dialog.getByRole('button', { name: 'Создать адрес' }).click();
  const address = await dialog.locator('.feed-address').innerText();
  expect(address).toMatch(/\/api\/expiry\.ics\?token=[\w-]{43}$/);
  expect(await (await fetch(address)).text()).toContain('SUMMARY:now.ru');
  expect(await faultsOf(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByRole('button', { name: 'Подписка iCal' }).press('Enter');
  await dialog.getByText(/Адрес действует с/).waitFor();
  await expect.poll(() => dialog.locator('.feed-address').count()).toBe(0);
  await dialog.getByRole('button', { name: 'Отозвать адрес' }).click();
  await dialog.getByText('Адреса пока нет').waitFor();
  expect((await fetch(address)).status).toBe(404);
});
