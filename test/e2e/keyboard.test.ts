import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startServer, type TestServer } from '../support/server.ts';
import { addTransfer } from './support/moves.ts';
import { settled, usePages } from './support/page.ts';
import { seedPortfolio } from './support/portfolio.ts';
import { seedTeam } from './support/team.ts';

const open = usePages();
let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await seedPortfolio(server.admin.id);
  await seedTeam(server);
  await addTransfer(server.admin.id, { id: 81, state: 'running' }, { state: 'intent', acts: '[]' });
});
afterAll(() => server.close());

const visit = (path: string) => open(server.url + path, { token: server.admin.token });

/** Returns the focused element: its position among all elements, its name, and whether it is visible and uncovered. */
const focused = (page: Page) =>
  page.evaluate(async () => {
    // An element shown because of its focus, such as the skip link, appears one frame later.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const element = document.activeElement ?? document.body;
    const { x, y, width, height } = element.getBoundingClientRect();
    const at = document.elementFromPoint(x + width / 2, y + height / 2);
    // A checkbox, a text field or a file field shows its focus on surrounding elements.
    const around = element.closest('label, .bp6-input-group') ?? element;
    const parts = [element, element.parentElement, element.nextElementSibling].filter((part) => part !== null);
    return {
      place: [...document.querySelectorAll('*')].indexOf(element),
      name: element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 40) ?? '',
      isBody: element === document.body,
      ringed: parts.some((part) => {
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(part);
        return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none';
      }),
      covered: at === null || !(around.contains(at) || at.contains(element)),
    };
  });

it.each([
  '/login',
  '/',
  '/projects?project=1',
  '/sites',
  '/sites/vulkan-club.ru',
  '/transfers/81',
  '/dns',
  '/check-site',
  '/import',
  '/cloudflare',
  '/servers',
  '/templates',
  '/admin',
  '/settings',
  '/settings?section=security',
  '/settings?section=tokens',
  '/settings?section=notices',
  '/settings?section=telegram',
  '/settings?section=users',
  '/settings?section=caps',
  '/settings?section=schedule',
  '/settings?section=backups',
  '/tables?table=projects',
])('Tab walks through %s: the focus is visible, never covered, and returns to the start', async (path) => {
  const page = path === '/login' ? await open(server.url + path) : await visit(path);
  const places: number[] = [];
  const unseen: string[] = [];
  for (let step = 0; step < 150; step += 1) {
    await page.keyboard.press('Tab');
    const { place, name, isBody, ringed, covered } = await focused(page);
    if (isBody || places.includes(place)) break;
    places.push(place);
    if (!ringed) unseen.push(`no ring: ${name}`);
    if (covered) unseen.push(`covered: ${name}`);
  }
  expect(unseen).toEqual([]);
  expect(places.length).toBeGreaterThanOrEqual(3);
  expect(places.length).toBeLessThan(150);
  // In document order, which is the reading order.
  expect(places).toEqual([...places].sort((a, b) => a - b));
});

it('the skip link leads to the content, which takes the focus when another screen opens', async () => {
  const page = await visit('/');
  await page.keyboard.press('Tab');
  await expect.poll(async () => (await focused(page)).name).toBe('К содержанию');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main');
  await page.getByRole('button', { name: 'Сайты' }).press('Enter');
  await page.getByRole('link', { name: 'Все сайты' }).press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Все сайты' }).waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main');
});

it('a list is two stops from the start, and its filters are not on the way to its rows', async () => {
  const page = await visit('/sites');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect.poll(async () => (await focused(page)).name).toBe('К списку');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => document.activeElement?.matches('.rows'))).toBe(true);
  // Stops above the rows of the list: the box that chooses all of them, and the heads that sort.
  let stops = 0;
  for (; stops < 12 && (await page.evaluate(() => !document.activeElement?.closest('tbody'))); stops += 1)
    await page.keyboard.press('Tab');
  expect(stops).toBeLessThan(12);
  const without = await visit('/settings');
  await without.keyboard.press('Tab');
  await without.keyboard.press('Tab');
  await expect.poll(() => without.evaluate(() => document.activeElement?.closest('header') !== null)).toBe(true);
});

