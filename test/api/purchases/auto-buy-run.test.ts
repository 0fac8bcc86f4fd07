// A reserve that is bought: from a project that is short of one to a name with zone, name servers, records and its row.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { execute, select, transaction } from '../../../db/index.ts';
import type { ShopServer } from '../../../src/demo/registrars/server.ts';
import { setBudget, switchPurchases } from '../../../src/services/purchases/budget.ts';
import { acting, SYSTEM_ASKER } from '../../../db/acting.ts';
import { runOperation } from '../../../src/operations/engine.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { reserveBuyer, startReserve } from '../../../src/services/purchases/reserves.ts';
import { REGISTRAR_TYPES } from '../../../src/shared/accounts/registrar-types.ts';
import { cfAccount } from '../../support/cloudflare-state.ts';
import { SERVER_IP, startCdn, type Cdn } from '../../support/cdn.ts';
import { LOGIN, shopState, startRegistrar } from '../../support/registrars/shops.ts';
import { newName } from '../calls.ts';

let cdn: Cdn;
let shop: ShopServer;
let project: number;
let settings: object;
let buyMissing: () => Promise<void>;

beforeEach(async () => {
  shop = await startRegistrar('reg.ru');
  Object.assign(shop.state, shopState('reg.ru'));
  cdn = await startCdn({}, 2, { registrarUrls: Object.fromEntries(REGISTRAR_TYPES.map((type) => [type, shop.url])) });
  const { login, password } = LOGIN;
  const input = { name: newName(), type: 'reg.ru', login, password, profile_type: 'RU.PP', profile_name: 'main' };
  const registrars_id = (await cdn.call('POST /api/registrars', input)).body.data.id;
  project = (await cdn.call('POST /api/projects', { name: newName() })).body.data.id;
  const group = await cdn.call('POST /api/cloudflare_groups', { name: newName(), accounts: cdn.accounts });
  const [server] = (await cdn.call('GET /api/servers')).body.data;
  await cdn.addDomain('main-site.com', { project_id: project, server_id: server.id, file_path: '/var/www/main' });
  settings = {
    project_id: project,
    template: 'mir-{play|win|go}{1|2|3}.ru',
    registrars_id,
    cloudflare_groups_id: group.body.id,
  };
  await cdn.call('POST /api/auto_buy', settings);
  shop.requests.length = 0;
  buyMissing = reserveBuyer(() => undefined);
});
afterEach(async () => {
  await cdn.close();
  await shop.close();
});

const allow = (): Promise<unknown> =>
  setBudget({
    caps: [
      { scope: 'all', scope_id: 0, currency: 'RUB', amount: '1000.00' },
      { scope: 'name', scope_id: 0, currency: 'RUB', amount: '500.00' },
    ],
  });
const isRun = ({ kind }: { kind: string }) => kind === 'buy_reserve';
const planned = async () => (await cdn.call(`POST /api/auto_buy/${project}/plan`, {})).body.data;
const run = async (plan: { domain_name: string; price: string; currency: string }) => {
  const { domain_name, price, currency } = plan;
  return cdn.call(`POST /api/auto_buy/${project}/run`, { domain_name, price, currency });
};
const charges = () => shop.state.accounts[0]!.charges;
const domainNamed = async (name: string) =>
  (await cdn.call('GET /api/domains')).body.data.find((one: { domain_name: string }) => one.domain_name === name);

test('is planned with its price, bought once, gets a zone where the fewest wait, name servers, a record, and its row', async () => {
  await allow();
  // The first account has two zones that wait for their name servers.
  for (const name of ['waits1.com', 'waits2.com']) {
    cdn.fake.addZone({ name, account_id: cfAccount(1), status: 'pending', records: [] });
  }
  const plan = await planned();
  expect(plan).toMatchObject({
    project_id: project,
    wanted: 1,
    ready: 0,
    under_way: 0,
    price: '199',
    currency: 'RUB',
    simulates: false,
    refusal: null,
  });
  expect(plan.domain_name).toMatch(/^mir-(?:play|win|go)[123]\.ru$/);
  expect(charges()).toEqual([]);

  const { status, body } = await run(plan);
  expect({ status, body }).toMatchObject({ status: 200, body: { operation: { id: expect.any(Number) } } });
  const ended = await cdn.ended(body.operation.id);
  expect({ state: ended.state, message: ended.message, steps: ended.steps }).toMatchObject({
    state: 'succeeded',
    message: `Резерв ${plan.domain_name} куплен`,
  });

  expect(charges().map(({ name, amount }) => [name, amount])).toEqual([[plan.domain_name, 19_900]]);
  const zone = cdn.zone(plan.domain_name);
  expect(zone.account_id).toBe(cfAccount(2));
  expect(zone.records.map(({ type, content, proxied }) => [type, content, proxied])).toContainEqual([
    'A',
    SERVER_IP,
    true,
  ]);
  const there = shop.state.accounts[0]!.domains.find(({ name }) => name === plan.domain_name);
  expect(there?.name_servers.toSorted()).toEqual(zone.name_servers.toSorted());
  expect(await domainNamed(plan.domain_name)).toMatchObject({
    project_id: project,
    type: 'transfer',
    cloudflare_account_id: cdn.accounts[1],
    expired_at: expect.stringMatching(String(there?.expires_at.slice(0, 10))),
  });
  // There is one reserve now, as wanted.
  expect((await planned()).refusal).toBe('Резервов достаточно: готово 1, покупается 0, нужно 1');
  expect((await run(plan)).status).toBe(422);
  expect(charges()).toHaveLength(1);
});

