// The acts of an item in order: which are looked at, stored and made, and where a cancellation stops them.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OperationItemRow } from '../../src/shared/operations/tables.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { select } from '../../db/index.ts';
import { registerFlows, runOperation } from '../../src/operations/engine.ts';
import type { Act, ItemWork, OwnRow } from '../../src/operations/flow.ts';
import { itemFlow } from '../../src/operations/items.ts';
import { cancelOperation, enqueue, requeue } from '../../src/operations/queue.ts';
import { Waiting } from '../../src/operations/waiting.ts';
import { ProviderError } from '../../src/providers/provider-error.ts';
import type { StoredAct } from '../../src/shared/operations.ts';
import { startDatabase } from '../support/database.ts';
import { leaveActs } from './left.ts';

let database: Awaited<ReturnType<typeof startDatabase>>;
/** The calls of the acts, in order, such as `look one`. */
let calls: string[];
/** Side effects to run during a call, by its name. */
let beside: Record<string, () => unknown>;
/** The acts that have been made. */
let there: Set<string>;
let id: number;
let cancelled: AbortSignal;
/** How often the account was opened. */
let opens: number;

beforeEach(async () => {
  [calls, beside, there, opens] = [[], {}, new Set(), 0];
  database = await startDatabase();
});
afterEach(() => database.close());

async function call(name: string): Promise<void> {
  calls.push(name);
  await beside[name]?.();
}

/** An act that makes `name`. */
const make = (name: string, kind: Act['class'] = 'set'): Act => ({
  name,
  class: kind,
  look: async () => {
    await call(`look ${name}`);
    if (there.has(name)) return null;
    const perform = async (): Promise<void> => {
      await call(`make ${name}`);
      there.add(name);
    };
    return { before: 'old', after: 'new', on: `id of ${name}`, perform };
  },
  keep: (_before, _after, isBegun): OwnRow => {
    calls.push(`keep ${name} ${isBegun}`);
    return { save: async () => undefined, row: {} };
  },
});
const unmake = (name: string): Act => ({
  name,
  class: 'set',
  look: async () => {
    const perform = async (): Promise<void> => {
      calls.push(`take back ${name}`);
      there.delete(name);
    };
    return there.has(name) ? { before: 'new', after: 'old', perform } : null;
  },
});

/** An act that waits until its last look, and cancels the work as it does so. `over` is what its looks are told. */
const waits = (over: unknown[], limitMs: number, more: Partial<Act> = {}): Act => ({
  name: 'watch',
  class: 'read',
  look: async (isOver) => {
    over.push(isOver);
    if (isOver) return null;
    await cancelOperation(id);
    throw new Waiting(() => ({ key: 'operation.not_begun' }), { everyMs: 600_000, limitMs });
  },
  ...more,
});

const work = (acts: Act[], more: Partial<ItemWork> = {}): ItemWork => ({
  patience: { attempts: 3, firstPauseMs: 1, longestPauseMs: 2 },
  isCut: true,
  open: async (_lane, _items, signal) => {
    cancelled = signal;
    opens += 1;
  },
  acts: () => acts,
  ...more,
});
/** The same with a rollback until `point` is done. */
const withBack = (acts: Act[]): ItemWork =>
  work(acts, { rollback: { until: 'point', undo: (_item, _lane, { name }) => unmake(name) } });

async function queue(of: ItemWork): Promise<void> {
  registerFlows([itemFlow('acts', of)]);
  const items = [{ item: 'a', lane: 'one', data: {} }];
  const message = { key: 'check.started' } as const;
  ({ id } = await enqueue({ kind: 'acts', subject: 'all', user_id: null, input: {}, message, items }, true));
}
async function ended() {
  const [row] = await select<OperationItemRow>('SELECT * FROM operation_items WHERE operation_id = $id', { id });
  const acts = (JSON.parse(row!.acts) as StoredAct[]).map(({ name, state }) => `${name} ${state}`);
  const error = row!.error === null ? null : (JSON.parse(row!.error) as { key: string }).key;
  return { state: row!.state, acts, error };
}
async function run(of: ItemWork) {
  await queue(of);
  await runOperation(id);
  return ended();
}
/** Runs an item whose process has died after these acts and whose operation was cancelled since. */
async function runLeft(of: ItemWork, ...acts: StoredAct[]) {
  await queue(of);
  await leaveActs(id, acts);
  await runOperation(id);
  return ended();
}

test('an act is stored as begun before it is made, with the id of the object outside', async () => {
  expect(await run(work([make('one')]))).toEqual({ state: 'done', acts: ['one done'], error: null });
  expect(calls).toEqual(['look one', 'keep one true', 'make one']);
  const [row] = await select<OperationItemRow>('SELECT acts FROM operation_items WHERE operation_id = $id', { id });
  expect(JSON.parse(row!.acts)).toEqual([
    { name: 'one', state: 'done', before: 'old', after: 'new', on: 'id of one', at: expect.any(String) },
  ]);
});

test('an item without acts ends as wanted', async () => {
  expect(await run(work([]))).toEqual({ state: 'noop', acts: [], error: null });
});

