import { AppError } from '../shared/errors.ts';
import type { OperationItemRow } from '../shared/operations/tables.ts';
import type { Message } from '../shared/i18n/index.ts';
import type { StoredAct } from '../shared/operations.ts';
import type { Act, Change, Item, ItemWork } from './flow.ts';
import type { Journal } from './journal.ts';
import { isInDoubt, notesOf, setError, setNotes } from './notes.ts';

/** Returns the final state of an item whose acts all succeeded: `noop` if none of them changed anything. */
export const endOf = (notes: readonly StoredAct[]): 'done' | 'noop' =>
  notes.some(({ state }) => state === 'done') ? 'done' : 'noop';

/** Whether an act tells how those before it have ended, of which one was performed: it is looked at after a cancellation, too. */
export const tellsEnd = (act: Act, notes: readonly StoredAct[]): boolean =>
  act.tellsEnd !== undefined && notes.some(({ state }) => state === 'done');

const stayingNote = ({ name }: Act, { before, after }: Change): StoredAct => ({ name, state: 'done', before, after });

/** Looks how much of an act took effect. `none`: its undo finds nothing to change, or without an undo the state is the stored `before`. */
async function hasArrived(act: Act, stored: StoredAct, undo: Act[] | undefined): Promise<'all' | 'part' | 'none'> {
  const change = await act.look(true);
  if (!change) return 'all';
  if (!undo) return JSON.stringify(change.before) === JSON.stringify(stored.before) ? 'none' : 'part';
  for (const back of undo) if (await back.look(true)) return 'part';
  return 'none';
}

/** Input of `settle`: the item's acts, and the acts that undo a stored one. */
export interface Settling {
  acts: Act[];
  undo: ((stored: StoredAct) => Act[]) | undefined;
}

/** Makes the input of `settle` for an item in an open lane. */
export const settlingOf = (work: ItemWork, item: Item, lane: unknown, input: unknown): Settling => ({
  acts: work.acts(item, lane, input),
  undo: work.undo && ((stored) => work.undo?.({ ...item, acts: [stored] }, lane) ?? []),
});

const UNCLEAR: Message = { key: 'operation.unclear' };
const PARTLY: Message = { key: 'operation.partly' };

/**
 * Looks up how every begun act ended, and performs none: an act in effect becomes `done`, the note of one without effect is
 * removed, one in effect in part keeps its intent with the state before it. Ends the item. Throws `conflict` for an unsafe act without a record.
 */
export async function settle(journal: Journal, row: OperationItemRow, { acts, undo }: Settling): Promise<void> {
  let notes = notesOf(row);
  for (const stored of notes.filter(({ state }) => state === 'intent')) {
    const act = acts.find(({ name }) => name === stored.name);
    if (!act || (act.class === 'unsafe' && !act.isRecorded)) throw new AppError('conflict', UNCLEAR.key);
    const arrived = await hasArrived(act, stored, undo?.(stored));
    if (arrived === 'part') continue;
    if (arrived === 'all') stored.state = 'done';
    else notes = notes.filter((note) => note !== stored);
    setNotes(row, notes);
    const { before, after } = stored;
    await journal.write(row, arrived === 'all' ? act.record?.(before, after) : act.keep?.(before, after, false));
  }
  const isNoted = (act: Act): boolean => notes.some(({ name, state }) => name === act.name && state !== 'undone');
  for (const act of acts) {
    if (isInDoubt(row) || isNoted(act)) continue;
    if (!tellsEnd(act, notes)) break;
    // It changes nothing; where the end can't be told, it throws.
    const change = await act.look(true);
    if (change && !change.stays) break;
    if (change) row.stays = 1;
    notes = notes.filter(({ name }) => name !== act.name);
    notes.push(change ? stayingNote(act, change) : { name: act.name, state: 'noop' });
    setNotes(row, notes);
  }
  const isWhole = acts.every(isNoted);
  const isPart = isInDoubt(row);
  row.state = isPart ? 'failed' : isWhole ? endOf(notes) : 'cancelled';
  setError(row, isPart ? PARTLY : null);
  await journal.write(row);
}
