// Cancelled work whose process has died: begun acts are looked at, none is made, and every item ends.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OperationItemRow } from '../../src/shared/operations/tables.ts';
import { select } from '../../db/index.ts';
import { registerFlows, runOperation } from '../../src/operations/engine.ts';
import type { Act, ItemWork } from '../../src/operations/flow.ts';
import { itemFlow } from '../../src/operations/items.ts';
import { enqueue } from '../../src/operations/queue.ts';
import { tellsEnd } from '../../src/operations/settle.ts';
import { Waiting } from '../../src/operations/waiting.ts';
import { ProviderError } from '../../src/providers/provider-error.ts';
import type { StoredAct } from '../../src/shared/operations.ts';
import { startDatabase } from '../support/database.ts';
import { leaveActs } from './left.ts';
import { startOutside, type Outside } from './outside.ts';

let database: Awaited<ReturnType<typeof startDatabase>>;
let outside: Outside;
/** The database rows of our own that were written with the acts. */
let written: unknown[];
/** The errors that the next looks throw, one a look. */
let failures: Error[];

beforeEach(async () => {
  [written, failures] = [[], []];
  database = await startDatabase();
  outside = await startOutside();
});
afterEach(async () => {
  await database.close();
  await outside.close();
});

const read = async (name: string): Promise<string> => (await fetch(`${outside.url}/${name}`)).text();
const own = (row: object) => ({ save: async (rows: never[]) => void written.push(...rows), row });

/** An act that sets the values of `names` to `wanted`, and fails the test if it is performed, or looked at as if there were another look. */
const put = (name: string, names: string[], wanted: string, kind: Act['class'] = 'set'): Act => ({
  name,
  class: kind,
  look: async (isOver) => {
    const failure = failures.shift();
    if (failure) throw failure;
    if (!isOver) throw new Error('not the last look');
    const values = await Promise.all(names.map(read));
    if (values.every((value) => value === wanted)) return null;
    return { before: values.join(), after: wanted, perform: () => Promise.reject(new Error('made while settling')) };
  },
  record: (before, after) => own({ record: name, before, after }),
  keep: (before, after, isBegun) => own({ keep: name, before, after, isBegun }),
});

const plain: ItemWork = {
  patience: { attempts: 3, firstPauseMs: 1, longestPauseMs: 2 },
  open: async () => undefined,
  acts: () => [put('first', ['a', 'b'], 'new'), put('second', ['c'], 'new')],
};
/** The same with `undo`, which has one act for each value. */
const withUndo: ItemWork = {
  ...plain,
  undo: ({ acts }) => acts.flatMap(() => ['a', 'b'].map((name) => put(`back ${name}`, [name], 'old'))),
};

/** Settles an item left with these acts and returns its end; `values` are those of a, b and c. */
async function settled(work: ItemWork, values: string, ...acts: StoredAct[]) {
  for (const [index, value] of values.split(' ').entries()) outside.values.set('abc'[index]!, value);
  registerFlows([itemFlow('settled', work)]);
  const items = [{ item: 'n', lane: 'one', data: {} }];
  const message = { key: 'check.started' } as const;
  const { id } = await enqueue({ kind: 'settled', subject: 'all', user_id: null, input: {}, message, items });
  await leaveActs(id, acts);
  const told: unknown[] = [];
  const { state, done, failed } = await runOperation(id, { onItem: (item) => told.push(item) });
  const [row] = await select<OperationItemRow>('SELECT * FROM operation_items WHERE operation_id = $id', { id });
  const error = row!.error === null ? null : (JSON.parse(row!.error) as { key: string }).key;
  const states = (JSON.parse(row!.acts) as StoredAct[]).map((act) => `${act.name} ${act.state}`);
  expect(outside.writes).toEqual([]);
  // The watcher is told of the end of the item, with its error.
  expect(told).toMatchObject([{ item: 'n', state: row!.state, ...(error !== null && { error: { key: error } }) }]);
  return { item: row!.state, error, acts: states, counts: `${state} ${done} ${failed}` };
}

const intent = (name: string, before: string): StoredAct => ({ name, state: 'intent', before, after: 'new' });
const done = (name: string): StoredAct => ({ name, state: 'done', before: 'old', after: 'new' });

test('an act that has arrived is done, and the item is cancelled where others were not begun', async () => {
  expect(await settled(plain, 'new new old', intent('first', 'old,old'))).toEqual({
    item: 'cancelled',
    error: null,
    acts: ['first done'],
    counts: 'cancelled 0 0',
  });
  expect(written).toEqual([{ record: 'first', before: 'old,old', after: 'new' }]);
});

test('an act that has not arrived is dropped, and its kept row is written as not begun', async () => {
  expect(await settled(plain, 'old old old', intent('first', 'old,old'))).toMatchObject({
    item: 'cancelled',
    error: null,
    acts: [],
    counts: 'cancelled 0 0',
  });
  expect(written).toEqual([{ keep: 'first', before: 'old,old', after: 'new', isBegun: false }]);
});

test('an item whose last act has arrived is done', async () => {
  expect(await settled(plain, 'new new new', done('first'), intent('second', 'old'))).toMatchObject({
    item: 'done',
    acts: ['first done', 'second done'],
    counts: expect.stringMatching(/ 1 0$/),
  });
});

test('an item with one act as wanted and another that has arrived is done', async () => {
  const acts: StoredAct[] = [{ name: 'first', state: 'noop' }, intent('second', 'old')];
  expect(await settled(plain, 'new new new', ...acts)).toMatchObject({
    item: 'done',
    acts: ['first noop', 'second done'],
  });
});

