import type { OperationRow } from '../shared/operations/tables.ts';
import { AppError } from '../shared/errors.ts';
import { measure } from '../lib/measures.ts';
import { inSpan } from '../lib/tracing/spans.ts';
import { withWaits } from '../lib/waits.ts';
import type { Message } from '../shared/i18n/index.ts';
import { isFinal, type StoredStep } from '../shared/operations.ts';
import { isStorageTrouble } from '../lib/database-trouble.ts';
import { actForAsker } from './audit.ts';
import { endOf, type End } from './ending.ts';
import type { Flow, FlowStep, StepContext } from './flow.ts';
import { patiently } from './failure.ts';
import { LostWork } from './journal.ts';
import { claim, endingOf, operationRow, save, type Kinds } from './lease.ts';

// A heartbeat also reads the request to cancel: it bounds how long a cancellation goes unnoticed.
const HEARTBEAT_MS = 2_000;
const SAVE_EVERY_MS = 500;

/**
 * Observer of an operation that runs in this process. `signal` stops the run and puts the work back into the queue. `byPerson`: a person has
 * it run here, who goes on with what a person has stopped; what `signal` stops waits for a person then.
 */
export interface Watcher {
  byPerson?: true;
  onItem?: (item: object) => void;
  onProgress?: (operation: OperationRow) => void;
  signal?: AbortSignal;
}

const flows = new Map<string, Flow>();

/** Registers the kinds of work that this process can run. Call once at start, before any operation runs. */
export function registerFlows(list: readonly Flow[]): void {
  for (const flow of list) flows.set(flow.kind, flow);
}

/** Returns the flow of a kind. Throws AppError `unavailable` for a kind that this version does not know. */
export function flowOf(kind: string): Flow {
  const flow = flows.get(kind);
  if (!flow) throw new AppError('unavailable', 'operation.unknown_kind', { kind });
  return flow;
}

/** The kinds of work that this process knows. */
export const knownKinds = (): Kinds => flows;

/** Whether work of a kind can be restored; false for a kind that this process does not know. */
export const canRestore = (kind: string): boolean => flows.get(kind)?.items?.undo !== undefined;

/** The end of work in which something threw that nobody expects. */
export const BROKEN: End = {
  state: 'failed',
  message: JSON.stringify({ key: 'operation.broken' } satisfies Message),
};

interface Keeper {
  touch: () => void;
  /** Saves at once. */
  write: () => void;
  stop: () => Promise<void>;
}

/** Saves progress and renews the lease at intervals. Aborts `lost` when another process took over, `cancelled` on a request to cancel. */
function keepSaved(operation: OperationRow, lost: AbortController, cancelled: AbortController): Keeper {
  let saved = performance.now();
  let dirty = false;
  let saving: Promise<void> = Promise.resolve();
  const writeAfter = async (previous: Promise<void>): Promise<void> => {
    await previous;
    try {
      const { held, cancel } = await save(operation, false);
      if (!held) lost.abort();
      else if (cancel) cancelled.abort();
    } catch (error) {
      // A storage failure does not mean that the lease is lost: the next commit tells.
      if (!isStorageTrouble(error)) lost.abort();
    }
  };
  const write = (): void => {
    dirty = false;
    saved = performance.now();
    saving = writeAfter(saving);
  };
  const timer = setInterval(() => {
    if (dirty || performance.now() - saved >= HEARTBEAT_MS) write();
  }, SAVE_EVERY_MS);
  return {
    touch: () => {
      dirty = true;
    },
    write,
    stop: async () => {
      clearInterval(timer);
      await saving;
    },
  };
}

/**
 * Marks work as stopped by a person as soon as `signal` fires: the process may be killed before the work has come to a point at which it can be
 * put back. Returns a function that ends the watch.
 */
function markStopped(operation: OperationRow, keeper: Keeper, signal: AbortSignal | undefined): () => void {
  const mark = (): void => {
    operation.stopped = 1;
    keeper.write();
  };
  if (signal?.aborted) operation.stopped = 1;
  signal?.addEventListener('abort', mark);
  return () => signal?.removeEventListener('abort', mark);
}

// Ids of the operations that this process has begun and not ended.
const begun = new Set<number>();

/**
 * Runs an operation to its end in this process, from where it was left. Throws `busy` if another process holds it, or this one has
 * begun it already.
 * When `signal` fires, the work is put back into the queue, with what it has done kept. An unexpected error of a step
 * ends the operation as failed and is thrown.
 */
export async function runOperation(id: number, watcher: Watcher = {}): Promise<OperationRow> {
  const queued = await operationRow(id);
  const { kind, trace } = queued;
  const facts = { 'seo_admin.operation': id, 'seo_admin.kind': kind };
  return inSpan({ name: `operation ${kind}`, kind: 'consumer', facts, parent: trace }, async (span) => {
    const ended = await actForAsker(queued, () => runOnce(queued, watcher));
    span.set({ 'seo_admin.state': ended.state });
    if (ended.state === 'failed') span.fail();
    return ended;
  });
}

