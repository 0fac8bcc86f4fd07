// Renewals by the API: the price, the balance and the budget are shown first; paid once, through the ledger.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { execute, select, transaction } from '../../../db/index.ts';
import type { ShopServer } from '../../../src/demo/registrars/server.ts';
import { insertPurchase, type NewPurchase } from '../../../src/services/purchases/rows.ts';
import { setBudget, switchPurchases } from '../../../src/services/purchases/budget.ts';
import type { PurchaseRow } from '../../../src/shared/purchases/tables.ts';
import { REGISTRAR_TYPES } from '../../../src/shared/accounts/registrar-types.ts';
import { startCdn, type Cdn } from '../../support/cdn.ts';
import { LOGIN, startRegistrar } from '../../support/registrars/shops.ts';
import { createPerson, request } from '../../support/server.ts';

let cdn: Cdn;
let shop: ShopServer;
let registrar: number;
let first: number;
let second: number;

beforeEach(async () => {
  shop = await startRegistrar('reg.ru');
  cdn = await startCdn({}, 1, { registrarUrls: Object.fromEntries(REGISTRAR_TYPES.map((type) => [type, shop.url])) });
  const { login, password } = LOGIN;
  const input = { name: 'Shop', type: 'reg.ru', login, password };
  registrar = (await cdn.call('POST /api/registrars', input)).body.data.id;
  first = await cdn.addDomain('first.ru', { registrars_id: registrar });
  second = await cdn.addDomain('second.ru', { registrars_id: registrar });
});
afterEach(async () => {
  await cdn.close();
  await shop.close();
});

const budget = (caps: Record<string, string>) =>
  setBudget({
    caps: Object.entries(caps).map(([scope, amount]) => ({
      scope: scope as 'all',
      scope_id: 0,
      currency: 'RUB',
      amount,
    })),
  });
const charges = () => shop.state.accounts[0]!.charges;
const expiryOf = (name: string) => shop.state.accounts[0]!.domains.find((one) => one.name === name)!.expires_at;
const plan = async (...ids: number[]) => (await cdn.call('POST /api/renewals/plan', { ids })).body.data;
type Quote = { id: number; price: string; currency: string; expires_at: string };
const shown = ({ quotes }: { quotes: Quote[] }) => ({
  domains: quotes.map(({ id, price, currency, expires_at }) => ({ id, price, currency, expires_at })),
});
const pick = (row: PurchaseRow): NewPurchase => {
  const { id: _id, looks: _looks, evidence: _evidence, created_at: _created, changed_at: _changed, ...columns } = row;
  return columns;
};
const start = async (body: object) => cdn.call('POST /api/renewals', body);
const errorsOf = async (id: number) =>
  (await cdn.call(`GET /api/operations/${id}/items`)).body.data.map(({ error }: { error: string }) => error);

