// Work that can't go on is rolled back, act by act; past its point of no return it only goes forward.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { OperationItemRow } from '../../src/shared/operations/tables.ts';
import { select } from '../../db/index.ts';
import { registerFlows, runOperation } from '../../src/operations/engine.ts';
import { operationRow } from '../../src/operations/lease.ts';
import { cancelOperation, enqueue, requeue } from '../../src/operations/queue.ts';
import type { StoredAct } from '../../src/shared/operations.ts';
import { startChild, type Child } from '../support/child.ts';
import { startDatabase } from '../support/database.ts';
import { endLeases } from '../support/leases.ts';
import { BACK_ACTS, backFlow, startOutside, type Fault, type Outside } from './outside.ts';

let database: Awaited<ReturnType<typeof startDatabase>>;
let outside: Outside;

beforeEach(async () => {
  database = await startDatabase();
  outside = await startOutside();
  registerFlows([backFlow(outside.url)]);
  for (const act of BACK_ACTS) outside.values.set(`n.${act}`, 'old');
});
afterEach(async () => {
  await database.close();
  await outside.close();
});

const queue = async (here = true): Promise<number> =>
  (
    await enqueue(
      {
        kind: 'back',
        subject: 'all',
        user_id: null,
        input: {},
        message: { key: 'check.started' },
        items: [{ item: 'n', lane: 'one', data: {} }],
      },
      here,
    )
  ).id;
const itemOf = async (id: number): Promise<OperationItemRow> => {
  const [row] = await select<OperationItemRow>('SELECT * FROM operation_items WHERE operation_id = $id', { id });
  return row!;
};
const statesOf = ({ acts }: OperationItemRow): Record<string, string> =>
  Object.fromEntries((JSON.parse(acts) as StoredAct[]).map(({ name, state }) => [name, state]));
const fault = (act: string, ...faults: Fault[]) => outside.faults.set(`n.${act}`, faults);
const values = (): string => BACK_ACTS.map((act) => outside.values.get(`n.${act}`)).join(' ');
const error = ({ error: stored }: OperationItemRow): unknown => stored && (JSON.parse(stored) as { key: string }).key;

const ALL_OLD = 'old old old old';
const ALL_WANTED = 'wanted wanted wanted wanted';
const many = (kind: Fault, n: number): Fault[] => Array.from({ length: n }, () => kind);

describe('work that fails before the point of no return', () => {
  test.each<[string, Fault[], string]>([
    ['refused', ['refuse'], 'provider.refused'],
    ['a wrong key', ['wrong-key'], 'provider.credentials'],
    ['away for too long', many('fail', 4), 'provider.unavailable'],
  ])('is rolled back, the last act first: %s', async (_name, faults, key) => {
    fault('point', ...faults);
    const id = await queue();
    const told: object[] = [];
    const { state, done, failed } = await runOperation(id, { onItem: (one) => told.push(one) });
    expect([state, done, failed, values()]).toEqual(['failed', 1, 1, ALL_OLD]);
    expect(told).toMatchObject([{ item: 'n', state: 'failed', error: { key } }]);
    const item = await itemOf(id);
    expect([item.state, error(item)]).toEqual(['failed', key]);
    expect(statesOf(item)).toEqual({ one: 'undone', two: 'undone', point: 'undone' });
    expect(outside.writes.map(({ name, value }) => `${name} ${value}`)).toEqual([
      'n.one wanted',
      'n.two wanted',
      'n.two old',
      'n.one old',
    ]);
  });

  test('goes on where the act has arrived and only its answer was lost', async () => {
    fault('point', 'act-then-drop', 'refuse');
    const id = await queue();
    expect([(await runOperation(id)).state, values()]).toEqual(['succeeded', ALL_WANTED]);
  });

  test('is rolled back except for values that somebody has changed since', async () => {
    fault('two', ...many('fail', 3), 'refuse');
    const id = await queue();
    const running = runOperation(id);
    while (outside.values.get('n.one') !== 'wanted') await new Promise((resolve) => setTimeout(resolve, 1));
    outside.values.set('n.one', 'by hand');
    expect(await running).toMatchObject({ state: 'failed' });
    expect(values()).toBe('by hand old old old');
  });

  test('fails without a rollback where nothing was done', async () => {
    fault('one', 'refuse');
    const id = await queue();
    expect(await runOperation(id)).toMatchObject({ state: 'failed', failed: 1 });
    expect(outside.writes).toEqual([]);
  });
});

