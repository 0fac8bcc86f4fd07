import { createHash } from 'node:crypto';
import { ProviderError } from '../providers/provider-error.ts';
import type { Message } from '../shared/i18n/index.ts';
import { asAppError, messageFor } from './failure.ts';
import type { Item, ItemWork, NewItem } from './flow.ts';
import { BREAKER, pauseAfter, rest } from './item-queue.ts';

/** One act that would be performed. */
export interface PlannedAct {
  item: string;
  act: string;
  before: unknown;
  after: unknown;
}

/** The changes an operation would make, found without making any. Equal items, changes and failed items give the same `hash`. */
export interface Plan {
  acts: PlannedAct[];
  /** Items that could not be looked at, with the reason. */
  failed: { item: string; error: Message }[];
  unchanged: number;
  hash: string;
}

const AT_ONCE = 4;
// Somebody waits for the plan: the pauses add up to 3.5 seconds at most.
const PATIENCE = { attempts: 4, firstPauseMs: 500, longestPauseMs: 4_000 };

/** Calls `look`, up to four times while the service is away, answers nonsense or limits the rate. Throws the last error, or the reason of `signal`. */
export async function persistently<T>(look: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await look();
    } catch (error) {
      signal?.throwIfAborted();
      const isPassing = error instanceof ProviderError && PASSING.has(error.kind);
      if (!isPassing || attempt === PATIENCE.attempts) throw error;
      await rest(pauseAfter(attempt, PATIENCE), signal ?? new AbortController().signal);
    }
  }
}

const PASSING = new Set<ProviderError['kind']>(['rate_limited', 'unavailable', 'malformed']);

interface Findings {
  acts: Map<string, PlannedAct[]>;
  errors: Map<string, unknown>;
  /** Acts of class `read`: not in the hash, because what they tell may change before the plan is carried out. */
  notes: Set<PlannedAct>;
}

/** Whether an error may concern the account or the service, not one item. */
const isOfLane = (error: unknown): boolean => error instanceof ProviderError && error.kind !== 'refused';

async function planLane<L, D, I>(
  { open, close, acts }: Pick<ItemWork<L, D, I>, 'open' | 'close' | 'acts'>,
  items: Item<D>[],
  input: I,
  signal: AbortSignal,
  found: Findings,
): Promise<void> {
  const queue = [...items];
  let failures = 0;
  const fail = (item: Item<D>, error: unknown): void => {
    if (!messageFor(error)) throw error;
    found.errors.set(item.item, error);
    failures = isOfLane(error) ? failures + 1 : 0;
    // The other items would meet it, too.
    const isOfAll = error instanceof ProviderError && error.kind === 'credentials';
    if (isOfAll || failures >= BREAKER) for (const { item: other } of queue.splice(0)) found.errors.set(other, error);
  };
  const look = async (lane: L): Promise<boolean> => {
    const item = queue.shift();
    if (!item) return false;
    const planned: PlannedAct[] = [];
    found.acts.set(item.item, planned);
    try {
      for (const act of acts(item, lane, input)) {
        const change = await persistently(act.look, signal);
        if (!change) continue;
        const one = { item: item.item, act: act.name, before: change.before, after: change.after };
        planned.push(one);
        if (act.class === 'read') found.notes.add(one);
      }
      failures = 0;
    } catch (error) {
      fail(item, error);
    }
    return true;
  };
  const worker = async (lane: L): Promise<void> => {
    while (await look(lane));
  };
  const [first] = queue;
  if (!first) return;
  try {
    const lane = await persistently(() => open(first.lane, items, signal), signal);
    try {
      // One item alone before the others: a wrong key costs a single call.
      await look(lane);
      await Promise.all(Array.from({ length: AT_ONCE }, () => worker(lane)));
    } finally {
      await close?.(lane);
    }
  } catch (error) {
    signal.throwIfAborted();
    for (const item of queue.splice(0)) fail(item, error);
  }
}

/**
 * Looks at every item and returns what would be changed, without changing anything. Acts before the one at which an item
 * fails are in the plan, too. Throws AppError if no item could be looked at because of the service or the account.
 */
export async function planItems<L, D, I>(
  work: Pick<ItemWork<L, D, I>, 'open' | 'close' | 'acts'>,
  items: readonly NewItem[],
  input: I,
  user_id: number | null,
  signal: AbortSignal = new AbortController().signal,
): Promise<Plan> {
  const lanes = new Map<string, Item<D>[]>();
  for (const { item, lane, lane_id = null, data } of items) {
    const mine = lanes.get(lane) ?? [];
    mine.push({ operation_id: 0, item, lane, lane_id, data: data as D, acts: [], user_id });
    lanes.set(lane, mine);
  }
  const found: Findings = { acts: new Map(), errors: new Map(), notes: new Set() };
  await Promise.all([...lanes.values()].map((mine) => planLane(work, mine, input, signal, found)));
  const errors = [...found.errors.values()];
  if (errors.length > 0 && errors.length === items.length && errors.every(isOfLane)) throw asAppError(errors[0]);
  const acts = items.flatMap(({ item }) => found.acts.get(item) ?? []);
  const failed = items.flatMap(({ item }) => {
    const error = messageFor(found.errors.get(item));
    return error ? [{ item, error }] : [];
  });
  const unchanged = items.filter(({ item }) => !found.errors.has(item) && found.acts.get(item)?.length === 0).length;
  const changes = acts.filter((act) => !found.notes.has(act));
  const unseen = failed.map(({ item }) => item);
  const hash = createHash('sha256')
    .update(JSON.stringify([items.map(({ item }) => item), changes, ...(unseen.length > 0 ? [unseen] : [])]))
    .digest('base64url');
  return { acts, failed, unchanged, hash };
}
