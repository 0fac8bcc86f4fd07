// Why a domain is red: from the list's status cell to the ladder, its sentence and the act that mends it.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { execute, executeUnaudited, select, transaction } from '../../../db/index.ts';
import { startRegistry, type RegistryServer } from '../../../src/demo/registry.ts';
import { translate, type Key } from '../../../src/shared/i18n/index.ts';
import { createPerson, request, startServer, type Person, type TestServer } from '../../support/server.ts';
import { AT_ONCE } from '../../support/registrars/shops.ts';
import { faultsOf } from '../support/audit.ts';
import { settled, usePages } from '../support/page.ts';

const open = usePages();
const NAME = 'held.com';
let server: TestServer;
let registry: RegistryServer;
let owner: Person;

beforeAll(async () => {
  registry = await startRegistry({
    find: () => ({
      expires_at: '2040-01-01T00:00:00.000Z',
      registrar: 'Registrar',
      statuses: ['client hold'],
      name_servers: ['ns1.example.net'],
    }),
  });
  const pace = { rdap: AT_ONCE, whois: AT_ONCE };
  server = await startServer({ registry: { rdapUrl: registry.rdap, whoisServer: registry.whois, pace } });
  owner = await createPerson(server);
  await request(server, 'POST /api/domains', { token: owner.token, body: { domain_name: NAME } });
  const now = new Date().toISOString();
  await transaction(async () => {
    await executeUnaudited(
      'check',
      `UPDATE domains SET http_status_code = NULL, http_error = 'timeout', last_http_check_at = $now`,
      { now },
    );
    await execute(
      `INSERT INTO certificates (domain_id, side, domain_name, issuer, names_ok, fault, not_after, looked_at, error, told)
       SELECT id, 'edge', domain_name, 'Example CA', 1, NULL, $ends, $now, NULL, 7 FROM domains`,
      { now, ends: new Date(Date.now() + 6.5 * 86_400_000).toISOString() },
    );
  });
});
afterAll(async () => {
  await server.close();
  await registry.close();
});
beforeEach(async () => {
  await transaction(() => execute('DELETE FROM diagnoses'));
});

const LOOKS = [
  { lang: 'ru', theme: 'light', width: 1280 },
  { lang: 'en', theme: 'dark', width: 390 },
] as const;

it.each(LOOKS)('the status cell leads to the ladder, which is asked by a press ($theme, $width px)', async (look) => {
  const t = (key: Key, params = {}): string => translate(look.lang, key, params);
  const page = await open(`${server.url}/?list=all`, { ...look, token: owner.token });
  await page.locator('.why-link').first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(t('why.never')).waitFor();
  await dialog.getByText(t('why.days', { n: 6 })).waitFor();
  expect(await select('SELECT 1 FROM diagnoses')).toEqual([]);
  await dialog.getByRole('button', { name: t('why.ask') }).click();
  await dialog
    .getByText(t('why.hold', { domain: NAME, statuses: 'client hold' }))
    .first()
    .waitFor();
  const states = await dialog.locator('.why-state').allInnerTexts();
  expect(states).toEqual([t('why.state_broken'), ...Array.from({ length: 11 }, () => t('why.state_not_asked'))]);
  await settled(page);
  expect(await faultsOf(page)).toEqual([]);
  await dialog.getByRole('link', { name: t('why.act_registration') }).click();
  await page.getByRole('dialog').getByText(t('registration.state')).waitFor();
  expect(new URL(page.url()).searchParams.has('why')).toBe(false);
});

it('a diagnosis is shown to whoever comes later, with its time, and opened by its address', async () => {
  await request(server, 'POST /api/domains/1/why', { token: owner.token, body: {} });
  const page = await open(`${server.url}/sites?why=1`, { token: owner.token });
  await page
    .getByRole('dialog')
    .getByText(/held\.com снят с делегирования/)
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Спросить ещё раз' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  expect(new URL(page.url()).search).toBe('');
});