describe('a renewal', () => {
  test('shows the price, the date and the balance, and is simulated until a cap is set', async () => {
    const planned = await plan(first);
    expect(planned).toMatchObject({
      simulates: true,
      quotes: [
        {
          id: first,
          price: expect.stringMatching(/^249/),
          currency: 'RUB',
          // Midnight in Moscow: the evening before in UTC.
          expires_at: '2027-02-13T21:00:00.000Z',
          expires_day: '2027-02-14',
          renewed_day: '2028-02-14',
          balance: expect.stringMatching(/^5000.* RUB$/),
          refusal: null,
        },
      ],
    });
    const { body } = await start(shown(planned));
    expect(await cdn.ended(body.operation.id)).toMatchObject({ state: 'failed' });
    expect(await errorsOf(body.operation.id)).toEqual([expect.stringMatching(/проба/)]);
    expect(charges()).toEqual([]);
  });

  test('of several is paid once each, and the domain has its new date', async () => {
    await budget({ all: '1000', name: '300' });
    const [before, planned] = [expiryOf('first.ru'), await plan(first, second)];
    expect(planned.simulates).toBe(false);
    const { body } = await start(shown(planned));
    expect(await cdn.ended(body.operation.id)).toMatchObject({ state: 'succeeded', done: 2 });
    expect(
      charges()
        .map(({ kind, name }) => `${kind} ${name}`)
        .toSorted(),
    ).toEqual(['renew first.ru', 'renew second.ru']);
    expect(Date.parse(expiryOf('first.ru')) - Date.parse(before)).toBe(365 * 86_400_000);
    const row = (await cdn.call(`GET /api/domains/${first}`)).body.data;
    expect(row.expired_at.slice(0, 4)).toBe('2028');
    expect((await cdn.call('GET /api/purchases')).body.data).toMatchObject([
      { expires_day: '2027-02-14', renewed_day: '2028-02-14' },
      { expires_day: '2027-02-14', renewed_day: '2028-02-14' },
    ]);
    // The plan that was shown is stale by now: nothing is paid twice.
    const again = await start(shown(planned));
    expect([again.status, again.body.code]).toEqual([409, 'plan_stale']);
    expect(charges()).toHaveLength(2);
  });

  test.each([
    ['above the cap of one name', { all: '1000', name: '100' }, /больше лимита на одно имя/],
    ['above what is left of the day', { all: '100', name: '300' }, /Budget|лимита/],
  ])('%s is refused before anything is paid', async (_what, caps, said) => {
    await budget(caps);
    const planned = await plan(first);
    expect(planned.quotes[0].refusal).toMatch(said);
    const { status } = await start(shown(planned));
    expect([status, charges().length]).toEqual([422, 0]);
  });

  test('is refused while purchases are off', async () => {
    await budget({ all: '1000', name: '300' });
    const planned = await plan(first);
    await switchPurchases('off');
    expect((await plan(first)).quotes[0].refusal).toBe('Покупки выключены');
    const { status, body } = await start(shown(planned));
    expect([status, body.code, charges().length]).toEqual([422, 'not_renewable', 0]);
  });

  test('of a name that has moved to another registrar is refused and names that', async () => {
    await budget({ all: '1000', name: '300' });
    shop.state.accounts[0]!.domains = shop.state.accounts[0]!.domains.filter(({ name }) => name !== 'first.ru');
    const { quotes } = await plan(first, second);
    expect(quotes.map(({ refusal }: { refusal: string | null }) => refusal)).toEqual([
      expect.stringMatching(/first\.ru нет/),
      null,
    ]);
  });

  test.each([
    ['under the cap of the day', { all: '300', name: '300' }, 5_000_00, /лимита/],
    ['in the account', { all: '1000', name: '300' }, 300_00, /на счёте|баланс/i],
  ])(
    'beside another has no room %s: only the first is planned, and both are refused',
    async (_what, caps, money, said) => {
      await budget(caps);
      shop.state.accounts[0]!.balance = money;
      const planned = await plan(first, second);
      expect(planned.quotes.map(({ refusal }: { refusal: string | null }) => refusal)).toEqual([
        null,
        expect.stringMatching(said),
      ]);
      expect(planned.left).toEqual([{ currency: 'RUB', amount: `${caps.all}.00` }]);
      expect([(await start(shown(planned))).status, charges().length]).toEqual([422, 0]);
      const { quotes } = planned;
      const { body } = await start(shown({ quotes: quotes.slice(0, 1) }));
      expect(await cdn.ended(body.operation.id)).toMatchObject({ state: 'succeeded', done: 1 });
      expect(charges()).toHaveLength(1);
    },
  );

  test('of a date in doubt waits for its decision', async () => {
    await budget({ all: '1000', name: '300' });
    await transaction(() =>
      execute(
        `INSERT INTO domain_registrations (domain_id, looked_up_at, statuses, name_servers, suspect_date, suspect_source, suspect_since)
         VALUES ($first, $at, '[]', '[]', $at, 'whois', $at)`,
        { first, at: '2026-11-23T05:00:00.000Z' },
      ),
    );
    const planned = await plan(first, second);
    expect(planned.quotes.map(({ refusal }: { refusal: string | null }) => refusal)).toEqual([
      expect.stringMatching(/Срок first\.ru под вопросом/),
      null,
    ]);
    expect([(await start(shown(planned))).status, charges().length]).toEqual([422, 0]);
  });

  test('of own domains with another user’s among them pays nothing', async () => {
    await budget({ all: '1000', name: '300' });
    const person = await createPerson(cdn.server);
    const body = { domain_name: 'third.ru' };
    const own = (await request(cdn.server, 'POST /api/domains', { token: person.token, body })).body.data.id;
    const planned = await plan(first);
    const mixed = { domains: [...shown(planned).domains, { ...shown(planned).domains[0]!, id: own }] };
    for (const [call, asked] of [
      ['POST /api/renewals/plan', { ids: [own, first] }],
      ['POST /api/renewals', mixed],
    ] as const) {
      const answer = await request(cdn.server, call, { token: person.token, body: asked });
      expect(answer.status).toBe(422);
      expect(JSON.stringify(answer.body)).not.toContain('first.ru');
    }
    expect(charges()).toEqual([]);
  });

  test('whose answer was lost is found paid, and not sent again', async () => {
    await budget({ all: '1000', name: '300' });
    const planned = await plan(first);
    shop.faults.push({ kind: 'act-then-drop', call: 'POST /service/renew' });
    const { body } = await start(shown(planned));
    await expect
      .poll(async () => (await select<{ state: string }>('SELECT state FROM purchases'))[0]?.state)
      .toMatch(/unknown|committed/);
    expect(charges()).toHaveLength(1);
    await expect
      .poll(async () => (await select<{ state: string }>('SELECT state FROM purchases'))[0]?.state)
      .toBe('committed');
    expect(await cdn.ended(body.operation.id)).toMatchObject({ state: 'succeeded' });
    expect([charges().length, shop.requests.filter(({ path }) => path === '/service/renew').length]).toEqual([1, 1]);
  });

  test('is paid once for a date, though the registrar goes on showing it', async () => {
    await budget({ all: '1000', name: '300' });
    const domain = shop.state.accounts[0]!.domains.find(({ name }) => name === 'first.ru')!;
    const [before, planned] = [domain.expires_at, await plan(first)];
    const { body } = await start(shown(planned));
    expect(await cdn.ended(body.operation.id)).toMatchObject({ state: 'succeeded' });
    domain.expires_at = before;
    expect((await plan(first)).quotes[0].refusal).toMatch(/уже продлён: покупка №1/);
    expect((await start(shown(planned))).status).toBe(422);
    const [renewed] = await select<PurchaseRow>('SELECT * FROM purchases');
    const twice = transaction(() =>
      insertPurchase({ ...pick(renewed!), state: 'committed', reference: 'another', periods: '[]' }),
    );
    await expect(twice).rejects.toThrow(/unique/i);
    expect(charges()).toHaveLength(1);
  });

  test('of another user’s domain at the same registrar is not found', async () => {
    await budget({ all: '1000', name: '300' });
    const { token } = await createPerson(cdn.server);
    const planned = await plan(first);
    for (const [call, body] of [
      ['POST /api/renewals/plan', { ids: [first] }],
      ['POST /api/renewals', shown(planned)],
    ] as const) {
      expect((await request(cdn.server, call, { token, body })).status).toBe(422);
    }
    expect(charges()).toEqual([]);
  });

  test('HTML from the registrar is the reason of each that it leaves without a price', async () => {
    shop.faults.push({ kind: 'malformed', times: 50 });
    const { quotes } = await plan(first, second);
    for (const { refusal, price } of quotes)
      expect([refusal, price]).toEqual([expect.stringContaining('reg.ru'), null]);
  });
});
