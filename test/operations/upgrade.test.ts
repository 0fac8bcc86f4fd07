// Operations that an earlier version has left, under way and ended, after the upgrade.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closeDatabase, execute, openDatabase, select, transaction } from '../../db/index.ts';
import { migrate } from '../../db/migrate.ts';
import { migrations } from '../../db/migrations/index.ts';
import { registerFlows, runOperation } from '../../src/operations/engine.ts';
import { operationRow } from '../../src/operations/lease.ts';
import type { Lock } from '../../src/operations/locks.ts';
import { refuseHeld, requeue } from '../../src/operations/queue.ts';
import { restoreFlow, startRestore } from '../../src/operations/restore.ts';
import { listOperationsUsing } from '../../src/services/accounts/team-rows.ts';
import { listHeldChecks, listPassedChecks } from '../../src/services/checks/rows.ts';
import { failedForAway } from '../../src/services/operations/operations.ts';
import type { StoredAct } from '../../src/shared/operations.ts';
import type { OperationItemRow } from '../../src/shared/operations/tables.ts';
import { emptyPlace } from '../support/database.ts';
import { endLeases } from '../support/leases.ts';
import { dropDatabase } from '../support/postgres/template.ts';
import { startOutside, testFlow, type Outside } from './outside.ts';

let outside: Outside;
let folder: string;
let address: string;

const AT = '2026-01-01T00:00:00.000Z';

/** Inserts an operation as the earlier version did, and returns its id. */
async function addOld(values: Record<string, string | number | null>): Promise<number> {
  const usual = { subject: 's', input: '{}', steps: '[]', message: '{"key":"check.started"}', created_at: AT };
  const row = { ...usual, changed_at: AT, locks: '[]', ...values };
  const names = Object.keys(row);
  const sql = `INSERT INTO operations (${names.join(', ')}) VALUES (${names.map((name) => `$${name}`).join(', ')}) RETURNING id`;
  return transaction(async () => (await select<{ id: number }>(sql, row))[0]!.id);
}

interface OldItem {
  item: string;
  state?: string;
  acts?: StoredAct[];
  lane?: string;
  data?: object;
  error?: object;
}

const addItems = (operation: number, items: OldItem[]): Promise<void> =>
  transaction(async () => {
    for (const { item, state = 'queued', acts = [], lane = 'one', data = {}, error } of items) {
      await execute(
        `INSERT INTO operation_items (operation_id, item, lane, data, state, acts, error, changed_at)
         VALUES ($operation, $item, $lane, $data, $state, $acts, $error, $at)`,
        {
          operation,
          item,
          lane,
          data: JSON.stringify(data),
          state,
          acts: JSON.stringify(acts),
          error: error ? JSON.stringify(error) : null,
          at: AT,
        },
      );
    }
  });

let newer: typeof migrations;

beforeEach(async () => {
  outside = await startOutside();
  registerFlows([testFlow(outside.url), restoreFlow]);
  folder = mkdtempSync(join(tmpdir(), 'seo-admin-test-'));
  address = await emptyPlace(folder);
  await openDatabase(address);
  newer = migrations.splice(migrations.findIndex(({ name }) => name === '0012-locks'));
  await migrate();
});
afterEach(async () => {
  if (!migrations.includes(newer[0]!)) migrations.push(...newer);
  await closeDatabase();
  await dropDatabase(address);
  rmSync(folder, { recursive: true, force: true });
  await outside.close();
});

async function upgrade(): Promise<void> {
  migrations.push(...newer);
  await migrate();
}

const begun = (state: StoredAct['state'], name = 'first'): StoredAct => ({
  name,
  state,
  before: 'old',
  after: 'wanted',
});
const holderOf = (...locks: Lock[]): Promise<number | null> =>
  refuseHeld(locks).then(
    () => null,
    ({ params }: { params: { id: number } }) => params.id,
  );

test('a running operation keeps its locks and its intents over the upgrade, and goes on where it was left', async () => {
  const id = await addOld({
    kind: 'test',
    state: 'running',
    total: 4,
    lease_owner: 'dead',
    lease_until: '2999-01-01T00:00:00.000Z',
    fence: 3,
    locks: '["domain x.com","rule x.com *"]',
  });
  await addItems(id, [
    { item: 'zone arrived.com', state: 'intent', acts: [begun('intent')] },
    { item: 'zone lost.com sub.lost.com', state: 'intent', acts: [begun('intent')] },
    { item: 'zone queued.com' },
    { item: 'zone done.com', state: 'done', acts: [begun('done'), begun('done', 'second')] },
  ]);
  for (const name of ['zone arrived.com', 'zone done.com', 'zone done.com+']) outside.values.set(name, 'wanted');
  outside.values.set('zone lost.com sub.lost.com', 'old');
  await upgrade();
  const part = { kind: 'zone', name: 'lost.com', part: 'sub.lost.com' };
  const rule = { kind: 'rule', name: 'x.com', part: '17' };
  for (const lock of [{ kind: 'domain', name: 'x.com' }, rule, { kind: 'zone', name: 'queued.com' }, part]) {
    expect(await holderOf(lock)).toBe(id);
  }
  expect(await holderOf({ kind: 'zone', name: 'done.com' }, { kind: 'rule', name: 'x.com' })).toBeNull();
  await expect(runOperation(id)).rejects.toMatchObject({ kind: 'busy' });
  await endLeases();
  expect(await runOperation(id)).toMatchObject({ state: 'succeeded', done: 4, failed: 0, fence: 4 });
  expect(outside.writes.map(({ name }) => name).toSorted()).toEqual([
    'zone arrived.com+',
    'zone lost.com sub.lost.com',
    'zone lost.com sub.lost.com+',
    'zone queued.com',
    'zone queued.com+',
  ]);
  const rows = await select<OperationItemRow>('SELECT * FROM operation_items WHERE operation_id = $id ORDER BY id', {
    id,
  });
  for (const { acts, in_doubt, touched } of rows) {
    expect((JSON.parse(acts) as StoredAct[]).map(({ state }) => state)).toEqual(['done', 'done']);
    expect([in_doubt, touched]).toEqual([0, 1]);
  }
  // Of those that were begun, the state before the first try.
  expect(rows.slice(0, 2).map(({ acts }) => (JSON.parse(acts) as StoredAct[])[0]?.before)).toEqual(['old', 'old']);
  expect(await holderOf({ kind: 'domain', name: 'x.com' }, rule, part)).toBeNull();
});

