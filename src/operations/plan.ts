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

type Lookable<L, D, I> = Pick<ItemWork<L, D, I>, 'open' | 'close' | 'acts'>;

/** The items of a lane that are still to be looked at, and whether the service seems to be away. */
interface LaneQueue<D> {
  next: () => Item<D> | undefined;
  worked: (item: Item<D>) => void;
  /** Rethrows a bug. */
  failed: (item: Item<D>, error: unknown) => void;
  /** Ends every item that is left. */
  giveUp: (error: unknown) => void;
  /** Many looks have failed in a row: the last error, and an item that has worked before. */
  doubt: () => { error: unknown; proven: Item<D> | undefined } | null;
}

function laneQueueOf<D>(items: readonly Item<D>[], { errors }: Findings): LaneQueue<D> {
  const left = [...items];
  let failures = 0;
  let last: unknown;
  let proven: Item<D> | undefined;
  const giveUp = (error: unknown): void => {
    for (const { item } of left.splice(0)) errors.set(item, error);
  };
  return {
    // Once looks fail, others than their neighbours tell more.
    next: () => (failures > 1 && !proven ? left.splice(left.length >> 1, 1)[0] : left.shift()),
    worked: (item) => {
      failures = 0;
      proven = item;
    },
    failed: ({ item }, error) => {
      if (!messageFor(error)) throw error;
      errors.set(item, error);
      last = error;
      failures = isOfLane(error) ? failures + 1 : 0;
      // The other items would meet it, too.
      if (error instanceof ProviderError && error.kind === 'credentials') giveUp(error);
    },
    giveUp,
    doubt: () => (failures < BREAKER ? null : { error: last, proven }),
  };
}

async function planLane<L, D, I>(
  { open, close, acts }: Lookable<L, D, I>,
  items: Item<D>[],
  input: I,
  signal: AbortSignal,
  found: Findings,
): Promise<void> {
  const queue = laneQueueOf(items, found);
  const plannedOf = async (item: Item<D>, lane: L, planned: PlannedAct[]): Promise<void> => {
    for (const act of acts(item, lane, input)) {
      const change = await persistently(act.look, signal);
      if (!change) continue;
      const one = { item: item.item, act: act.name, before: change.before, after: change.after };
      planned.push(one);
      if (act.class === 'read') found.notes.add(one);
    }
  };
  const look = (item: Item<D>, lane: L): Promise<void> => {
    const planned: PlannedAct[] = [];
    found.acts.set(item.item, planned);
    return plannedOf(item, lane, planned).then(
      () => queue.worked(item),
      (error: unknown) => queue.failed(item, error),
    );
  };
  const [first] = items;
  if (!first) return;
  try {
    const lane = await persistently(() => open(first.lane, items, signal), signal);
    try {
      await workThrough(
        queue,
        (item) => look(item, lane),
        (item) => plannedOf(item, lane, []),
      );
    } finally {
      await close?.(lane);
    }
  } catch (error) {
    signal.throwIfAborted();
    if (!messageFor(error)) throw error;
    queue.giveUp(error);
  }
}

/**
 * Looks at all items of a lane. Where many looks in a row have failed, an item that has worked is looked at again by `again`: while it works, the
 * others fail for themselves; else the service is away, and the rest is given up.
 */
async function workThrough<D>(
  queue: LaneQueue<D>,
  look: (item: Item<D>) => Promise<void>,
  again: (item: Item<D>) => Promise<void>,
): Promise<void> {
  const under = new Set<Promise<void>>();
  const take = async (): Promise<boolean> => {
    const item = queue.next();
    if (!item) return false;
    const looking = look(item);
    under.add(looking);
    await looking.finally(() => under.delete(looking));
    return true;
  };
  const decide = async (): Promise<void> => {
    await Promise.allSettled(under);
    const doubt = queue.doubt();
    if (!doubt) return;
    const { proven, error } = doubt;
    const works =
      proven !== undefined &&
      (await again(proven).then(
        () => true,
        (thrown: unknown) => !isOfLane(thrown),
      ));
    if (works) queue.worked(proven);
    else queue.giveUp(error);
  };
  let deciding: Promise<void> | undefined;
  const worker = async (): Promise<void> => {
    do {
      if (queue.doubt()) await (deciding ??= decide().finally(() => (deciding = undefined)));
    } while (await take());
  };
  // One item alone before the others: a wrong key costs a single call.
  await take();
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
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