it('Esc closes a menu and returns the focus', async () => {
  const page = await visit('/');
  const menu = page.getByRole('button', { name: 'Сайты' });
  await menu.press('Enter');
  await page.getByRole('link', { name: 'Все сайты' }).waitFor();
  await expect.poll(() => menu.getAttribute('aria-expanded')).toBe('true');
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Все сайты' }).waitFor({ state: 'detached' });
  await expect.poll(async () => (await focused(page)).name).toBe('Сайты');
});

it('a dialog keeps the focus; Ctrl+Enter submits it, Esc closes it, and the opener gets the focus back', async () => {
  const page = await visit('/');
  const opener = page.getByRole('button', { name: 'Add Telegram Username' });
  const dialog = page.getByRole('dialog');
  // The focus guards at both ends belong to the dialog: they pass the focus on.
  const isInside = () => page.evaluate(() => document.activeElement?.closest('.bp6-overlay') !== null);
  const hasFocus = () => opener.evaluate((button) => button === document.activeElement);
  await opener.press('Enter');
  await dialog.waitFor();
  for (let step = 0; step < 8; step += 1) {
    await page.keyboard.press('Tab');
    await expect.poll(() => isInside()).toBe(true);
  }
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(hasFocus).toBe(true);

  await opener.press('Enter');
  await page.getByLabel('Telegram', { exact: true }).fill('not a name');
  await page.keyboard.press('Escape');
  const question = page.getByRole('alertdialog');
  await question.waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Остаться');
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  await expect.poll(() => page.getByLabel('Telegram', { exact: true }).inputValue()).toBe('not a name');

  await page.getByLabel('Telegram', { exact: true }).fill('by_keyboard');
  // Also where the focus was lost, as with a button that went away.
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.press('Control+Enter');
  await page.getByText('Telegram username updated successfully.').waitFor();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(hasFocus).toBe(true);
});

it('keys work on a Russian layout, are ignored in fields, and can be disabled', async () => {
  const page = await visit('/sites');
  const dark = () => page.evaluate(() => document.documentElement.classList.contains('bp6-dark'));
  // The key events that Chromium sends for T and slash on a Russian layout (ЙЦУКЕН).
  const press = (key: string, code: string, shiftKey = false) =>
    page.evaluate(
      (init) => (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent('keydown', init)),
      { key, code, shiftKey, bubbles: true, cancelable: true },
    );
  await press('е', 'KeyT');
  await expect.poll(dark).toBe(true);
  await press('.', 'Slash');
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('search');
  await press('е', 'KeyT');
  await expect.poll(() => dark()).toBe(true);

  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await press(',', 'Slash', true);
  await page.getByRole('dialog').waitFor();
  await press('е', 'KeyT');
  await expect.poll(() => dark()).toBe(true);
  await page.getByLabel('Клавиши из одной буквы включены').click({ force: true });
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await press('е', 'KeyT');
  await expect.poll(() => dark()).toBe(true);
});

it('nothing moves for users who prefer reduced motion', async () => {
  const page = await visit('/');
  await page.getByRole('button', { name: 'Add Telegram Username' }).click();
  await page.getByRole('dialog').waitFor();
  await settled(page);
  // An animation of a millisecond at most is no movement: a slow machine is seen in the midst of it.
  const moving = await page.evaluate(() =>
    document
      .getAnimations()
      .filter(
        ({ playState, effect }) => playState === 'running' && Number(effect?.getComputedTiming().activeDuration) > 1,
      )
      .map(({ effect }) => String(effect?.getComputedTiming().activeDuration)),
  );
  expect(moving).toEqual([]);
});

it('Escape that ends the composition of an input method leaves the dialog open', async () => {
  const page = await visit('/projects?open=new');
  const field = page.getByRole('dialog').getByRole('textbox').first();
  await field.focus();
  const escape = (isComposing: boolean) =>
    field.evaluate(
      (one, composing) =>
        one.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'Escape', code: 'Escape', isComposing: composing, bubbles: true }),
        ),
      isComposing,
    );
  await escape(true);
  await settled(page);
  expect(await page.getByRole('dialog').count()).toBe(1);
  await escape(false);
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});
