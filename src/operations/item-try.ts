import { noteLimit } from '../lib/waits.ts';
import type { OperationItemRow } from '../shared/operations/tables.ts';
import { ProviderError } from '../providers/provider-error.ts';
import type { Message } from '../shared/i18n/index.ts';
import type { StoredAct } from '../shared/operations.ts';
import { AppError } from '../shared/errors.ts';
import { isStorageTrouble, noteTrouble, messageFor } from './failure.ts';
import { Cancelled, isCancelled, type Run } from './item-run.ts';
import { LostWork } from './journal.ts';
import { isInDoubt, notesOf, setError, setNotes } from './notes.ts';
import { pauseAfter, ratePause, type ItemQueue, type Outcome } from './item-queue.ts';
import { canGoBack, isGoingBack } from './rollback.ts';
import { settle, type Settling } from './settle.ts';
import { noteWait, Waiting } from './waiting.ts';

// Pause of a lane while our own database cannot be written: no call goes out meanwhile.
export const STORAGE_PAUSE_MS = 1000;

/** Tries an item once, by `work`. Expected failures are stored in its row; throws on a bug, and LostWork. */
export async function tryItem(
  run: Run,
  lane: ItemQueue,
  row: OperationItemRow,
  work: () => Promise<void>,
): Promise<Outcome> {
  const { acts: earlier } = row;
  try {
    await work();
    run.context.advance(1, row.state === 'failed' ? 1 : 0);
    tell(run, row, row.error === null ? undefined : (JSON.parse(row.error) as Message));
    return 'worked';
  } catch (error) {
    if (run.context.signal.aborted && !(error instanceof LostWork)) return 'unknown';
    // With a rollback the intents are kept and looked at there: of an act's several calls the first may have taken effect.
    if (isRefusal(error) && !run.rollback) forgetIntents(row, earlier);
    if (error instanceof Waiting && error.isOver) return afterFailure(run, lane, row, error.cause);
    if (error instanceof Waiting) return waitFor(run, lane, row, error);
    if (isCancelled(run) && (error instanceof Cancelled || isCut(run, error) || isPassing(error))) {
      await run.journal.write(row);
      lane.again(row, 0);
      return 'unknown';
    }
    return afterFailure(run, lane, row, error);
  }
}

/** Looks once how the begun acts of an item ended. Expected failures are stored in its row; throws on a bug, and LostWork. */
export async function trySettle(
  run: Run,
  lane: ItemQueue,
  row: OperationItemRow,
  settling: () => Settling,
): Promise<Outcome> {
  try {
    await settle(run.journal, row, settling());
    run.context.advance(row.state === 'cancelled' ? 0 : 1, row.state === 'failed' ? 1 : 0);
    tell(run, row, row.error === null ? undefined : (JSON.parse(row.error) as Message));
    return 'worked';
  } catch (error) {
    if (run.context.signal.aborted && !(error instanceof LostWork)) return 'unknown';
    return afterFailure(run, lane, row, error);
  }
}

async function waitFor(run: Run, lane: ItemQueue, row: OperationItemRow, wait: Waiting): Promise<Outcome> {
  noteWait(row, wait);
  await run.journal.write(row);
  lane.again(row, Date.parse(row.not_before ?? '') - Date.now());
  // Publishes the wait to those who watch the operation.
  run.context.advance(0);
  return 'worked';
}

/** Whether a retry may succeed: the service was away, answered nonsense or limited the rate. */
export const isPassing = (error: unknown): error is ProviderError =>
  error instanceof ProviderError && ['rate_limited', 'unavailable', 'malformed'].includes(error.kind);

/** Whether the service refused, if only as too early, so that the act begun in this try had no effect. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Waiting
    ? error.cause !== undefined
    : error instanceof ProviderError && ['rate_limited', 'refused', 'credentials'].includes(error.kind);

/** Whether a failure may come from our own abort of a call. */
const isCut = ({ ending }: Run, error: unknown): boolean =>
  error === ending.reason || (error instanceof Error && error.name === 'AbortError');

/** Removes the intents of this try. Intents of an earlier try, whose end is not known, stay. */
function forgetIntents(row: OperationItemRow, earlier: string): void {
  const doubtful = new Set((JSON.parse(earlier) as StoredAct[]).map(({ name }) => name));
  const acts = notesOf(row).filter(({ name, state }) => state !== 'intent' || doubtful.has(name));
  setNotes(row, acts);
  row.state = isInDoubt(row) ? 'intent' : 'queued';
}

async function afterFailure(run: Run, lane: ItemQueue, row: OperationItemRow, error: unknown): Promise<Outcome> {
  if (isStorageTrouble(error)) {
    noteTrouble(error, STORAGE_PAUSE_MS);
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

/** Starts the rollback of an item that cannot go on; false if it cannot be rolled back or the error is a bug. */
async function turnBack(run: Run, lane: ItemQueue, row: OperationItemRow, error: unknown): Promise<boolean> {
  const message = messageFor(error);
  if (!message || !run.rollback || !canGoBack(run.rollback, row)) return false;
  setError(row, message);
  Object.assign(row, { state: 'intent', attempt: 0, not_before: null });
  await run.journal.write(row);
  lane.again(row, 0);
  return true;
}

async function fail(run: Run, row: OperationItemRow, error: unknown): Promise<void> {
  const reason = messageFor(error);
  if (!reason) throw error;
  const message: Message =
    run.isSettling && (isInDoubt(row) || !(error instanceof AppError))
      ? { key: 'operation.unclear' }
      : isGoingBack(row)
        ? { key: 'operation.not_taken_back' }
        : reason;
  row.state = 'failed';
  setError(row, message);
  await run.journal.write(row);
  run.context.advance(1, 1);
  tell(run, row, message);
}

/** Ends items as failed. Rethrows `error` if it is a bug. */
export const failAll = async (run: Run, rows: OperationItemRow[], error: unknown): Promise<void> => {
  await Promise.all(rows.map((row) => fail(run, row, error)));
};

const tell = ({ context }: Run, { item, state }: OperationItemRow, error?: Message): void =>
  context.item({ item, state, error });