async function runOnce(queued: OperationRow, watcher: Watcher): Promise<OperationRow> {
  const { id } = queued;
  if (begun.has(id)) return run(queued, watcher, true);
  begun.add(id);
  try {
    return await run(queued, watcher, false);
  } finally {
    begun.delete(id);
  }
}

async function run(queued: OperationRow, watcher: Watcher, isBegun: boolean): Promise<OperationRow> {
  const { id } = queued;
  const flow = flowOf(queued.kind);
  // Before the claim: an unknown kind throws here, and the work stays queued for a process that knows it.
  const steps = flow.steps(queued);
  const operation = await claim(id, { isOurs: !isBegun, byPerson: watcher.byPerson === true });
  const lost = new AbortController();
  const cancelled = new AbortController();
  // The cancellation may have been requested while no process held the work.
  if ((await endingOf(id)) !== null) cancelled.abort();
  const stopping = AbortSignal.any([lost.signal, ...(watcher.signal ? [watcher.signal] : [])]);
  const signal = flow.byItems ? stopping : AbortSignal.any([stopping, cancelled.signal]);
  const stored = storedSteps(operation, steps);
  operation.total = await flow.total(operation);
  const keeper = keepSaved(operation, lost, cancelled);
  const unmark = watcher.byPerson ? markStopped(operation, keeper, watcher.signal) : undefined;
  const changed = (): void => {
    operation.steps = JSON.stringify(stored);
    keeper.touch();
    watcher.onProgress?.(operation);
  };
  const waits = (until: Date | null): void => {
    operation.waits_until = until?.toISOString() ?? null;
    changed();
  };
  const context: StepContext = {
    operation,
    signal,
    cancelled: cancelled.signal,
    giveUp: () => cancelled.abort(),
    advance: (done, failed = 0) => {
      operation.done += done;
      operation.failed += failed;
      changed();
    },
    item: (item) => watcher.onItem?.(item),
  };
  let ended: Partial<End> = {};
  try {
    await withWaits(waits, () => runSteps(steps, stored, context, changed));
    if (stopping.aborted) ended = { state: 'queued' };
    else ended = await patiently(() => endOf(flow, operation, stored, cancelled.signal.aborted), stopping);
  } catch (error) {
    if (error instanceof LostWork) return operation;
    ended = BROKEN;
    throw error;
  } finally {
    // Only now: what the keeper saves has not ended, whatever was found out of its end.
    unmark?.();
    await keeper.stop();
    Object.assign(operation, ended, { waits_until: null, steps: JSON.stringify(stored) });
    if (isFinal(operation.state)) Object.assign(operation, { finished_at: new Date().toISOString(), stopped: 0 });
    await patiently(() => save(operation, true, flow.tells), stopping);
    if (isFinal(operation.state)) measure('operation', { kind: operation.kind, state: operation.state });
    watcher.onProgress?.(operation);
  }
  return operation;
}

/** Merges the flow's steps with the stored ones: succeeded steps stay, with their counts, the others start anew. Sets the operation's counts. */
function storedSteps(operation: OperationRow, steps: FlowStep[]): StoredStep[] {
  const before = JSON.parse(operation.steps) as StoredStep[];
  const stored = steps.map(({ name, again }, index) => {
    const earlier = before[index];
    return earlier?.state === 'succeeded'
      ? earlier
      : ({ name, state: 'queued', done: 0, failed: 0, ...(again && { again }) } satisfies StoredStep);
  });
  operation.done = stored.reduce((sum, step) => sum + step.done, 0);
  operation.failed = stored.reduce((sum, step) => sum + step.failed, 0);
  return stored;
}

async function runSteps(
  steps: FlowStep[],
  stored: StoredStep[],
  context: StepContext,
  changed: () => void,
): Promise<void> {
  const { operation, signal, cancelled } = context;
  for (const [index, step] of steps.entries()) {
    const note = stored[index];
    if (!note || note.state === 'succeeded') continue;
    if (signal.aborted) return;
    // The first step works the items: it still runs, to settle what was begun.
    if (cancelled.aborted && index > 0 && !step.always) continue;
    const before = { done: operation.done, failed: operation.failed };
    note.state = 'running';
    changed();
    const { error, held, ...said } = await patiently(() => {
      Object.assign(operation, before);
      return step.run(context);
    }, signal);
    if (signal.aborted) return;
    note.state = error ? 'failed' : held ? 'held' : 'succeeded';
    Object.assign(note, error ? { error } : said);
    if (held) operation.held = JSON.stringify(held);
    note.done = operation.done - before.done;
    note.failed = operation.failed - before.failed;
    changed();
  }
}
