// The records of the editor while they are planned and saved.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startCdn, type Cdn } from '../../support/cdn.ts';
import { holdCalls } from '../support/hold.ts';
import { usePages } from '../support/page.ts';

const open = usePages();
let cdn: Cdn;
beforeAll(async () => {
  cdn = await startCdn();
});
afterAll(() => cdn.close());

it('a save writes what the plan showed, whatever is typed while the plan is made', async () => {
  const id = await cdn.addDomain('one.com');
  cdn.addZone('one.com', ['A @ 198.51.100.1']);
  const page = await open(`${cdn.server.url}/sites?dns=${id}`, { token: cdn.server.admin.token });
  await page.getByRole('textbox', { name: 'Контент, запись 1', exact: true }).fill('198.51.100.9');
  const release = await holdCalls(page, 'POST', '**/api/domain_dns/*/plan');
  await page.keyboard.press('Control+KeyS');
  await expect.poll(() => page.locator('.dns-editor').getAttribute('aria-busy')).toBe('true');
  await page.keyboard.type('9');
  await page.keyboard.press('Control+KeyZ');
  release();
  await page.getByRole('heading', { name: 'Что изменится в зоне one.com' }).waitFor();
  expect(await page.locator('.plan-lines li').allInnerTexts()).toEqual([expect.stringMatching(/→ 198\.51\.100\.9$/)]);
  await page.keyboard.press('Control+KeyS');
  await page.getByText('Записи DNS сохранены: one.com').waitFor();
  expect(cdn.zone('one.com').records.map(({ content }) => content)).toEqual(['198.51.100.9']);
});
