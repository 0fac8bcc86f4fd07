// Renewals at a registrar that charges a fee beside its price, that are asked for twice, and that its highest price forbids.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ShopServer } from '../../../src/demo/registrars/server.ts';
import { setBudget } from '../../../src/services/purchases/budget.ts';
import type { RegistrarType } from '../../../src/shared/accounts/registrar-types.ts';
import { REGISTRAR_TYPES } from '../../../src/shared/accounts/registrar-types.ts';
import type { Currency } from '../../../src/shared/purchases/money.ts';
import { startCdn, type Cdn } from '../../support/cdn.ts';
import { LOGIN, startRegistrar } from '../../support/registrars/shops.ts';

let cdn: Cdn;
let shop: ShopServer | undefined;

beforeEach(async () => {
  shop = undefined;
});
afterEach(async () => {
  await cdn.close();
  await shop?.close();
});

/** Starts a registrar of a type, with a domain of its account in the portfolio; returns the ids of both. */
async function open(type: RegistrarType, domain_name: string, currency: Currency) {
  const started = await startRegistrar(type);
  shop = started;
  cdn = await startCdn({}, 1, { registrarUrls: Object.fromEntries(REGISTRAR_TYPES.map((one) => [one, started.url])) });
  await setBudget({
    caps: (['all', 'name'] as const).map((scope) => ({ scope, scope_id: 0, currency, amount: '1000.00' })),
  });
  const { login, password, client_ip } = LOGIN;
  const input = { name: 'Shop', type, login, password, ...(type === 'namecheap.com' && { client_ip }) };
  const registrar = (await cdn.call('POST /api/registrars', input)).body.data.id as number;
  return { registrar, domain: await cdn.addDomain(domain_name, { registrars_id: registrar }), input };
}

const charges = () => shop!.state.accounts[0]!.charges;
const planned = async (id: number) => (await cdn.call('POST /api/renewals/plan', { ids: [id] })).body.data.quotes[0];
type Quote = { id: number; price: string; currency: string; expires_at: string };
const start = ({ id, price, currency, expires_at }: Quote, key?: string) =>
  cdn.call(
    'POST /api/renewals',
    { domains: [{ id, price, currency, expires_at }] },
    key === undefined ? undefined : { 'idempotency-key': key },
  );

test('the fee of ICANN at Namecheap is a part of the price of a renewal, and of what is bought', async () => {
  const { domain } = await open('namecheap.com', 'first.com', 'USD');
  const quote = await planned(domain);
  expect(quote).toMatchObject({ price: '249.18', currency: 'USD', refusal: null });
  const { body } = await start(quote);
  expect(await cdn.ended(body.operation.id)).toMatchObject({ state: 'succeeded' });
  expect(charges().map(({ kind, amount }) => [kind, amount])).toEqual([['renew', 24_918]]);
  expect((await cdn.call('GET /api/purchases')).body.data).toMatchObject([{ price: '249.18', charged: '249.18' }]);
  expect((await cdn.call('GET /api/purchases/state')).body.data.state).toBe('on');
});

test('a renewal that is asked for again by its key is the same one, though it is paid by now', async () => {
  const { domain } = await open('reg.ru', 'first.ru', 'RUB');
  const quote = await planned(domain);
  const first = await start(quote, 'key-1');
  await cdn.ended(first.body.operation.id);
  const again = await start(quote, 'key-1');
  expect([again.status, again.body.operation]).toEqual([200, first.body.operation]);
  expect(charges()).toHaveLength(1);
  const other = await cdn.addDomain('second.ru', {
    registrars_id: (await cdn.call('GET /api/registrars')).body.data[0].id,
  });
  expect((await start(await planned(other), 'key-1')).status).toBe(409);
  expect(charges()).toHaveLength(1);
});

test('a renewal above the highest price of its registrar is refused by the plan already', async () => {
  const { registrar, domain, input } = await open('reg.ru', 'first.ru', 'RUB');
  const highest = { ...input, password: '********', highest_price: '200.00' };
  expect((await cdn.call(`PUT /api/registrars/${registrar}`, highest)).status).toBe(200);
  const quote = await planned(domain);
  expect(quote.refusal).toBe('first.ru стоит 249,00 RUB: больше наибольшей цены регистратора, 200,00');
  expect([(await start(quote)).status, charges().length]).toEqual([422, 0]);
});
