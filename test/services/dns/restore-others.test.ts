// An operation is given back after work of other kinds on the same zone: what that has made, or works with, is left alone, and told.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { execute, select, transaction } from '../../../db/index.ts';
import { operationRow } from '../../../src/operations/lease.ts';
import { startRestore } from '../../../src/operations/restore.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { startDnsChange } from '../../../src/services/dns/change.ts';
import { saveDomainDns } from '../../../src/services/dns/dns-edit.ts';
import { startSwitch } from '../../../src/services/dns/protection.ts';
import { viewOf } from '../../../src/services/operations/operation-views.ts';
import { ManageDnsInput } from '../../../src/shared/dns/dns-changes.ts';
import { SERVER_IP } from '../../support/cdn.ts';
import { emptyZone, startBulk, zoneName, ZONE_TIME, type Bulk } from '../../support/bulk.ts';

const NAME = zoneName(1, 0);
const SHOP = `shop.${NAME}`;
let bulk: Bulk;

beforeAll(async () => {
  bulk = await startBulk({ accounts: 1, zonesEach: 1, latencyMs: 1 });
  await transaction(async () => {
    await execute(
      `INSERT INTO domains (user_id, domain_name, unicode_name, file_path, type, transfer_type, transfer_dns, status,
         cloudflare_account_id, created_at, updated_at)
       VALUES (1, $name, $name, '', 'main', 'manual', 'off', 'available', 1, $at, $at)`,
      { name: SHOP, at: ZONE_TIME },
    );
    await execute(
      `INSERT INTO servers (name, ssh_host, ssh_user, ssh_password, created_at) VALUES ('two', $host, 'root', '', '')`,
      {
        host: `${SERVER_IP}:2222`,
      },
    );
  });
});
beforeEach(() => {
  emptyZone(bulk.zone(NAME));
  setTls('off');
  return transaction(() => execute('DELETE FROM operations'));
});
afterAll(() => bulk.close());

const setTls = (value: string) => {
  bulk.zone(NAME).settings = { tls_1_3: { value, modified_on: ZONE_TIME } };
};
const contents = (name: string) =>
  bulk
    .zone(NAME)
    .records.filter((record) => record.name === name)
    .map(({ content }) => content);

async function changed(domainName: string, tls = 'off', ipAddress = SERVER_IP): Promise<number> {
  const input = { accountId: 1, domainName, ipAddress, tls, updateNs: 'off' };
  const { id } = await startDnsChange(SYSTEM, ManageDnsInput.parse(input));
  expect((await bulk.run(id)).state).toBe('succeeded');
  return id;
}

/** Saves the A record of a domain, and further rows. */
async function edited(name: string, content: string, more: { type: 'TXT'; name: string; content: string }[] = []) {
  const records = bulk.zone(NAME).records.filter((record) => record.name === name && record.type === 'A');
  const rows = records.map(({ id, type, proxied, ttl }) => ({ id, type, name, content, proxied, ttl }));
  const input = { dns: [...rows, ...more.map((row) => ({ ...row, proxied: false }))], override: true };
  const { operation } = await saveDomainDns(SYSTEM, await bulk.domainId(name), input as never);
  return operation!.id;
}

/** Gives an operation back, and returns the end with the operation that has changed something since. */
async function givenBack(id: number) {
  const back = await startRestore(null, id);
  const { state } = await bulk.run(back.id);
  const [item] = await bulk.items(back.id);
  const error = item!.error === '' ? null : (JSON.parse(item!.error) as { key: string; params: { id?: number } });
  return [state, error?.key, error?.params.id];
}

const left = (by: number) => ['failed', 'operation.changed_since', by];

test('a setting that a switch of many zones has set again is left alone', async () => {
  const first = await changed(NAME, 'on');
  setTls('off');
  const { id } = await startSwitch(SYSTEM, { kind: 'tls', state: 'on' });
  await bulk.run(id);
  expect(await givenBack(first)).toEqual(left(id));
  expect(bulk.zone(NAME).settings['tls_1_3']?.value).toBe('on');
});

