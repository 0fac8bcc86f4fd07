import { transaction } from '../../db/index.ts';
import type { OperationRow } from '../shared/operations/tables.ts';
import type { Message } from '../shared/i18n/index.ts';
import type { OperationState, StoredStep } from '../shared/operations.ts';
import type { Flow } from './flow.ts';
import { listItemRows } from './item-rows.ts';
import { countItems } from './items.ts';
import { requireHeld } from './journal.ts';
import { messageForDisabled } from './lease.ts';
import { cancelItems } from './queue.ts';
import { isPastReturn } from './rollback.ts';

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

/** Sets the final state and message. Work cancelled after all of it was done ends as if it had not been cancelled. */
export async function end(
  flow: Flow,
  operation: OperationRow,
  steps: StoredStep[],
  isCancelled: boolean,
): Promise<void> {
  operation.state = endState(steps, operation);
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
  operation.message = JSON.stringify(message);
}

/** Whether the cancellation left something undone. */
async function hasLeft(flow: Flow, operation: OperationRow, steps: StoredStep[]): Promise<boolean> {
  if (!flow.byItems || flow.items?.rollback) return endState(steps, operation) !== 'succeeded';
  const { cancelled } = await countItems(operation.id);
  return cancelled > 0;
}

async function messageForLeft(flow: Flow, operation: OperationRow): Promise<Message> {
  const message = await (flow.cancelled ?? messageForCancelled)(operation);
  const disabled = await messageForDisabled(operation.user_id);
  return disabled ? { ...disabled, also: [message] } : message;
}

async function messageForCancelled({ id, total }: OperationRow): Promise<Message> {
  const { done, noop, failed, cancelled } = await countItems(id);
  if (done + noop + failed + cancelled < total) return { key: 'operation.cancelled' };
  return { key: 'operation.cancelled_items', params: { done: done + noop, cancelled, failed } };
}
