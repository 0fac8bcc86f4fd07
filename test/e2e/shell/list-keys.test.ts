// The keys of lists and tabs, as a Latin and a Russian keyboard send them.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startServer, type TestServer } from '../../support/server.ts';
import { settled, usePages } from '../support/page.ts';
import { seedPortfolio } from '../support/portfolio.ts';
import { seedTeam } from '../support/team.ts';

const open = usePages();
let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await seedPortfolio(server.admin.id);
  await seedTeam(server);
});
afterAll(() => server.close());

const RUSSIAN: Record<string, string> = { j: 'о', k: 'л', x: 'ч', e: 'у', '[': 'х', ']': 'ъ' };
const CODES: Record<string, string> = {
  j: 'KeyJ',
  k: 'KeyK',
  x: 'KeyX',
  e: 'KeyE',
  '[': 'BracketLeft',
  ']': 'BracketRight',
};

/** Presses a key as a keyboard of a layout sends it. */
const press = (page: Page, layout: 'latin' | 'russian', key: string, shiftKey = false): Promise<unknown> =>
  page.evaluate((init) => (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent('keydown', init)), {
    key: layout === 'latin' ? key : (RUSSIAN[key] ?? key),
    code: CODES[key] ?? key,
    shiftKey,
    bubbles: true,
    cancelable: true,
  });
const rowIndex = (page: Page): Promise<string | null> =>
  page.evaluate(() => document.activeElement?.closest('[data-index]')?.getAttribute('data-index') ?? null);
const chosen = (page: Page): Promise<number> => page.locator('tbody .select-cell input:checked').count();

it.each(['latin', 'russian'] as const)('j and k move, x selects, Shift+x a range (%s)', async (layout) => {
  const page = await open(`${server.url}/sites`, { token: server.admin.token });
  const key = (name: string, shift = false) => press(page, layout, name, shift);
  await key('j');
  await expect.poll(() => rowIndex(page)).toBe('0');
  await key('j');
  await key('j');
  await expect.poll(() => rowIndex(page)).toBe('2');
  await key('k');
  await expect.poll(() => rowIndex(page)).toBe('1');
  await key('x');
  await expect.poll(() => chosen(page)).toBe(1);
  await key('j');
  await key('j');
  await key('x', true);
  await expect.poll(() => chosen(page)).toBe(3);
  await key('k');
  await key('x');
  await expect.poll(() => chosen(page)).toBe(2);
  for (let step = 0; step < 4; step += 1) await key('k');
  await expect.poll(() => rowIndex(page)).toBe('0');

  // Not while something is typed, and not while a dialog is open.
  const field = page.getByRole('searchbox').first();
  await field.focus();
  await key('j');
  await key('x');
  expect(await field.evaluate((input) => input === document.activeElement)).toBe(true);
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.press('Shift+Slash');
  await page.getByRole('dialog').getByText('Следующая, предыдущая строка списка').waitFor();
  await key('j');
  expect(await rowIndex(page)).toBeNull();
});

it.each(['latin', 'russian'] as const)('[ and ] open the tab before and after (%s)', async (layout) => {
  const page = await open(`${server.url}/settings`, { token: server.admin.token });
  const tab = () => page.getByRole('tab', { selected: true }).innerText();
  await press(page, layout, ']');
  await expect.poll(tab).toBe('Безопасность');
  await settled(page);
  await press(page, layout, '[');
  await expect.poll(tab).toBe('Внешний вид');
  await press(page, layout, '[');
  await expect.poll(tab).toBe('Резервные копии');
});

it('the keys walk cards and the cells of a grid, open a row, and edit the one with the focus', async () => {
  const page = await open(`${server.url}/servers`, { token: server.admin.token });
  await press(page, 'russian', 'j');
  await press(page, 'russian', 'e');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  await page.goto(`${server.url}/tables?table=domains`);
  await settled(page);
  const place = () => page.evaluate(() => document.activeElement?.getAttribute('data-place'));
  await page.locator('[data-place="0:1"]').focus();
  await press(page, 'russian', 'j');
  await expect.poll(place).toBe('1:1');
  // Delete in a cell is not about the row.
  await page.keyboard.press('Delete');
  await settled(page);
  expect(await page.getByRole('alertdialog').count()).toBe(0);

  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(`${server.url}/sites`);
  await settled(page);
  await press(page, 'russian', 'j');
  await press(page, 'russian', 'j');
  await expect.poll(() => rowIndex(page)).toBe('1');
  await press(page, 'russian', 'x');
  await page.locator('article input:checked').waitFor({ state: 'attached' });
});

it('Enter opens the row with the focus', async () => {
  const page = await open(`${server.url}/sites`, { token: server.admin.token });
  await press(page, 'latin', 'j');
  await expect.poll(() => rowIndex(page)).toBe('0');
  await page.keyboard.press('Enter');
  await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/sites\/./);
});
