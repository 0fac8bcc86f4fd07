import { storageWait } from '../../lib/waits.ts';
import { canRestore } from '../../operations/engine.ts';
import { ITEM_STEP } from '../../operations/item-lane.ts';
import { listOperationsLeft, listTouchedOperations } from '../../operations/item-rows.ts';
import { hasStepLeft } from '../../operations/notes.ts';
import { owner as holder } from '../../operations/lease.ts';
import type { Message } from '../../shared/i18n/index.ts';
import {
  type ItemTally,
  type StoredWait,
  isFinal,
  PROGRAM,
  type OperationStep,
  type OperationView,
  type StoredStep,
  type Held,
} from '../../shared/operations.ts';
import type { OperationRow } from '../../shared/operations/tables.ts';
import { countItemsOf, listFirstErrors, listWaits } from './rows.ts';

const NO_ITEMS: ItemTally = { done: 0, noop: 0, failed: 0, cancelled: 0, queued: 0 };

async function talliesOf(ids: number[]): Promise<Map<number, ItemTally>> {
  const rows = await countItemsOf(ids);
  const tallies = new Map<number, ItemTally>();
  for (const { id, state, n } of rows) {
    const tally = tallies.get(id) ?? { ...NO_ITEMS };
    // An item that was begun has not ended: it is shown as queued.
    tally[state === 'intent' ? 'queued' : state] += n;
    tallies.set(id, tally);
  }
  return tallies;
}

/** Returns those of the operations that may have changed something, even if no item was finished. */
async function withActs(ids: number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await listTouchedOperations(ids);
  return new Set(rows.map(({ id }) => id));
}

/** Returns those of the operations that have items which another try would work on. */
async function withItemsLeft(ids: number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await listOperationsLeft(ids);
  return new Set(rows.map(({ id }) => id));
}

/** Returns what operations wait for now, by id: a transfer for a certificate, for example. */
async function waitsOf(ids: number[]): Promise<Map<number, Message>> {
  if (ids.length === 0) return new Map();
  const rows = await listWaits(ids);
  return new Map(rows.map(({ id, waiting }) => [id, (JSON.parse(waiting) as StoredWait).said]));
}

/**
 * Returns the message until when an operation waits for the limit of a service, by this machine's clock; null: it does
 * not.
 */
export const limitOf = ({ state, waits_until }: Pick<OperationRow, 'state' | 'waits_until'>): Message | null =>
  waits_until === null || isFinal(state)
    ? null
    : { key: 'operation.waits_until', params: { time: new Date(waits_until).toTimeString().slice(0, 5) } };
/** Returns why an operation that runs in this process waits for our own database, or null. */
const storageOf = ({ state, lease_owner }: OperationRow): Message | null =>
  state === 'running' && lease_owner === holder ? storageWait() : null;

/** Whether a person has stopped an operation, which waits for a person since. */
const waitsForPerson = ({ state, stopped, cancel_requested }: OperationRow): boolean =>
  stopped === 1 && state === 'queued' && cancel_requested === 0;

/** Returns why an operation waits for a person, or null. */
const stopOf = (row: OperationRow): Message | null =>
  waitsForPerson(row) ? { key: 'operation.stopped_by_person', params: { id: row.id, program: PROGRAM } } : null;

/** Whether somebody has cancelled an operation that has not ended yet. */
const isStopping = ({ state, cancel_requested }: OperationRow): boolean => cancel_requested === 1 && !isFinal(state);

/** Returns that an operation stops, or null: it may go on waiting for what it has begun, but for nothing else. */
const stoppingOf = (row: OperationRow): Message | null => (isStopping(row) ? { key: 'operation.cancelling' } : null);

const haveAllFailed = ({ failed, ...others }: ItemTally): boolean =>
  failed > 0 && Object.values(others).every((count) => count === 0);

/** Returns why the items of those operations have failed of which none has done anything, by id: the first item's error. */
async function failuresOf(ids: number[]): Promise<Map<number, Message>> {
  if (ids.length === 0) return new Map();
  const rows = await listFirstErrors(ids);
  return new Map(rows.map(({ id, error }) => [id, JSON.parse(error) as Message]));
}

/** Returns a step as doors show it. That of the items has failed where they all have (`failure`). */
function stepOf({ name, state, error, note }: StoredStep, failure: Message | undefined): OperationStep<Message> {
  if (failure && name === ITEM_STEP) return { name, state: 'failed', error: failure };
  return { name, state, ...(error && { error }), ...(note && { note }) };
}

// Of each kind of switch the word in its input that turns it on.
const TURNED_ON: Partial<Record<string, string>> = { under_attack: 'enable', tls: 'on' };

function turnsOf({ kind, input }: OperationRow): OperationView['turns'] {
  const on = TURNED_ON[kind];
  if (on === undefined) return null;
  return Object.values(JSON.parse(input) as Record<string, unknown>).includes(on) ? 'on' : 'off';
}

/** Returns operations as doors show them. */
export async function viewsOf(rows: OperationRow[]): Promise<OperationView<Message>[]> {
  const tallies = await talliesOf(rows.map(({ id }) => id));
  const ended = rows.filter(({ id, kind, state }) => isFinal(state) && canRestore(kind) && tallies.has(id));
  const touched = await withActs(ended.map(({ id }) => id));
  const isOpen = ({ failed, cancelled, queued }: ItemTally): boolean => failed + cancelled + queued > 0;
  const left = await withItemsLeft(
    rows.filter(({ id, state }) => isFinal(state) && isOpen(tallies.get(id) ?? NO_ITEMS)).map(({ id }) => id),
  );
  const failures = await failuresOf(
    rows.filter(({ id, state }) => isFinal(state) && haveAllFailed(tallies.get(id) ?? NO_ITEMS)).map(({ id }) => id),
  );
  const waits = await waitsOf(rows.filter(({ state }) => !isFinal(state)).map(({ id }) => id));
  return rows.map((row) => {
    const counts = tallies.get(row.id) ?? NO_ITEMS;
    const hasEnded = isFinal(row.state);
    return {
      id: row.id,
      kind: row.kind,
      state: row.state,
      total: row.total,
      done: row.done,
      failed: row.failed,
      steps: (JSON.parse(row.steps) as StoredStep[]).map((step) => stepOf(step, failures.get(row.id))),
      message:
        stopOf(row) ??
        stoppingOf(row) ??
        storageOf(row) ??
        waits.get(row.id) ??
        limitOf(row) ??
        (JSON.parse(row.message) as Message),
      held: row.held ? (JSON.parse(row.held) as Held) : null,
      counts,
      restorable: touched.has(row.id),
      retryable: hasEnded ? left.has(row.id) || hasStepLeft(row.steps) : waitsForPerson(row),
      cancellable: !hasEnded && row.cancel_requested === 0,
      waits_until: hasEnded || isStopping(row) ? null : row.waits_until,
      turns: turnsOf(row),
      created_at: row.created_at,
      finished_at: row.finished_at,
    };
  });
}

/** Returns an operation as doors show it. */
export async function viewOf(row: OperationRow): Promise<OperationView<Message>> {
  const [view] = await viewsOf([row]);
  return view as OperationView<Message>;
}
