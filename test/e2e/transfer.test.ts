import { expect, it } from 'vitest';
import { domainAt } from '../../src/demo/domains.ts';
import { parseConnectTo, pickDetour } from '../../src/lib/outgoing/connect-to.ts';
import { translate, type Key } from '../../src/shared/i18n/index.ts';
import { request } from '../support/server.ts';
import { withMessage } from './support/acts.ts';
import { faultsOf, inLooks } from './support/audit.ts';
import { settled } from './support/page.ts';
import {
  ARRIVED,
  BLOCKED,
  chosen,
  demo,
  dialog,
  EXPECTED,
  field,
  idOf,
  LONE,
  nameOf,
  OF_LONE,
  press,
  RESERVE,
  russian,
  seen,
  SEEN,
  serving,
  STATES,
  submitTo,
  token,
  startTransfers,
  visit,
  WITHOUT,
} from './support/transfers.ts';

startTransfers();

it.each(inLooks(STATES, ([name]) => name))('%s: the dialog has no faults', async (_title, look, state) => {
  const [, path, act, prepare] = state;
  const page = await visit(path, { ...look, ...(prepare && { prepare, expected: EXPECTED }) });
  await act({ page, t: (key, params) => translate(look.lang, key, params) });
  await settled(page);
  expect(await faultsOf(page, look.widths)).toEqual([]);
});

it('the dialog opens from the tables of a project, the list of sites and the dashboard; reserves have no transfer', async () => {
  const page = await visit('/projects?project=1');
  const action = (key: Key, id: number) =>
    page.getByRole('button', { name: russian('sites.action_on', { action: russian(key), name: nameOf(id) }) });
  await action('sites.transfer', BLOCKED).waitFor();
  expect(await action('sites.transfer', RESERVE).count()).toBe(0);
  await action('sites.more', RESERVE).click();
  await page.getByRole('button', { name: russian('sites.transfers') }).click();
  await page.getByText(russian('transfer_history.none')).waitFor();
  await page.goto(`${serving.url}/sites?search=${nameOf(BLOCKED)}`);
  await action('sites.transfer', BLOCKED).click();
  await field({ page, t: russian }).waitFor();
  await page.goto(`${serving.url}/?list=blocked`);
  await action('sites.more', BLOCKED).click();
  await page.getByRole('button', { name: russian('sites.transfer'), exact: true }).click();
  await field({ page, t: russian }).waitFor();
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });
  await expect
    .poll(() => action('sites.more', BLOCKED).evaluate((button) => button === document.activeElement))
    .toBe(true);
});

it('keys walk through the list, filter it and choose; the focus stays in the field', async () => {
  const page = await visit(`/sites?transfer=${BLOCKED}`);
  const scene = { page, t: russian };
  const input = field(scene);
  await input.waitFor();
  expect(await input.evaluate((one) => one === document.activeElement)).toBe(true);
  const active = () => page.locator('.transfer-option.active').getAttribute('aria-posinset');
  for (const [key, place] of [
    ['ArrowDown', '1'],
    ['ArrowDown', '2'],
    ['PageDown', '7'],
    ['ArrowUp', '6'],
    ['PageUp', '1'],
    ['ArrowUp', '1'],
  ] as const) {
    await page.keyboard.press(key);
    await expect.poll(active).toBe(place);
  }
  const named = await input.getAttribute('aria-activedescendant');
  await expect.poll(() => page.locator('.transfer-option.active').getAttribute('id')).toBe(named);
  for (let press = 0; press < 5; press += 1) await page.keyboard.press('PageDown');
  await expect.poll(active).toBe('23');
  await expect.poll(() => page.locator('.transfer-option.active').isVisible()).toBe(true);
  await expect.poll(() => submitTo(scene, RESERVE).count()).toBe(0);
  await input.fill('гороскоп');
  await expect.poll(() => dialog(page).getByRole('option').count()).toBe(1);
  await page.keyboard.press('Enter');
  await submitTo(scene, RESERVE).waitFor();
  await expect.poll(() => dialog(page).getByRole('option').getAttribute('aria-selected')).toBe('true');
  await expect.poll(() => input.evaluate((one) => one === document.activeElement)).toBe(true);
});