test('an ended operation can be restored and tried again after the upgrade', async () => {
  const id = await addOld({ kind: 'test', state: 'partial', total: 3, failed: 1, finished_at: AT });
  await addItems(id, [
    { item: 'n0', state: 'done', acts: [begun('done'), { name: 'second', state: 'noop' }] },
    { item: 'n1', state: 'noop', acts: [{ name: 'first', state: 'noop' }] },
    { item: 'n2', state: 'failed', acts: [begun('intent')], error: { key: 'provider.rate_limited' } },
  ]);
  for (const name of ['n0', 'n2']) outside.values.set(name, 'wanted');
  await upgrade();
  expect(await failedForAway(id)).toBe(true);
  const back = await startRestore(null, id, true);
  await expect(requeue(id)).rejects.toMatchObject({ kind: 'busy', params: { id: back.id } });
  expect(await runOperation(back.id)).toMatchObject({ state: 'succeeded', total: 2, failed: 0 });
  expect([outside.values.get('n0'), outside.values.get('n2')]).toEqual(['old', 'old']);
  // The one that has failed, and the one that was given back.
  expect(await requeue(id, true)).toBe(2);
  expect(await runOperation(id)).toMatchObject({ state: 'succeeded', failed: 0 });
  expect([outside.values.get('n0'), outside.values.get('n2')]).toEqual(['wanted', 'wanted']);
  expect(await failedForAway(id)).toBe(false);
});

test('who asked, what is restored, what is used and what was checked are taken over from names and JSON', async () => {
  const ended = { state: 'succeeded', finished_at: AT };
  const asked = '2026-01-02T00:00:00.000Z';
  await addOld({ ...ended, kind: 'transfer', subject: '1 2', created_at: asked });
  await addOld({ ...ended, kind: 'transfer', subject: 'auto 7', created_at: '2026-01-03T00:00:00.000Z' });
  const change = await addOld({ kind: 'dns_change', state: 'queued', total: 1 });
  await addItems(change, [
    { item: 'dns a.com', lane: 'cloudflare:5', data: { account_id: 5, server_id: 9 } },
    { item: 'dns b.com', lane: 'cloudflare:6', data: { account_id: 6, server_id: null } },
  ]);
  const move = await addOld({ kind: 'transfer', subject: '3 4', state: 'queued', created_at: AT, total: 1 });
  const data = { source_account: 5, target_account: 8, server_id: 10 };
  await addItems(move, [{ item: 'transfer a.com', lane: 'transfer:3', data }]);
  const restore = await addOld({ kind: 'restore', input: '{"kind":"test","id":1}', state: 'queued' });
  const passed = '[{"name":"http","state":"succeeded"},{"name":"blocklist","state":"succeeded"}]';
  const held = '[{"name":"blocklist","state":"held"}]';
  const all = await addOld({ ...ended, kind: 'check', subject: 'all/blocklist///', steps: held, held: '{"count":9}' });
  const some = await addOld({
    ...ended,
    kind: 'check',
    subject: 'user 4/http+blocklist/3/some 1,2/',
    input: '{"steps":["http","blocklist"],"project_id":3,"domain_ids":[1,2]}',
    steps: passed,
  });
  await addOld({ ...ended, kind: 'check', subject: 'all/http///', steps: '[{"name":"http","state":"succeeded"}]' });
  await upgrade();
  const byPeople = `SELECT max(created_at) AS at FROM operations WHERE kind = 'transfer' AND asked_by = 'person'`;
  expect(await select(byPeople)).toEqual([{ at: asked }]);
  expect((await operationRow(restore)).restored_kind).toBe('test');
  const using = (kind: string, id: number) => listOperationsUsing(kind, id);
  expect(await using('cloudflare_accounts', 5)).toEqual([change, move]);
  expect([await using('cloudflare_accounts', 6), await using('cloudflare_accounts', 8)]).toEqual([[change], [move]]);
  expect([await using('servers', 9), await using('servers', 10)]).toEqual([[change], [move]]);
  expect(await using('servers', 5)).toEqual([]);
  expect(await listHeldChecks()).toMatchObject([{ id: all, user_id: null, project_id: null, part: null }]);
  // Its user is gone: nobody's domains.
  expect(await listPassedChecks(0)).toEqual([{ id: some, user_id: 0, project_id: 3, part: '[1,2]' }]);
  const lanes = await select('SELECT lane_id FROM operation_items WHERE operation_id IN ($change, $move) ORDER BY id', {
    change,
    move,
  });
  expect(lanes).toEqual([{ lane_id: 5 }, { lane_id: 6 }, { lane_id: null }]);
});
