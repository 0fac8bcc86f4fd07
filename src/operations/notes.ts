import type { Key, Message } from '../shared/i18n/index.ts';
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

/** Whether two notes are of the same try of an act. */
export const isSameTry = (one: StoredAct, other: StoredAct): boolean => one.name === other.name && one.at === other.at;

/** The last act of a restore: it has seen that all is as before. */
export const PROOF = 'proof';

/** Whether an item of a restore has ended, and it is not known whether it has undone one of its acts. */
const hasEndedInDoubt = (back: OperationItemRow): boolean => back.state === 'failed' && isInDoubt(back);

/** Whether an item of a restore has undone something, or has its proof, or may have undone something. */
export const hasUndone = (back: OperationItemRow): boolean =>
  hasEndedInDoubt(back) || notesOf(back).some(({ name, state }) => state === 'done' || name === PROOF);

/** Errors of items with an act whose end is not known. */
const DOUBTS: ReadonlySet<string | null> = new Set<Key>(['operation.unclear', 'operation.partly']);

/**
 * Marks those acts of an item as undone that the item `back` of its restore has undone; all of them once that has its proof: where it found
 * nothing to undo, that tells whether all is as before. The item is then left to do, and another try looks at everything anew. An act that
 * was perhaps undone is in doubt: another try looks at it first. Returns whether one was marked.
 */
export function markUndone(row: OperationItemRow, back: OperationItemRow): boolean {
  const ended = notesOf(back);
  const { acts } = JSON.parse(back.data) as { acts: StoredAct[] };
  const isProven = ended.some(({ name }) => name === PROOF);
  const actsIn = (wanted: StoredAct['state']): StoredAct[] =>
    acts.filter((act) => ended.some(({ name, state }) => name === act.name && state === wanted));
  const notes = notesOf(row);
  // Another try of the same act is not what this restore has undone.
  const among = (some: readonly StoredAct[]): StoredAct[] =>
    notes.filter((note) => isTouched(note) && some.some((act) => isSameTry(act, note)));
  const undone = among(isProven ? acts : actsIn('done'));
  const doubtful = !isProven && hasEndedInDoubt(back) ? among(actsIn('intent')) : [];
  if (undone.length + doubtful.length === 0) return false;
  for (const note of undone) note.state = 'undone';
  for (const note of doubtful) note.state = 'intent';
  setNotes(row, undone.length === 0 ? notes : notes.filter(({ state }) => state !== 'noop'));
  if (doubtful.length > 0) {
    row.state = 'failed';
    setError(row, { key: 'operation.unclear' });
  } else if (row.state === 'done' || (DOUBTS.has(row.error_key) && !isInDoubt(row))) {
    row.state = 'cancelled';
    setError(row, null);
  }
  return true;
}

/** Sets the error of an item, with its key. */
export function setError(row: OperationItemRow, message: Message | null): void {
  row.error = message && JSON.stringify(message);
  row.error_key = message && message.key;
}

/** Whether one of the steps of ended work, as JSON, can be tried again: it has failed, or a cancellation came before it. */
export const hasStepLeft = (steps: string): boolean =>
  (JSON.parse(steps) as StoredStep[]).some(({ again, state }) => again && state !== 'succeeded');
