import { select } from '../../db/index.ts';
import { crashPoint } from '../lib/crash-point.ts';
import { noteLimit } from '../lib/waits.ts';
import { ProviderError } from '../providers/provider-error.ts';
import { AppError } from '../shared/errors.ts';
import type { Said } from '../shared/i18n/index.ts';
import { ITEM_STATES, type ItemState, type OperationItemRow, type StoredAct } from '../shared/operations.ts';
import { isStorageTrouble, saidOf } from './failure.ts';
import {
  itemOf,
  type Act,
  type Change,
  type Flow,
  type FlowStep,
  type Images,
  type Item,
  type ItemWork,
  type OwnRow,
  type Patience,
  type Rollback,
  type StepContext,
  type StepOutcome,
} from './flow.ts';
import { journalOf, LostWork, notesOf, type Journal } from './journal.ts';
import { laneOf, pauseAfter, ratePause, rest, type Lane, type Outcome } from './lane.ts';
import { noteWait, waitOf, Waiting } from './waiting.ts';
import { canGoBack, isGoingBack, refuseIfEarly, refuseIfNotYet, takeBack } from './rollback.ts';
import { endOf, isInDoubt, settle, settlingOf } from './settle.ts';

const AT_ONCE = 4;
const PATIENCE: Patience = { attempts: 12, firstPauseMs: 1000, longestPauseMs: 300_000 };
// Somebody waits for the cancellation to end: what can't be looked at within half a minute or so stays in doubt.
const SETTLING = 5;
// Our own database is away: nothing outside is asked meanwhile.
const STORAGE_PAUSE_MS = 1000;

/** How many items stand where. */
export type ItemCounts = Record<ItemState, number>;

/** What the items of a run share. */
interface Run {
  context: StepContext;
  journal: Journal;
  patience: Patience;
  rollback: Rollback | undefined;
  /** Fires when nothing more is to be begun; work with a way back goes on, and turns round. */
  ending: AbortSignal;
  /** Only looks how what was begun has ended: what can't be seen stays in doubt, whatever keeps it from being seen. */
  isSettling?: true;
}

/** Nothing more is begun, because somebody has cancelled; the item waits for its settling. */
class Cancelled extends Error {}

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
    byItems: true,
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
  const signal = AbortSignal.any([context.signal, stop.signal]);
  const run: Run = {
    context: { ...context, signal },
    journal: journalOf(context.operation, signal, context.giveUp),
    patience: work.patience ?? PATIENCE,
    rollback: work.rollback,
    ending: work.rollback ? signal : AbortSignal.any([signal, context.cancelled]),
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
  if (broken) throw broken.reason;
  return {};
}

async function runLane(run: Run, work: ItemWork, name: string, rows: OperationItemRow[]): Promise<void> {
  const lane = laneOf(rows, run.patience);
  if (!run.ending.aborted) await workLane(run, work, name, lane, rows);
  if (isCancelled(run)) await settleLane(run, work, name, lane.drain().filter(isInDoubt));
}

/** Whether the work is to end because somebody has cancelled it, and not to turn round. */
const isCancelled = ({ context, ending }: Run): boolean => ending.aborted && !context.signal.aborted;

