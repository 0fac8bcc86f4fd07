// Renewals of several names: what is about one of them stops that one alone, also after they were queued.
import { expect, onTestFinished, test } from 'vitest';
import { execute, transaction } from '../../../db/index.ts';
import { insertRow } from '../../../db/rows.ts';
import { registerFlows, runOperation } from '../../../src/operations/engine.ts';
import { hold } from '../../../src/demo/cloudflare/faults.ts';
import { setBudget } from '../../../src/services/purchases/budget.ts';
import { planRenewals, setPatience } from '../../../src/services/purchases/renewal-quotes.ts';
import { renewalFlow, startRenewals } from '../../../src/services/purchases/renewals.ts';
import { reservePurchase } from '../../../src/services/purchases/reserve.ts';
import { domains } from '../../../src/shared/portfolio/tables.ts';
import { ann, boss, charges, itemsOf, ledger, pass, periods, registrar, shop, usePurchases } from './world.ts';

usePurchases('reg.ru');

const EXPIRES = '2027-02-13T21:00:00.000Z';
const NOW = '2026-11-01T00:00:00.000Z';

const add = (domain_name: string): Promise<number> =>
  transaction(() =>
    insertRow(domains, {
      domain_name,
      unicode_name: domain_name,
      user_id: ann.id ?? 0,
      registrars_id: registrar,
      file_path: '/',
      type: 'main',
      transfer_type: 'auto',
      transfer_dns: 'off',
      expired_at: EXPIRES,
      status: 'available',
      created_at: NOW,
      updated_at: NOW,
    }),
  );
const allowRubles = () =>
  setBudget({
    caps: (['all', 'name'] as const).map((scope) => ({ scope, scope_id: 0, currency: 'RUB', amount: '1000.00' })),
  });

test('a name that the registrar does not sell leaves the others their quotes', async () => {
  await allowRubles();
  const [stored] = shop.state.accounts[0]!.domains;
  shop.state.accounts[0]!.domains.push({ ...stored!, id: '103', name: 'astray.org' });
  const ids = [await add('astray.org'), await add('first.ru'), await add('second.ru')];
  const { quotes } = await planRenewals(ann, ids);
  const told = Object.fromEntries(quotes.map(({ domain_name, refusal }) => [domain_name, refusal === null]));
  expect(told).toEqual({ 'astray.org': false, 'first.ru': true, 'second.ru': true });
});

test('a registrar that does not answer is asked once, and that is told of each name', async () => {
  await allowRubles();
  const ids = [await add('first.ru'), await add('second.ru')];
  shop.requests.length = 0;
  shop.faults.push({ kind: 'status', status: 503, times: 100 });
  const { quotes } = await planRenewals(ann, ids);
  expect(quotes.map(({ refusal }) => refusal?.key)).toEqual(['provider.unavailable', 'provider.unavailable']);
  expect(shop.requests).toHaveLength(1);
});

test('a registrar that is too slow for all names says of how many it has answered, and the next request asks for the rest', async () => {
  await allowRubles();
  const ids = [await add('first.ru'), await add('second.ru')];
  const asked = (name: string) => shop.requests.filter((request) => JSON.stringify(request).includes(name)).length;
  const plan = async () => (await planRenewals(ann, ids)).quotes.map(({ price, refusal }) => refusal ?? price);
  onTestFinished(() => setPatience(60_000));
  setPatience(1_500);
  shop.requests.length = 0;
  const late = hold();
  shop.faults.push({ ...late.fault, match: (request) => JSON.stringify(request).includes('second.ru') });
  expect(await plan()).toEqual(['249.00', { key: 'registrar.out_of_time', params: { type: 'reg.ru', n: 1 } }]);
  late.release();
  const before = asked('first.ru');
  expect(await plan()).toEqual(['249.00', '249.00']);
  expect(asked('first.ru')).toBe(before);
  await plan();
  expect(asked('first.ru')).toBeGreaterThan(before);
});

