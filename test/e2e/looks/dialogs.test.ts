// Dialogs that are longer than the window: their acts stay in sight, one box scrolls, and no message covers what they need.
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hold } from '../../../src/demo/cloudflare/faults.ts';
import { pointingAt, startCdn, type Cdn } from '../../support/cdn.ts';
import { settled, usePages } from '../support/page.ts';

const open = usePages();
let cdn: Cdn;
let id: number;
beforeAll(async () => {
  cdn = await startCdn();
  id = await cdn.addDomain('one.com');
  cdn.addZone('one.com', ['A @ 198.51.100.1']);
});
afterAll(() => cdn.close());

type Size = [width: number, height: number];
const PHONE: Size = [390, 844];

const visit = (path: string, [width, height]: Size, prepare?: (page: Page) => Promise<unknown>): Promise<Page> =>
  open(cdn.server.url + path, {
    token: cdn.server.admin.token,
    context: { viewport: { width, height } },
    ...(prepare && { prepare }),
  });

/** Returns whether all of an element is inside the window, and nothing lies over it. */
const isSeen = (part: Locator): Promise<boolean> =>
  part.evaluate((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    const isOn = (x: number, y: number): boolean => one.contains(document.elementFromPoint(x, y));
    const isInside = left >= 0 && right <= window.innerWidth && top >= 0 && bottom <= window.innerHeight;
    return isInside && isOn((left + right) / 2, top + 4) && isOn((left + right) / 2, bottom - 4);
  });

it.each<[string, Size]>([
  ['/sites?domain=', PHONE],
  ['/sites?domain=', [1280, 700]],
])('the acts of the form at %s are in sight at %s, wherever it is scrolled to', async (path, size) => {
  const page = await visit(`${path}${id}`, size);
  const dialog = page.getByRole('dialog');
  const save = dialog.getByRole('button', { name: 'Сохранить', exact: true });
  await save.waitFor();
  await settled(page);
  await expect.poll(() => isSeen(save)).toBe(true);
  // A field that takes the focus does not come to lie under them.
  const fields = dialog.locator('.bp6-dialog-body').locator('input:enabled:not([type="radio"]), select:enabled');
  for (const field of await fields.all()) {
    if (!(await field.isVisible())) continue;
    await field.focus();
    const covered = await field.evaluate((one) => {
      const foot = one.closest('.bp6-dialog')!.querySelector('.bp6-dialog-footer')!;
      return Math.max(0, one.getBoundingClientRect().bottom - foot.getBoundingClientRect().top);
    });
    expect(covered).toBe(0);
  }
  await expect.poll(() => isSeen(save)).toBe(true);
});

it('a low window keeps its room for the fields of a form', async () => {
  const page = await visit(`/sites?domain=${id}`, [390, 400]);
  const save = page.getByRole('dialog').getByRole('button', { name: 'Сохранить', exact: true });
  await save.waitFor();
  await settled(page);
  expect(await isSeen(save)).toBe(false);
  await save.scrollIntoViewIfNeeded();
  expect(await isSeen(save)).toBe(true);
});

it('a list of a thousand names scrolls with its dialog on a phone, to its last one', async () => {
  const names = Array.from({ length: 1248 }, (_, index) => ({
    domain_name: `site-${index}.com`,
    project_name: null,
    user_login: null,
    cloudflare_account_id: 1,
  }));
  const page = await visit('/', PHONE, (page) =>
    page.route('**/api/domains-for-under-attack', (route) => route.fulfill({ json: names })),
  );
  await page.getByRole('button', { name: 'Manage Under Attack Mode' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('site-0.com', { exact: true }).waitFor();
  await settled(page);
  const scrolling = (): Promise<string[]> =>
    page.evaluate(() =>
      [...document.querySelectorAll('.bp6-overlay, .bp6-overlay *')]
        .filter((one) => one.scrollHeight > one.clientHeight + 2)
        .filter((one) => /auto|scroll/.test(getComputedStyle(one).overflowY))
        .map((one) => one.className),
    );
  expect(await scrolling()).toEqual([expect.stringContaining('bp6-overlay-scroll-container')]);
  expect(await isSeen(dialog.locator('button[type="submit"]'))).toBe(true);
  const last = dialog.getByText('site-1247.com', { exact: true });
  await expect
    .poll(async () => {
      await page.locator('.bp6-overlay-scroll-container').evaluate((box) => box.scrollTo(0, box.scrollHeight));
      return last.isVisible();
    })
    .toBe(true);
  expect(await isSeen(last)).toBe(true);
  expect(await dialog.locator('.card').count()).toBeLessThan(40);
});

it('what is told while a dialog is open covers neither its head nor its acts on a phone', async () => {
  const page = await visit(`/sites?domain=${id}`, PHONE);
  const dialog = page.getByRole('dialog');
  const save = dialog.getByRole('button', { name: 'Сохранить', exact: true });
  await save.waitFor();
  await settled(page);
  const held = hold();
  cdn.fake.faults.push({ ...held.fault, call: 'GET /zones/*/settings/*' });
  const answer = await cdn.call('POST /api/manage_dns', pointingAt(cdn, 'one.com'));
  // Only an operation that was seen running is told to have ended.
  await page.getByRole('button', { name: 'Операции: выполняется 1' }).waitFor();
  held.release();
  await cdn.ended(answer.body.operation.id);
  await page.locator('.toast').first().waitFor();
  await settled(page);
  for (const part of [
    dialog.getByRole('heading').first(),
    dialog.getByRole('button', { name: 'Закрыть' }).first(),
    save,
  ]) {
    expect(await isSeen(part)).toBe(true);
  }
});
