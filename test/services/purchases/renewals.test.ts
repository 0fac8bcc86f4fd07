// Renewals of several names: what is about one of them stops that one alone, also after they were queued.
import { expect, test } from 'vitest';
import { execute, transaction } from '../../../db/index.ts';
import { insertRow } from '../../../db/rows.ts';
import { registerFlows, runOperation } from '../../../src/operations/engine.ts';
import { setBudget } from '../../../src/services/purchases/budget.ts';
import { planRenewals } from '../../../src/services/purchases/renewal-quotes.ts';
import { renewalFlow, startRenewals } from '../../../src/services/purchases/renewals.ts';
import { domains } from '../../../src/shared/portfolio/tables.ts';
import { ann, charges, itemsOf, registrar, shop, usePurchases } from './world.ts';

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
