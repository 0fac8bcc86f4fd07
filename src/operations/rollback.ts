import { crashPoint } from '../lib/crash-point.ts';
import type { OperationItemRow } from '../shared/operations/tables.ts';
import { AppError } from '../shared/errors.ts';
import type { StoredAct } from '../shared/operations.ts';
import type { Act, Rollback } from './flow.ts';
import type { Journal } from './journal.ts';
import { isTouched, notesOf, setNotes } from './notes.ts';
import { LeftAlone } from './waiting.ts';

const DONE = new Set<StoredAct['state']>(['done', 'intent', 'undoing']);

/** The errors of items with a rollback that a cancellation has ended. */
export const CANCELLED = ['operation.taken_back', 'operation.not_begun'] as const;

/** Whether an item that has not ended is being rolled back: its error is noted already. */
export const isGoingBack = ({ error }: OperationItemRow): boolean => error !== null;

/** Whether a rollback of an item may start: an act was done or begun, and the act `until` is not done. */
export function canGoBack({ until }: Rollback, row: OperationItemRow): boolean {
  if (isGoingBack(row)) return false;
  return !isPastReturn(until, row) && notesOf(row).some(isTouched);
}

/** Whether what an item is for has been done: its act `until` is, and only what follows may be missing. */
export const isPastReturn = (until: string, row: OperationItemRow): boolean =>
  notesOf(row).some(({ name, state }) => name === until && state === 'done');

/** Throws `conflict` while cancelled work can still be rolled back. If the end of the act `until` is not known, the item goes on. */
export function refuseIfEarly({ until }: Rollback, notes: readonly StoredAct[]): void {
  if (notes.some(({ name, state }) => name === until && state !== 'undone')) return;
  const isBegun = notes.some(({ state }) => DONE.has(state));
  throw new AppError('conflict', isBegun ? 'operation.taken_back' : 'operation.not_begun');
}

/**
 * Throws `conflict` if the act about to be performed is `until`: a look has shown that it has not taken effect, so that
 * cancelled work can still be rolled back.
 */
export function refuseIfNotYet({ until }: Rollback, { name }: Act): void {
  if (name === until) throw new AppError('conflict', 'operation.taken_back');
}

/**
 * Undoes the acts of an item, newest first, and ends it as failed with the error that started the rollback. Notes of `noop`
 * acts are dropped: another try looks at everything anew.
 */
export async function takeBack(
  kind: string,
  journal: Journal,
  row: OperationItemRow,
  undo: (act: StoredAct) => Act | null,
): Promise<void> {
  const notes = notesOf(row);
  const note = async (stored: StoredAct, state: StoredAct['state']): Promise<void> => {
    stored.state = state;
    setNotes(row, notes);
    await journal.write(row);
  };
  for (const stored of notes.filter(({ state }) => DONE.has(state)).toReversed()) {
    const point = (when: string): void => crashPoint(`${kind}:undo-${stored.name}:${when}`);
    const change = await undo(stored)?.look();
    if (change) {
      point('before-intent');
      await note(stored, 'undoing');
      point('after-intent');
      await journal.confirmHeld();
      await change.perform().catch((error: unknown) => {
        if (!(error instanceof LeftAlone)) throw error;
      });
      point('after-call');
    }
    await note(stored, 'undone');
    point('after-done');
  }
  row.state = 'failed';
  setNotes(
    row,
    notes.filter(({ state }) => state !== 'noop'),
  );
  await journal.write(row);
}
