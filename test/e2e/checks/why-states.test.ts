// The ladder in each of its states, and where its acts lead: to the row itself, for whoever may change that.
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { execute, transaction } from '../../../db/index.ts';
import { translate, type Key, type Message } from '../../../src/shared/i18n/index.ts';
import { LAYERS, type Act, type Layer, type Step, type StepState } from '../../../src/shared/why/diagnosis.ts';
import { createPerson, startServer, type Person, type TestServer } from '../../support/server.ts';
import { faultsNow, faultsOf, inLooks, WIDTHS } from '../support/audit.ts';
import { usePages } from '../support/page.ts';
import { insert, seedDomains } from '../support/portfolio.ts';
import { seedTeam } from '../support/team.ts';

const open = usePages();
const NAME = 'a-rather-long-name-of-a-casino-for-the-ladder.ru';
let server: TestServer;
let owner: Person;
beforeAll(async () => {
  server = await startServer();
  owner = await createPerson(server);
  await seedTeam(server);
  await seedDomains(owner.id, [
    {
      domain_name: NAME,
      cloudflare_account_id: 2,
      server_id: 1,
      http_status_code: null,
      http_error: 'timeout',
      last_http_check_at: new Date().toISOString(),
    },
    { domain_name: 'bare.ru' },
  ]);
  const now = new Date().toISOString();
  const certificate = { domain_id: 1, domain_name: NAME, names_ok: 1, looked_at: now };
  await insert('certificates', [
    { ...certificate, side: 'edge', issuer: 'An Authority', not_after: now, fault: 'expired' },
    { ...certificate, side: 'origin', issuer: null, not_after: null, fault: null, error: 'connect_timeout' },
  ]);
});
afterAll(() => server.close());
beforeEach(async () => {
  await transaction(() => execute('DELETE FROM diagnoses'));
});

type Found = Partial<Record<Layer, [state: StepState, message: Message, act?: Act]>>;

/** Stores a diagnosis: layers of which nothing is said are fine. */
async function found(layers: Found, id = 1): Promise<void> {
  const steps = LAYERS.map((layer): Step<Message> => {
    const [state, message, act] = layers[layer] ?? ['ok', { key: 'why.redirect_own' } as const];
    return { layer, state, message: state === 'not_asked' ? null : message, act: act ?? null };
  });
  const broken = steps.find(({ state }) => state === 'broken')?.layer ?? null;
  const domain_name = id === 1 ? NAME : 'bare.ru';
  const asked_at = new Date().toISOString();
  await insert('diagnoses', [{ domain_id: id, domain_name, asked_at, broken, steps: JSON.stringify(steps) }]);
}

const FILLER: Message = { key: 'why.redirect_own' };
const BEHIND = Object.fromEntries(
  LAYERS.slice(LAYERS.indexOf('origin') + 1).map((layer) => [layer, ['not_asked', FILLER]]),
) as Found;
const LATE = Object.fromEntries(
  LAYERS.slice(3).map((layer) => [layer, ['unknown', { key: 'why.out_of_time' }]]),
) as Found;
const SILENT: Message = {
  key: 'why.origin_silent',
  params: { domain: NAME, address: '203.0.113.10' },
  also: [{ key: 'health.timeout' }],
};
const REFUSED: Message = { key: 'provider.credentials' };

/** Makes calls never answer, without a request that stays open. */
const hang = (method: string) => (page: Page) =>
  page.addInitScript((hung) => {
    const send = window.fetch.bind(window);
    window.fetch = (input, init) =>
      typeof input === 'string' && input.endsWith('/why') && init?.method === hung
        ? new Promise(() => undefined)
        : send(input, init);
  }, method);
/** Makes calls fail. */
const refuse = (method: string, status: number, error: string) => (page: Page) =>
  page.route('**/api/domains/1/why', (route) =>
    route.request().method() === method
      ? route.fulfill({ status, json: { error, code: status === 429 ? 'too_many' : 'internal' } })
      : route.fallback(),
  );

interface State {
  name: string;
  layers?: Found;
  prepare?: (page: Page) => Promise<unknown>;
  /** The button that is pressed. */
  press?: Key;
  /** Text that is shown then. */
  text: Key;
  params?: Record<string, string | number>;
}

const STATES: readonly State[] = [
  { name: 'never asked', text: 'why.never' },
  { name: 'all well', layers: {}, text: 'why.all_well' },
  {
    name: 'a broken layer',
    layers: { origin: ['broken', SILENT, 'server'], ...BEHIND },
    text: 'why.origin_silent',
    params: { domain: NAME, address: '203.0.113.10' },
  },
  {
    name: 'partly known',
    layers: { zone: ['unknown', REFUSED, 'account'] },
    text: 'why.some_unknown',
    params: { n: 1 },
  },
  { name: 'out of time', layers: LATE, text: 'why.some_unknown', params: { n: 9 } },
  { name: 'the reading fails', prepare: refuse('GET', 500, 'Out of order'), text: 'why.failed' },
  { name: 'the call fails', prepare: refuse('POST', 500, 'Out of order'), press: 'why.ask', text: 'why.failed' },
  { name: 'others are asked about', prepare: refuse('POST', 429, 'Busy'), press: 'why.ask', text: 'why.failed' },
];

