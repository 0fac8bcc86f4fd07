// Cancelled items in doubt are looked at until their end is known or their looks are used up.
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { ItemWork } from '../../src/operations/flow.ts';
import { cancelOperation } from '../../src/operations/queue.ts';
import { away, id, looks, refused, run, stored, useLanes, work } from './lanes.ts';

useLanes();

describe('settling', () => {
  /** Work that is cancelled while its act is made; all later looks fail. */
  const cut = (patience: ItemWork['patience'], failure = away): ItemWork => {
    const usual = work(async () => {
      await cancelOperation(id);
      throw away();
    });
    const acts: ItemWork['acts'] = (item, lane, input) => {
      const act = usual.acts(item, lane, input)[0]!;
      const look = async () => {
        const change = await act.look();
        if (looks.length > 1) throw failure();
        return change;
      };
      return [{ ...act, look }];
    };
    return { ...usual, acts, ...(patience && { patience }) };
  };

  test('looks five times while the service is away, however patient the work is', async () => {
    expect(await run(cut({ attempts: 12, firstPauseMs: 1, longestPauseMs: 2 }), ['one 1'])).toBe('failed 1 1');
    expect(looks).toHaveLength(1 + 5);
    expect(await stored()).toEqual(['failed 5 operation.unclear']);
  });

  test('leaves an item in doubt whose look fails during a stop', async () => {
    const stop = new AbortController();
    const failure = (): Error => {
      stop.abort();
      return refused();
    };
    expect(await run(cut(undefined, failure), ['one 1'], { signal: stop.signal })).toBe('queued 0 0');
    expect((await stored())[0]).toMatch(/^intent .$/);
  });

  test('begins at once, with all its looks, whatever pause the item was in', async () => {
    const running = run(
      work(() => Promise.reject(away()), { patience: { attempts: 12, firstPauseMs: 60_000, longestPauseMs: 60_000 } }),
      ['one 1'],
    );
    await expect.poll(() => stored().catch(() => [])).toEqual(['intent 1']);
    await cancelOperation(id);
    expect(await running).toBe('cancelled 0 0');
    expect(await stored()).toEqual(['cancelled 0']);
  });

  test('pauses between its looks, and a stop leaves it to the next process', async () => {
    const stop = new AbortController();
    const running = run(cut({ attempts: 12, firstPauseMs: 60_000, longestPauseMs: 60_000 }), ['one 1'], {
      signal: stop.signal,
    });
    while (looks.length < 2) await sleep(1);
    await sleep(50);
    stop.abort();
    expect(await running).toBe('queued 0 0');
    expect(looks).toHaveLength(2);
    expect((await stored())[0]).toMatch(/^intent/);
  });
});
