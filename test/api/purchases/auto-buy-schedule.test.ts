// When the schedule buys a reserve, and what is tried again.
import { expect, test } from 'vitest';
import { execute, select, transaction } from '../../../db/index.ts';
import { acting, SYSTEM_ASKER } from '../../../db/acting.ts';
import { runOperation } from '../../../src/operations/engine.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { setBudget, switchPurchases } from '../../../src/services/purchases/budget.ts';
import { startReserve } from '../../../src/services/purchases/reserves.ts';
import { SERVER_IP } from '../../support/cdn.ts';
import {
  allow,
  buyMissing,
  cdn,
  charges,
  isRun,
  planned,
  project,
  run,
  settings,
  shop,
  useAutoBuy,
} from './auto-buy-world.ts';

useAutoBuy();

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

test('is bought by itself for a project with a main domain alone, and at a person’s wish for any', async () => {
  await allow();
  const runs = async (): Promise<number> => (await cdn.call('GET /api/operations')).body.data.filter(isRun).length;
  const [main] = (await cdn.call('GET /api/domains')).body.data;
  await cdn.call(`DELETE /api/domains/${main.id}`);
  await buyMissing();
  expect(await runs()).toBe(0);
  await expect(startReserve(SYSTEM, project, { asked_by: 'automation' })).rejects.toMatchObject({
    key: 'auto_buy.no_main',
  });
  expect(await planned()).toMatchObject({ refusal: null });
  expect((await run(await planned())).status).toBe(200);
  expect(await runs()).toBe(1);
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

test('gets no second zone in another account while that of the first one does not answer', async () => {
  await allow();
  cdn.fake.faults.push({ kind: 'status', status: 400, call: 'POST /zones/*/**', times: Number.POSITIVE_INFINITY });
  const plan = await planned();
  const { id } = (await run(plan)).body.operation;
  expect(await cdn.ended(id)).toMatchObject({ state: 'partial', retryable: true });
  const zones = () => Object.values(cdn.fake.state.zones).filter(({ name }) => name === plan.domain_name);
  const [made] = zones();
  const login = cdn.fake.state.logins.find(({ accounts }) => accounts.includes(made!.account_id))!;
  const key = login.api_key!;
  cdn.fake.faults.length = 0;
  login.api_key = 'f'.repeat(37);
  await cdn.call(`POST /api/operations/${id}/retry`, {});
  expect(await cdn.ended(id)).toMatchObject({ state: 'partial', retryable: true });
  expect(zones()).toEqual([made]);
  login.api_key = key;
  await cdn.call(`POST /api/operations/${id}/retry`, {});
  expect(await cdn.ended(id)).toMatchObject({ state: 'succeeded' });
  expect(zones()).toHaveLength(1);
  expect(charges()).toHaveLength(1);
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

test('that the command line on the host asks for is a person’s: no pause stands before it', async () => {
  await allow();
  const queue = () => startReserve(SYSTEM, project, { here: true });
  const { id } = await acting(SYSTEM_ASKER, { name: 'test', call: 'queue' }, queue);
  await runOperation(id);
  expect(await select('SELECT asked_by, state FROM purchases')).toEqual([{ asked_by: 'person', state: 'committed' }]);
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

test('is tried again once where two people press at once, and the schedule beside them', async () => {
  await allow();
  for (const account of cdn.fake.state.accounts) account.pending_cap = 0;
  const plan = await planned();
  const { id } = (await run(plan)).body.operation;
  expect((await cdn.ended(id)).state).toBe('partial');
  for (const account of cdn.fake.state.accounts) account.pending_cap = 50;
  await transaction(() => execute(`UPDATE operations SET finished_at = '2026-01-01T00:00:00.000Z' WHERE id = ${id}`));
  const retry = () => cdn.call(`POST /api/operations/${id}/retry`, {});
  const [one, other] = await Promise.all([retry(), retry(), buyMissing()]);
  expect([one.status, other.status].filter((status) => status === 200).length).toBeLessThanOrEqual(1);
  expect(await cdn.ended(id)).toMatchObject({ state: 'succeeded', retryable: false });
  expect(await select(`SELECT tries FROM operations WHERE id = ${id}`)).toEqual([{ tries: 1 }]);
  const zones = Object.values(cdn.fake.state.zones).filter(({ name }) => name === plan.domain_name);
  expect([zones.length, charges().length]).toEqual([1, 1]);
});