test('a date that comes into doubt after a renewal was queued stops it, and nothing is paid', async () => {
  await allowRubles();
  registerFlows([renewalFlow]);
  const ids = [await add('first.ru'), await add('second.ru')];
  const { quotes } = await planRenewals(ann, ids);
  const shown = quotes.map(({ id, price, currency, expires_at }) => ({
    id,
    price: price ?? '',
    currency: currency ?? '',
    expires_at: expires_at ?? '',
  }));
  const { id } = await startRenewals(ann, { domains: shown }, { here: true });
  await transaction(() =>
    execute(
      `INSERT INTO domain_registrations (domain_id, looked_up_at, statuses, name_servers, suspect_date, suspect_source, suspect_since)
       VALUES ($id, $now, '[]', '[]', '2020-01-01T00:00:00.000Z', 'whois', $now)`,
      { id: ids[0]!, now: NOW },
    ),
  );
  expect((await runOperation(id)).state).toBe('partial');
  const items = await itemsOf(id);
  expect(items.map(({ state, error_key }) => [state, error_key])).toEqual([
    ['failed', 'renewal.in_doubt'],
    ['done', null],
  ]);
  expect(charges().map(({ kind, name }) => `${kind} ${name}`)).toEqual(['renew second.ru']);
});

/** Queues the renewal of first.ru, whose money was held twenty minutes ago: it has waited for an approval since. Returns the operation. */
async function heldLongAgo(): Promise<{ operation: number; domain: number }> {
  await allowRubles();
  registerFlows([renewalFlow]);
  const domain = await add('first.ru');
  const { quotes } = await planRenewals(ann, [domain]);
  const { price, currency, expires_at } = quotes[0]!;
  const asked = { id: domain, price: price ?? '', currency: currency ?? '', expires_at: expires_at ?? '' };
  const { id } = await startRenewals(ann, { domains: [asked] }, { here: true });
  await reservePurchase({
    kind: 'renew',
    domain_name: 'first.ru',
    project_id: null,
    user_id: ann.id,
    asker_id: ann.id,
    asked_by: 'person',
    operation_id: id,
    years: 1,
    expires_before: expires_at,
    registrar_id: registrar,
    offer: { state: 'free', price: { amount: asked.price, currency: asked.currency } },
  });
  const acts = JSON.stringify([{ name: 'reserve', state: 'done', before: null, after: null }]);
  await transaction(() => execute('UPDATE operation_items SET acts = $acts WHERE operation_id = $id', { id, acts }));
  await pass(20 * 60_000);
  return { operation: id, domain };
}

/** Runs a renewal to its end, and returns how that was, and what it has cost and holds. */
async function endOf(operation: number) {
  await runOperation(operation);
  return {
    items: (await itemsOf(operation)).map(({ state, error_key }) => [state, error_key]),
    charges: charges().length,
    states: (await ledger()).map(({ state }) => state),
    held: (await periods()).reduce((sum, { reserved }) => sum + reserved, 0),
  };
}
const unpaid = { charges: 0, states: ['released'], held: 0 };

test('a name that was renewed in the registrar’s cabinet while its renewal waited is not paid a second time', async () => {
  const { operation } = await heldLongAgo();
  const there = shop.state.accounts[0]!.domains.find(({ name }) => name === 'first.ru')!;
  there.expires_at = '2028-02-13T21:00:00.000Z';
  expect(await endOf(operation)).toEqual({ items: [['failed', 'renewal.date_moved']], ...unpaid });
});

test('a name that somebody else has got while its renewal waited is not paid for its former owner', async () => {
  const { operation, domain } = await heldLongAgo();
  await transaction(() => execute('UPDATE domains SET user_id = $boss WHERE id = $domain', { boss: boss.id, domain }));
  expect(await endOf(operation)).toEqual({ items: [['failed', 'renewal.moved']], ...unpaid });
});

test('a renewal that has waited is paid where nothing has changed', async () => {
  const { operation } = await heldLongAgo();
  expect((await runOperation(operation)).state).toBe('succeeded');
  expect(charges()).toMatchObject([{ kind: 'renew', name: 'first.ru' }]);
});
