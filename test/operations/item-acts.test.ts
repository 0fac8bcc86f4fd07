// The acts of an item in order: which are looked at, stored and made, and where a cancellation stops them.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { runOperation } from '../../src/operations/engine.ts';
import type { Act, ItemWork } from '../../src/operations/flow.ts';
import { cancelOperation, requeue } from '../../src/operations/queue.ts';
import { Waiting } from '../../src/operations/waiting.ts';
import { ProviderError } from '../../src/providers/provider-error.ts';
import type { StoredAct } from '../../src/shared/operations.ts';
import { make, played, queue, run, runLeft, stored, useActs, work } from './acts.ts';

useActs();

const unmake = (name: string): Act => ({
  name,
  class: 'set',
  look: async () => {
    const perform = async (): Promise<void> => {
      played.calls.push(`take back ${name}`);
      played.there.delete(name);
    };
    return played.there.has(name) ? { before: 'new', after: 'old', perform } : null;
  },
});

/** An act that waits until its last look, and cancels the work as it does so. `over` is what its looks are told. */
const waits = (over: unknown[], limitMs: number, more: Partial<Act> = {}): Act => ({
  name: 'watch',
  class: 'read',
  look: async (isOver) => {
    over.push(isOver);
    if (isOver) return null;
    await cancelOperation(played.id);
    throw new Waiting(() => ({ key: 'operation.not_begun' }), { everyMs: 600_000, limitMs });
  },
  ...more,
});

/** The same with a rollback until `point` is done. */
const withBack = (acts: Act[]): ItemWork =>
  work(acts, { rollback: { until: 'point', undo: (_item, _lane, { name }) => unmake(name) } });

test('an act is stored as begun before it is made, with the id of the object outside', async () => {
  expect(await run(work([make('one')]))).toEqual({ state: 'done', acts: ['one done'], error: null });
  expect(played.calls).toEqual(['look one', 'keep one true', 'make one']);
  expect(JSON.parse((await stored()).acts)).toEqual([
    { name: 'one', state: 'done', before: 'old', after: 'new', on: 'id of one', at: expect.any(String), fence: 1 },
  ]);
});

test('an item without acts ends as wanted', async () => {
  expect(await run(work([]))).toEqual({ state: 'noop', acts: [], error: null });
});

test('an act that may never be repeated is not looked at again after a try without an answer', async () => {
  played.beside['make one'] = () => {
    throw new ProviderError('unavailable', 'away');
  };
  const end = { state: 'failed', acts: ['one intent'], error: 'operation.unclear' };
  expect(await run(work([make('one', 'unsafe')]))).toEqual(end);
  expect(played.calls).toEqual(['look one', 'keep one true', 'make one']);
});

test('an act that still waits after its time limit is a bug', async () => {
  const waits: Act = {
    name: 'waits',
    class: 'read',
    look: () => Promise.reject(new Waiting(() => ({ key: 'operation.not_begun' }), { everyMs: 1, limitMs: 1 })),
  };
  await queue(work([waits]));
  await expect(runOperation(played.id)).rejects.toThrow('waits waits though its time is over');
});

