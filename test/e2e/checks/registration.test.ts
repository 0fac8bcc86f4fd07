// The registration of a domain: until when, who says so, the registry's state, and a date in doubt that is decided.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { execute, select, transaction } from '../../../db/index.ts';
import { translate, type Key } from '../../../src/shared/i18n/index.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { faultsOf } from '../support/audit.ts';
import { settled, usePages } from '../support/page.ts';
import { seedDomains } from '../support/portfolio.ts';

const open = usePages();
const t = (key: Key): string => translate('ru', key);
let server: TestServer;

const KNOWN = '2028-02-13T21:00:00.000Z';
const EARLIER = '2027-02-13T21:00:00.000Z';
const NAMES = ['in-order.example', 'in-doubt.example', 'held.example', 'never.example'];

beforeAll(async () => {
  server = await startServer();
  await seedDomains(
    server.admin.id,
    NAMES.map((domain_name) => ({ domain_name })),
  );
  await transaction(async () => {
    await execute('UPDATE domains SET expired_at = $date WHERE domain_name <> $name', { date: KNOWN, name: NAMES[3] });
    await execute(
      `INSERT INTO domain_registrations (domain_id, looked_up_at, source, expires_at, found_at, registry_at, state, statuses, name_servers,
         registrar, suspect_date, suspect_source, suspect_since, error)
       SELECT d.id, $now, 'registrar', $date, $now, $now, value ->> 1, value ->> 2, '["ada.ns.example.net","bob.ns.example.net"]',
         'REGRU-RU', value ->> 3, 'whois', $now, value ->> 4
       FROM json_each($rows) JOIN domains d ON d.domain_name = value ->> 0`,
      {
        now: new Date().toISOString(),
        date: KNOWN,
        rows: JSON.stringify([
          [NAMES[0], 'ok', '["active"]', null, null],
          [NAMES[1], 'ok', '["active"]', EARLIER, null],
          [NAMES[2], 'hold', '["client hold"]', null, '{"key":"provider.unavailable","params":{"message":"x"}}'],
        ]),
      },
    );
  });
});
afterAll(() => server.close());

async function show(id: number) {
  const page = await open(`${server.url}/sites?checks=${id}`, { token: server.admin.token });
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('tab', { name: t('checks.tab_registration') }).click();
  await dialog.getByText(t('registration.until')).waitFor();
  await settled(page);
  return { page, dialog };
}

it('the registration says until when, by whom, and what its registry says', async () => {
  const { page, dialog } = await show(1);
  for (const text of ['13.02.2028', 'ada.ns.example.net, bob.ns.example.net', 'REGRU-RU', t('registration.ok')]) {
    await dialog.getByText(text, { exact: false }).first().waitFor();
  }
  expect(await dialog.getByText(t('registration.by_registrar')).count()).toBe(1);
  expect(await dialog.getByRole('button', { name: t('registration.accept') }).count()).toBe(0);
  expect(await faultsOf(page)).toEqual([]);
});

it('a domain on hold says so in words, and why the last look-up failed', async () => {
  const { page, dialog } = await show(3);
  await dialog.getByText(t('registration.hold')).waitFor();
  await dialog.getByText('client hold').waitFor();
  expect(await dialog.locator('dd').last().innerText()).toMatch(/x/);
  expect(await faultsOf(page)).toEqual([]);
});

it('a domain that was never looked up says so', async () => {
  const { page, dialog } = await show(4);
  await dialog.getByText(t('registration.never')).waitFor();
  expect(await faultsOf(page)).toEqual([]);
});

it('a date in doubt is shown beside the known one, and taken over at a click', async () => {
  const { page, dialog } = await show(2);
  await dialog.getByText(t('registration.doubt_earlier'), { exact: false }).waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await dialog.getByRole('button', { name: t('registration.accept') }).click();
  await dialog.getByText(t('registration.by_whois')).waitFor();
  await dialog.getByRole('button', { name: t('registration.accept') }).waitFor({ state: 'detached' });
  expect(await select('SELECT expired_at FROM domains WHERE id = 2')).toEqual([{ expired_at: EARLIER }]);
});
