import { randomUUID } from 'node:crypto';
import { execute, select, transaction } from '../../db/index.ts';
import { AppError, notFound } from '../shared/errors.ts';
import type { Said } from '../shared/i18n/index.ts';
import { isFinal, type Held, type OperationRow, type OperationState, type StoredStep } from '../shared/operations.ts';

// A process that died is taken for dead after this; one that lives says so three times as often.
const LEASE_MS = 30_000;
const HEARTBEAT_MS = 10_000;
const SAVE_EVERY_MS = 500;

/** What a step learns and says while it runs. Progress is saved now and then, not at every call. */
export interface StepContext {
  operation: OperationRow;
  signal: AbortSignal;
  /** Adds to the count of what was worked on, and of what of it could not be done. */
  advance: (done: number, failed?: number) => void;
  /** A result, for whoever runs the operation in the foreground. */
  item: (item: object) => void;
}

/** How a step ended besides well: with an error that leaves the others their turn, or held for a person. */
export interface StepOutcome {
  error?: Said;
  held?: Held;
}

/** One step of a flow. It may run again after a crash, so it leaves out what it has done. */
export interface FlowStep {
  name: string;
  run: (context: StepContext) => Promise<StepOutcome>;
}

/** A kind of long work. `steps` and `total` are asked when it begins; `finished` says how it went, in one sentence. */
export interface Flow {
  kind: string;
  steps: (operation: OperationRow) => FlowStep[];
  total: (operation: OperationRow) => Promise<number>;
  finished: (operation: OperationRow) => Said;
}

/** Who watches an operation that runs in this process. */
export interface Watcher {
  onItem?: (item: object) => void;
  onProgress?: (operation: OperationRow) => void;
  signal?: AbortSignal;
}

const flows = new Map<string, Flow>();
const owner = `${process.pid}-${randomUUID()}`;
let wake: () => void = () => undefined;

/** Makes the kinds of work known. Called once at start, by whatever runs operations. */
export function registerFlows(list: Flow[]): void {
  for (const flow of list) flows.set(flow.kind, flow);
}

/** Calls `listener` when work was queued in this process, so that it does not wait for the next look. */
export function onQueued(listener: () => void): void {
  wake = listener;
}

const now = (): string => new Date().toISOString();
const leaseEnd = (): string => new Date(Date.now() + LEASE_MS).toISOString();

/** What is asked for. `subject` names the work: the same kind and subject run once at a time. */
export interface Request {
  kind: string;
  subject: string;
  user_id: number | null;
  input: object;
  message: Said;
}

/**
 * Queues work and returns its id, or that of the same work if it is queued or running already. With `here` the work is
 * meant for this process, which then calls `runOperation`: no other one takes it while this lives.
 */
export async function enqueue(request: Request, here = false): Promise<{ id: number; started: boolean }> {
  const result = await transaction(async () => {
    const [same] = await select<{ id: number }>(
      `SELECT id FROM operations WHERE kind = $kind AND subject = $subject AND state IN ('queued', 'running')`,
      { kind: request.kind, subject: request.subject },
    );
    if (same) return { id: same.id, started: false };
    await execute(
      `INSERT INTO operations (kind, subject, user_id, input, state, steps, message, lease_owner, lease_until, created_at)
       VALUES ($kind, $subject, $user, $input, 'queued', '[]', $message, $owner, $until, $now)`,
      {
        kind: request.kind,
        subject: request.subject,
        user: request.user_id,
        input: JSON.stringify(request.input),
        message: JSON.stringify(request.message),
        owner: here ? owner : null,
        until: here ? leaseEnd() : null,
        now: now(),
      },
    );
    const [row] = await select<{ id: number }>('SELECT last_insert_rowid() AS id');
    return { id: row?.id ?? 0, started: true };
  });
  if (!here) wake();
  return result;
}

/** The stored row. Throws `not_found`. */
export async function operationRow(id: number): Promise<OperationRow> {
  const [row] = await select<OperationRow>('SELECT * FROM operations WHERE id = $id', { id });
  if (!row) throw notFound();
  return row;
}

