// Zones that are handed over while calls for them wait for the limit of the service: nothing more is written into them.
import { afterEach, expect, test } from 'vitest';
import { execute, select, transaction } from '../../../db/index.ts';
import { setBudget } from '../../../src/providers/cloudflare/budget.ts';
import { operationRow } from '../../../src/operations/lease.ts';
import { actorOf } from '../../../src/services/access/ownership.ts';
import { startDnsChange } from '../../../src/services/dns/change.ts';
import { startSwitch } from '../../../src/services/dns/protection.ts';
import { ManageDnsInput } from '../../../src/shared/dns/dns-changes.ts';
import { startBulk, type Bulk } from '../../support/bulk.ts';
import { SERVER_IP } from '../../support/cdn.ts';

let bulk: Bulk;
/** The limit of the line, which asks for it again and again. */
let limit: { calls: number; seconds: number };
afterEach(() => bulk.close());

const changed = (): string[] =>
  bulk
    .zones()
    .filter(({ settings }) => settings['security_level']?.value === 'under_attack')
    .map(({ name }) => name)
    .toSorted();

function limitTo(calls: number): void {
  limit = { calls, seconds: 600 };
  setBudget(bulk.fake.url, limit);
}

/** Gives domains to another user, and lets the calls go on. */
async function handOver(names: string[]): Promise<void> {
  const at = '2026-01-01T00:00:00.000Z';
  await transaction(async () => {
    await execute(
      `INSERT INTO users (login, password, role, active, created_at) VALUES ('other', '', 'user', 1, $at)`,
      { at },
    );
    for (const name of names) await execute('UPDATE domains SET user_id = 2 WHERE domain_name = $name', { name });
  });
  limit.calls = 10_000;
}

/** Runs an operation until it waits for the limit; `begun` are the items with an intent. */
async function waiting(id: number) {
  const running = bulk.run(id);
  await expect.poll(async () => (await operationRow(id)).waits_until, { timeout: 20_000 }).not.toBeNull();
  return { running, begun: (await bulk.items(id)).filter(({ state }) => state === 'intent') };
}

test.each([11, 13])(
  'after %i calls nothing is written for the former user, and nothing is noted as begun',
  async (calls) => {
    bulk = await startBulk({ accounts: 1, zonesEach: 30 });
    limitTo(calls);
    const { id } = await startSwitch(await actorOf(1), { kind: 'under_attack', action: 'enable' });
    const { running, begun } = await waiting(id);
    await handOver(bulk.zones().map(({ name }) => name));
    const before = changed();
    expect(['partial', 'failed']).toContain((await running).state);
    expect([begun.length > 0, changed()]).toEqual([true, before]);
    const items = await bulk.items(id);
    const done = items.filter(({ state }) => state === 'done').map(({ lock_name }) => lock_name);
    expect(done.toSorted()).toEqual(before);
    const others = items.filter(({ state }) => state !== 'done');
    expect(others.map(({ state, acts, error }) => [state, acts, JSON.parse(error)])).toEqual(
      others.map(({ lock_name: zone }) => ['failed', [], { key: 'zone.not_yours', params: { zone } }]),
    );
    expect(await select('SELECT zone_id FROM zone_levels')).toHaveLength(before.length);
  },
);

test('nothing more leads to a main domain that was handed over alone', async () => {
  bulk = await startBulk({ accounts: 1, zonesEach: 13 });
  limitTo(20);
  const [main = '', ...names] = bulk.zones().map(({ name }) => name);
  const asked = { accountId: 1, domainName: main, ipAddress: SERVER_IP, pageRules: names };
  const { id } = await startDnsChange(await actorOf(1), ManageDnsInput.parse(asked));
  const { running, begun } = await waiting(id);
  await handOver([main]);
  const writes = () => bulk.fake.requests.filter(({ method }) => method !== 'GET').length;
  const before = writes();
  expect(['partial', 'failed']).toContain((await running).state);
  expect([begun.length > 0, writes()]).toEqual([true, before]);
});
