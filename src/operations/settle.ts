import { AppError } from '../shared/errors.ts';
import type { Said } from '../shared/i18n/index.ts';
import type { OperationItemRow, StoredAct } from '../shared/operations.ts';
import type { Act, Item, ItemWork } from './flow.ts';
import { notesOf, type Journal } from './journal.ts';

/** Whether the end of an act of this item is not known. */
export const isInDoubt = (row: OperationItemRow): boolean => notesOf(row).some(({ state }) => state === 'intent');

/** How the acts of an item that were all made or found as wanted end it. */
export const endOf = (notes: readonly StoredAct[]): 'done' | 'noop' =>
  notes.some(({ state }) => state === 'done') ? 'done' : 'noop';

/** Whether anything of an act is there that could be given back. Without a way back: whether it is as it was found. */
async function hasArrived(act: Act, stored: StoredAct, undo: Act[] | undefined): Promise<'all' | 'part' | 'none'> {
  const change = await act.look();
  if (!change) return 'all';
  if (!undo) return JSON.stringify(change.before) === JSON.stringify(stored.before) ? 'none' : 'part';
  for (const back of undo) if (await back.look()) return 'part';
  return 'none';
}

/** What settling works with: the item's acts, and the way back from some of them. */
export interface Settling {
  acts: Act[];
  undo: ((stored: StoredAct) => Act[]) | undefined;
}

/** The acts of an item as they are settled, in an open lane. */
export const settlingOf = (work: ItemWork, item: Item, lane: unknown, input: unknown): Settling => ({
  acts: work.acts(item, lane, input),
  undo: work.undo && ((stored) => work.undo?.({ ...item, acts: [stored] }, lane) ?? []),
});

const UNCLEAR: Said = { key: 'operation.unclear' };
const PARTLY: Said = { key: 'operation.partly' };

/**
 * Finds out by looking how every act ended that was begun, and makes none: what has arrived is done, what has not is as if it
 * had never been begun, and of what is there in part the image of before is kept. Ends the item.
 */
export async function settle(journal: Journal, row: OperationItemRow, { acts, undo }: Settling): Promise<void> {
  let notes = notesOf(row);
  for (const stored of notes.filter(({ state }) => state === 'intent')) {
    const act = acts.find(({ name }) => name === stored.name);
    if (!act || act.class === 'unsafe') throw new AppError('conflict', UNCLEAR.key);
    const arrived = await hasArrived(act, stored, undo?.(stored));
    if (arrived === 'part') continue;
    if (arrived === 'all') stored.state = 'done';
    else notes = notes.filter((note) => note !== stored);
    row.acts = JSON.stringify(notes);
    const { before, after } = stored;
    await journal.write(row, arrived === 'all' ? act.record?.(before, after) : act.keep?.(before, after, false));
  }
  const isWhole = acts.every(({ name }) => notes.some((note) => note.name === name));
  const isPart = isInDoubt(row);
  row.state = isPart ? 'failed' : isWhole ? endOf(notes) : 'cancelled';
  row.error = isPart ? JSON.stringify(PARTLY) : null;
  await journal.write(row);
}
