import { select } from '../../db/index.ts';
import { crashPoint } from '../lib/crash-point.ts';
import { ProviderError } from '../providers/provider-error.ts';
import { AppError } from '../shared/errors.ts';
import type { Said } from '../shared/i18n/index.ts';
import { ITEM_STATES, type ItemState, type OperationItemRow, type StoredAct } from '../shared/operations.ts';
import { saidOf } from './failure.ts';
import {
  itemOf,
  type Act,
  type Flow,
  type FlowStep,
  type ItemWork,
  type Patience,
  type Rollback,
  type StepContext,
  type StepOutcome,
} from './flow.ts';
import { journalOf, LostWork, notesOf, type Journal } from './journal.ts';
import { laneOf, pauseAfter, ratePause, rest, type Lane, type Outcome } from './lane.ts';
import { canGoBack, isGoingBack, refuseIfEarly, refuseIfNotYet, takeBack } from './rollback.ts';

const AT_ONCE = 4;
const PATIENCE: Patience = { attempts: 12, firstPauseMs: 1000, longestPauseMs: 300_000 };

/** How many items stand where. */
export type ItemCounts = Record<ItemState, number>;

/** What the items of a run share. */
interface Run {
  context: StepContext;
  journal: Journal;
  patience: Patience;
  rollback: Rollback | undefined;
}

/** An item that is to be tried: its acts, and how those that were done are taken back. */
interface Task {
  acts: () => Act[];
  undo: (act: StoredAct) => Act | null;
}

/** A kind of work that is done item by item; `finished` gets how many items ended how. */
export function itemFlow<L, D, I>(
  kind: string,
  work: ItemWork<L, D, I>,
  finished: (counts: ItemCounts) => Said = changedItems,
): Flow {
  return {
    kind,
    steps: () => [itemStep(work as ItemWork)],
    total: async ({ total }) => total,
    finished: async ({ id }) => finished(await countItems(id)),
    items: work as ItemWork,
  };
}

/** The sentence that most work ends with. */
const changedItems = ({ done, noop, failed }: ItemCounts): Said => ({
  key: 'operation.items_finished',
  params: { done, noop, failed },
});

/** How many items of an operation stand where. */
export async function countItems(id: number): Promise<ItemCounts> {
  const rows = await select<{ state: ItemState; n: number }>(
    'SELECT state, count(*) AS n FROM operation_items WHERE operation_id = $id GROUP BY state',
    { id },
  );
  const counts = Object.fromEntries(ITEM_STATES.map((state) => [state, 0])) as ItemCounts;
  for (const { state, n } of rows) counts[state] = n;
  return counts;
}

/**
 * The step that works an operation's items off, each lane on its own. What an item does is committed before it is done
 * (`intent`) and after (`done`), so that a process that dies leaves nothing in doubt that cannot be looked up. A bug in
 * one lane stops the others and is thrown.
 */
export function itemStep(work: ItemWork): FlowStep {
  return { name: 'items', run: (context) => runItems(work, context) };
}

async function runItems(work: ItemWork, context: StepContext): Promise<StepOutcome> {
  const rows = await select<OperationItemRow>('SELECT * FROM operation_items WHERE operation_id = $id ORDER BY id', {
    id: context.operation.id,
  });
  const open = rows.filter(({ state }) => state === 'queued' || state === 'intent');
  context.advance(rows.length - open.length, rows.filter(({ state }) => state === 'failed').length);
  const lanes = new Map<string, OperationItemRow[]>();
  for (const row of open) {
    const lane = lanes.get(row.lane);
    if (lane) lane.push(row);
    else lanes.set(row.lane, [row]);
  }
  const stop = new AbortController();
  const run: Run = {
    context: { ...context, signal: AbortSignal.any([context.signal, stop.signal]) },
    journal: journalOf(context.operation),
    patience: work.patience ?? PATIENCE,
    rollback: work.rollback,
  };
  const ends = await Promise.allSettled(
    [...lanes].map(([name, items]) =>
      runLane(run, work, name, items).catch((error: unknown) => {
        stop.abort();
        throw error;
      }),
    ),
  );
  const broken = ends.find((end) => end.status === 'rejected');
  if (broken && !(broken.reason instanceof LostWork)) throw broken.reason;
  return {};
}

