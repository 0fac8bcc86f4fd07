// The items of an outside account: concurrency, opening the account, pauses, and the state that a stop leaves behind.
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { storageWait } from '../../src/lib/waits.ts';
import { runOperation } from '../../src/operations/engine.ts';
import type { ItemWork } from '../../src/operations/flow.ts';
import { USUAL_PATIENCE } from '../../src/operations/item-lane.ts';
import { cancelOperation } from '../../src/operations/queue.ts';
import { ProviderError } from '../../src/providers/provider-error.ts';
import { AppError } from '../../src/shared/errors.ts';
import {
  away,
  closed,
  countOpen,
  id,
  looks,
  opens,
  type Perform,
  queue,
  refused,
  run,
  slowly,
  stoppedInWait,
  stored,
  useLanes,
  well,
  work,
} from './lanes.ts';

useLanes();

describe('opening a lane', () => {
  /** Throws these errors, one a call, and then succeeds. */
  const opening = (...errors: Error[]): Partial<ItemWork> => ({
    open: async () => {
      countOpen();
      const error = errors.shift();
      if (error) throw error;
    },
  });

  test('is tried again while the service is away', async () => {
    expect(await run(work(well, opening(away(), away())), ['one 1'])).toBe('succeeded 1 0');
    expect(opens).toBe(3);
  });

  test('fails its items, and those of no other lane, where the service stays away', async () => {
    const errors = [away(), away(), away()];
    const open: ItemWork['open'] = async (lane) => {
      countOpen();
      if (lane === 'one') throw errors.shift() ?? new Error('asked once more');
    };
    expect(await run(work(well, { open }), ['one 1', 'one 2', 'two 1'])).toBe('partial 3 2');
    expect(await stored()).toEqual(['failed 0 provider.unavailable', 'failed 0 provider.unavailable', 'done 0']);
    expect([opens, looks]).toEqual([4, ['two 1']]);
  });

  test('is not tried again where it is refused', async () => {
    expect(await run(work(well, opening(refused())), ['one 1'])).toBe('failed 1 1');
    expect([opens, closed]).toEqual([1, []]);
  });

  test('loses no try to a rate limit', async () => {
    const limits = Array.from({ length: 4 }, () => slowly(0.001));
    expect(await run(work(well, opening(...limits, away(), away(), away())), ['one 1'])).toBe('failed 1 1');
    expect(opens).toBe(7);
  });

  test('loses no try to a failure of our own storage, which is reported', async () => {
    while (storageWait() !== null) await sleep(20);
    const patience = { attempts: 1, firstPauseMs: 1, longestPauseMs: 2 };
    const errors = [new AppError('unavailable', 'error.queue_full')];
    let wait: unknown;
    const open: ItemWork['open'] = async () => {
      wait = storageWait();
      const error = errors.shift();
      if (error) throw error;
    };
    expect(await run(work(well, { open, patience }), ['one 1'])).toBe('succeeded 1 0');
    expect(wait).toEqual({ key: 'operation.waits_queue' });
  });

  test('of more accounts than ten waits for all at once, and Node takes none of it for a leak', async () => {
    const warnings: string[] = [];
    const note = ({ message }: Error): void => {
      if (message.includes('abort listeners')) warnings.push(message);
    };
    process.on('warning', note);
    const lanes = Array.from({ length: 12 }, (_, index) => `lane${index} 1`);
    const limited = new Set<string>();
    const open: ItemWork['open'] = async (lane) => {
      countOpen();
      if (limited.has(lane)) return;
      limited.add(lane);
      throw slowly(0.2);
    };
    expect(await run(work(well, { open }), lanes)).toBe('succeeded 12 0');
    process.off('warning', note);
    expect([opens, warnings]).toEqual([24, []]);
  });

  test('waits as long as the service demands, which is reported', async () => {
    expect(await run(work(well, opening(slowly(60))), ['one 1'], stoppedInWait())).toBe('queued 0 0');
    expect(opens).toBe(1);
  });

  test('that fails while the process stops leaves the items as they are', async () => {
    const stop = new AbortController();
    const open: ItemWork['open'] = async () => {
      stop.abort();
      throw refused();
    };
    expect(await run(work(well, { open }), ['one 1'], { signal: stop.signal })).toBe('queued 0 0');
    expect(await stored()).toEqual(['queued 0']);
  });
});

