// Cancelled items in doubt are looked at until their end is known or their looks are used up.
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { ItemWork } from '../../src/operations/flow.ts';
import { operationRow } from '../../src/operations/lease.ts';
import { cancelOperation } from '../../src/operations/queue.ts';
import { renderMessage, type Message } from '../../src/shared/i18n/index.ts';
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

  test('tells what was as wanted already apart from what was done', async () => {
    const usual = work(
      async (item) => {
        if (item === 'one 3') await cancelOperation(id);
      },
      { atOnce: 1 },
    );
    const acts: ItemWork['acts'] = (item, lane, input) =>
      item.item === 'one 2' ? [{ name: 'act', class: 'set', look: async () => null }] : usual.acts(item, lane, input);
    expect(await run({ ...usual, acts }, ['one 1', 'one 2', 'one 3', 'one 4'])).toBe('cancelled 3 0');
    const message = JSON.parse((await operationRow(id)).message) as Message;
    expect(message.params).toEqual({ done: 2, noop: 1, cancelled: 1, failed: 0 });
    expect(renderMessage('en', message)).toBe('Cancelled: 2 done and kept, 1 as they were, 1 left out, 0 failed');
    expect(renderMessage('ru', message)).toContain('сделано и сохранено 2, без изменений 1, не начато 1');
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
