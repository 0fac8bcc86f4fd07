// Shared parts of the tests of lanes: work whose acts a test defines, and what it has opened and looked at.
import type { OperationItemRow } from '../../src/shared/operations/tables.ts';
import { afterEach, beforeEach } from 'vitest';
import { select } from '../../db/index.ts';
import { registerFlows, runOperation, type Watcher } from '../../src/operations/engine.ts';
import type { ItemWork } from '../../src/operations/flow.ts';
import { itemFlow } from '../../src/operations/items.ts';
import { enqueue } from '../../src/operations/queue.ts';
import { ProviderError } from '../../src/providers/provider-error.ts';
import { startDatabase } from '../support/database.ts';

let database: Awaited<ReturnType<typeof startDatabase>>;
/** The items that were looked at, in order. */
export let looks: string[];
/** How many lanes were opened. */
export let opens: number;
/** The lanes that were closed. */
export let closed: unknown[];
/** The operation that `queue` has queued. */
export let id: number;

/** Counts a lane that is opened; returns how many there are now. */
export const countOpen = (): number => (opens += 1);

/** Opens a new database for each test. */
export function useLanes(): void {
  beforeEach(async () => {
    [looks, opens, closed] = [[], 0, []];
    database = await startDatabase();
  });
  afterEach(() => database.close());
}

/** The act of an item, run after its intent is stored. */
export type Perform = (item: string, signal: AbortSignal) => Promise<unknown>;

/** Work with one act an item. */
export const work = (perform: Perform, more: Partial<ItemWork> = {}): ItemWork => ({
  patience: { attempts: 3, firstPauseMs: 1, longestPauseMs: 2 },
  open: async (_lane, _items, signal) => {
    countOpen();
    return signal;
  },
  close: async (lane) => void closed.push(lane),
  acts: ({ item }, signal) => [
    {
      name: 'act',
      class: 'set',
      look: async () => {
        looks.push(item);
        return { before: '', after: 'new', perform: async () => void (await perform(item, signal as AbortSignal)) };
      },
    },
  ],
  ...more,
});
/** An act that takes effect. */
export const well = async (): Promise<void> => undefined;

/** Queues items named by their lane and a number, such as `one 1`. */
export async function queue(of: ItemWork, ...names: string[]): Promise<void> {
  registerFlows([itemFlow('lanes', of)]);
  const items = names.map((item) => ({ item, lane: item.split(' ')[0]!, data: {} }));
  const message = { key: 'check.started' } as const;
  ({ id } = await enqueue({ kind: 'lanes', subject: 'all', user_id: null, input: {}, message, items }, true));
}
/** Queues and runs work; returns its state and counts. */
export async function run(of: ItemWork, names: string[], watcher: Watcher = {}) {
  await queue(of, ...names);
  const { state, done, failed } = await runOperation(id, watcher);
  return `${state} ${done} ${failed}`;
}
/** Stops the work 50 ms after its progress says that it waits for a rate limit. */
export function stoppedInWait(): Watcher {
  const stop = new AbortController();
  const onProgress: Watcher['onProgress'] = ({ waits_until }) => {
    if (waits_until !== null) setTimeout(() => stop.abort(), 50);
  };
  return { onProgress, signal: stop.signal };
}
const ITEMS = 'SELECT * FROM operation_items WHERE operation_id = $id ORDER BY id';
/** The stored items as lines. */
export const stored = async () =>
  (await select<OperationItemRow>(ITEMS, { id })).map(({ state, error, attempt }) => {
    const key = error === null ? '' : ` ${(JSON.parse(error) as { key: string }).key}`;
    return `${state} ${attempt}${key}`;
  });

/** The service does not answer. */
export const away = (): Error => new ProviderError('unavailable', 'away');
/** The service asks for a pause. */
export const slowly = (seconds: number): Error => new ProviderError('rate_limited', 'slowly', { retryAfter: seconds });
/** The service refuses. */
export const refused = (): Error => new ProviderError('refused', 'no');
