// DNS in the tab of a domain's page: few clicks, what would change beside, and no edit is lost.
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startCdn, type Cdn } from '../../support/cdn.ts';
import { execute, transaction } from '../../../db/index.ts';
import { faultsOf } from '../support/audit.ts';
import { holdCalls } from '../support/hold.ts';
import { settled, usePages } from '../support/page.ts';

const open = usePages();
let cdn: Cdn;
let id: number;
beforeEach(async () => {
  cdn = await startCdn();
  id = await cdn.addDomain('one.com');
  cdn.addZone('one.com', ['A @ 198.51.100.1', 'CNAME www one.com', 'TXT @ hello', 'MX @ mail.one.com']);
});
afterEach(() => cdn.close());

const visit = (path: string, expected?: RegExp): Promise<Page> =>
  open(cdn.server.url + path, { token: cdn.server.admin.token, ...(expected && { expected }) });
const content = (page: Page, record: number) =>
  page.getByRole('textbox', { name: `Контент, запись ${record}`, exact: true });
const save = (page: Page) => page.getByRole('button', { name: /^Сохранить: / });
const address = (): string | undefined => cdn.zone('one.com').records.find(({ type }) => type === 'A')?.content;

it('from the dashboard four clicks change a record, and what would change is shown before', async () => {
  await transaction(() =>
    execute(`UPDATE domains SET http_status_code = 503, last_http_check_at = $now`, { now: new Date().toISOString() }),
  );
  const page = await visit('/');
  let clicks = 0;
  const click = async (what: ReturnType<Page['getByRole']>): Promise<void> => {
    await what.click();
    clicks += 1;
  };
  await click(page.getByRole('link', { name: 'one.com', exact: true }).first());
  await click(page.getByRole('tab', { name: 'DNS', exact: true }));
  await click(content(page, 1));
  await page.keyboard.press('Control+KeyA');
  await page.keyboard.type('198.51.100.9');
  await expect
    .poll(async () => (await page.locator('.plan-lines li').innerText()).replace(/\s+/g, ' '))
    .toBe('Изменение A one.com: 198.51.100.1 → 198.51.100.9');
  expect(address()).toBe('198.51.100.1');
  expect(await faultsOf(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 900 });
  await click(save(page));
  await page.getByText('Записи DNS сохранены: one.com').waitFor();
  expect([clicks, address()]).toEqual([4, '198.51.100.9']);
});

it('edits stay while another tab is open, are applied to a zone that has changed, and nothing of another is lost', async () => {
  const page = await visit('/sites/one.com?tab=dns', /^409 \/api\/domain_dns\/\d+$/);
  await content(page, 1).fill('198.51.100.9');
  await page.getByRole('tab', { name: 'История' }).click();
  await page.getByRole('tab', { name: 'DNS', exact: true }).click();
  await expect.poll(() => content(page, 1).inputValue()).toBe('198.51.100.9');
  for (const record of cdn.zone('one.com').records) if (record.type === 'CNAME') record.content = 'other.com';
  await page.keyboard.press('Tab');
  await content(page, 1).focus();
  await page.keyboard.press('Control+KeyS');
  await page.getByRole('alert').filter({ hasText: 'Зона one.com за это время изменилась' }).waitFor();
  expect(address()).toBe('198.51.100.1');
  await save(page).click();
  await page.getByText('Записи DNS сохранены: one.com').waitFor();
  expect(address()).toBe('198.51.100.9');
  expect(cdn.zone('one.com').records.find(({ type }) => type === 'CNAME')?.content).toBe('other.com');
  await expect.poll(() => save(page).count()).toBe(0);
});