test('an item with two of three acts made is cancelled', async () => {
  const three = { ...plain, acts: () => ['first', 'second', 'third'].map((name) => put(name, ['a'], 'new')) };
  expect(await settled(three, 'new new new', done('first'), intent('second', 'old'))).toMatchObject({
    item: 'cancelled',
    acts: ['first done', 'second done'],
  });
});

test('an item whose last act has not arrived keeps the first one', async () => {
  expect(await settled(plain, 'new new old', done('first'), intent('second', 'old'))).toMatchObject({
    item: 'cancelled',
    acts: ['first done'],
  });
});

test('several acts in doubt are settled each by itself', async () => {
  const acts = [intent('first', 'old,old'), intent('second', 'old')];
  expect(await settled(plain, 'old old new', ...acts)).toMatchObject({ item: 'cancelled', acts: ['second done'] });
});

test('without undo, an act that finds other values than before it has arrived in part', async () => {
  expect(await settled(plain, 'new old old', intent('first', 'old,old'))).toMatchObject({
    item: 'failed',
    error: 'operation.partly',
    acts: ['first intent'],
    counts: expect.stringMatching(/ 1 1$/),
  });
  expect(written).toEqual([]);
});

test('with undo, an act has arrived in part where any act of undo finds something to restore', async () => {
  expect(await settled(withUndo, 'old new old', intent('first', 'old,old'))).toMatchObject({
    item: 'failed',
    error: 'operation.partly',
    acts: ['first intent'],
  });
});

test('with undo, an act with nothing to restore has not arrived', async () => {
  // The stored `before` differs from the values outside; with undo it does not count.
  expect(await settled(withUndo, 'old old old', intent('first', 'else'))).toMatchObject({
    item: 'cancelled',
    error: null,
    acts: [],
  });
});

test('an act that may never be repeated stays in doubt', async () => {
  const unsafe = { ...plain, acts: () => [put('first', ['a'], 'new', 'unsafe')] };
  expect(await settled(unsafe, 'new new new', intent('first', 'old'))).toMatchObject({
    item: 'failed',
    error: 'operation.unclear',
    acts: ['first intent'],
  });
});

test('an act that this version does not know stays in doubt', async () => {
  expect(await settled(plain, 'new new new', intent('former', 'old'))).toMatchObject({
    item: 'failed',
    error: 'operation.unclear',
    acts: ['former intent'],
  });
});

test('a service that is away is asked again, and the item stays in doubt if it stays away', async () => {
  const away = (count: number) => Array.from({ length: count }, () => new ProviderError('unavailable', 'away'));
  failures = away(2);
  expect(await settled(plain, 'new new new', done('second'), intent('first', 'old'))).toMatchObject({ item: 'done' });
  failures = away(3);
  expect(await settled(plain, 'new new new', done('second'), intent('first', 'old'))).toMatchObject({
    item: 'failed',
    error: 'operation.unclear',
    counts: expect.stringMatching(/ 1 1$/),
  });
});

/** Two acts, the second of which tells how the first has ended. */
const ACTS: Act[] = [put('first', ['a'], 'new'), { ...put('last', ['b'], 'new'), tellsEnd: true }];
const telling: ItemWork = { ...plain, acts: () => ACTS };

test('an act that tells how the others have ended is looked at where one of them was made', async () => {
  expect(await settled(telling, 'new new old', intent('first', 'old'))).toMatchObject({
    item: 'done',
    acts: ['first done', 'last noop'],
  });
});

test('an item is cancelled where the act that tells the end does not find it', async () => {
  expect(await settled(telling, 'new old old', intent('first', 'old'))).toMatchObject({
    item: 'cancelled',
    acts: ['first done'],
  });
});

test('the act that tells the end is told that this is its last look', async () => {
  const waits = async (isOver?: boolean) => {
    if (isOver) return null;
    throw new Waiting(() => ({ key: 'operation.not_begun' }), { everyMs: 600_000, limitMs: 600_000 });
  };
  const acts = () => [ACTS[0]!, { ...ACTS[1]!, look: waits }];
  expect(await settled({ ...plain, acts }, 'new new new', intent('first', 'old'))).toMatchObject({ item: 'done' });
});

test('the end of an item in doubt is not told, so that another try asks for it', async () => {
  const acts = () => [ACTS[0]!, put('second', ['b', 'c'], 'new'), { ...ACTS[1]!, look: async () => null }];
  const left = [done('first'), intent('second', 'old,old')];
  expect(await settled({ ...plain, acts }, 'new new old', ...left)).toMatchObject({
    item: 'failed',
    acts: ['first done', 'second intent'],
  });
});

test('only an act that tells how the others have ended does so, and only where one of them was made', () => {
  const [first, last] = ACTS;
  const asWanted: StoredAct = { name: 'first', state: 'noop' };
  expect(tellsEnd(last!, [asWanted])).toBe(false);
  expect(tellsEnd(last!, [asWanted, done('first')])).toBe(true);
  expect(tellsEnd(first!, [done('first')])).toBe(false);
});

test('one act that was made is enough for the end to be told', async () => {
  const three = { ...plain, acts: () => [put('zeroth', ['a'], 'new'), ...ACTS] };
  expect(await settled(three, 'new new old', { name: 'zeroth', state: 'noop' }, intent('first', 'old'))).toMatchObject({
    item: 'done',
    acts: ['zeroth noop', 'first done', 'last noop'],
  });
});
