// Name servers at a registrar while the process is killed and the registrar fails: set once, or found set; given back once.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { execute, transaction } from '../../../db/index.ts';
import type { FaultKind } from '../../../src/demo/cloudflare/faults.ts';
import type { ShopServer } from '../../../src/demo/registrars/server.ts';
import { config, useConfig } from '../../../src/lib/config.ts';
import { operationRow } from '../../../src/operations/lease.ts';
import { cancelOperation } from '../../../src/operations/queue.ts';
import { startRestore } from '../../../src/operations/restore.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { storeSecret } from '../../../src/services/accounts/team.ts';
import { startDnsChange } from '../../../src/services/dns/change.ts';
import { ManageDnsInput } from '../../../src/shared/dns/dns-changes.ts';
import { isFinal } from '../../../src/shared/operations.ts';
import { startBulk, type Bulk } from '../../support/bulk.ts';
import { SERVER_IP } from '../../support/cdn.ts';
import { startChild } from '../../support/child.ts';
import { endLeases } from '../../support/leases.ts';
import { LOGIN, shopState, startRegistrar } from '../../support/registrars/shops.ts';
import { inTurns } from '../../support/vitest/turns.ts';

const NAME = 'first.com';
const OLD = ['ns1.example.net', 'ns2.example.net'];
const WHEN = ['before-intent', 'after-intent', 'after-call', 'after-done'] as const;
const FAULTS: Record<string, FaultKind | null> = {
  none: null,
  'act-then-drop': { kind: 'act-then-drop' },
  '429': { kind: '429', retryAfter: 1 },
  '500': { kind: 'status', status: 500 },
  malformed: { kind: 'malformed' },
};
// The process then never hears of the call that has arrived.
const UNHEARD = new Set(['act-then-drop', 'malformed']);

let bulk: Bulk;
let shop: ShopServer;

beforeAll(async () => {
  bulk = await startBulk({ accounts: 1, zonesEach: 1 });
  shop = await startRegistrar('porkbun.com');
  useConfig({ ...config(), registrarUrls: { 'porkbun.com': shop.url } });
  await transaction(async () => {
    await execute(
      `INSERT INTO registrars (id, user_id, type, name, login, password, created_at)
       VALUES (1, 1, 'porkbun.com', 'Shop', $login, '', '2026-01-01T00:00:00.000Z')`,
      { login: LOGIN.login },
    );
    await storeSecret('registrars', 1, LOGIN.password);
    await execute(
      `INSERT INTO domains (user_id, domain_name, unicode_name, file_path, type, transfer_type, transfer_dns, status,
         registrars_id, created_at, updated_at)
       VALUES (1, $name, $name, '', 'main', 'manual', 'off', 'available', 1, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')`,
      { name: NAME },
    );
  });
});
afterAll(async () => {
  await bulk.close();
  await shop.close();
});
beforeEach(() => {
  Object.assign(shop.state, shopState('porkbun.com'));
  shop.faults.length = 0;
  shop.requests.length = 0;
});

const delegation = () => shop.state.accounts[0]!.domains.find(({ name }) => name === NAME)!.name_servers;
const sets = () => shop.requests.filter(({ path }) => path === '/domain/updateNs');
const begin = async (): Promise<number> => {
  const input = { accountId: 1, domainName: NAME, ipAddress: SERVER_IP, updateNs: 'on' };
  return (await startDnsChange(SYSTEM, ManageDnsInput.parse(input))).id;
};

/** Runs an operation in a process that dies at a point; returns whether it died. */
async function dies(id: number, point: string): Promise<boolean> {
  process.env['SEO_ADMIN_CRASH_AT'] = point;
  const child = startChild('test/children/bulk.ts', [bulk.config.dataDir, bulk.fake.url, String(id), shop.url]);
  delete process.env['SEO_ADMIN_CRASH_AT'];
  const isDead = await child.output().then(
    () => false,
    () => true,
  );
  if (isDead) await endLeases();
  return isDead;
}

const cases = WHEN.flatMap((when) => Object.keys(FAULTS).map((fault) => ({ when, fault })));

describe('a change of name servers', { timeout: 120_000 }, () => {
  test.each(inTurns(cases))('killed $when, with $fault, is made once', async ({ when, fault }) => {
    const kind = FAULTS[fault];
    if (kind) shop.faults.push({ ...kind, call: 'POST /domain/updateNs' });
    const id = await begin();
    expect(await dies(id, `dns_change:name_servers:${when}`)).toBe(when !== 'after-call' || !UNHEARD.has(fault));
    if (!isFinal((await operationRow(id)).state)) await bulk.run(id);
    expect((await operationRow(id)).state).toBe('succeeded');
    expect(shop.faults).toEqual([]);
    expect(delegation()).toEqual(bulk.zone(NAME).name_servers);
    // Each refused or lost call was one more attempt; a change that was made was never made again.
    expect(sets().filter(({ status }) => status === 200 || status === 0)).toHaveLength(1);
  });

  test.each(inTurns(WHEN))('killed %s while it is given back, is given back once', async (when) => {
    const first = await begin();
    await bulk.run(first);
    shop.requests.length = 0;
    const { id } = await startRestore(null, first);
    expect(await dies(id, `restore:name_servers:${when}`)).toBe(true);
    await bulk.run(id);
    expect((await operationRow(id)).state).toBe('succeeded');
    expect([delegation(), sets().length]).toEqual([OLD, 1]);
  });

  test('cancelled while it was dead, its end is looked up: what has arrived is noted, and can be given back', async () => {
    const id = await begin();
    expect(await dies(id, 'dns_change:name_servers:after-call')).toBe(true);
    await cancelOperation(id);
    await bulk.run(id);
    const [item] = await bulk.items(id);
    expect(item!.acts.find(({ name }) => name === 'name_servers')).toMatchObject({ state: 'done' });
    expect(sets()).toHaveLength(1);
    await bulk.run((await startRestore(null, id)).id);
    expect([delegation(), sets().length]).toEqual([OLD, 2]);
  });

  test('two at once: the second is refused while the first works', async () => {
    const id = await begin();
    const input = { accountId: 1, domainName: NAME, ipAddress: SERVER_IP, updateNs: 'off' };
    await expect(startDnsChange(SYSTEM, ManageDnsInput.parse(input))).rejects.toMatchObject({ kind: 'busy' });
    await bulk.run(id);
    expect(sets()).toHaveLength(1);
  });
});
