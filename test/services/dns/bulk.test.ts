// Bulk work needs few calls, exceeds no rate limit, fails one account at a time and explains its failures.
import { afterEach, describe, expect, test } from 'vitest';
import { countItems } from '../../../src/operations/items.ts';
import { requeue } from '../../../src/operations/queue.ts';
import { planSwitch, startSwitch, type Switch } from '../../../src/services/dns/protection.ts';
import { listAccounts } from '../../../src/services/accounts/accounts.ts';
import { cloudflareKind } from '../../../src/shared/accounts/cloudflare-accounts.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { recorded } from '../notices/recorded.ts';
import { leastCalls, startBulk, zoneName, type Bulk, type BulkOptions } from '../../support/bulk.ts';

let bulk: Bulk;
const start = async (options: BulkOptions): Promise<void> => {
  bulk = await startBulk(options);
};
afterEach(() => bulk.close());

const ENABLE: Switch = { kind: 'under_attack', action: 'enable' };
const DISABLE: Switch = { kind: 'under_attack', action: 'disable' };
const begin = async (wanted: Switch, idem_key?: string): Promise<number> =>
  (await startSwitch(SYSTEM, wanted, { idem_key }, true)).id;
const level = (name: string): unknown => bulk.zone(name).settings['security_level']?.value;
const levels = (account: number, count: number): unknown[] =>
  Array.from({ length: count }, (_, index) => level(zoneName(account, index)));
const callsOf = (account: number) => bulk.fake.requests.filter(({ login }) => login === `ops${account}@example.net`);
/** Calls with a rejected key; the journal has no login for them. */
const refusedCalls = () => bulk.fake.requests.filter(({ status }) => status === 403);
const badKey = (account: number): void => {
  Object.assign(bulk.fake.state.logins[account - 1]!, { api_key: 'f'.repeat(37) });
};

test('300 zones over 3 accounts are done with at most 5 % more calls than needed, none of them refused', async () => {
  const size = { accounts: 3, zonesEach: 100 };
  await start({ ...size, rateLimit: { calls: 60, seconds: 1 } });
  const id = await begin(ENABLE);
  expect(await bulk.run(id)).toMatchObject({ state: 'succeeded', total: 300, done: 300, failed: 0 });
  const { requests } = bulk.fake;
  console.log(`bulk: ${requests.length} calls, at least ${leastCalls(size)}`);
  expect(requests.length).toBeLessThanOrEqual(leastCalls(size) * 1.05);
  expect(requests.filter(({ status }) => status !== 200)).toEqual([]);
  expect(new Set(bulk.accounts.flatMap((account) => levels(account, 100)))).toEqual(new Set(['under_attack']));
});

test('work over a dozen accounts at once warns of no leak', async () => {
  const warnings: string[] = [];
  const warn = ({ name }: Error): void => void warnings.push(name);
  process.on('warning', warn);
  // Each account waits for its limit.
  await start({ accounts: 12, zonesEach: 6, rateLimit: { calls: 4, seconds: 1 } });
  const id = await begin(ENABLE);
  expect(await bulk.run(id)).toMatchObject({ state: 'succeeded', done: 72 });
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', warn);
  expect(warnings).toEqual([]);
});