test('a setting that was set back is given back, whatever else a switch has set in the zone', async () => {
  const first = await changed(NAME, 'on');
  const { id } = await startSwitch(SYSTEM, { kind: 'under_attack', action: 'enable' });
  await bulk.run(id);
  expect(await givenBack(first)).toEqual(['succeeded', undefined, undefined]);
  expect(bulk.zone(NAME).settings['tls_1_3']?.value).toBe('off');
});

test('a record that a later save has set again with another one is left alone', async () => {
  const first = await edited(NAME, '198.51.100.2');
  await edited(NAME, '198.51.100.1');
  const third = await edited(NAME, '198.51.100.2', [{ type: 'TXT', name: '@', content: 'hello' }]);
  expect(await givenBack(first)).toEqual(left(third));
  expect(contents(NAME)).toContain('198.51.100.2');
});

test('records that later work has not made are given back beside one that it has', async () => {
  const first = await changed(NAME);
  expect(contents(`www.${NAME}`)).toEqual([SERVER_IP]);
  bulk.zone(NAME).records.find(({ name }) => name === NAME)!.content = '198.51.100.1';
  const second = await edited(NAME, SERVER_IP);
  expect(await givenBack(first)).toEqual(left(second));
  expect([contents(NAME)[0], contents(`www.${NAME}`)]).toEqual([SERVER_IP, []]);
});

test('the record of a name below, which a save under the lock of the zone has set again, is left alone', async () => {
  bulk.zone(NAME).records.push({ ...bulk.zone(NAME).records[0]!, id: 'f'.repeat(32), name: SHOP, proxied: true });
  const first = await changed(SHOP);
  bulk.zone(NAME).records.find(({ name }) => name === SHOP)!.content = '198.51.100.1';
  const second = await edited(SHOP, SERVER_IP);
  expect(await givenBack(first)).toEqual(left(second));
  expect(contents(SHOP)).toEqual([SERVER_IP]);
});

test('the server of a domain that a later change has set again is left alone, and can still be given back', async () => {
  await changed(NAME);
  const second = await changed(NAME, 'off', `${SERVER_IP}:2222`);
  await changed(NAME);
  const fourth = await changed(NAME, 'off', `${SERVER_IP}:2222`);
  const [error, , by] = await givenBack(second);
  expect([error, Number(by) > second && Number(by) <= fourth]).toEqual(['failed', true]);
  expect(await select('SELECT server_id FROM domains WHERE domain_name = $name', { name: NAME })).toEqual([
    { server_id: 2 },
  ]);
  expect((await viewOf(await operationRow(second))).restorable).toBe(true);
});

test('a record whose former words somebody has added beside it is left alone and told, and the rest is given back', async () => {
  const { id: first, ...record } = bulk.zone(NAME).records.find(({ type, name }) => type === 'A' && name === NAME)!;
  const saved = await edited(NAME, '198.51.100.2', [{ type: 'TXT', name: '@', content: 'hello' }]);
  bulk.zone(NAME).records.push({ ...record, id: 'e'.repeat(32) });
  const back = await startRestore(null, saved);
  expect((await bulk.run(back.id)).state).toBe('failed');
  const [item] = await bulk.items(back.id);
  expect(JSON.parse(item!.error)).toMatchObject({
    key: 'operation.differs',
    params: { differences: `dns: – → A ${NAME} 198.51.100.2` },
  });
  const addresses = () =>
    contents(NAME)
      .filter((content) => content.startsWith('198.'))
      .toSorted();
  expect(addresses()).toEqual(['198.51.100.1', '198.51.100.2']);
  expect(bulk.zone(NAME).records.find(({ id }) => id === first)!.content).toBe('198.51.100.2');
});