test('is bought once by two people who press at once, and by the schedule at the same time', async () => {
  await allow();
  const plan = await planned();
  const answers = await Promise.all([run(plan), run(plan), buyMissing()]);
  for (const answer of answers) if (answer && answer.status === 200) await cdn.ended(answer.body.operation.id);
  const { data } = (await cdn.call('GET /api/operations')).body as { data: { id: number }[] };
  for (const { id } of data) await cdn.ended(id);
  expect(charges()).toHaveLength(1);
});

test('is not bought without caps: the run ends as a trial, and the schedule begins none', async () => {
  const plan = await planned();
  expect(plan).toMatchObject({ simulates: true, refusal: null });
  const { body } = await run(plan);
  const ended = await cdn.ended(body.operation.id);
  expect([ended.state, ended.message]).toEqual(['failed', 'Резерв не куплен']);
  const [item] = (await cdn.call(`GET /api/operations/${ended.id}/items`)).body.data;
  expect(item.error).toContain('это была проба');
  await buyMissing();
  expect((await cdn.call('GET /api/operations')).body.data).toHaveLength(1);
  expect(charges()).toEqual([]);
});

test('gets its zone in the next account where one refuses', async () => {
  await allow();
  for (const account of cdn.fake.state.accounts.filter(({ id }) => id === cfAccount(1))) account.pending_cap = 0;
  const plan = await planned();
  const { body } = await run(plan);
  const ended = await cdn.ended(body.operation.id);
  expect(ended.state).toBe('succeeded');
  expect(cdn.zone(plan.domain_name).account_id).toBe(cfAccount(2));
});

test('stays in the portfolio where no account takes its zone, and the operation says why', async () => {
  await allow();
  for (const account of cdn.fake.state.accounts) account.pending_cap = 0;
  const plan = await planned();
  const { body } = await run(plan);
  const ended = await cdn.ended(body.operation.id);
  expect(ended.state).not.toBe('succeeded');
  expect(await domainNamed(plan.domain_name)).toMatchObject({ project_id: project, type: 'transfer' });
  expect(charges()).toHaveLength(1);
});

test('gets its zone when the run is tried again, and is not bought twice', async () => {
  await allow();
  for (const account of cdn.fake.state.accounts) account.pending_cap = 0;
  const plan = await planned();
  const { id } = (await run(plan)).body.operation;
  expect(await cdn.ended(id)).toMatchObject({ state: 'partial', retryable: true });
  // Still nothing: another try is another operation for each account.
  await cdn.call(`POST /api/operations/${id}/retry`, {});
  expect(await cdn.ended(id)).toMatchObject({ state: 'partial', retryable: true });
  for (const account of cdn.fake.state.accounts) account.pending_cap = 50;
  await cdn.call(`POST /api/operations/${id}/retry`, {});
  expect(await cdn.ended(id)).toMatchObject({ state: 'succeeded', retryable: false });
  expect(cdn.zone(plan.domain_name).records.map(({ content }) => content)).toContain(SERVER_IP);
  expect(charges()).toHaveLength(1);
  expect((await cdn.call(`POST /api/operations/${id}/retry`, {})).status).toBe(409);
});

test('gets its zone by itself an hour later, for a day', async () => {
  await allow();
  for (const account of cdn.fake.state.accounts) account.pending_cap = 0;
  const { id } = (await run(await planned())).body.operation;
  expect((await cdn.ended(id)).state).toBe('partial');
  for (const account of cdn.fake.state.accounts) account.pending_cap = 50;
  const lay = (column: string, hours: number) =>
    transaction(() =>
      execute(`UPDATE operations SET ${column} = $at WHERE id = $id`, {
        id,
        at: new Date(Date.now() - hours * 3_600_000).toISOString(),
      }),
    );
  const state = async () => {
    await buyMissing();
    return (await cdn.ended(id)).state;
  };
  expect(await state()).toBe('partial');
  await lay('finished_at', 2);
  await lay('created_at', 25);
  expect(await state()).toBe('partial');
  await lay('created_at', 2);
  await switchPurchases('off');
  expect(await state()).toBe('succeeded');
  expect(charges()).toHaveLength(1);
});