it('a blocked reserve needs confirmations, and the disabled button says why', async () => {
  const page = await visit(`/projects?project=5&transfer=${OF_LONE}`);
  const scene = { page, t: russian };
  const primary = dialog(page).getByRole('button', { name: /^Перенести/ });
  await page.getByText(russian('transfer_dialog.choose_first')).waitFor();
  expect(await primary.isDisabled()).toBe(true);
  await chosen(LONE)(scene);
  await page.getByText(russian('transfer_dialog.blocked', { name: nameOf(LONE) })).waitFor();
  expect(await primary.isDisabled()).toBe(true);
  await press('transfer_dialog.anyway')(scene);
  // The blocked domain's site can't be compared with the reserve's, which needs a confirmation of its own.
  const confirmations = page.locator('.transfer-plan').getByRole('checkbox');
  await page.getByRole('checkbox', { name: russian('transfer_dialog.confirm_site') }).waitFor();
  await confirmations.nth(1).waitFor();
  for (const confirmation of await confirmations.all()) await confirmation.check({ force: true });
  await expect.poll(() => primary.isEnabled()).toBe(true);
  await confirmations.first().uncheck({ force: true });
  await expect.poll(() => primary.isDisabled()).toBe(true);
  await page.getByText(russian('transfer_dialog.confirm_first')).waitFor();
});

it('a failure keeps the dialog open with the choice; a stale plan is replaced by the new one', async () => {
  const target = idOf(2, 4);
  let shown = SEEN;
  const page = await visit(`/projects?project=3&transfer=${idOf(2, 1)}`, {
    expected: /^(409|503) \/api\/transfer_explicit$/,
    prepare: seen(() => shown),
  });
  const scene = { page, t: russian };
  await chosen(target)(scene);
  await submitTo(scene, target).waitFor();
  const confirmation = page.getByRole('checkbox', { name: russian('transfer_dialog.confirm_site') });
  await confirmation.check({ force: true });
  // The confirmed page is named and sent.
  await page.locator('.transfer-seen').getByText(russian('transfer.seen', SEEN)).waitFor();
  const sent = page.waitForRequest('**/api/transfer_explicit');
  await page.route('**/api/transfer_explicit', (route) =>
    route.fulfill({ status: 409, json: { error: 'Домен занят операцией 7', code: 'busy' } }),
  );
  await page.keyboard.press('Control+Enter');
  await page.getByText(russian('transfer_dialog.failed')).waitFor();
  await page.getByText('Домен занят операцией 7').waitFor();
  expect((await sent).postDataJSON()).toMatchObject({ confirm_site: SEEN.print });
  await page.unroute('**/api/transfer_explicit');
  const plan = page.locator('.plan-lines');
  const before = await plan.textContent();
  await changeZone(target);
  await submitTo(scene, target).click();
  await page.getByText(russian('operation.plan_stale')).waitFor();
  await expect.poll(() => plan.textContent()).not.toBe(before);
  await expect.poll(() => submitTo(scene, target).isEnabled()).toBe(true);
  // A page other than the confirmed one needs a new confirmation.
  shown = { ...SEEN, print: 'another print' };
  await page.route('**/api/transfer_explicit', (route) =>
    route.fulfill({ status: 409, json: { error: russian('operation.plan_stale'), code: 'plan_stale' } }),
  );
  await submitTo(scene, target).click();
  await expect.poll(() => submitTo(scene, target).isDisabled()).toBe(true);
  await page.getByText(russian('transfer_dialog.confirm_first')).waitFor();
  await expect.poll(() => confirmation.isChecked()).toBe(false);
  await confirmation.check({ force: true });
  await expect.poll(() => submitTo(scene, target).isEnabled()).toBe(true);
});

/** Changes a setting of a zone at the fake Cloudflare, like somebody else. */
async function changeZone(id: number): Promise<void> {
  const name = domainAt(id - 1, new Date()).domain_name;
  const headers = { 'X-Auth-Email': 'cdn-1@example.com', 'X-Auth-Key': '1'.repeat(37) };
  const base = `${demo.config.cloudflareUrl}/zones`;
  const found = (await (await fetch(`${base}?name=${name}`, { headers })).json()) as { result: { id: string }[] };
  const body = JSON.stringify({ value: 'off' });
  const url = `${base}/${found.result[0]?.id}/settings/tls_1_3`;
  expect((await fetch(url, { method: 'PATCH', headers, body })).status).toBe(200);
}

