import { setMaxListeners } from 'node:events';
import { inSpan } from '../lib/tracing/spans.ts';
import { noteLimit } from '../lib/waits.ts';
import type { OperationItemRow } from '../shared/operations/tables.ts';
import { ProviderError } from '../providers/provider-error.ts';
import { isStorageTrouble, noteTrouble } from './failure.ts';
import { itemOf, type FlowStep, type ItemWork, type Patience, type StepContext, type StepOutcome } from './flow.ts';
import { runActs } from './item-acts.ts';
import { firesAfter, isCancelled, itemsOf, untilCancelled, type Run } from './item-run.ts';
import { failAll, isPassing, STORAGE_PAUSE_MS, tryItem, trySettle } from './item-try.ts';
import { itemQueueOf, pauseAfter, ratePause, rest, type ItemQueue, type Outcome } from './item-queue.ts';
import { listItemRows } from './item-rows.ts';
import { journalOf } from './journal.ts';
import { isInDoubt } from './notes.ts';
import { isGoingBack, takeBack } from './rollback.ts';
import { settlingOf } from './settle.ts';
import { waitOf } from './waiting.ts';

const AT_ONCE = 4;
// Tries while settling. Somebody waits for the cancellation to end: what can't be looked at in about half a minute stays in doubt.
const SETTLING = 5;
// Somebody waits as well for the proof of what was given back.
const SOON_MS = 5_000;

/** The name of the step that works an operation's items. */
export const ITEM_STEP = 'items';

/** Retries of work that declares no `patience`. */
export const USUAL_PATIENCE: Patience = { attempts: 12, firstPauseMs: 1000, longestPauseMs: 300_000 };

let usual = USUAL_PATIENCE;

/** Sets the first pause of work that declares no `patience`, in this process: tests in which services fail need not wait for seconds. */
export function setFirstPause(firstPauseMs: number): void {
  usual = { ...USUAL_PATIENCE, firstPauseMs };
}

/**
 * Makes the step that works an operation's items, each lane on its own. Each act is committed before it is performed
 * (`intent`) and after (`done`), so that after a crash every act in doubt can be looked up. A bug in one lane stops the
 * others and is thrown.
 */
export function itemStep(work: ItemWork): FlowStep {
  return { name: ITEM_STEP, run: (context) => runItems(work, context) };
}

async function runItems(work: ItemWork, context: StepContext): Promise<StepOutcome> {
  const rows = await listItemRows(context.operation.id);
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
  const ending = work.rollback ? signal : AbortSignal.any([signal, context.cancelled]);
  const late = firesAfter(context.cancelled, SOON_MS);
  // Every lane that waits listens: Node would take more than ten for a leak.
  setMaxListeners(0, signal, ending, late, context.cancelled);
  const run: Run = {
    context: { ...context, signal },
    journal: journalOf(context.operation, signal, context.giveUp),
    patience: work.patience ?? usual,
    rollback: work.rollback,
    ending,
    late,
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

/** Whether the end of what an item has begun is not told yet. */
const hasOpenEnd = (row: OperationItemRow): boolean => isInDoubt(row) || waitOf(row)?.tellsEnd === true;

/** Works through the items of a lane; on a cancellation settles those that are in doubt. */
async function runLane(run: Run, work: ItemWork, name: string, rows: OperationItemRow[]): Promise<void> {
  const lane = itemQueueOf(rows, run.patience);
  if (!run.ending.aborted) await workLane(run, work, name, lane, rows);
  if (isCancelled(run)) await settleLane(run, work, name, lane.drain().filter(hasOpenEnd));
}

/** One try of an item, by its number in the journal: its name is a customer's. */
const inItemSpan = (row: OperationItemRow, work: () => Promise<Outcome>): Promise<Outcome> =>
  inSpan({ name: 'item', facts: { 'seo_admin.item': row.id }, partOnly: true }, async (span) => {
    const outcome = await work();
    span.set({ 'seo_admin.outcome': outcome, 'seo_admin.state': row.state });
    if (row.state === 'failed') span.fail();
    return outcome;
  });

/** Works through the items of a lane, until all have ended or `run.ending` fires. */
async function workLane(
  run: Run,
  work: ItemWork,
  name: string,
  lane: ItemQueue,
  rows: OperationItemRow[],
): Promise<void> {
  const { operation } = run.context;
  const input: unknown = JSON.parse(operation.input);
  const { kind, user_id } = operation;
  const cut = work.isCut ? run.ending : run.context.signal;
  const opened = await openLane(run, lane, run.ending, () =>
    untilCancelled(run, () => work.open(name, itemsOf(run, rows), cut)),
  );
  if (!opened) return;
  const workOnNext = async (): Promise<boolean> => {
    const row = await lane.next(run.ending, () => run.context.cancelled.aborted);
    if (!row) return false;
    let outcome: Outcome = 'unknown';
    try {
      outcome = await inItemSpan(row, () =>
        tryItem(run, lane, row, () =>
          isGoingBack(row)
            ? takeBack(
                kind,
                run.journal,
                row,
                (act) => work.rollback?.undo(itemOf(row, user_id), opened.value, act) ?? null,
              )
            : runActs(run, row, work.acts(itemOf(row, user_id), opened.value, input)),
        ),
      );
    } finally {
      lane.settle(outcome);
    }
    return true;
  };
  const worker = async (): Promise<void> => {
    while (await workOnNext());
  };
  try {
    // One item alone before the others: a wrong key costs a single call.
    await workOnNext();
    await Promise.all(Array.from({ length: work.atOnce ?? AT_ONCE }, worker));
  } finally {
    await work.close?.(opened.value);
  }
}

/** Looks up how the begun acts of each item ended, until that is known or the item's tries are used up. */
async function settleLane(run: Run, work: ItemWork, name: string, rows: OperationItemRow[]): Promise<void> {
  if (rows.length === 0) return;
  const { signal, operation } = run.context;
  const input: unknown = JSON.parse(operation.input);
  const patience: Patience = { ...run.patience, attempts: Math.min(run.patience.attempts, SETTLING) };
  const patient: Run = { ...run, patience, isSettling: true };
  for (const row of rows) Object.assign(row, { attempt: 0, not_before: null });
  const lane = itemQueueOf(rows, patience);
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

/**
 * Opens a lane; retries while the service or our storage is away. Returns undefined once `ending` has fired, or if the lane
 * cannot be opened: then its items have failed.
 */
async function openLane<L>(
  run: Run,
  lane: ItemQueue,
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
      if (isOurs) noteTrouble(error, STORAGE_PAUSE_MS);
      if (!isOurs && (!isPassing(error) || attempt >= run.patience.attempts)) {
        await failAll(run, lane.drain(), error);
        return undefined;
      }
      const pause = isOurs ? STORAGE_PAUSE_MS : limited ? ratePause(error) : pauseAfter(attempt, run.patience);
      const end = limited ? noteLimit(pause) : undefined;
      await rest(pause, ending);
      end?.();
    }
  }
  return undefined;
}
