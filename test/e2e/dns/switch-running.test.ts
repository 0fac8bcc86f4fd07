// The dialogs of Under Attack mode and of TLS 1.3 while such work runs already.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hold } from '../../../src/demo/cloudflare/faults.ts';
import { startCdn, type Cdn } from '../../support/cdn.ts';
import { createPerson } from '../../support/server.ts';
import { usePages, type Visit } from '../support/page.ts';

const NAMES = ['one.com', 'two.com', 'three.com'];
const SETTINGS = 'PATCH /zones/*/settings/*';

const open = usePages();
let cdn: Cdn;
beforeAll(async () => {
  cdn = await startCdn();
  for (const name of NAMES) {
    await cdn.addDomain(name);
    cdn.addZone(name);
  }
});
afterAll(() => cdn.close());

/** Lets no zone be changed before `release`. */
function holdZones(): { release: () => void } {
  const answer = hold();
  cdn.fake.faults.push({ ...answer.fault, call: SETTINGS, times: NAMES.length });
  return answer;
}

/** Makes every zone differ from what a switch wants. */
const setAll = (setting: string, value: string): void => {
  for (const name of NAMES) cdn.zone(name).settings[setting] = { value, modified_on: '' };
};

const visit = (token = cdn.server.admin.token, more: Visit = {}): Promise<Page> =>
  open(cdn.server.url, { token, ...more });

it('after a reload the dialog shows the switch that runs, and closes itself after its success', async () => {
  setAll('security_level', 'under_attack');
  const page = await visit();
  await page.getByRole('button', { name: 'Manage Under Attack Mode', exact: true }).click();
  const dialog = page.getByRole('dialog');
  const { release } = holdZones();
  await dialog.getByText('disable', { exact: true }).click();
  await dialog.getByRole('button', { name: 'Disable Under Attack Mode' }).click();
  await dialog.getByRole('button', { name: 'Disabling…' }).waitFor();
  await page.reload();
  await dialog.getByRole('button', { name: 'Disabling…' }).waitFor();
  await expect.poll(() => dialog.getByRole('radio', { name: 'disable' }).isChecked()).toBe(true);
  await expect.poll(() => dialog.getByRole('radio', { name: 'enable' }).isDisabled()).toBe(true);
  await dialog.getByText('Under Attack отключается').waitFor();
  await dialog.getByText('0 из 3').waitFor();
  await dialog.getByRole('progressbar').waitFor();
  expect(await dialog.getByText(/Будет изменено/).count()).toBe(0);
  release();
  await dialog.getByRole('status').getByText('Готово: изменено 3').waitFor();
  await dialog.waitFor({ state: 'detached' });
});

it('the dialog shows the switch of a colleague, and can be left', async () => {
  setAll('security_level', 'medium');
  const colleague = await createPerson(cdn.server, 'admin');
  const { release } = holdZones();
  const { body } = await cdn.call('POST /api/manage-under-attack-mode-all', { action: 'enable' });
  const page = await visit(colleague.token, { lang: 'en' });
  await page.getByRole('button', { name: 'Manage Under Attack Mode', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Enabling…' }).waitFor();
  await dialog.getByText('Under Attack mode is being switched on').waitFor();
  await dialog.getByRole('button', { name: 'Go on in the background' }).click();
  await dialog.waitFor({ state: 'detached' });
  release();
  expect(await cdn.ended(body.operation.id)).toMatchObject({ state: 'succeeded', turns: 'on' });
});

it('a switch that begins while the dialog is open takes its place', async () => {
  setAll('security_level', 'medium');
  const page = await visit();
  await page.getByRole('button', { name: 'Manage Under Attack Mode', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Будет изменено: 3 домена, 1 аккаунт').waitFor();
  await dialog.getByText('disable', { exact: true }).click();
  const { release } = holdZones();
  await cdn.call('POST /api/manage-under-attack-mode-all', { action: 'enable' });
  await dialog.getByRole('button', { name: 'Enabling…' }).waitFor();
  await expect.poll(() => dialog.getByRole('radio', { name: 'enable' }).isChecked()).toBe(true);
  release();
  await dialog.waitFor({ state: 'detached' });
});

it('the dialog of TLS 1.3 shows the switch that runs, and offers it again after its end', async () => {
  setAll('tls_1_3', 'on');
  const { release } = holdZones();
  const { body } = await cdn.call('POST /api/update-all-domains-tls', { state: 'off' });
  const page = await visit();
  await page.getByRole('button', { name: 'Disable All Tls1.3', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('TLS 1.3 отключается для всех доменов').waitFor();
  await dialog.getByRole('progressbar').waitFor();
  const action = dialog.getByRole('button', { name: 'Отключить для 3' });
  await expect.poll(() => action.isDisabled()).toBe(true);
  expect(await dialog.getByText('TLS 1.3 будет отключён').count()).toBe(0);
  release();
  await cdn.ended(body.operation.id);
  await dialog.getByText('TLS 1.3 будет отключён для 3 доменов (аккаунтов: 1).').waitFor();
  await expect.poll(() => action.isEnabled()).toBe(true);
});