it.each(inLooks(STATES, ({ name }) => name))('%s has no faults', async (_title, look, state) => {
  if (state.layers) await found(state.layers);
  const page = await open(`${server.url}/sites?why=1`, {
    lang: look.lang,
    theme: look.theme,
    token: owner.token,
    expected: /^(500|429) \/api\/domains\/1\/why$/,
    ...(state.prepare && { prepare: state.prepare }),
  });
  const t = (key: Key, params = {}): string => translate(look.lang, key, params);
  if (state.press)
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t(state.press) })
      .click();
  await page.getByText(t(state.text, state.params)).first().waitFor();
  expect(await faultsOf(page, look.widths)).toEqual([]);
  // A toast goes by itself; the question can be asked again.
  const stays = state.prepare && state.press ? t(state.press) : t(state.text, state.params);
  await page.getByText(stays).first().waitFor();
});

/** Returns the faults while something is awaited. */
async function faultsWhile(page: Page, waiting: Locator): Promise<string[]> {
  const faults: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await waiting.waitFor();
    faults.push(...(await faultsNow(page)).map((fault) => `${width} px: ${fault}`));
  }
  return faults;
}

it.each(inLooks(['asking', 'asking again'] as const, (name) => name))(
  '%s has no faults',
  async (_title, look, name) => {
    const { lang, theme } = look;
    const isFirst = name === 'asking';
    if (!isFirst) await found({ origin: ['broken', SILENT, 'server'], ...BEHIND });
    const page = await open(`${server.url}/sites?why=1`, { lang, theme, token: owner.token, prepare: hang('POST') });
    const dialog = page.getByRole('dialog');
    const button = dialog.getByRole('button', { name: translate(lang, isFirst ? 'why.ask' : 'why.again') });
    await button.click();
    expect(await faultsWhile(page, dialog.getByText(translate(lang, 'why.asking')))).toEqual([]);
    expect(await button.getAttribute('aria-disabled')).toBe('true');
  },
);

it.each(inLooks(['loading'], (name) => name))('%s has no faults', async (_title, look) => {
  const { lang, theme } = look;
  const page = await open(`${server.url}/?list=all`, { lang, theme, token: owner.token, prepare: hang('GET') });
  await page.locator('.why-link').first().click();
  expect(await faultsWhile(page, page.getByRole('dialog').locator('.skeleton-rows'))).toEqual([]);
});

const ACTS = [
  ['server', 'why.act_server', '/servers?edit=1', 'Амстердам'],
  ['account', 'why.act_account', '/cloudflare?edit=2', 'Second'],
] as const;

it.each(ACTS)(
  'the act %s opens the row itself, and closing that leads back to the ladder',
  async (act, text, path, name) => {
    await found({ zone: ['unknown', REFUSED, act] });
    const page = await open(`${server.url}/sites?why=1`, { token: server.admin.token });
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('link', { name: translate('ru', text) }).click();
    await page.waitForURL(`${server.url}${path}`);
    await expect.poll(() => page.getByRole('dialog').locator('input').first().inputValue()).toBe(name);
    await page.keyboard.press('Escape');
    await page.waitForURL(`${server.url}/sites?why=1`);
    await dialog.getByRole('link', { name: translate('ru', text) }).waitFor();
  },
);

it.each(ACTS)(
  'who may not change what %s leads to sees the sentence alone, and no dialog by its address',
  async (act, text, path) => {
    await found({ zone: ['unknown', REFUSED, act] });
    const page = await open(`${server.url}/sites?why=1`, { token: owner.token });
    const dialog = page.getByRole('dialog');
    await dialog.getByText(translate('ru', 'why.some_unknown', { n: 1 })).waitFor();
    expect(await dialog.getByRole('link', { name: translate('ru', text) }).count()).toBe(0);
    const list = await open(server.url + path, { token: owner.token });
    await list.getByText('Falkenstein').or(list.getByText('Second')).first().waitFor();
    expect(await list.getByRole('dialog').count()).toBe(0);
  },
);

it.each([
  ['server', 'why.act_set_server', /\/sites\?domain=2$/],
  ['account', 'why.act_set_account', /\/sites\?domain=2$/],
  ['dns', 'why.act_name_servers', /\/dns\?domain=bare\.ru$/],
] as const)('the act %s of a domain that has none leads to where it is set', async (act, text, path) => {
  await found({ edge: ['broken', { key: 'why.name_silent', params: { domain: 'bare.ru' } }, act] }, 2);
  const page = await open(`${server.url}/sites?why=2`, { token: owner.token });
  await page
    .getByRole('dialog')
    .getByRole('link', { name: translate('ru', text) })
    .click();
  await expect.poll(() => page.url()).toMatch(path);
});