/** Returns what a visitor of a domain gets by plain HTTP. */
async function visitorOf(id: number) {
  const host = domainAt(id - 1, new Date()).domain_name;
  const { port2 } = pickDetour(parseConnectTo(demo.config.connectTo), host, 80) ?? {};
  const { headers, text } = await request({ url: `http://127.0.0.1:${port2}` }, 'GET /', { headers: { host } });
  return headers.location ?? /rel="canonical" href="([^"]*)"/.exec(text)?.[1];
}

it('a site is moved, the result is shown, and it is moved back from the history', async () => {
  const target = idOf(0, 19);
  const page = await visit(`/projects?project=1&transfer=${BLOCKED}`, { prepare: withMessage('**/transfer_explicit') });
  const scene = { page, t: russian };
  await chosen(target)(scene);
  const plan = page.locator('.plan-lines');
  await plan.getByText(`переадресация 301 ${nameOf(BLOCKED)} → ${nameOf(target)}`).waitFor();
  await plan.getByText(`основной домен ${nameOf(BLOCKED)} → ${nameOf(target)}`).waitFor();
  await page.keyboard.press('Control+Enter');
  // In the project area what an action has done is told at the bottom left.
  await page.locator('.toasts-project').getByText('Transfer process started', { exact: true }).waitFor();
  await dialog(page).waitFor({ state: 'detached' });
  const mains = page.getByRole('region', { name: new RegExp(`^${russian('projects.assigned')}`) });
  await mains.getByText(nameOf(target), { exact: true }).waitFor();
  const [old, next] = [BLOCKED, target].map((id) => `https://${nameOf(id)}/`);
  expect(await Promise.all([visitorOf(BLOCKED), visitorOf(target)])).toEqual([next, next]);
  await page.goto(`${serving.url}/projects?project=1&transfers=${target}`);
  const back = page.getByRole('button', { name: /^Повторить в обратную сторону…/ });
  await back.click();
  await submitTo(scene, BLOCKED).waitFor({ state: 'detached' });
  // The target is blocked, so the dialog asks first.
  await press('transfer_dialog.anyway')(scene);
  await expect.poll(() => submitTo(scene, BLOCKED).isEnabled()).toBe(true);
  await submitTo(scene, BLOCKED).click();
  await mains.getByText(nameOf(BLOCKED), { exact: true }).waitFor();
  expect(await Promise.all([visitorOf(BLOCKED), visitorOf(target)])).toEqual([old, old]);
  const { data } = (await request(serving, `GET /api/domain_transfer_history/${BLOCKED}`, { token })).body;
  expect(data.map((row: { main_domain_id: number }) => row.main_domain_id)).toEqual([target, BLOCKED]);
});

it('the history is filtered and saved', async () => {
  const page = await visit(`/sites?transfers=${ARRIVED}`);
  const title = russian('transfer_history.title', { name: nameOf(ARRIVED) });
  await page.getByRole('heading', { name: title }).waitFor();
  const rows = dialog(page).locator('tbody tr');
  await expect.poll(() => rows.count()).toBe(1);
  const cut = () =>
    dialog(page)
      .locator('.rows')
      .evaluate((list) => list.scrollWidth - list.clientWidth);
  await expect.poll(cut).toBe(0);
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: russian('transfer_history.csv') }).click();
  expect((await saving).suggestedFilename()).toBe(`transfers-${nameOf(ARRIVED)}.csv`);
  await page.getByRole('searchbox', { name: russian('transfer_history.find') }).fill('no such name');
  await page.getByText(russian('ui.nothing_found')).waitFor();
});

it('a project without reserves offers to add one', async () => {
  const page = await visit(`/sites?transfer=${WITHOUT}`);
  await page.getByText('Нет резервных доменов. Добавьте или включите авторегистрацию').waitFor();
  await dialog(page)
    .getByRole('button', { name: russian('transfer_dialog.add') })
    .click();
  const form = page.getByRole('dialog', { name: russian('domain_form.add_title') });
  await form.waitFor();
  await expect.poll(() => form.getByLabel(russian('domain_form.type')).inputValue()).toBe('transfer');
});

it('from the dashboard two presses start a transfer, and its domain leaves what needs a decision', async () => {
  const page = await visit('/');
  const name = nameOf(idOf(2, 0));
  const row = page.locator('.triage-row').filter({ has: page.getByRole('link', { name, exact: true }) });
  await row.getByRole('button', { name: russian('sites.transfer') }).click();
  await page.getByRole('dialog').locator('button[type=submit]:enabled').click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expect.poll(() => row.count()).toBe(0);
});