it('copying on transfer that somebody else has switched meanwhile stays so, also where the zone has changed', async () => {
  const copying = async (): Promise<unknown> => (await cdn.call(`GET /api/domains/${id}`)).body.data.transfer_dns;
  const switched = async (copyOnTransfer: 'on' | 'off'): Promise<void> => {
    const { dns } = (await cdn.call(`GET /api/domain_dns/${id}`)).body;
    expect((await cdn.call(`POST /api/domain_dns/${id}`, { dns, copyOnTransfer })).status).toBe(200);
  };
  const page = await visit('/sites/one.com?tab=dns', /^409 \/api\/domain_dns\/\d+$/);
  await content(page, 1).fill('198.51.100.8');
  await switched('on');
  await save(page).click();
  await page.getByText('Записи DNS сохранены: one.com').waitFor();
  expect([address(), await copying()]).toEqual(['198.51.100.8', 'on']);
  await content(page, 1).fill('198.51.100.9');
  await switched('off');
  for (const record of cdn.zone('one.com').records) if (record.type === 'CNAME') record.content = 'other.com';
  await save(page).click();
  await page.getByRole('alert').filter({ hasText: 'Зона one.com за это время изменилась' }).waitFor();
  await page.getByRole('button', { name: 'Сохранить: 1 изменение' }).click();
  await expect.poll(() => address()).toBe('198.51.100.9');
  expect(await copying()).toBe('off');
});

it('a fault stays at its field, and all records go only after the numbers were confirmed', async () => {
  const page = await visit('/sites/one.com?tab=dns');
  await content(page, 1).fill('not an address');
  await page.getByText('Что изменится, покажем').waitFor();
  await save(page).click();
  await page.getByText('Исправьте отмеченные записи: 1').waitFor();
  for (const record of [1, 2, 3]) await page.getByRole('button', { name: `Удалить: запись ${record}` }).click();
  await save(page).click();
  const question = page.getByRole('alertdialog');
  await question.getByText('Удалить 3 из 3 записей зоны one.com?').waitFor();
  await question.getByRole('button', { name: 'Отмена' }).click();
  await question.waitFor({ state: 'detached' });
  expect(address()).toBe('198.51.100.1');
});

it('while a save is under way nothing can be edited, so that no edit is lost, and the focus stays', async () => {
  const page = await visit('/sites/one.com?tab=dns');
  await content(page, 1).fill('198.51.100.9');
  const release = await holdCalls(page, 'POST', '**/api/domain_dns/*');
  await page.keyboard.press('Control+KeyS');
  await expect.poll(() => page.locator('.dns-inline').getAttribute('aria-busy')).toBe('true');
  await content(page, 2).focus();
  await page.keyboard.press('End');
  await page.keyboard.type(' again');
  const copy = page.getByRole('checkbox', { name: 'Копировать при переносе' });
  await copy.press('Space');
  const type = page.getByRole('combobox', { name: 'Тип, запись 1', exact: true });
  await type.press('ArrowDown');
  await page.getByRole('button', { name: 'Добавить запись' }).press('Enter');
  await content(page, 2).focus();
  await expect
    .poll(async () => [await content(page, 2).inputValue(), await type.inputValue(), await copy.isChecked()])
    .toEqual(['hello', 'A', false]);
  expect(await content(page, 4).count()).toBe(0);
  release();
  await page.getByText('Записи DNS сохранены: one.com').waitFor();
  await settled(page);
  expect(address()).toBe('198.51.100.9');
  await page.keyboard.press('End');
  await page.keyboard.type(' again');
  await expect.poll(() => content(page, 2).inputValue()).toBe('hello again');
});

it('the records are read anew whenever they are opened, however soon that is: in the tab, and in the dialog', async () => {
  const page = await visit('/sites/one.com?tab=dns');
  const change = (content: string): void => {
    for (const record of cdn.zone('one.com').records) if (record.type === 'A') record.content = content;
  };
  await content(page, 1).waitFor();
  await page.getByRole('tab', { name: 'История' }).click();
  change('198.51.100.7');
  await page.getByRole('tab', { name: 'DNS', exact: true }).click();
  await content(page, 1).waitFor();
  expect(await content(page, 1).inputValue()).toBe('198.51.100.7');
  await page.goto(`${cdn.server.url}/sites?dns=${id}`);
  await content(page, 1).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  change('198.51.100.8');
  await page.getByRole('button', { name: 'DNS: one.com' }).click();
  await content(page, 1).waitFor();
  expect(await content(page, 1).inputValue()).toBe('198.51.100.8');
});
