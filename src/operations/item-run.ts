import type { OperationItemRow, StoredAct } from '../shared/operations.ts';
import { itemOf, type Act, type Item, type Patience, type Rollback, type StepContext } from './flow.ts';
import type { Journal } from './journal.ts';

/** What the items of a run share. */
export interface Run {
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
export class Cancelled extends Error {}

/** An item that is to be tried: its acts, and how those that were done are taken back. */
export interface Task {
  acts: () => Act[];
  undo: (act: StoredAct) => Act | null;
}

/** Whether the work is to end because somebody has cancelled it, and not to turn round. */
export const isCancelled = ({ context, ending }: Run): boolean => ending.aborted && !context.signal.aborted;

/** The items of rows, in the name of who asked for the work. */
export const itemsOf = ({ context: { operation } }: Run, rows: OperationItemRow[]): Item[] =>
  rows.map((row) => itemOf(row, operation.user_id));
