import { crashPoint } from '../lib/crash-point.ts';
import { AppError } from '../shared/errors.ts';
import type { OperationItemRow, StoredAct } from '../shared/operations.ts';
import type { Act, Rollback } from './flow.ts';
import { notesOf, type Journal } from './journal.ts';

const DONE = new Set<StoredAct['state']>(['done', 'intent', 'undoing']);

/** Whether an item that has not ended is on its way back: it knows what it failed for. */
export const isGoingBack = ({ error }: OperationItemRow): boolean => error !== null;

/** Whether an item may turn round: something was done, and it has not gone too far. */
export function canGoBack({ until }: Rollback, row: OperationItemRow): boolean {
  if (isGoingBack(row)) return false;
  const notes = notesOf(row);
  const isTooLate = notes.some(({ name, state }) => name === until && state === 'done');
  return !isTooLate && notes.some(({ state }) => state === 'done' || state === 'intent');
}

/** Throws `conflict` where cancelled work may still turn round. One whose last step before that is in doubt goes on. */
export function refuseIfEarly({ until }: Rollback, notes: readonly StoredAct[]): void {
  if (notes.some(({ name, state }) => name === until && state !== 'undone')) return;
  const isBegun = notes.some(({ state }) => DONE.has(state));
  throw new AppError('conflict', isBegun ? 'operation.taken_back' : 'operation.not_begun');
}

/**
 * Throws `conflict` where the act that ends all turning round is still to be made: it was in doubt, and it has not arrived.
 */
export function refuseIfNotYet({ until }: Rollback, { name }: Act): void {
  if (name === until) throw new AppError('conflict', 'operation.taken_back');
}

/**
 * Takes back what was done of an item, the last first, and ends it as failed with what it failed for. What was found to be
 * as wanted is forgotten: another try looks at everything anew.
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
    row.acts = JSON.stringify(notes);
    await journal.write(row);
  };
  for (const stored of notes.filter(({ state }) => DONE.has(state)).toReversed()) {
    const point = (when: string): void => crashPoint(`${kind}:undo-${stored.name}:${when}`);
    const change = await undo(stored)?.look();
    if (change) {
      point('before-intent');
      await note(stored, 'undoing');
      point('after-intent');
      await change.perform();
      point('after-call');
    }
    await note(stored, 'undone');
    point('after-done');
  }
  row.state = 'failed';
  row.acts = JSON.stringify(notes.filter(({ state }) => state !== 'noop'));
  await journal.write(row);
}
