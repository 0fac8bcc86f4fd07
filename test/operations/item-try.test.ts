// Failed tries of an item: the state stored before the next try, and the effect of a cancellation.
import { once } from 'node:events';
import type { OperationItemRow } from '../../src/shared/operations/tables.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { select } from '../../db/index.ts';
import { registerFlows, runOperation } from '../../src/operations/engine.ts';
import type { Act, ItemWork } from '../../src/operations/flow.ts';
import { itemFlow } from '../../src/operations/items.ts';
import { cancelOperation, enqueue } from '../../src/operations/queue.ts';
import { storageWait } from '../../src/lib/waits.ts';
import { Waiting } from '../../src/operations/waiting.ts';
import { AppError } from '../../src/shared/errors.ts';
import type { Message } from '../../src/shared/i18n/index.ts';
import { ProviderError } from '../../src/providers/provider-error.ts';
import type { StoredAct } from '../../src/shared/operations.ts';
import { startDatabase } from '../support/database.ts';

let database: Awaited<ReturnType<typeof startDatabase>>;
/** The values put by item; `seen` is the stored state of an item at each look of its act. */
let values: Map<string, string>;
let seen: object[];
let id: number;
/** The number of progress reports to the watcher. */
let progress: number;

beforeEach(async () => {
  [values, seen, progress] = [new Map(), [], 0];
  database = await startDatabase();
});
afterEach(() => database.close());

async function stored(item: string) {
  const [row] = await select<OperationItemRow>(
    'SELECT * FROM operation_items WHERE operation_id = $id AND item = $item',
    { id, item },
  );
  const acts = (JSON.parse(row!.acts) as StoredAct[]).map(({ name, state }) => `${name} ${state}`);
  const error = row!.error === null ? null : (JSON.parse(row!.error) as { key: string }).key;
  return { state: row!.state, acts, error, attempt: row!.attempt, isLater: row!.not_before !== null };
}

/** An act that sets a value after `perform`; each look records the stored state of the item. */
const put = (item: string, name: string, wanted: string, perform: () => Promise<void>): Act => ({
  name,
  class: 'set',
  look: async () => {
    seen.push(await stored(item));
    const before = values.get(`${item} ${name}`) ?? '';
    if (before === wanted) return null;
    const make = async (): Promise<void> => {
      await perform();
      values.set(`${item} ${name}`, wanted);
    };
    return { before, after: wanted, perform: make };
  },
});

const patience = { attempts: 3, firstPauseMs: 1, longestPauseMs: 2 };
async function run(work: Omit<ItemWork, 'patience' | 'open'> & Partial<ItemWork>, ...names: string[]) {
  registerFlows([itemFlow('tried', { patience, open: async () => undefined, ...work })]);
  const items = names.map((item) => ({ item, lane: 'one', data: {} }));
  const message = { key: 'check.started' } as const;
  ({ id } = await enqueue({ kind: 'tried', subject: 'all', user_id: null, input: {}, message, items }, true));
  return runOperation(id, { onProgress: () => (progress += 1) });
}
/** Throws these errors, one a call, and then succeeds. */
const failing = (...errors: Error[]) => {
  const left = [...errors];
  return async (): Promise<void> => {
    const error = left.shift();
    if (error) throw error;
  };
};
const away = (): Error => new ProviderError('unavailable', 'away');
const slowly = (): Error => new ProviderError('rate_limited', 'slowly', { retryAfter: 0.01 });

