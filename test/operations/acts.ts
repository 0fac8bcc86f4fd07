// Items whose acts are played: their calls are noted, and something can happen during each.
import { afterEach, beforeEach } from 'vitest';
import { select } from '../../db/index.ts';
import { registerFlows, runOperation } from '../../src/operations/engine.ts';
import type { Act, ItemWork, OwnRow } from '../../src/operations/flow.ts';
import { itemFlow } from '../../src/operations/items.ts';
import { enqueue } from '../../src/operations/queue.ts';
import type { StoredAct } from '../../src/shared/operations.ts';
import type { OperationItemRow } from '../../src/shared/operations/tables.ts';
import { startDatabase } from '../support/database.ts';
import { leaveActs } from './left.ts';

/** The state that a test of acts reads and sets. */
export interface Played {
  /** The calls of the acts, in order, such as `look one`. */
  calls: string[];
  /** Side effects to run during a call, by its name. */
  beside: Record<string, () => unknown>;
  /** The acts that have been made. */
  there: Set<string>;
  /** The operation that was queued last. */
  id: number;
  /** Fires as that is cancelled. */
  cancelled: AbortSignal;
  /** How often the account was opened. */
  opens: number;
}

const fresh = (): Played => ({
  calls: [],
  beside: {},
  there: new Set(),
  id: 0,
  cancelled: new AbortController().signal,
  opens: 0,
});
/** Of the running test. */
export const played: Played = fresh();

/** Gives each test of the file a database and a fresh `played`. */
export function useActs(): void {
  let database: Awaited<ReturnType<typeof startDatabase>>;
  beforeEach(async () => {
    Object.assign(played, fresh());
    database = await startDatabase();
  });
  afterEach(() => database.close());
}

async function call(name: string): Promise<void> {
  played.calls.push(name);
  await played.beside[name]?.();
}

/** An act that makes `name`. */
export const make = (name: string, kind: Act['class'] = 'set', more: Partial<Act> = {}): Act => ({
  name,
  class: kind,
  look: async () => {
    await call(`look ${name}`);
    if (played.there.has(name)) return null;
    const perform = async (): Promise<void> => {
      await call(`make ${name}`);
      played.there.add(name);
    };
    return { before: 'old', after: 'new', on: `id of ${name}`, perform };
  },
  keep: (_before, _after, isBegun): OwnRow => {
    played.calls.push(`keep ${name} ${isBegun}`);
    return { save: async () => undefined, row: {} };
  },
  ...more,
});

/** Work on one item with these acts. */
export const work = (acts: Act[], more: Partial<ItemWork> = {}): ItemWork => ({
  patience: { attempts: 3, firstPauseMs: 1, longestPauseMs: 2 },
  isCut: true,
  open: async (_lane, _items, signal) => {
    played.cancelled = signal;
    played.opens += 1;
  },
  acts: () => acts,
  ...more,
});

/** Queues work on an item. */
export async function queue(of: ItemWork): Promise<void> {
  registerFlows([itemFlow('acts', of)]);
  const items = [{ item: 'a', lane: 'one', data: {} }];
  const message = { key: 'check.started' } as const;
  const { id } = await enqueue({ kind: 'acts', subject: 'all', user_id: null, input: {}, message, items }, true);
  played.id = id;
}

/** Returns the item that was queued last, as it is stored. */
export async function stored(): Promise<OperationItemRow> {
  const { id } = played;
  const [row] = await select<OperationItemRow>('SELECT * FROM operation_items WHERE operation_id = $id', { id });
  return row!;
}

async function ended() {
  const row = await stored();
  const acts = (JSON.parse(row.acts) as StoredAct[]).map(({ name, state }) => `${name} ${state}`);
  const error = row.error === null ? null : (JSON.parse(row.error) as { key: string }).key;
  return { state: row.state, acts, error };
}

/** Runs work on an item, and returns how that has ended. */
export async function run(of: ItemWork) {
  await queue(of);
  await runOperation(played.id);
  return ended();
}

/** Runs an item whose process has died after these acts and whose operation was cancelled since. */
export async function runLeft(of: ItemWork, ...acts: StoredAct[]) {
  await queue(of);
  await leaveActs(played.id, acts);
  await runOperation(played.id);
  return ended();
}
