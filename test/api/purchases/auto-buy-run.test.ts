// A reserve that is bought: from a project that is short of one to a name with zone, name servers, records and its row.
import { expect, test } from 'vitest';
import { execute, transaction } from '../../../db/index.ts';
import { cfAccount } from '../../support/cloudflare-state.ts';
import { SERVER_IP } from '../../support/cdn.ts';
import {
  allow,
  buyMissing,
  cdn,
  charges,
  domainNamed,
  planned,
  project,
  run,
  settings,
  shop,
  useAutoBuy,
} from './auto-buy-world.ts';

useAutoBuy();

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
    price: '199.00',
    currency: 'RUB',
    balance: expect.stringMatching(/^\d+\.\d\d RUB$/),
    simulates: false,
    follows: 'zone',
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
    // The main domain has a server, and no site of ours.
    steps: expect.arrayContaining([
      {
        name: 'site',
        state: 'succeeded',
        note: `разворачивать нечего: сайт main-site.com сделан не здесь. Загрузите сайт на ${plan.domain_name} сами`,
      },
    ]),
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

test('gets its zone in the next account where one refuses', async () => {
  await allow();
  for (const account of cdn.fake.state.accounts.filter(({ id }) => id === cfAccount(1))) account.pending_cap = 0;
  const plan = await planned();
  const { body } = await run(plan);
  const ended = await cdn.ended(body.operation.id);
  expect(ended.state).toBe('succeeded');
  expect(cdn.zone(plan.domain_name).account_id).toBe(cfAccount(2));
});

test('gets its zone in the next account where one that has none of it does not answer', async () => {
  await allow();
  cdn.fake.state.logins.find(({ accounts }) => accounts.includes(cfAccount(1)))!.api_key = 'f'.repeat(37);
  const plan = await planned();
  const { body } = await run(plan);
  expect((await cdn.ended(body.operation.id)).state).toBe('succeeded');
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

test.each([
  ['zone, name servers and site', 'site'],
  ['neither zone nor site', 'nothing'],
])('is planned with what follows: %s', async (_what, follows) => {
  await transaction(async () => {
    if (follows === 'nothing') return execute('UPDATE domains SET server_id = NULL');
    await execute(
      `INSERT INTO templates (id, name, file_name, created_at, updated_at) VALUES (1, 'T', 't.zip', '', '')`,
    );
    return execute(
      `INSERT INTO sites (domain_id, template_id, html_name, html, updated_at) SELECT id, 1, 'p.html', '', '' FROM domains`,
    );
  });
  expect(await planned()).toMatchObject({ follows });
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

test('that is asked for again by its key is the same run, though its name is bought by now', async () => {
  await allow();
  await cdn.call('POST /api/auto_buy', { ...settings, wanted_reserves: 2 });
  const { domain_name, price, currency } = await planned();
  const body = { domain_name, price, currency };
  const again = () => cdn.call(`POST /api/auto_buy/${project}/run`, body, { 'idempotency-key': 'key-1' });
  const first = await again();
  await cdn.ended(first.body.operation.id);
  const second = await again();
  expect([second.status, second.body.operation]).toEqual([200, first.body.operation]);
  expect(charges()).toHaveLength(1);
  const other = { ...body, domain_name: 'other.ru' };
  const reused = await cdn.call(`POST /api/auto_buy/${project}/run`, other, { 'idempotency-key': 'key-1' });
  expect(reused.status).toBe(409);
});

test.each([
  ['the cap of one name', { scope: 'name', amount: '100.00' }, {}, /больше лимита на одно имя/],
  ['the cap of the day', { scope: 'all', amount: '100.00' }, {}, /из лимита, нужно 199,00/],
  ['the number of names of a day', { scope: 'name', amount: '500.00' }, { names_day: 0 }, /Сегодня уже куплено имён/],
])('is not promised by the plan above %s', async (_what, { scope, amount }, limits, said) => {
  await allow();
  await cdn.call('PUT /api/budget', { caps: [{ scope, scope_id: 0, currency: 'RUB', amount }], ...limits });
  const plan = await planned();
  expect(plan).toMatchObject({ price: '199.00', simulates: false, refusal: expect.stringMatching(said) });
});