/** Works the items of a lane off, until all have ended or nothing more is to be begun. */
async function workLane(run: Run, work: ItemWork, name: string, lane: Lane, rows: OperationItemRow[]): Promise<void> {
  const { operation } = run.context;
  const input: unknown = JSON.parse(operation.input);
  const { user_id } = operation;
  const cut = work.isCut ? run.ending : run.context.signal;
  const opened = await openLane(run, lane, run.ending, () => work.open(name, itemsOf(run, rows), cut));
  if (!opened) return;
  const workOnNext = async (): Promise<boolean> => {
    const row = await lane.next(run.ending, () => run.context.cancelled.aborted);
    if (!row) return false;
    let outcome: Outcome = 'unknown';
    try {
      outcome = await tryItem(run, lane, row, {
        acts: () => work.acts(itemOf(row, user_id), opened.value, input),
        undo: (act) => work.rollback?.undo(itemOf(row, user_id), opened.value, act) ?? null,
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

/** Finds out how what was begun has ended, each item until that is known or the service is away for too long. */
async function settleLane(run: Run, work: ItemWork, name: string, rows: OperationItemRow[]): Promise<void> {
  if (rows.length === 0) return;
  const { signal, operation } = run.context;
  const input: unknown = JSON.parse(operation.input);
  const patience: Patience = { ...run.patience, attempts: Math.min(run.patience.attempts, SETTLING) };
  const patient: Run = { ...run, patience, isSettling: true };
  for (const row of rows) Object.assign(row, { attempt: 0, not_before: null });
  const lane = laneOf(rows, patience);
  const opened = await openLane(patient, lane, signal, () => work.open(name, itemsOf(run, rows), signal));
  if (!opened) return;
  const worker = async (): Promise<void> => {
    for (;;) {
      const row = await lane.next(signal, () => false);
      if (!row) return;
      lane.settle(
        await trySettle(patient, lane, row, () =>
          settlingOf(work, itemOf(row, operation.user_id), opened.value, input),
        ),
      );
    }
  };
  try {
    await Promise.all(Array.from({ length: work.atOnce ?? AT_ONCE }, worker));
  } finally {
    await work.close?.(opened.value);
  }
}

async function trySettle(
  run: Run,
  lane: Lane,
  row: OperationItemRow,
  settling: () => ReturnType<typeof settlingOf>,
): Promise<Outcome> {
  try {
    await settle(run.journal, row, settling());
    run.context.advance(row.state === 'cancelled' ? 0 : 1, row.state === 'failed' ? 1 : 0);
    tell(run, row, row.error === null ? undefined : (JSON.parse(row.error) as Said));
    return 'worked';
  } catch (error) {
    if (run.context.signal.aborted && !(error instanceof LostWork)) return 'unknown';
    return afterFailure(run, lane, row, error);
  }
}

const itemsOf = ({ context: { operation } }: Run, rows: OperationItemRow[]): Item[] =>
  rows.map((row) => itemOf(row, operation.user_id));

/**
 * Prepares a lane, again and again where the service is away, until `ending` fires. Undefined: it cannot be, and its items
 * have failed.
 */
async function openLane<L>(
  run: Run,
  lane: Lane,
  ending: AbortSignal,
  open: () => Promise<L>,
): Promise<{ value: L } | undefined> {
  for (let attempt = 1; !ending.aborted; attempt += 1) {
    try {
      return { value: await open() };
    } catch (error) {
      if (ending.aborted) return undefined;
      const limited = error instanceof ProviderError && error.kind === 'rate_limited';
      const isOurs = isStorageTrouble(error);
      if (limited || isOurs) attempt -= 1;
      if (!isOurs && (!isPassing(error) || attempt >= run.patience.attempts)) {
        await failAll(run, lane.drain(), error);
        return undefined;
      }
      const pause = isOurs ? STORAGE_PAUSE_MS : limited ? ratePause(error) : pauseAfter(attempt, run.patience);
      await rest(pause, ending);
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
    if (error instanceof Waiting) return waitFor(run, lane, row, error);
    // What can be taken back is looked at then: of several calls the first may have arrived.
    if (isRefusal(error) && !run.rollback) forgetIntents(row, earlier);
    if (isCancelled(run) && (error instanceof Cancelled || isCut(run, error) || isPassing(error))) {
      await run.journal.write(row);
      lane.again(row, 0);
      return 'unknown';
    }
    return afterFailure(run, lane, row, error);
  }
}

async function waitFor(run: Run, lane: Lane, row: OperationItemRow, wait: Waiting): Promise<Outcome> {
  noteWait(row, wait);
  await run.journal.write(row);
  lane.again(row, Date.parse(row.not_before ?? '') - Date.now());
  // Whoever watches the operation is to see it.
  run.context.advance(0);
  return 'worked';
}

/** Looks at an act; one that has waited before is told where this is the last time. */
async function lookAt({ context }: Run, row: OperationItemRow, act: Act): Promise<Change | null> {
  const wait = waitOf(row);
  const isOver = context.cancelled.aborted || (wait?.act === act.name && Date.parse(wait.until) <= Date.now());
  try {
    const change = await act.look(isOver);
    row.waiting = null;
    return change;
  } catch (error) {
    if (!(error instanceof Waiting)) row.waiting = null;
    else if (isOver) throw new Error(`${act.name} waits though its time is over`, { cause: error });
    else error.act = act.name;
    throw error;
  }
}

/** The service said no, so what was begun in this try was not done. */
const isRefusal = (error: unknown): error is ProviderError =>
  error instanceof ProviderError && ['rate_limited', 'refused', 'credentials'].includes(error.kind);

/** Whether a failure may come from cutting what was under way. */
const isCut = ({ ending }: Run, error: unknown): boolean =>
  error === ending.reason || (error instanceof Error && error.name === 'AbortError');

/** Takes back the intents of this try; one of an earlier try, whose end was not heard, stays in doubt. */
function forgetIntents(row: OperationItemRow, earlier: string): void {
  const doubtful = new Set((JSON.parse(earlier) as StoredAct[]).map(({ name }) => name));
  const acts = notesOf(row).filter(({ name, state }) => state !== 'intent' || doubtful.has(name));
  row.acts = JSON.stringify(acts);
  row.state = acts.some(({ state }) => state === 'intent') ? 'intent' : 'queued';
}

async function afterFailure(run: Run, lane: Lane, row: OperationItemRow, error: unknown): Promise<Outcome> {
  if (isStorageTrouble(error)) {
    lane.pause(STORAGE_PAUSE_MS);
    lane.again(row, 0);
    return 'unknown';
  }
  if (!isPassing(error)) {
    if (await turnBack(run, lane, row, error)) return 'worked';
    await fail(run, row, error);
    if (error instanceof ProviderError && error.kind === 'credentials') await failAll(run, lane.drain(), error);
    return 'worked';
  }
  if (error.kind === 'rate_limited') {
    lane.pause(ratePause(error));
    setTimeout(noteLimit(ratePause(error)), ratePause(error)).unref();
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
  const said: Said = run.isSettling
    ? { key: 'operation.unclear' }
    : isGoingBack(row)
      ? { key: 'operation.not_taken_back' }
      : reason;
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
  const isStopped = run.context.cancelled;
  const note = async (act: Act, stored: StoredAct, own?: OwnRow): Promise<void> => {
    const index = notes.findIndex(({ name }) => name === act.name);
    if (index === -1) notes.push(stored);
    else notes[index] = stored;
    row.acts = JSON.stringify(notes);
    row.state = stored.state === 'intent' ? 'intent' : isLast(act) ? endOf(notes) : 'queued';
    await run.journal.write(row, own);
  };
  const done = (act: Act, images: Images): Promise<void> =>
    note(act, { name: act.name, state: 'done', ...images }, act.record?.(images.before, images.after));
  for (const act of acts) {
    // What was taken back is as if it had never been.
    const earlier = notes.find(({ name, state }) => name === act.name && state !== 'undone');
    // One whose taking back has not ended may be there or not, as one that was begun.
    if (earlier && earlier.state !== 'intent' && earlier.state !== 'undoing') continue;
    if (run.rollback && isStopped.aborted) refuseIfEarly(run.rollback, notes);
    if (isCancelled(run)) throw new Cancelled();
    if (earlier && act.class === 'unsafe') throw new AppError('conflict', 'operation.unclear');
    const point = (when: string): void => crashPoint(`${run.context.operation.kind}:${act.name}:${when}`);
    const change = await lookAt(run, row, act);
    if (change && run.rollback && isStopped.aborted) refuseIfNotYet(run.rollback, act);
    if (!change) {
      // It was begun, and it has arrived: its end alone was not heard.
      if (earlier) await done(act, imagesIn(earlier));
      else await note(act, { name: act.name, state: 'noop' });
      if (earlier) point('after-done');
      continue;
    }
    if (isCancelled(run)) throw new Cancelled();
    const images = imagesOf(act, earlier, change);
    point('before-intent');
    const kept = act.keep?.(images.before, images.after, true);
    await note(act, { name: act.name, state: 'intent', ...images }, kept);
    // Given up before that commit, the act is not made.
    if (isCancelled(run)) throw new Cancelled();
    if (run.rollback && isStopped.aborted) {
      refuseIfNotYet(run.rollback, act);
      refuseIfEarly(run.rollback, notes);
    }
    point('after-intent');
    await change.perform();
    point('after-call');
    await done(act, images);
    point('after-done');
  }
  if (acts.length === 0) {
    row.state = 'noop';
    await run.journal.write(row);
  }
}

/** What was there before the first try is what an undo gives back, and all that any try may have put there. */
function imagesOf(act: Act, earlier: StoredAct | undefined, change: Change): Images {
  const left = imagesIn(change);
  if (!earlier) return left;
  return { ...left, ...(act.merge?.(imagesIn(earlier), left) ?? { before: earlier.before }) };
}

const imagesIn = ({ before, after, on }: Images | StoredAct): Images => ({
  before,
  after,
  ...(on !== undefined && { on }),
});