describe('the items of a lane', () => {
  test.each([
    [4, undefined],
    [2, 2],
  ])('begin with one alone; then %i are worked on at once', async (wanted, atOnce) => {
    let [inside, most, before] = [0, 0, 0];
    const isFull = (): boolean => inside >= wanted || looks.length === 9;
    const perform: Perform = async (item) => {
      inside += 1;
      // Long enough for one more to start.
      const isFirst = item === 'one 1';
      if (!isFirst) while (!isFull()) await sleep(1);
      await sleep(20);
      if (isFirst) before = looks.length;
      most = Math.max(most, inside);
      inside -= 1;
    };
    const names = Array.from({ length: 9 }, (_, index) => `one ${index + 1}`);
    expect(await run(work(perform, atOnce === undefined ? {} : { atOnce }), names)).toBe('succeeded 9 0');
    expect([before, most]).toEqual([1, wanted]);
  });

  test('are tried twelve times by default, with pauses from a second to five minutes', () => {
    expect(USUAL_PATIENCE).toEqual({ attempts: 12, firstPauseMs: 1000, longestPauseMs: 300_000 });
  });

  test('cost one call where the key is wrong', async () => {
    const wrong: Perform = () => Promise.reject(new ProviderError('credentials', 'wrong'));
    expect(await run(work(wrong), ['one 1', 'one 2', 'one 3'])).toBe('failed 3 3');
    expect(looks).toEqual(['one 1']);
  });

  test('all wait where one is rate-limited, which is reported', async () => {
    const limited: Perform = () => Promise.reject(slowly(60));
    expect(await run(work(limited), ['one 1', 'one 2'], stoppedInWait())).toBe('queued 0 0');
    expect(looks).toEqual(['one 1']);
    expect(await stored()).toEqual(['queued 0', 'queued 0']);
  });

  test('all wait while our own storage is away', async () => {
    const stop = new AbortController();
    const perform: Perform = () => Promise.reject(new AppError('unavailable', 'error.queue_full'));
    const running = run(work(perform), ['one 1', 'one 2'], { signal: stop.signal });
    while (looks.length === 0) await sleep(1);
    await sleep(50);
    stop.abort();
    expect(await running).toBe('queued 0 0');
    expect(looks).toEqual(['one 1']);
  });
});

describe('a stop', () => {
  test('leaves an item in doubt whose act fails meanwhile; the next process ends it, and the counts add up', async () => {
    const stop = new AbortController();
    const perform: Perform = async (item) => {
      if (item === 'one 1') throw refused();
      if (!stop.signal.aborted) stop.abort();
      else return;
      throw refused();
    };
    expect(await run(work(perform), ['one 1', 'one 2'], { signal: stop.signal })).toBe('queued 1 1');
    expect(await stored()).toEqual(['failed 0 provider.refused', 'intent 0']);
    expect(await runOperation(id)).toMatchObject({ state: 'partial', done: 2, failed: 1 });
    expect(await stored()).toEqual(['failed 0 provider.refused', 'done 0']);
  });

  test('by a bug in one lane stops the others, and the bug is thrown', async () => {
    const others: string[] = [];
    const perform: Perform = async (item, signal) => {
      if (item.startsWith('two')) {
        others.push(item);
        while (!signal.aborted) await sleep(1);
        throw refused();
      }
      while (others.length === 0) await sleep(1);
      throw new Error('a bug');
    };
    await queue(work(perform), 'one 1', 'two 1', 'two 2');
    await expect(runOperation(id)).rejects.toThrow('a bug');
    expect(others).toEqual(['two 1']);
    expect((await stored()).slice(1)).toEqual(['intent 0', 'queued 0']);
  });

  test('by a cancellation closes each opened lane, also that of its settling', async () => {
    const perform: Perform = async () => {
      await cancelOperation(id);
      throw away();
    };
    const failing = work(perform, { open: async () => countOpen() });
    await run(failing, ['one 1']);
    expect([opens, closed]).toEqual([2, [1, 2]]);
  });
});
