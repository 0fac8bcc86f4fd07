// The tour of the demo, as somebody takes it who has never seen the product.
import { rmSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startDemo, type Demo } from '../../../src/demo/index.ts';
import { createLog } from '../../../src/lib/log.ts';
import { serve, type Serving } from '../../../src/server.ts';
import { request, startServer, temporaryConfig } from '../../support/server.ts';
import { faultsOf } from '../support/audit.ts';
import { settled, usePages } from '../support/page.ts';

const open = usePages();
const config = temporaryConfig();
let demo: Demo;
let serving: Serving;
let token: string;
beforeAll(async () => {
  demo = await startDemo(config, { size: undefined, frozen: false });
  serving = await serve({ ...demo, log: createLog('silent'), host: '127.0.0.1', port: 0, scheduler: false });
  token = (await request(serving, 'POST /api/login', { body: { login: 'demo', password: 'demo' } })).body.token;
});
afterAll(async () => {
  await serving.close();
  await demo.close();
  rmSync(config.dataDir, { recursive: true });
});

const panel = (page: Page) => page.getByRole('complementary', { name: 'Обзор демо' });
const press = (page: Page, name: string) => panel(page).getByRole('button', { name }).press('Enter');
const place = (page: Page): string => page.url().slice(serving.url.length);
const isInPanel = (page: Page) => page.evaluate(() => document.activeElement?.closest('#tour') !== null);

it('five steps lead through the demo by keys alone, and the end gives the focus back', async () => {
  const page = await open(`${serving.url}/dns`, { token });
  await page.getByRole('button', { name: 'Что посмотреть' }).press('Enter');
  await panel(page).getByText('1 из 5').waitFor();
  await expect.poll(() => isInPanel(page)).toBe(true);

  await press(page, 'Показать');
  await page.waitForURL(`${serving.url}/?list=blocked`);
  await page.getByRole('region', { name: 'Заблокированные' }).first().waitFor();
  await settled(page);
  // It has led to the content; the panel is one step back from there.
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main');
  await page.keyboard.press('Shift+Tab');
  await expect.poll(() => isInPanel(page)).toBe(true);

  await press(page, 'Дальше');
  await panel(page).getByText('2 из 5').waitFor();
  await press(page, 'Показать');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('tab', { name: 'Почему', selected: true }).waitFor();
  // Esc closes the dialog alone.
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await panel(page).waitFor();

  // A transfer for real: its plan, the confirmation, and how it runs.
  await press(page, 'Дальше');
  await panel(page).getByText('3 из 5').waitFor();
  await panel(page).getByText('Перенос начинается с плана').waitFor();
  await press(page, 'Показать');
  const confirm = dialog.getByRole('button', { name: /^Перенести на / });
  await confirm.waitFor();
  await settled(page);
  await expect.poll(() => confirm.isEnabled()).toBe(true);
  await confirm.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await panel(page).getByText('Перенос начат').waitFor();
  // Resumed after a reload, at the same transfer.
  await page.reload();
  await panel(page).getByText('Перенос начат').waitFor();
  await press(page, 'Показать');
  await page.waitForURL(/\/operations\?operation=\d+$/);
  await page.getByRole('dialog').getByText('Перенос завершён').first().waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  const SHOWN = [
    ['4 из 5', '/position', 'Проверка позиций'],
    ['5 из 5', '/purchases', 'Покупки'],
  ] as const;
  for (const [step, path, title] of SHOWN) {
    await press(page, 'Дальше');
    await panel(page).getByText(step).waitFor();
    await press(page, 'Показать');
    await page.waitForURL(`${serving.url}${path}*`);
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
  }
  await panel(page).getByRole('button', { name: 'Готово' }).focus();
  await page.keyboard.press('Enter');
  await panel(page).waitFor({ state: 'detached' });
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main');
});

it('the step is kept over a reload and after Esc, the palette opens it again, and no element is covered', async () => {
  const page = await open(`${serving.url}/purchases`, { token, width: 390 });
  const ask = async (): Promise<void> => {
    await page.keyboard.press('Control+KeyK');
    await page.getByRole('combobox').fill('обзор');
    await page.getByRole('option', { name: 'Показать обзор демо' }).click();
  };
  await ask();
  await press(page, 'Дальше');
  await press(page, 'Дальше');
  await panel(page).getByText('3 из 5').waitFor();
  await page.reload();
  await panel(page).getByText('3 из 5').waitFor();
  await settled(page);
  expect(place(page)).toBe('/purchases');
  await page.keyboard.press('Escape');
  await panel(page).waitFor({ state: 'detached' });
  await page.reload();
  await settled(page);
  await expect.poll(() => panel(page).count()).toBe(0);
  await ask();
  await panel(page).getByText('3 из 5').waitFor();
  expect(await faultsOf(page, [320, 390, 1280])).toEqual([]);
  await press(page, 'Пропустить');
  await panel(page).waitFor({ state: 'detached' });
});

it.each([390, 1280])(
  'at %i px the panel gives way to the bar of chosen rows, and is back afterwards',
  async (width) => {
    const page = await open(`${serving.url}/sites`, { token, width });
    await page.getByRole('button', { name: 'Что посмотреть' }).press('Enter');
    await panel(page).waitFor();
    await page
      .getByRole('checkbox', { name: /^Выбрать: / })
      .first()
      .check({ force: true });
    const bar = page.getByRole('toolbar', { name: 'Выбранные домены' });
    await bar.waitFor();
    await expect.poll(() => panel(page).count()).toBe(0);
    // Esc frees the rows alone, wherever the focus is.
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.keyboard.press('Escape');
    await bar.waitFor({ state: 'detached' });
    await panel(page).waitFor();
  },
);

it('Tab leaves the panel in both directions, and nothing that has the focus lies under it', async () => {
  const page = await open(`${serving.url}/settings`, { token, width: 390 });
  await page.setViewportSize({ width: 390, height: 600 });
  await page.getByRole('button', { name: 'Что посмотреть' }).press('Enter');
  await panel(page).waitFor();
  const covered: string[] = [];
  let left = false;
  for (let step = 0; step < 40; step += 1) {
    await page.keyboard.press('Tab');
    const found = await page.evaluate(async () => {
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      const element = document.activeElement ?? document.body;
      const tour = document.getElementById('tour')?.getBoundingClientRect();
      const inside = element.closest('#tour') !== null;
      const { bottom } = element.getBoundingClientRect();
      const name = element.getAttribute('aria-label') ?? element.textContent;
      return { inside, isBody: element === document.body, under: !inside && bottom > (tour?.top ?? 0), name };
    });
    if (found.isBody) break;
    if (!found.inside) left = true;
    if (found.under) covered.push(found.name);
  }
  expect(left).toBe(true);
  expect(covered).toEqual([]);
  await page.keyboard.press('Escape');
});

it('a server with real data has no tour, not even where this browser was in one', async () => {
  const server = await startServer();
  const page = await open(server.url, {
    token: server.admin.token,
    prepare: (page) => page.addInitScript(() => localStorage.setItem('demo-tour', '{"isOpen":true,"step":2}')),
  });
  expect(await panel(page).count()).toBe(0);
  await page.keyboard.press('Control+KeyK');
  await page.getByRole('combobox').fill('обзор');
  await page.getByText('Ничего не найдено').waitFor();
  await server.close();
});
