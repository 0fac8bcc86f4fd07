// The plan of a restore: what has become somebody else's meanwhile is told, as the run refuses it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { execute, transaction } from '../../../db/index.ts';
import { startRestore } from '../../../src/operations/restore.ts';
import { SYSTEM, type Actor } from '../../../src/services/access/scope.ts';
import { saveDomainDns } from '../../../src/services/dns/dns-edit.ts';
import { startSwitch } from '../../../src/services/dns/protection.ts';
import { restorePlan } from '../../../src/services/operations/operations.ts';
import { startBulk, zoneName, ZONE_TIME, type Bulk } from '../../support/bulk.ts';

const ANN: Actor = { id: 7, login: 'ann', role: 'user' };
const [KEPT, GONE] = [zoneName(1, 0), zoneName(1, 1)];
const REASON = { key: 'zone.not_yours', params: { zone: GONE } };

let bulk: Bulk;
beforeAll(async () => {
  bulk = await startBulk({ accounts: 1, zonesEach: 2, latencyMs: 1 });
  for (const zone of bulk.zones()) zone.settings = { security_level: { value: 'low', modified_on: ZONE_TIME } };
  const user = `INSERT INTO users (id, login, password, role, created_at) VALUES (7, 'ann', '', 'user', $at)`;
  await transaction(() => execute(user, { at: ZONE_TIME }));
});
afterAll(() => bulk.close());

const give = (name: string, user: number): Promise<number> =>
  transaction(() =>
    execute('UPDATE domains SET user_id = $user, project_id = NULL WHERE domain_name = $name', { name, user }),
  );
const giveAll = async (user: number): Promise<void> => {
  for (const name of [KEPT, GONE]) await give(name, user);
};
const planned = async (actor: Actor, id: number) =>
  (await restorePlan(actor, id)).map(({ item, acts, error }) => [item.split(' ')[1], acts.length, error]);
const run = async (id: number) =>
  (await bulk.items((await bulk.run(id)).id)).map(({ error }) => error && (JSON.parse(error) as unknown));

test('a plan shows what belongs to somebody else by now with the reason, and what the run does', async () => {
  await giveAll(7);
  const { id } = await startSwitch(ANN, { kind: 'under_attack', action: 'enable' });
  await bulk.run(id);
  expect(await planned(ANN, id)).toEqual([
    [GONE, 1, null],
    [KEPT, 1, null],
  ]);
  await give(GONE, 1);
  const calls = bulk.fake.requests.length;
  expect(await planned(ANN, id)).toEqual([
    [GONE, 0, REASON],
    [KEPT, 1, null],
  ]);
  expect(bulk.fake.requests).toHaveLength(calls);
  expect((await planned(SYSTEM, id)).map(([, acts]) => acts)).toEqual([1, 1]);
  expect(await run((await startRestore(7, id)).id)).toEqual(expect.arrayContaining([REASON]));
});

test('so does the plan of a saved zone', async () => {
  await giveAll(7);
  const dns = [{ type: 'A', name: '@', content: '198.51.100.9', proxied: false }];
  const saved = await saveDomainDns(ANN, await bulk.domainId(GONE), { dns, override: true } as never);
  const { id } = saved.operation!;
  expect(await planned(ANN, id)).toEqual([[GONE, 1, null]]);
  await give(GONE, 1);
  expect(await planned(ANN, id)).toEqual([[GONE, 0, REASON]]);
});