test('an act that may never be repeated is not looked at again after a try without an answer', async () => {
  beside['make one'] = () => {
    throw new ProviderError('unavailable', 'away');
  };
  const end = { state: 'failed', acts: ['one intent'], error: 'operation.unclear' };
  expect(await run(work([make('one', 'unsafe')]))).toEqual(end);
  expect(calls).toEqual(['look one', 'keep one true', 'make one']);
});

test('an act that still waits after its time limit is a bug', async () => {
  const waits: Act = {
    name: 'waits',
    class: 'read',
    look: () => Promise.reject(new Waiting(() => ({ key: 'operation.not_begun' }), { everyMs: 1, limitMs: 1 })),
  };
  await queue(work([waits]));
  await expect(runOperation(id)).rejects.toThrow('waits waits though its time is over');
});

describe('an item that is cancelled', () => {
  const CANCELLED = { state: 'cancelled', error: null };

  test('while an act is made does not look at the next', async () => {
    beside['make one'] = () => cancelOperation(id);
    expect(await run(work([make('one'), make('two')]))).toEqual({ ...CANCELLED, acts: ['one done'] });
    expect(calls).toEqual(['look one', 'keep one true', 'make one']);
  });

  test('while an act is looked at does not begin it', async () => {
    beside['look one'] = async () => {
      const heard = once(cancelled, 'abort');
      await cancelOperation(id);
      await heard;
    };
    expect(await run(work([make('one')]))).toEqual({ ...CANCELLED, acts: [] });
    expect(calls).toEqual(['look one']);
  });

  test('before the intent of an act is committed does not make it', async () => {
    beside['look one'] = () => cancelOperation(id);
    expect(await run(work([make('one')]))).toEqual({ ...CANCELLED, acts: [] });
    expect(calls.filter((name) => name.startsWith('make'))).toEqual([]);
    expect([...there]).toEqual([]);
  });

  test('while it waits to be told how its acts have ended looks for the last time', async () => {
    const over: unknown[] = [];
    const acts = [make('one'), waits(over, 600_000, { tellsEnd: true })];
    expect(await run(work(acts))).toEqual({ state: 'done', acts: ['one done', 'watch noop'], error: null });
    expect([over, opens]).toEqual([[false, true], 2]);
  });

  test('while it waits for something else is left as it is, and the account is not opened again', async () => {
    const over: unknown[] = [];
    expect(await run(work([make('one'), waits(over, 600_000)]))).toEqual({ ...CANCELLED, acts: ['one done'] });
    expect([over, opens]).toEqual([[false], 1]);
  });

  test('while it waits, and is tried again after the limit of that wait, waits anew', async () => {
    const over: unknown[] = [];
    await run(work([waits(over, 1)]));
    await sleep(5);
    await requeue(id);
    await runOperation(id);
    expect(over).toEqual([false, false]);
  });
});

describe('an item with a rollback that is cancelled', () => {
  const acts = () => [make('one'), make('point'), make('after')];
  const TAKEN_BACK = { state: 'failed', error: 'operation.taken_back' };

  test('while an act is made does not look at the next', async () => {
    beside['make one'] = () => cancelOperation(id);
    expect(await run(withBack(acts()))).toEqual({ ...TAKEN_BACK, acts: ['one undone'] });
    expect(calls).toEqual(['look one', 'keep one true', 'make one', 'take back one']);
  });

  test.each(['one', 'point'])('before the intent of %s is committed does not make it', async (name) => {
    beside[`look ${name}`] = () => cancelOperation(id);
    expect(await run(withBack(acts()))).toMatchObject(TAKEN_BACK);
    expect(calls).not.toContain(`make ${name}`);
    expect([...there]).toEqual([]);
  });

  test('before the commit of an intent past the point of no return goes on', async () => {
    beside['look after'] = () => cancelOperation(id);
    expect(await run(withBack(acts()))).toMatchObject({ state: 'done', error: null });
    expect([...there]).toEqual(['one', 'point', 'after']);
  });

  test('while it waits past the point of no return looks for the last time, without waiting longer', async () => {
    const over: unknown[] = [];
    expect(await run(withBack([make('point'), waits(over, 600_000)]))).toMatchObject({ state: 'done', error: null });
    expect(over).toEqual([false, true]);
  });

  test('without a worker, with the point of no return in doubt, goes back or on as the act is found outside', async () => {
    const one: StoredAct = { name: 'one', state: 'done', before: 'old', after: 'new' };
    const point: StoredAct = { name: 'point', state: 'intent', before: 'old', after: 'new' };
    there.add('one');
    expect(await runLeft(withBack(acts()), one, point)).toEqual({
      ...TAKEN_BACK,
      acts: ['one undone', 'point undone'],
    });
    expect(calls.filter((name) => name.startsWith('make'))).toEqual([]);
    there = new Set(['one', 'point']);
    expect(await runLeft(withBack(acts()), one, point)).toMatchObject({ state: 'done', error: null });
    expect(calls.at(-1)).toBe('make after');
  });
});
