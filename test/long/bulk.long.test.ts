// Ten thousand zones in ten accounts, within a scaled-down window of Cloudflare's limit. bench/cdn.ts measures the
// time.
import { afterAll, expect, test } from 'vitest';
import { countItems } from '../../src/operations/items.ts';
import { startSwitch } from '../../src/services/dns/protection.ts';
import { SYSTEM } from '../../src/services/access/scope.ts';
import { leastCalls, startBulk, type Bulk } from '../support/bulk.ts';

const SIZE = { accounts: 10, zonesEach: 1_000 };
const ZONES = SIZE.accounts * SIZE.zonesEach;

let bulk: Bulk;
afterAll(() => bulk.close());

test('10,000 zones are switched on and back in at most 5 % more calls than the minimum, none of them refused', async () => {
  bulk = await startBulk({ ...SIZE, rateLimit: { calls: 120, seconds: 3 }, latencyMs: 20 });
  for (const action of ['enable', 'disable'] as const) {
    bulk.fake.requests.length = 0;
    const { id } = await startSwitch(SYSTEM, { kind: 'under_attack', action }, {}, true);
    expect(await bulk.run(id)).toMatchObject({ state: 'succeeded', total: ZONES, done: ZONES, failed: 0 });
    expect(await countItems(id)).toMatchObject({ done: ZONES, noop: 0, failed: 0, queued: 0, intent: 0 });
    const { requests } = bulk.fake;
    console.log(`bulk ${action}: ${requests.length} calls, at least ${leastCalls(SIZE)}`);
    expect(requests.length).toBeLessThanOrEqual(leastCalls(SIZE) * 1.05);
    expect(requests.filter(({ status }) => status !== 200)).toEqual([]);
    const writes = requests.filter(({ method }) => method === 'PATCH').map(({ path }) => path);
    expect([writes.length, new Set(writes).size]).toEqual([ZONES, ZONES]);
    const wanted = action === 'enable' ? 'under_attack' : 'medium';
    expect(bulk.zones().filter(({ settings }) => settings['security_level']?.value === wanted)).toHaveLength(ZONES);
  }
});