async function runLane(run: Run, work: ItemWork, name: string, rows: OperationItemRow[]): Promise<void> {
  const { signal, operation } = run.context;
  const input: unknown = JSON.parse(operation.input);
  const lane = laneOf(rows, run.patience);
  const opened = await openLane(run, lane, () => work.open(name, rows.map(itemOf), signal));
  if (!opened) return;
  const workOnNext = async (): Promise<boolean> => {
    const row = await lane.next(signal, () => run.rollback !== undefined && run.context.isCancelled());
    if (!row) return false;
    let outcome: Outcome = 'unknown';
    try {
      outcome = await tryItem(run, lane, row, {
        acts: () => work.acts(itemOf(row), opened.value, input),
        undo: (act) => work.rollback?.undo(itemOf(row), opened.value, act) ?? null,
      });
    } finally {
      lane.settle(outcome);
    }
    return true;
  };
  const worker = async (): Promise<void> => {
    while (await workOnNext());
  };
  try {
    // One alone before the others: with a key that is wrong a single call is made.
    await workOnNext();
    await Promise.all(Array.from({ length: work.atOnce ?? AT_ONCE }, worker));
  } finally {
    await work.close?.(opened.value);
  }
}

/** Prepares a lane, again and again where the service is away. Undefined: it cannot be, and its items have failed. */
async function openLane<L>(run: Run, lane: Lane, open: () => Promise<L>): Promise<{ value: L } | undefined> {
  const { signal } = run.context;
  for (let attempt = 1; !signal.aborted; attempt += 1) {
    try {
      return { value: await open() };
    } catch (error) {
      if (signal.aborted) return undefined;
      const limited = error instanceof ProviderError && error.kind === 'rate_limited';
      if (limited) attempt -= 1;
      if (!isPassing(error) || attempt >= run.patience.attempts) {
        await failAll(run, lane.drain(), error);
        return undefined;
      }
      await rest(limited ? ratePause(error) : pauseAfter(attempt, run.patience), signal);
    }
  }
  return undefined;
}

/** The service was away, answered nonsense or had enough: another try may well go through. */
const isPassing = (error: unknown): error is ProviderError =>
  error instanceof ProviderError && ['rate_limited', 'unavailable', 'malformed'].includes(error.kind);

/** One try of an item. Expected failures end in its row; what is thrown is a bug or the loss of the work. */
async function tryItem(run: Run, lane: Lane, row: OperationItemRow, task: Task): Promise<Outcome> {
  const { acts: earlier } = row;
  try {
    if (isGoingBack(row)) await takeBack(run.context.operation.kind, run.journal, row, task.undo);
    else await runActs(run, row, task.acts());
    run.context.advance(1, row.state === 'failed' ? 1 : 0);
    tell(run, row, row.error === null ? undefined : (JSON.parse(row.error) as Said));
    return 'worked';
  } catch (error) {
    if (run.context.signal.aborted && !(error instanceof LostWork)) return 'unknown';
    // What can be taken back is looked at then: of several calls the first may have arrived.
    if (isRefusal(error) && !run.rollback) forgetIntents(row, earlier);
    return afterFailure(run, lane, row, error);
  }
}

/** The service said no, so what was begun in this try was not done. */
const isRefusal = (error: unknown): error is ProviderError =>
  error instanceof ProviderError && ['rate_limited', 'refused', 'credentials'].includes(error.kind);

/** Takes back the intents of this try; one of an earlier try, whose end was not heard, stays in doubt. */
function forgetIntents(row: OperationItemRow, earlier: string): void {
  const doubtful = new Set((JSON.parse(earlier) as StoredAct[]).map(({ name }) => name));
  const acts = notesOf(row).filter(({ name, state }) => state !== 'intent' || doubtful.has(name));
  row.acts = JSON.stringify(acts);
  row.state = acts.some(({ state }) => state === 'intent') ? 'intent' : 'queued';
}