describe('an item that is cancelled', () => {
  const CANCELLED = { state: 'cancelled', error: null };

  test('while an act is made does not look at the next', async () => {
    played.beside['make one'] = () => cancelOperation(played.id);
    expect(await run(work([make('one'), make('two')]))).toEqual({ ...CANCELLED, acts: ['one done'] });
    expect(played.calls).toEqual(['look one', 'keep one true', 'make one']);
  });

  test('while an act is looked at does not begin it', async () => {
    played.beside['look one'] = async () => {
      const heard = once(played.cancelled, 'abort');
      await cancelOperation(played.id);
      await heard;
    };
    expect(await run(work([make('one')]))).toEqual({ ...CANCELLED, acts: [] });
    expect(played.calls).toEqual(['look one']);
  });

  test('before the intent of an act is committed does not make it', async () => {
    played.beside['look one'] = () => cancelOperation(played.id);
    expect(await run(work([make('one')]))).toEqual({ ...CANCELLED, acts: [] });
    expect(played.calls.filter((name) => name.startsWith('make'))).toEqual([]);
    expect([...played.there]).toEqual([]);
  });

  test('while it waits to be told how its acts have ended looks for the last time', async () => {
    const over: unknown[] = [];
    const acts = [make('one'), waits(over, 600_000, { tellsEnd: true })];
    expect(await run(work(acts))).toEqual({ state: 'done', acts: ['one done', 'watch noop'], error: null });
    expect([over, played.opens]).toEqual([[false, true], 2]);
  });

  test('after an act whose end another one tells notes what that leaves on purpose, also where its process has died', async () => {
    const look = async () => ({ before: null, after: ['left'], stays: true as const, perform: async () => undefined });
    const acts = () => [make('one'), make('proof', 'read', { look, tellsEnd: 'soon' })];
    played.beside['make one'] = () => cancelOperation(played.id);
    const DONE = { state: 'done', error: null, acts: ['one done', 'proof done'] };
    expect([await run(work(acts())), (await stored()).stays]).toEqual([DONE, 1]);
    const one: StoredAct = { name: 'one', state: 'intent', before: 'old', after: 'new' };
    expect([await runLeft(work(acts()), one), (await stored()).stays]).toEqual([DONE, 1]);
  });

  test('while it waits for something else is left as it is, and the account is not opened again', async () => {
    const over: unknown[] = [];
    expect(await run(work([make('one'), waits(over, 600_000)]))).toEqual({ ...CANCELLED, acts: ['one done'] });
    expect([over, played.opens]).toEqual([[false], 1]);
  });

  test('while it waits, and is tried again after the limit of that wait, waits anew', async () => {
    const over: unknown[] = [];
    await run(work([waits(over, 1)]));
    await sleep(5);
    await requeue(played.id);
    await runOperation(played.id);
    expect(over).toEqual([false, false]);
  });
});

describe('an item with a rollback that is cancelled', () => {
  const acts = () => [make('one'), make('point'), make('after')];
  const TAKEN_BACK = { state: 'failed', error: 'operation.taken_back' };

  test('while an act is made does not look at the next', async () => {
    played.beside['make one'] = () => cancelOperation(played.id);
    expect(await run(withBack(acts()))).toEqual({ ...TAKEN_BACK, acts: ['one undone'] });
    expect(played.calls).toEqual(['look one', 'keep one true', 'make one', 'take back one']);
  });

  test.each(['one', 'point'])('before the intent of %s is committed does not make it', async (name) => {
    played.beside[`look ${name}`] = () => cancelOperation(played.id);
    expect(await run(withBack(acts()))).toMatchObject(TAKEN_BACK);
    expect(played.calls).not.toContain(`make ${name}`);
    expect([...played.there]).toEqual([]);
  });

  test('before the commit of an intent past the point of no return goes on', async () => {
    played.beside['look after'] = () => cancelOperation(played.id);
    expect(await run(withBack(acts()))).toMatchObject({ state: 'done', error: null });
    expect([...played.there]).toEqual(['one', 'point', 'after']);
  });

  test('while it waits past the point of no return looks for the last time, without waiting longer', async () => {
    const over: unknown[] = [];
    expect(await run(withBack([make('point'), waits(over, 600_000)]))).toMatchObject({ state: 'done', error: null });
    expect(over).toEqual([false, true]);
  });

  test('without a worker, with the point of no return in doubt, goes back or on as the act is found outside', async () => {
    const one: StoredAct = { name: 'one', state: 'done', before: 'old', after: 'new' };
    const point: StoredAct = { name: 'point', state: 'intent', before: 'old', after: 'new' };
    played.there.add('one');
    expect(await runLeft(withBack(acts()), one, point)).toEqual({
      ...TAKEN_BACK,
      acts: ['one undone', 'point undone'],
    });
    expect(played.calls.filter((name) => name.startsWith('make'))).toEqual([]);
    played.there = new Set(['one', 'point']);
    expect(await runLeft(withBack(acts()), one, point)).toMatchObject({ state: 'done', error: null });
    expect(played.calls.at(-1)).toBe('make after');
  });
});
