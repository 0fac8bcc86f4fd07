import { transaction } from '../../db/index.ts';
import type { OperationRow } from '../shared/operations/tables.ts';
import type { Message } from '../shared/i18n/index.ts';
import type { OperationState, StoredStep } from '../shared/operations.ts';
import { noteEnd } from './audit.ts';
import type { Flow } from './flow.ts';
import { listItemRows } from './item-rows.ts';
import { countItems, type ItemCounts } from './items.ts';
import { requireHeld } from './journal.ts';
import { messageForDisabled, operationRow } from './lease.ts';
import { cancelItems, enqueue, type Request } from './queue.ts';
import { isPastReturn } from './rollback.ts';
import { endNotBegun } from './rows.ts';

function endState(steps: StoredStep[], { total, failed }: OperationRow): OperationState {
  if (steps.every(({ state }) => state === 'failed') || (total > 0 && failed === total)) return 'failed';
  if (!steps.every(({ state }) => state === 'succeeded')) return 'partial';
  return failed > 0 ? 'partial' : 'succeeded';
}

/** Whether all items have failed, but one of them after what it is for was done: that is kept, so the work has not failed as a whole. */
async function isDoneInPart({ items }: Flow, { id }: OperationRow): Promise<boolean> {
  const until = items?.rollback?.until;
  return until !== undefined && (await listItemRows(id)).some((row) => isPastReturn(until, row));
}

/** How work has ended: what its last save stores, with the time of the end. */
export type End = Pick<OperationRow, 'state' | 'message'>;

/**
 * Returns the final state and message. The row stays as it is: it is saved at intervals meanwhile, and must not have ended before all of
 * its end is stored. Work cancelled after all of it was done ends as if it had not been cancelled.
 */
export async function endOf(flow: Flow, row: OperationRow, steps: StoredStep[], isCancelled: boolean): Promise<End> {
  const operation = { ...row, state: endState(steps, row) };
  if (operation.state === 'failed' && (await isDoneInPart(flow, operation))) operation.state = 'partial';
  if (isCancelled) {
    await transaction(async () => {
      // A process that slept past its lease must not cancel items that were queued again meanwhile.
      await requireHeld(operation);
      await cancelItems(operation.id);
    });
  }
  const isLeft = isCancelled && (await hasLeft(flow, operation, steps));
  if (isLeft) operation.state = 'cancelled';
  const message = isLeft ? await messageForLeft(flow, operation) : await flow.finished(operation);
  return { state: operation.state, message: JSON.stringify(message) };
}

/** Whether the cancellation left something undone. */
async function hasLeft(flow: Flow, operation: OperationRow, steps: StoredStep[]): Promise<boolean> {
  const isByItems = flow.byItems && !flow.items?.rollback;
  if (!isByItems && endState(steps, operation) !== 'succeeded') return true;
  const { cancelled } = await countItems(operation.id);
  return cancelled > 0;
}

async function messageForLeft(flow: Flow, operation: OperationRow): Promise<Message> {
  const message = await (flow.cancelled ?? messageForCancelled)(operation);
  const disabled = await messageForDisabled(operation.user_id);
  return disabled ? { ...disabled, also: [message] } : message;
}

/** The message of work that was cancelled after some of its items had ended. */
export const cancelledItems = ({
  noop,
  ...counts
}: Pick<ItemCounts, 'done' | 'noop' | 'failed' | 'cancelled'>): Message =>
  noop > 0
    ? { key: 'operation.cancelled_items_same', params: { ...counts, noop } }
    : { key: 'operation.cancelled_items', params: counts };

async function messageForCancelled({ id, total }: OperationRow): Promise<Message> {
  const { done, noop, failed, cancelled } = await countItems(id);
  if (done + noop + failed + cancelled < total) return { key: 'operation.cancelled' };
  return cancelledItems({ done, noop, failed, cancelled });
}

/**
 * Queues work in which there is nothing to do, as `enqueue`: it has ended at once as succeeded. Until a process took it, it would bar what is asked
 * for next.
 */
export const queueEnded = (request: Request): Promise<{ id: number; started: boolean }> =>
  transaction(async () => {
    const queued = await enqueue(request);
    if (queued.started) {
      await endNotBegun(queued.id, 'succeeded', JSON.stringify(request.message));
      noteEnd(await operationRow(queued.id));
    }
    return queued;
  });