/** The oldest work that nobody holds, or null. */
export async function nextQueued(): Promise<number | null> {
  const [row] = await select<{ id: number }>(
    `SELECT id FROM operations WHERE state IN ('queued', 'running') AND (lease_until IS NULL OR lease_until < $now) ORDER BY id LIMIT 1`,
    { now: now() },
  );
  return row?.id ?? null;
}

/** Takes the work over: from then on commits of an earlier holder are refused by the fence. */
async function claim(id: number): Promise<OperationRow> {
  return transaction(async () => {
    const taken = await execute(
      `UPDATE operations SET state = 'running', lease_owner = $owner, lease_until = $until, fence = fence + 1
       WHERE id = $id AND state IN ('queued', 'running') AND (lease_until IS NULL OR lease_until < $now OR lease_owner = $owner)`,
      { id, owner, until: leaseEnd(), now: now() },
    );
    const row = await operationRow(id);
    if (taken === 0) throw new AppError('busy', 'operation.busy', { id });
    return row;
  });
}

/** Writes what changed under the fence. False: the work is somebody else's by now. */
async function save(operation: OperationRow, final: boolean): Promise<boolean> {
  const changed = await transaction(() =>
    execute(
      `UPDATE operations SET state = $state, total = $total, done = $done, failed = $failed, steps = $steps, message = $message,
         held = $held, lease_owner = $owner, lease_until = $until, finished_at = $finished
       WHERE id = $id AND fence = $fence`,
      {
        id: operation.id,
        fence: operation.fence,
        state: operation.state,
        total: operation.total,
        done: operation.done,
        failed: operation.failed,
        steps: operation.steps,
        message: operation.message,
        held: operation.held,
        owner: final ? null : owner,
        until: final ? null : leaseEnd(),
        finished: operation.finished_at,
      },
    ),
  );
  return changed > 0;
}

/** Saves progress now and then and keeps the lease; `lost` is called when the work was taken away. */
function keepSaved(operation: OperationRow, lost: () => void): { touch: () => void; stop: () => Promise<void> } {
  let saved = Date.now();
  let dirty = false;
  let saving: Promise<void> = Promise.resolve();
  const writeAfter = async (previous: Promise<void>): Promise<void> => {
    await previous;
    try {
      if (!(await save(operation, false))) lost();
    } catch {
      lost();
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
  };
}

function endState(steps: StoredStep[], failed: number): OperationState {
  if (steps.every(({ state }) => state === 'succeeded')) return failed > 0 ? 'partial' : 'succeeded';
  return steps.every(({ state }) => state === 'failed') ? 'failed' : 'partial';
}

/**
 * Runs an operation to its end in this process, from where it was left. Throws `busy` where another process holds it.
 * When `signal` fires, the work is put back into the queue, with what it has done kept. An unexpected error of a step
 * ends the operation as failed and is thrown.
 */
export async function runOperation(id: number, watcher: Watcher = {}): Promise<OperationRow> {
  const operation = await claim(id);
  const flow = flows.get(operation.kind);
  if (!flow) throw new Error(`no flow of kind ${operation.kind}`);
  const abort = new AbortController();
  const signal = watcher.signal ? AbortSignal.any([abort.signal, watcher.signal]) : abort.signal;
  const steps = flow.steps(operation);
  const stored = storedSteps(operation, steps);
  operation.total = await flow.total(operation);
  const keeper = keepSaved(operation, () => abort.abort());
  const changed = (): void => {
    operation.steps = JSON.stringify(stored);
    keeper.touch();
    watcher.onProgress?.(operation);
  };
  const context: StepContext = {
    operation,
    signal,
    advance: (done, failed = 0) => {
      operation.done += done;
      operation.failed += failed;
      changed();
    },
    item: (item) => watcher.onItem?.(item),
  };
  try {
    await runSteps(steps, stored, context, changed);
    operation.state = signal.aborted ? 'queued' : endState(stored, operation.failed);
    if (isFinal(operation.state)) operation.message = JSON.stringify(flow.finished(operation));
  } catch (error) {
    operation.state = 'failed';
    operation.message = JSON.stringify({ key: 'operation.broken' } satisfies Said);
    throw error;
  } finally {
    await keeper.stop();
    operation.steps = JSON.stringify(stored);
    if (isFinal(operation.state)) operation.finished_at = now();
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
