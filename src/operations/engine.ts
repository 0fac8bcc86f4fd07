import { transaction } from '../../db/index.ts';
import type { Said } from '../shared/i18n/index.ts';
import { isFinal, type OperationRow, type OperationState, type StoredStep } from '../shared/operations.ts';
import type { Flow, FlowStep, StepContext } from './flow.ts';
import { claim, save } from './lease.ts';
import { cancelItems } from './queue.ts';

// Often enough that somebody who cancels sees it end.
const HEARTBEAT_MS = 2_000;
const SAVE_EVERY_MS = 500;

/** Who watches an operation that runs in this process. */
export interface Watcher {
  onItem?: (item: object) => void;
  onProgress?: (operation: OperationRow) => void;
  signal?: AbortSignal;
}

const flows = new Map<string, Flow>();

/** Makes the kinds of work known. Called once at start, by whatever runs operations. */
export function registerFlows(list: Flow[]): void {
  for (const flow of list) flows.set(flow.kind, flow);
}

/** The flow of a kind. */
export function flowOf(kind: string): Flow {
  const flow = flows.get(kind);
  if (!flow) throw new Error(`no flow of kind ${kind}`);
  return flow;
}

/** The kinds of work that wait behind no other. */
export const urgentKinds = (): string[] => [...flows.values()].filter(({ urgent }) => urgent).map(({ kind }) => kind);

/** Whether work of a kind can be taken back; of one that this process does not know it cannot. */
export const canRestore = (kind: string): boolean => flows.get(kind)?.items?.undo !== undefined;

interface Keeper {
  touch: () => void;
  stop: () => Promise<void>;
  isCancelled: () => boolean;
}

/**
 * Saves progress now and then and keeps the lease; `end` is called when the work was taken away, and when it was cancelled
 * unless it `endsItself`.
 */
function keepSaved(operation: OperationRow, endsItself: boolean, end: () => void): Keeper {
  let saved = Date.now();
  let dirty = false;
  // Somebody may have asked while nobody held the work.
  let cancelled = operation.cancel_requested === 1;
  let saving: Promise<void> = Promise.resolve();
  const writeAfter = async (previous: Promise<void>): Promise<void> => {
    await previous;
    try {
      const { held, cancel } = await save(operation, false);
      cancelled ||= held && cancel;
      if (!held || (cancel && !endsItself)) end();
    } catch {
      end();
    }
  };
  const write = (): void => {
    dirty = false;
    saved = Date.now();
    saving = writeAfter(saving);
  };
  const timer = setInterval(() => {
    if (dirty || Date.now() - saved >= HEARTBEAT_MS) write();
  }, SAVE_EVERY_MS);
  return {
    touch: () => {
      dirty = true;
    },
    stop: async () => {
      clearInterval(timer);
      await saving;
    },
    isCancelled: () => cancelled,
  };
}

function endState(steps: StoredStep[], { total, failed }: OperationRow): OperationState {
  if (steps.every(({ state }) => state === 'failed') || (total > 0 && failed === total)) return 'failed';
  if (!steps.every(({ state }) => state === 'succeeded')) return 'partial';
  return failed > 0 ? 'partial' : 'succeeded';
}

/** Work that could no longer turn round when it was cancelled has come to its end instead. */
const hasGoneOn = (steps: StoredStep[], operation: OperationRow): boolean => endState(steps, operation) === 'succeeded';

/** What was asked to be given up is: its items that were not begun with it. */
async function endCancelled(operation: OperationRow): Promise<void> {
  operation.state = 'cancelled';
  operation.message = JSON.stringify({ key: 'operation.cancelled' } satisfies Said);
  await transaction(() => cancelItems(operation.id));
}

/**
 * Runs an operation to its end in this process, from where it was left. Throws `busy` where another process holds it.
 * When `signal` fires, the work is put back into the queue, with what it has done kept. An unexpected error of a step
 * ends the operation as failed and is thrown.
 */
export async function runOperation(id: number, watcher: Watcher = {}): Promise<OperationRow> {
  const operation = await claim(id);
  const flow = flowOf(operation.kind);
  const abort = new AbortController();
  const endsItself = flow.items?.rollback !== undefined;
  if (operation.cancel_requested === 1 && !endsItself) abort.abort();
  const signal = watcher.signal ? AbortSignal.any([abort.signal, watcher.signal]) : abort.signal;
  const steps = flow.steps(operation);
  const stored = storedSteps(operation, steps);
  operation.total = await flow.total(operation);
  const keeper = keepSaved(operation, endsItself, () => abort.abort());
  const changed = (): void => {
    operation.steps = JSON.stringify(stored);
    keeper.touch();
    watcher.onProgress?.(operation);
  };
  const context: StepContext = {
    operation,
    signal,
    isCancelled: keeper.isCancelled,
    advance: (done, failed = 0) => {
      operation.done += done;
      operation.failed += failed;
      changed();
    },
    item: (item) => watcher.onItem?.(item),
  };
  try {
    await runSteps(steps, stored, context, changed);
    const isLeft = endsItself && (signal.aborted || hasGoneOn(stored, operation));
    if (keeper.isCancelled() && !isLeft) await endCancelled(operation);
    else operation.state = signal.aborted ? 'queued' : endState(stored, operation);
    if (isFinal(operation.state) && operation.state !== 'cancelled') {
      operation.message = JSON.stringify(await flow.finished(operation));
    }
  } catch (error) {
    operation.state = 'failed';
    operation.message = JSON.stringify({ key: 'operation.broken' } satisfies Said);
    throw error;
  } finally {
    await keeper.stop();
    operation.steps = JSON.stringify(stored);
    if (isFinal(operation.state)) operation.finished_at = new Date().toISOString();
    await save(operation, true);
    watcher.onProgress?.(operation);
  }
  return operation;
}

/** The steps as they stand: those of an earlier run that are done stay so, and the counts with them. */
function storedSteps(operation: OperationRow, steps: FlowStep[]): StoredStep[] {
  const before = JSON.parse(operation.steps) as StoredStep[];
  const stored = steps.map(({ name }, index) => {
    const earlier = before[index];
    return earlier?.state === 'succeeded'
      ? earlier
      : ({ name, state: 'queued', done: 0, failed: 0 } satisfies StoredStep);
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
  const { operation, signal } = context;
  for (const [index, step] of steps.entries()) {
    const note = stored[index];
    if (!note || note.state === 'succeeded') continue;
    if (signal.aborted) return;
    const before = { done: operation.done, failed: operation.failed };
    note.state = 'running';
    changed();
    const { error, held } = await step.run(context);
    if (signal.aborted) return;
    note.state = error ? 'failed' : held ? 'held' : 'succeeded';
    if (error) note.error = error;
    if (held) operation.held = JSON.stringify(held);
    note.done = operation.done - before.done;
    note.failed = operation.failed - before.failed;
    changed();
  }
}