describe('before the next try of an item', () => {
  test('a temporary failure is stored with its attempt, its time and the act in doubt', async () => {
    const perform = failing(away());
    expect(await run({ acts: ({ item }) => [put(item, 'act', 'new', perform)] }, 'a')).toMatchObject({ done: 1 });
    expect(seen).toEqual([
      { state: 'queued', acts: [], error: null, attempt: 0, isLater: false },
      { state: 'intent', acts: ['act intent'], error: null, attempt: 1, isLater: true },
    ]);
  });

  test('a temporary failure is stored with a time in the future', async () => {
    let [failed, next] = [0, ''];
    const perform = async (): Promise<void> => {
      if (failed > 0) return;
      failed = Date.now();
      throw away();
    };
    const acts: ItemWork['acts'] = ({ item }) => {
      const act = put(item, 'act', 'new', perform);
      const look = async () => {
        const [row] = await select<OperationItemRow>('SELECT * FROM operation_items WHERE operation_id = $id', { id });
        next = row!.not_before ?? '';
        return act.look();
      };
      return [{ ...act, look }];
    };
    await run({ acts, patience: { attempts: 2, firstPauseMs: 200, longestPauseMs: 200 } }, 'a');
    expect(Date.parse(next)).toBeGreaterThanOrEqual(failed);
  });

  test('a rate-limited act is stored as if it had not begun', async () => {
    const perform = failing(slowly());
    expect(await run({ acts: ({ item }) => [put(item, 'act', 'new', perform)] }, 'a')).toMatchObject({ done: 1 });
    expect(seen).toEqual([
      { state: 'queued', acts: [], error: null, attempt: 0, isLater: false },
      { state: 'queued', acts: [], error: null, attempt: 0, isLater: false },
    ]);
  });

  test('an act in doubt from an earlier try stays in doubt after a rate limit', async () => {
    const perform = failing(away(), slowly());
    expect(await run({ acts: ({ item }) => [put(item, 'act', 'new', perform)] }, 'a')).toMatchObject({ done: 1 });
    expect(seen[2]).toMatchObject({ state: 'intent', acts: ['act intent'], attempt: 1 });
  });

  test('a failure of our own storage costs no attempt, and is reported while it lasts', async () => {
    while (storageWait() !== null) await sleep(20);
    const perform = failing(new AppError('unavailable', 'error.queue_full'));
    const waits: unknown[] = [];
    const acts: ItemWork['acts'] = ({ item }) => {
      waits.push(storageWait());
      return [put(item, 'act', 'new', perform)];
    };
    expect(await run({ acts }, 'a')).toMatchObject({ done: 1, failed: 0 });
    expect(seen[1]).toMatchObject({ state: 'intent', acts: ['act intent'], attempt: 0, isLater: false });
    expect(waits).toEqual([null, { key: 'operation.waits_queue' }]);
  });

  test('a wait is stored with its message, and ends with the last look', async () => {
    const looks: unknown[] = [];
    const told: number[] = [];
    const say = (): Message => ({ key: 'operation.not_begun' });
    const act: Act = {
      name: 'act',
      class: 'read',
      look: async (isOver) => {
        const [row] = await select<OperationItemRow>('SELECT * FROM operation_items WHERE operation_id = $id', { id });
        told.push(progress);
        looks.push([isOver, row!.waiting === null ? null : (JSON.parse(row!.waiting) as { said: Message }).said]);
        if (!isOver) throw new Waiting(say, { everyMs: 1, limitMs: 50 });
        return null;
      },
    };
    expect(await run({ acts: () => [act] }, 'a')).toMatchObject({ done: 1, failed: 0 });
    expect([looks[0], looks.at(-1)]).toEqual([
      [false, null],
      [true, say()],
    ]);
    // The watcher must see the wait.
    expect(told[1]).toBeGreaterThan(told[0]!);
    const [row] = await select<OperationItemRow>('SELECT * FROM operation_items WHERE operation_id = $id', { id });
    expect(row).toMatchObject({ state: 'noop', waiting: null });
  });

  test('an item that is rolled back is stored with the error that it failed with', async () => {
    const refuse = failing(new ProviderError('refused', 'no'));
    const work: Partial<ItemWork> = {
      rollback: { until: 'never', undo: ({ item }, _lane, { name }) => put(item, name, '', failing()) },
    };
    const acts: ItemWork['acts'] = ({ item }) => [put(item, 'one', 'new', failing()), put(item, 'two', 'new', refuse)];
    expect(await run({ ...work, acts }, 'a')).toMatchObject({ state: 'failed', done: 1, failed: 1 });
    expect(seen.slice(2)).toMatchObject([
      { state: 'intent', acts: ['one done', 'two intent'], error: 'provider.refused', attempt: 0 },
      { state: 'intent', acts: ['one done', 'two undone'], error: 'provider.refused' },
    ]);
    expect(await stored('a')).toMatchObject({ state: 'failed', acts: ['one undone', 'two undone'] });
  });
});

test('a refusal ends its own item only, and a rejected key ends all remaining items of its account', async () => {
  const performs: Record<string, Error> = {
    a: new ProviderError('refused', 'no'),
    c: new ProviderError('credentials', 'wrong'),
  };
  const acts: ItemWork['acts'] = ({ item }) => [
    put(item, 'act', 'new', async () => {
      if (performs[item]) throw performs[item];
    }),
  ];
  expect(await run({ acts, atOnce: 1 }, 'a', 'b', 'c', 'd', 'e')).toMatchObject({ done: 5, failed: 4 });
  const ends = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(async (item) => (await stored(item)).error));
  expect(ends).toEqual([
    'provider.refused',
    null,
    'provider.credentials',
    'provider.credentials',
    'provider.credentials',
  ]);
});

describe('an act that ends after somebody has cancelled', () => {
  /** One act that the cancellation aborts and that throws `end`; `arrives` says whether it takes effect nevertheless. */
  const cut = (end: (reason: unknown) => unknown, arrives: boolean) => ({
    isCut: true as const,
    open: async (_lane: string, _items: unknown, signal: AbortSignal) => signal,
    acts: (({ item }, signal) => [
      put(item, 'act', 'new', async () => {
        if (arrives) values.set(`${item} act`, 'new');
        const cancelled = once(signal as AbortSignal, 'abort');
        await cancelOperation(id);
        await cancelled;
        throw end((signal as AbortSignal).reason);
      }),
    ]) satisfies ItemWork['acts'],
  });

  test.each<[string, (reason: unknown) => unknown]>([
    ['a temporary failure', away],
    ['an abort', () => new DOMException('cut', 'AbortError')],
    ['the reason of the cancellation', (reason) => reason],
  ])('by %s is looked at: done where it has arrived, cancelled where it has not', async (_name, end) => {
    expect(await run(cut(end, true), 'a')).toMatchObject({ done: 1, failed: 0 });
    expect(await stored('a')).toMatchObject({ state: 'done', acts: ['act done'], error: null });
    values.clear();
    expect(await run(cut(end, false), 'b')).toMatchObject({ state: 'cancelled', done: 0, failed: 0 });
    expect(await stored('b')).toMatchObject({ state: 'cancelled', acts: [], error: null });
  });

  test('by a rate limit counts as not begun', async () => {
    expect(await run(cut(slowly, false), 'a')).toMatchObject({ state: 'cancelled', done: 0, failed: 0 });
    expect(await stored('a')).toMatchObject({ state: 'cancelled', acts: [], error: null });
  });

  test('by a refusal has failed', async () => {
    expect(
      await run(
        cut(() => new ProviderError('refused', 'no'), false),
        'a',
      ),
    ).toMatchObject({ done: 1, failed: 1 });
    expect(await stored('a')).toMatchObject({ state: 'failed', acts: [], error: 'provider.refused' });
  });
});
