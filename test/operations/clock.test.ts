// Items that wait for another try while the clock of the machine is set back.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { execute, transaction } from '../../db/index.ts';
import { registerFlows, runOperation } from '../../src/operations/engine.ts';
import type { Act } from '../../src/operations/flow.ts';
import { itemFlow } from '../../src/operations/items.ts';
import { cancelOperation, enqueue } from '../../src/operations/queue.ts';
import { Waiting } from '../../src/operations/waiting.ts';
import { ProviderError } from '../../src/providers/provider-error.ts';
import { startDatabase, type TestDatabase } from '../support/database.ts';

const HOUR_MS = 3_600_000;
// A pause is less than half a second: this is a net.
const SOON_MS = 10_000;

let database: TestDatabase;
beforeEach(async () => {
  database = await startDatabase();
});
afterEach(async () => {
  vi.useRealTimers();
  await database.close();
});

/** Queues work on an item whose first tries fail by these functions. */
const queue = (...failures: (() => ProviderError)[]): Promise<number> =>
  queueAct({
    name: 'made',
    class: 'set',
    look: async () => ({
      before: null,
      after: 1,
      perform: async () => {
        const failure = failures.shift();
        if (failure) throw failure();
      },
    }),
  });

/** Queues work on an item with this act. */
async function queueAct(act: Act): Promise<number> {
  const patience = { attempts: 12, firstPauseMs: 400, longestPauseMs: 400 };
  registerFlows([itemFlow('made', { open: async () => undefined, acts: () => [act], patience })]);
  const message = { key: 'check.started' } as const;
  const items = [{ item: 'a', lane: 'one', data: {} }];
  return (await enqueue({ kind: 'made', subject: 's', user_id: null, input: {}, message, items }, true)).id;
}

/** Runs an operation; one that has not ended soon is cancelled. */
async function soon(id: number): Promise<string> {
  const running = runOperation(id);
  const late = new AbortController();
  const state = await Promise.race([
    running.then((row) => row.state),
    sleep(SOON_MS, 'late', { signal: late.signal }).catch(() => 'over'),
  ]);
  late.abort();
  vi.useRealTimers();
  if (state === 'late') await cancelOperation(id);
  await running;
  return state;
}

function setClock(ms: number): void {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(Date.now() + ms);
}

const setBack = (): void => setClock(-HOUR_MS);

const away = (): ProviderError => new ProviderError('unavailable', '503');

test.each(['unavailable', 'rate_limited'] as const)('a pause after %s is as long as it was meant', async (kind) => {
  const id = await queue(() => {
    // Right after the pause has been reckoned.
    setTimeout(setBack, 100);
    return new ProviderError(kind, '', { retryAfter: 0.4 });
  }, away);
  expect(await soon(id)).toBe('succeeded');
});

test('an item that was stored before is tried after the longest pause at the latest', async () => {
  const id = await queue();
  const not_before = new Date(Date.now() + HOUR_MS).toISOString();
  await transaction(() => execute('UPDATE operation_items SET not_before = $not_before', { not_before }));
  expect(await soon(id)).toBe('succeeded');
});

test.each([
  ['this version', 'waiting'],
  ['an earlier one', `replace(waiting, '"pauseMs"', '"unknown"')`],
])(
  'a wait and its limit that %s has noted by a clock an hour ahead are as long as they were meant',
  async (_version, noted) => {
    const stop = new AbortController();
    const id = await queueAct({
      name: 'made',
      class: 'set',
      look: async (isOver) => {
        if (isOver) return null;
        setTimeout(() => stop.abort(), 100);
        throw new Waiting(() => ({ key: 'check.started' }), { everyMs: 400, limitMs: 600 });
      },
    });
    setClock(HOUR_MS);
    await runOperation(id, { signal: stop.signal });
    vi.useRealTimers();
    await transaction(() => execute(`UPDATE operation_items SET waiting = ${noted}`));
    expect(await soon(id)).toBe('succeeded');
  },
);

test('a cancellation is noticed during a pause', async () => {
  const id = await queue(() => new ProviderError('rate_limited', '', { retryAfter: 60 }));
  const running = runOperation(id);
  // The begun work is saved by then: only the heartbeat reads from here on.
  await sleep(1500);
  setBack();
  await cancelOperation(id);
  const from = performance.now();
  await running;
  expect(performance.now() - from).toBeLessThan(SOON_MS);
});
