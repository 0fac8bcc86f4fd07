import type { OperationItemRow } from '../shared/operations/tables.ts';
import { withDrop } from '../lib/outgoing/line.ts';
import { itemOf, type Item, type Patience, type Rollback, type StepContext } from './flow.ts';
import type { Journal } from './journal.ts';

/** State shared by the items of a run. */
export interface Run {
  context: StepContext;
  journal: Journal;
  patience: Patience;
  rollback: Rollback | undefined;
  /** Fires when no further act may begin. With a `rollback` a cancellation does not fire it: the items go on and roll back. */
  ending: AbortSignal;
  /** Fires some time after the cancellation: calls of an act that tells the end `soon` do not stand in a line any longer. */
  late: AbortSignal;
  /** The run only looks up how begun acts ended: an item that cannot be looked at ends as unclear, whatever the error. */
  isSettling?: true;
}

/** Thrown where no further act may begin because the work was cancelled; the item then waits to be settled. */
export class Cancelled extends Error {}

/** Whether the work ends because it was cancelled; false while it stops or if it has a rollback. */
export const isCancelled = ({ context, ending }: Run): boolean => ending.aborted && !context.signal.aborted;

/**
 * Runs work whose calls that still stand in a line are dropped on a cancellation, or as `dropped` fires. With a `rollback` they go on: what was
 * done is given back.
 */
export const untilCancelled = <T>(
  { context, rollback }: Pick<Run, 'context' | 'rollback'>,
  work: () => Promise<T>,
  dropped = context.cancelled,
): Promise<T> => (rollback ? work() : withDrop(dropped, work));

/** Returns a signal that fires so many ms after another one. */
export function firesAfter(signal: AbortSignal, ms: number): AbortSignal {
  const late = new AbortController();
  const begin = (): void => void setTimeout(() => late.abort(), ms).unref();
  if (signal.aborted) begin();
  else signal.addEventListener('abort', begin, { once: true });
  return late.signal;
}

/** Parses rows into items, with the operation's user. */
export const itemsOf = ({ context: { operation } }: Run, rows: OperationItemRow[]): Item[] =>
  rows.map((row) => itemOf(row, operation.user_id));