test('is followed by another one at once where its name has become the main domain, and not where it is blocked', async () => {
  await allow();
  await setBudget({ pause_minutes: 0 });
  const { id } = (await run(await planned())).body.operation;
  await cdn.ended(id);
  const set = (change: string) =>
    transaction(() => execute(`UPDATE domains SET ${change} WHERE domain_name LIKE 'mir-%'`));
  await set(`status = 'blocked'`);
  await buyMissing();
  expect((await planned()).ready).toBe(0);
  expect((await cdn.call('GET /api/operations')).body.data.filter(isRun)).toHaveLength(1);
  await set(`status = 'available', type = 'main'`);
  await buyMissing();
  const runs = (await cdn.call('GET /api/operations')).body.data.filter(isRun);
  expect(runs).toHaveLength(2);
  await cdn.ended(runs[0].id);
  expect(charges()).toHaveLength(2);
});

test('has its folder where the main domain has its own', async () => {
  await allow();
  await transaction(() => execute(`UPDATE domains SET file_path = '/home/u/main-site.com/public_html'`));
  const plan = await planned();
  await cdn.ended((await run(plan)).body.operation.id);
  expect((await domainNamed(plan.domain_name)).file_path).toBe(`/home/u/${plan.domain_name}/public_html`);
});

test.each([
  ['no registrar is chosen', { registrars_id: null }, 'В настройках покупки не выбран регистратор'],
  ['no group is chosen', { cloudflare_groups_id: null }, 'В настройках покупки не выбрана группа Cloudflare'],
  ['no reserve is wanted', { wanted_reserves: 0 }, 'Резервов достаточно: готово 0, покупается 0, нужно 0'],
])('is not bought where %s', async (_title, change, refusal) => {
  await allow();
  await cdn.call('POST /api/auto_buy', { ...settings, ...change });
  expect((await planned()).refusal).toBe(refusal);
  const { status, body } = await run({ domain_name: 'mir-win1.ru', price: '199.00', currency: 'RUB' });
  expect({ status, error: body.error }).toEqual({ status: 422, error: refusal });
  expect(charges()).toEqual([]);
});

test('is bought by a person, and not by the schedule, where automatic buying is off', async () => {
  await allow();
  await cdn.call('POST /api/auto_buy', { ...settings, state: 'off' });
  await buyMissing();
  expect((await cdn.call('GET /api/operations')).body.data).toEqual([]);
  const { body } = await run(await planned());
  expect((await cdn.ended(body.operation.id)).state).toBe('succeeded');
  expect(charges()).toHaveLength(1);
});

test('that the command line on the host asks for is a person’s: no pause stands before it', async () => {
  await allow();
  const queue = () => startReserve(SYSTEM, project, { here: true });
  const { id } = await acting(SYSTEM_ASKER, { name: 'test', call: 'queue' }, queue);
  await runOperation(id);
  expect(await select('SELECT asked_by, state FROM purchases')).toEqual([{ asked_by: 'person', state: 'committed' }]);
});

test('is not bought at another price, or under another name, than was shown', async () => {
  await allow();
  const plan = await planned();
  for (const other of [
    { ...plan, price: '99.00' },
    { ...plan, domain_name: 'other.ru' },
  ]) {
    const { status, body } = await run(other);
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'plan_stale' });
  }
  expect(charges()).toEqual([]);
});

test('whose site does not answer yet is a reserve: no other one is bought instead', async () => {
  await allow();
  const { body } = await run(await planned());
  await cdn.ended(body.operation.id);
  await transaction(() => execute(`UPDATE domains SET http_status_code = 522 WHERE type = 'transfer'`));
  await transaction(() => execute(`UPDATE operations SET created_at = '2026-01-01T00:00:00.000Z'`));
  await buyMissing();
  expect(charges()).toHaveLength(1);
  expect((await planned()).refusal).toContain('Резервов достаточно');
});

test('that was queued is not bought once the settings are off, or a reserve has come by another way', async () => {
  await allow();
  const queue = () => startReserve(SYSTEM, project, { here: true, asked_by: 'automation' });
  const { id } = await acting(SYSTEM_ASKER, { name: 'test', call: 'queue' }, queue);
  await cdn.call('POST /api/auto_buy', { ...settings, state: 'off' });
  expect((await runOperation(id)).state).toBe('failed');
  await cdn.call('POST /api/auto_buy', { ...settings, state: 'on' });
  const next = await acting(SYSTEM_ASKER, { name: 'test', call: 'queue' }, queue);
  await cdn.addDomain('given.com', { project_id: project, type: 'transfer' });
  expect((await runOperation(next.id)).state).toBe('failed');
  expect(charges()).toEqual([]);
});

test('is bought by the schedule where a project is short, and not again for hours where that failed', async () => {
  await allow();
  const [account] = shop.state.accounts;
  if (account) account.balance = 100;
  await buyMissing();
  const list = async (): Promise<{ id: number }[]> => (await cdn.call('GET /api/operations')).body.data;
  const [first] = await list();
  expect((await cdn.ended(first!.id)).state).toBe('failed');
  if (account) account.balance = 500_000;
  await buyMissing();
  expect(await list()).toHaveLength(1);
  await transaction(() => execute(`UPDATE operations SET created_at = '2026-01-01T00:00:00.000Z'`));
  await buyMissing();
  const second = (await list()).find(({ id }) => id !== first!.id);
  expect((await cdn.ended(second!.id)).state).toBe('succeeded');
  expect(charges()).toHaveLength(1);
});