describe('the rollback', () => {
  test('is tried again where the outside fails meanwhile', async () => {
    fault('point', 'refuse');
    fault('two', 'too-many');
    fault('one', 'act-then-drop');
    const id = await queue();
    await runOperation(id);
    expect([values(), error(await itemOf(id))]).toEqual([ALL_OLD, 'provider.refused']);
  });

  test('that cannot be completed says so; tried again, the work starts from the current values', async () => {
    fault('point', 'refuse');
    const id = await queue();
    const running = runOperation(id);
    while (outside.values.get('n.two') !== 'wanted') await new Promise((resolve) => setTimeout(resolve, 1));
    fault('one', ...many('fail', 20));
    expect(await running).toMatchObject({ state: 'failed' });
    const item = await itemOf(id);
    expect([error(item), values()]).toEqual(['operation.not_taken_back', 'wanted old old old']);
    expect(statesOf(item)).toEqual({ one: 'undoing', two: 'undone', point: 'undone' });
    outside.faults.clear();
    outside.values.set('n.one', 'old');
    await requeue(id, true);
    expect([(await runOperation(id)).state, values()]).toEqual(['succeeded', ALL_WANTED]);
    expect((JSON.parse((await itemOf(id)).acts) as StoredAct[]).map(({ state }) => state)).toEqual(
      many('done' as Fault, 4),
    );
  });

  test('leaves work that can be tried again and looks at everything anew', async () => {
    outside.values.set('n.one', 'wanted');
    fault('point', 'refuse');
    const id = await queue();
    await runOperation(id);
    expect(statesOf(await itemOf(id))).toEqual({ two: 'undone', point: 'undone' });
    outside.values.set('n.one', 'changed');
    await requeue(id, true);
    expect([(await runOperation(id)).state, values()]).toEqual(['succeeded', ALL_WANTED]);
  });
});

test('work that fails past the point of no return is not rolled back and waits for another try', async () => {
  fault('after', 'refuse');
  const id = await queue();
  expect(await runOperation(id)).toMatchObject({ state: 'partial' });
  const item = await itemOf(id);
  expect([item.state, error(item), values()]).toEqual(['failed', 'provider.refused', 'wanted wanted wanted old']);
  await requeue(id, true);
  expect([(await runOperation(id)).state, values()]).toEqual(['succeeded', ALL_WANTED]);
  expect(outside.writes).toHaveLength(4);
});

describe('work that is cancelled', () => {
  test.each(['one', 'two', 'point'])(
    'while it waits at %s, before the point of no return, is rolled back',
    async (at) => {
      // The act is rate-limited until the cancellation.
      fault(at, ...many('too-many', 1000));
      const id = await queue();
      const running = runOperation(id);
      while (!outside.reads.includes(`n.${at}`)) await new Promise((resolve) => setTimeout(resolve, 1));
      await cancelOperation(id);
      expect((await running).state).toBe('cancelled');
      const item = await itemOf(id);
      expect([values(), item.state, error(item)]).toEqual([ALL_OLD, 'failed', 'operation.taken_back']);
    },
  );

  test.each([
    ['two:after-done', 'cancelled', ALL_OLD],
    ['point:after-intent', 'cancelled', ALL_OLD],
    ['point:after-call', 'succeeded', ALL_WANTED],
    ['point:after-done', 'succeeded', ALL_WANTED],
    ['after:before-intent', 'succeeded', ALL_WANTED],
  ])('after its process was killed at %s ends as %s', async (point, state, found) => {
    const id = await queue(false);
    await expect(killedAt(`back:${point}`, id).output()).rejects.toThrow('ended');
    await endLeases();
    await cancelOperation(id);
    expect([(await runOperation(id)).state, values()]).toEqual([state, found]);
  });
});

describe('a rollback that is killed', () => {
  const WHEN = ['before-intent', 'after-intent', 'after-call', 'after-done'];
  const points = ['one', 'two'].flatMap((act) => WHEN.map((when) => `back:undo-${act}:${when}`));
  test.each([...points, 'back:undo-point:after-done'])('at %s and started again restores everything', async (point) => {
    fault('point', 'refuse');
    const id = await queue(false);
    await expect(killedAt(point, id).output()).rejects.toThrow('ended');
    await endLeases();
    expect(await operationRow(id)).toMatchObject({ state: 'running' });
    expect(await runOperation(id)).toMatchObject({ state: 'failed', failed: 1 });
    const item = await itemOf(id);
    expect([values(), error(item)]).toEqual([ALL_OLD, 'provider.refused']);
    expect(statesOf(item)).toEqual({ one: 'undone', two: 'undone', point: 'undone' });
    expect(outside.writes).toHaveLength(4);
  });

  test.each(['after-intent', 'after-call', 'after-done'])(
    'at the point of no return, %s, goes forward',
    async (when) => {
      const id = await queue(false);
      await expect(killedAt(`back:point:${when}`, id).output()).rejects.toThrow('ended');
      await endLeases();
      expect([(await runOperation(id)).state, values()]).toEqual(['succeeded', ALL_WANTED]);
      expect(outside.writes).toHaveLength(4);
    },
  );
});

function killedAt(point: string, id: number): Child {
  process.env['SEO_ADMIN_CRASH_AT'] = point;
  const child = startChild('test/children/work.ts', [database.file, outside.url, String(id)]);
  delete process.env['SEO_ADMIN_CRASH_AT'];
  return child;
}
