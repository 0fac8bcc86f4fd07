// Open work in the table editor stays where the rows or columns under it can't be read anew.
import type { Page, Route } from 'playwright-core';
import { expect, it } from 'vitest';
import { settled, usePages } from '../support/page.ts';
import { cell, field, paste } from './cells.ts';
import { post, server, startTables, stored, token } from './world.ts';

const open = usePages();
startTables();

/** Makes reading calls fail from now on. */
const breakReads = (page: Page, url: string | RegExp): Promise<unknown> =>
  page.route(url, (route: Route) =>
    route.request().method() === 'GET' ? route.fulfill({ status: 500, json: {} }) : route.continue(),
  );

it('a written edit can be taken back after the columns could not be read anew', async () => {
  const row = await post('domains', { domain_name: 'columns.ru' });
  const page = await open(`${server.url}/tables?table=domains&id=${row.id}`, { token, expected: /^500 / });
  await (await cell(page, 'domain_name')).dblclick();
  await field(page, 'domain_name').fill('columns-new.ru');
  await breakReads(page, '**/api/columns/domains');
  const refused = page.waitForResponse('**/api/columns/domains');
  await page.keyboard.press('Enter');
  await refused;
  await settled(page);
  expect(await stored('domains', row.id)).toMatchObject({ domain_name: 'columns-new.ru' });
  expect(await page.getByRole('grid').count()).toBe(1);
  await (await cell(page, 'id')).focus();
  await page.keyboard.press('Control+z');
  await expect.poll(() => stored('domains', row.id)).toMatchObject({ domain_name: 'columns.ru' });
});

it('pasted rows that were not written stay with their reasons where the rows can’t be read anew', async () => {
  await post('domains', { domain_name: 'again-a.ru' });
  await post('domains', { domain_name: 'again-b.ru' });
  const page = await open(`${server.url}/tables?table=domains&search=again-`, { token, expected: /^(?:400|500) / });
  await (await cell(page, 'domain_name')).focus();
  await paste(page, 'again-a2.ru\r\nnot a name\r\n');
  const dialog = page.getByRole('dialog');
  const reads = /\/api\/tables\/domains\?.*limit=2(?:&|$)/;
  const write = dialog.getByRole('button', { name: 'Записать 2 строки' });
  await write.waitFor();
  await breakReads(page, reads);
  const refused = page.waitForResponse(reads);
  await write.click();
  await refused;
  await settled(page);
  expect(await dialog.getByRole('button', { name: 'Записать 1 строку' }).count()).toBe(1);
  expect(await dialog.getByRole('alert').count()).toBe(1);
});