describe('a wrong key', () => {
  test('stops its account after one call and its proof, and says so; the others go on; with a good key the rest is done', async () => {
    await start({ accounts: 3, zonesEach: 30 });
    badKey(2);
    const id = await begin(ENABLE);
    expect(await bulk.run(id)).toMatchObject({ state: 'partial', total: 90, done: 90, failed: 30 });
    expect(refusedCalls()).toHaveLength(2);
    expect([levels(1, 30), levels(3, 30)].flat()).toEqual(Array(60).fill('under_attack'));
    const failed = (await bulk.items(id)).filter(({ state }) => state === 'failed');
    expect(new Set(failed.map(({ lane }) => lane))).toEqual(new Set(['cloudflare:2']));
    expect(new Set(failed.map(({ error }) => JSON.parse(error).key))).toEqual(new Set(['provider.credentials']));
    Object.assign(bulk.fake.state.logins[1]!, { api_key: bulk.fake.state.logins[0]!.api_key });
    expect(await requeue(id, true)).toBe(30);
    expect(await bulk.run(id)).toMatchObject({ state: 'succeeded', total: 90, done: 90, failed: 0 });
  });

  test('is red in the list and told once, until it has worked again', async () => {
    await start({ accounts: 2, zonesEach: 6 });
    const [login] = bulk.fake.state.logins;
    const { api_key } = login!;
    const work = async (wanted: Switch): Promise<string> => (await bulk.run(await begin(wanted))).state;
    const errors = async () =>
      (await listAccounts(SYSTEM, cloudflareKind, 'masked')).map((account) => account.check_error?.key ?? null);
    badKey(1);
    for (const wanted of [ENABLE, DISABLE]) {
      expect(await work(wanted)).toBe('partial');
      expect(await errors()).toEqual(['provider.credentials', null]);
      expect(await recorded('account_refused')).toEqual(['account_refused Account 1']);
    }
    Object.assign(login!, { api_key });
    expect(await work(ENABLE)).toBe('succeeded');
    expect(await errors()).toEqual([null, null]);
    badKey(1);
    await work(DISABLE);
    expect(await recorded('account_refused')).toHaveLength(2);
    // A service that is away is no refusal.
    Object.assign(login!, { api_key });
    await work(ENABLE);
    bulk.fake.faults.push({ kind: 'status', status: 403, times: 1 } as never);
    await work(DISABLE);
    expect([await errors(), (await recorded('account_refused')).length]).toEqual([[null, null], 2]);
  });

  test('costs one call and its proof, too, where the zones are too few to be listed', async () => {
    await start({ accounts: 1, zonesEach: 150 });
    badKey(1);
    const names = [zoneName(1, 0), zoneName(1, 1), zoneName(1, 2)];
    const { id } = await startSwitch(SYSTEM, ENABLE, { names }, true);
    expect(await bulk.run(id)).toMatchObject({ state: 'failed', total: 3, failed: 3 });
    expect(bulk.fake.requests).toHaveLength(2);
    await expect(planSwitch(SYSTEM, ENABLE, names)).rejects.toMatchObject({ kind: 'refused' });
    expect(bulk.fake.requests).toHaveLength(4);
  });

  test('is reported in a plan beside the acts of the others; a plan for its account alone is refused', async () => {
    await start({ accounts: 2, zonesEach: 10 });
    badKey(2);
    const plan = await planSwitch(SYSTEM, ENABLE);
    expect([plan.acts.length, plan.failed.length]).toEqual([10, 10]);
    expect(refusedCalls()).toHaveLength(2);
    const alone = planSwitch(SYSTEM, ENABLE, [zoneName(2, 0)]);
    await expect(alone).rejects.toMatchObject({ kind: 'refused', code: 'provider_credentials' });
    expect(bulk.fake.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test('that is revoked midway stops the items not begun of its own account only', async () => {
    await start({ accounts: 2, zonesEach: 40, latencyMs: 5 });
    const id = await begin(ENABLE);
    const running = bulk.run(id);
    await expect.poll(() => callsOf(1).length, { timeout: 20_000, interval: 5 }).toBeGreaterThan(30);
    badKey(1);
    expect(await running).toMatchObject({ state: 'partial', total: 80, done: 80 });
    // Those under way at that moment are refused, two more until the third refusal asks for the login itself, and that call.
    expect(refusedCalls().length).toBeLessThanOrEqual(7);
    expect(levels(2, 40)).toEqual(Array(40).fill('under_attack'));
    for (const { item, state, acts } of await bulk.items(id)) {
      const isOn = level(item.split(' ')[1] ?? '') === 'under_attack';
      expect([item, state, acts.some((act) => act.state === 'done')]).toEqual([item, isOn ? 'done' : 'failed', isOn]);
    }
  });
});

test('the same request is the same operation; the opposite is busy meanwhile; a used idempotency key is refused for another request', async () => {
  await start({ accounts: 1, zonesEach: 12, latencyMs: 10 });
  const id = await begin(ENABLE, 'key-1');
  const running = bulk.run(id);
  expect(await begin(ENABLE)).toBe(id);
  await expect(begin(DISABLE)).rejects.toMatchObject({ kind: 'busy', params: { id } });
  await expect(startSwitch(SYSTEM, DISABLE, { names: [zoneName(1, 3)] })).rejects.toMatchObject({ kind: 'busy' });
  await running;
  expect(await begin(ENABLE, 'key-1')).toBe(id);
  await expect(begin(DISABLE, 'key-1')).rejects.toMatchObject({ kind: 'conflict', key: 'operation.key_reused' });
  const patches = bulk.fake.requests.filter(({ method }) => method === 'PATCH');
  expect(patches).toHaveLength(12);
});

test('a failed zone is listed and tried again alone', async () => {
  await start({ accounts: 1, zonesEach: 8 });
  const gone = bulk.zone(zoneName(1, 5));
  bulk.fake.faults.push({ kind: 'status', status: 400, call: `PATCH /zones/${gone.id}/settings/security_level` });
  const id = await begin(ENABLE);
  expect(await bulk.run(id)).toMatchObject({ state: 'partial', done: 8, failed: 1 });
  const failed = (await bulk.items(id)).filter(({ state }) => state === 'failed');
  expect(failed.map(({ item }) => item)).toEqual([`under_attack ${gone.name}`]);
  bulk.fake.requests.length = 0;
  await requeue(id, true);
  expect(await bulk.run(id)).toMatchObject({ state: 'succeeded', total: 8, done: 8, failed: 0 });
  expect(bulk.fake.requests.filter(({ method }) => method === 'PATCH')).toHaveLength(1);
  expect(await countItems(id)).toMatchObject({ done: 8, failed: 0 });
});

test('a missing zone is reported; the others are done', async () => {
  await start({ accounts: 1, zonesEach: 5 });
  bulk.fake.removeZone(bulk.zone(zoneName(1, 2)).id);
  const id = await begin(ENABLE);
  expect(await bulk.run(id)).toMatchObject({ state: 'partial', done: 5, failed: 1 });
  const failed = (await bulk.items(id)).find(({ state }) => state === 'failed');
  expect(JSON.parse(failed!.error)).toMatchObject({ key: 'dns.no_zone' });
});

test('a switch on twice and off once gives every zone its former level', async () => {
  await start({ accounts: 2, zonesEach: 6 });
  const LEVELS = ['high', 'low', 'medium', 'essentially_off', 'high', 'low'];
  for (const account of bulk.accounts) {
    for (const [index, value] of LEVELS.entries()) {
      bulk.zone(zoneName(account, index)).settings['security_level'] = { value, modified_on: '2026-01-01T00:00:00Z' };
    }
  }
  for (const wanted of [ENABLE, ENABLE]) await bulk.run(await begin(wanted));
  expect(levels(1, 6)).toEqual(Array(6).fill('under_attack'));
  // A zone that somebody has switched off by hand meanwhile keeps the chosen level.
  bulk.zone(zoneName(2, 0)).settings['security_level'] = { value: 'low', modified_on: '2026-01-02T00:00:00Z' };
  await bulk.run(await begin(DISABLE));
  expect(levels(1, 6)).toEqual(LEVELS);
  expect(levels(2, 6)).toEqual(['low', ...LEVELS.slice(1)]);
  // Switching off again changes nothing; switching on again remembers the present level.
  bulk.fake.requests.length = 0;
  await bulk.run(await begin(DISABLE));
  expect(bulk.fake.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  await bulk.run(await begin(ENABLE));
  await bulk.run(await begin(DISABLE));
  expect(levels(2, 6)).toEqual(['low', ...LEVELS.slice(1)]);
});