async function afterFailure(run: Run, lane: Lane, row: OperationItemRow, error: unknown): Promise<Outcome> {
  if (!isPassing(error)) {
    if (await turnBack(run, lane, row, error)) return 'worked';
    await fail(run, row, error);
    if (error instanceof ProviderError && error.kind === 'credentials') await failAll(run, lane.drain(), error);
    return 'worked';
  }
  if (error.kind === 'rate_limited') {
    lane.pause(ratePause(error));
    await run.journal.write(row);
    lane.again(row, 0);
    return 'unknown';
  }
  row.attempt += 1;
  if (row.attempt >= run.patience.attempts) {
    if (!(await turnBack(run, lane, row, error))) await fail(run, row, error);
    return 'failed';
  }
  const pause = pauseAfter(row.attempt, run.patience);
  row.not_before = new Date(Date.now() + pause).toISOString();
  await run.journal.write(row);
  lane.again(row, pause);
  return 'failed';
}

/** Turns an item round that can't go on, where that is possible: from now on it is taken back. */
async function turnBack(run: Run, lane: Lane, row: OperationItemRow, error: unknown): Promise<boolean> {
  const said = saidOf(error);
  if (!said || !run.rollback || !canGoBack(run.rollback, row)) return false;
  Object.assign(row, { error: JSON.stringify(said), state: 'intent', attempt: 0, not_before: null });
  await run.journal.write(row);
  lane.again(row, 0);
  return true;
}

async function fail(run: Run, row: OperationItemRow, error: unknown): Promise<void> {
  const reason = saidOf(error);
  if (!reason) throw error;
  const said: Said = isGoingBack(row) ? { key: 'operation.not_taken_back' } : reason;
  row.state = 'failed';
  row.error = JSON.stringify(said);
  await run.journal.write(row);
  run.context.advance(1, 1);
  tell(run, row, said);
}

const failAll = async (run: Run, rows: OperationItemRow[], error: unknown): Promise<void> => {
  await Promise.all(rows.map((row) => fail(run, row, error)));
};

const tell = ({ context }: Run, { item, state }: OperationItemRow, error?: Said): void =>
  context.item({ item, state, error });

/** Does what is left of an item's acts, in order. */
async function runActs(run: Run, row: OperationItemRow, acts: Act[]): Promise<void> {
  const notes = notesOf(row);
  const isLast = (act: Act): boolean => act === acts.at(-1);
  const note = async (act: Act, stored: StoredAct, record?: Act['record']): Promise<void> => {
    const index = notes.findIndex(({ name }) => name === act.name);
    if (index === -1) notes.push(stored);
    else notes[index] = stored;
    row.acts = JSON.stringify(notes);
    row.state = stored.state === 'intent' ? 'intent' : isLast(act) ? endOf(notes) : 'queued';
    await run.journal.write(row, record?.(stored.before, stored.after));
  };
  for (const act of acts) {
    // What was taken back is as if it had never been.
    const earlier = notes.find(({ name, state }) => name === act.name && state !== 'undone');
    // One whose taking back has not ended may be there or not, as one that was begun.
    if (earlier && earlier.state !== 'intent' && earlier.state !== 'undoing') continue;
    if (run.rollback && run.context.isCancelled()) refuseIfEarly(run.rollback, notes);
    if (earlier && act.class === 'unsafe') throw new AppError('conflict', 'operation.unclear');
    const point = (when: string): void => crashPoint(`${run.context.operation.kind}:${act.name}:${when}`);
    const change = await act.look();
    if (change && run.rollback && run.context.isCancelled()) refuseIfNotYet(run.rollback, act);
    if (!change) {
      // It was begun, and it has arrived: its end alone was not heard.
      if (earlier) await note(act, { ...earlier, state: 'done' }, act.record);
      else await note(act, { name: act.name, state: 'noop' });
      if (earlier) point('after-done');
      continue;
    }
    // What was there before the first try is what an undo gives back.
    const before = earlier ? earlier.before : change.before;
    point('before-intent');
    await note(act, { name: act.name, state: 'intent', before, after: change.after });
    point('after-intent');
    await change.perform();
    point('after-call');
    await note(act, { name: act.name, state: 'done', before, after: change.after }, act.record);
    point('after-done');
  }
  if (acts.length === 0) {
    row.state = 'noop';
    await run.journal.write(row);
  }
}

const endOf = (notes: StoredAct[]): 'done' | 'noop' => (notes.some(({ state }) => state === 'done') ? 'done' : 'noop');
