import type { Message } from '../shared/i18n/index.ts';
import type { StoredAct, StoredStep } from '../shared/operations.ts';
import type { OperationItemRow } from '../shared/operations/tables.ts';

/** Whether there may be something to restore of an act: it was done, or its end is not known. */
export const isTouched = ({ state }: StoredAct): boolean => state === 'done' || state === 'intent';

/** The acts of an item as they are stored. */
export const notesOf = (row: OperationItemRow): StoredAct[] => JSON.parse(row.acts) as StoredAct[];

const isBegun = ({ state }: StoredAct): boolean => state === 'intent';

/** Whether the item has an act whose end is not known. */
export const isInDoubt = (row: OperationItemRow): boolean => notesOf(row).some(isBegun);

/** Sets the acts of an item, with the columns by which items are found for their acts. Only queries go by those. */
export function setNotes(row: OperationItemRow, notes: readonly StoredAct[]): void {
  row.acts = JSON.stringify(notes);
  row.in_doubt = notes.some(isBegun) ? 1 : 0;
  row.touched = notes.some(isTouched) ? 1 : 0;
}

/** Sets the error of an item, with its key. */
export function setError(row: OperationItemRow, message: Message | null): void {
  row.error = message && JSON.stringify(message);
  row.error_key = message && message.key;
}

/** Whether one of the steps of ended work, as JSON, can be tried again: it has failed, or a cancellation came before it. */
export const hasStepLeft = (steps: string): boolean =>
  (JSON.parse(steps) as StoredStep[]).some(({ again, state }) => again && state !== 'succeeded');
