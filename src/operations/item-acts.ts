import { crashPoint } from '../lib/crash-point.ts';
import { NotSent } from '../lib/outgoing/line.ts';
import type { OperationItemRow } from '../shared/operations/tables.ts';
import { AppError } from '../shared/errors.ts';
import type { StoredAct } from '../shared/operations.ts';
import type { Act, Change, Images, OwnRow } from './flow.ts';
import { Cancelled, isCancelled, untilCancelled, type Run } from './item-run.ts';
import { isInDoubt, notesOf, setNotes } from './notes.ts';
import { refuseIfEarly, refuseIfNotYet } from './rollback.ts';
import { endOf, tellsEnd } from './settle.ts';
import { LeftAlone, waitOf, Waiting } from './waiting.ts';

/** Whether the wait of an act has reached its limit, or the work is cancelled. */
function isWaitOver({ context }: Run, row: OperationItemRow, act: Act): boolean {
  const wait = waitOf(row);
  return context.cancelled.aborted || (wait?.act === act.name && Date.parse(wait.until) <= Date.now());
}

const named = (wait: Waiting, { name, tellsEnd }: Act): Waiting =>
  Object.assign(wait, { act: name, tellsEnd: tellsEnd !== undefined });

/** Runs a part of an act, whose calls in a line are dropped on a cancellation, but for an act that has a row of its own or tells how others have ended. */
const inTime = <T>(run: Run, act: Act, work: () => Promise<T>): Promise<T> =>
  act.class === 'unsafe' || act.tellsEnd === true ? work() : untilCancelled(run, work, act.tellsEnd && run.late);

/** Calls the act's `look`, with `isOver` if its wait has reached its limit or the work is cancelled. */
async function lookAt(run: Run, row: OperationItemRow, act: Act): Promise<Change | null> {
  const isOver = isWaitOver(run, row, act);
  try {
    const change = await inTime(run, act, () => act.look(isOver));
    row.waiting = null;
    return change;
  } catch (error) {
    if (error instanceof NotSent) throw new Cancelled();
    if (!(error instanceof Waiting)) row.waiting = null;
    else if (isOver) throw new Error(`${act.name} waits though its time is over`, { cause: error });
    else named(error, act);
    throw error;
  }
}

/**
 * Performs a change: it was `made`, `left` alone, or certainly not sent, because the work was cancelled before or may not do so any more. `waiting`: the wait noted before it was looked at, which goes on where it is refused as too
 * early again.
 */
async function perform(
  run: Run,
  row: OperationItemRow,
  act: Act,
  change: Change,
  waiting: string | null,
): Promise<'made' | 'left' | NotSent> {
  try {
    await inTime(run, act, () => change.perform());
    return 'made';
  } catch (error) {
    if (error instanceof LeftAlone) return 'left';
    if (error instanceof NotSent && error.isFirst) return error;
    if (error instanceof NotSent) throw endOfUnsent(error);
    if (!(error instanceof Waiting)) throw error;
    const isOver = isWaitOver(run, { ...row, waiting }, act);
    if (!isOver) row.waiting = waiting;
    throw Object.assign(named(error, act), { isOver });
  }
}

/** Returns the reason for which a try ends whose call was not sent: it may not be sent, or the work was cancelled. */
const endOfUnsent = ({ cause }: NotSent): unknown => cause ?? new Cancelled();

/**
 * Ends the try of an act that was begun, and of which nothing was sent, by `end`: it is settled without a look. `earlier` is the act of an
 * earlier try, which is still to be looked up.
 */
async function giveUpUnsent(
  run: Run,
  row: OperationItemRow,
  act: Act,
  earlier: StoredAct | undefined,
  end: unknown,
): Promise<never> {
  const begun = notesOf(row).find(({ name }) => name === act.name);
  if (begun && !earlier) {
    setNotes(
      row,
      notesOf(row).filter(({ name }) => name !== act.name),
    );
    row.state = isInDoubt(row) ? 'intent' : 'queued';
    await run.journal.write(row, act.keep?.(begun.before, begun.after, false));
  }
  throw end;
}

/** A note with its time, and its place in the order of work: that of this run, unless it has one. */
const placedNote = ({ context }: Run, stored: StoredAct): StoredAct => ({
  fence: context.operation.fence,
  ...stored,
  at: new Date().toISOString(),
});

/** Performs the remaining acts of an item, in order. */
export async function runActs(run: Run, row: OperationItemRow, acts: Act[]): Promise<void> {
  const known = notesOf(row);
  const notes = known.length > 0 && (await acts[0]?.isVoid?.()) ? [] : known;
  const isLast = (act: Act): boolean => act === acts.at(-1);
  const isStopped = run.context.cancelled;
  const note = async (act: Act, stored: StoredAct, own?: OwnRow): Promise<void> => {
    const index = notes.findIndex(({ name }) => name === act.name);
    const placed = placedNote(run, stored);
    if (index === -1) notes.push(placed);
    else notes[index] = placed;
    setNotes(row, notes);
    row.state = stored.state === 'intent' ? 'intent' : isLast(act) ? endOf(notes) : 'queued';
    await run.journal.write(row, own);
  };
  const done = (act: Act, images: Images & Pick<StoredAct, 'fence'>): Promise<void> =>
    note(act, { name: act.name, state: 'done', ...images }, act.record?.(images.before, images.after));
  for (const act of acts) {
    // Undone acts are ignored: the act runs again.
    const earlier = notes.find(({ name, state }) => name === act.name && state !== 'undone');
    // An act in `undoing` may be in effect or not, like an intent: it is looked at again.
    if (earlier && earlier.state !== 'intent' && earlier.state !== 'undoing') continue;
    if (run.rollback && isStopped.aborted) refuseIfEarly(run.rollback, notes);
    if (isCancelled(run) && !tellsEnd(act, notes)) throw new Cancelled();
    if (earlier && act.class === 'unsafe' && !act.isRecorded) throw new AppError('conflict', 'operation.unclear');
    const point = (when: string): void => crashPoint(`${run.context.operation.kind}:${act.name}:${when}`);
    const { waiting } = row;
    const change = await lookAt(run, row, act);
    if (!change) {
      // Begun earlier and in effect: only the answer was lost.
      if (earlier) await done(act, begunAs(earlier));
      else await note(act, { name: act.name, state: 'noop' }, act.recordSeen?.());
      if (earlier) point('after-done');
      continue;
    }
    if (isCancelled(run) && !change.stays) throw new Cancelled();
    if (change.stays) row.stays = 1;
    const images = imagesOf(act, earlier, change);
    point('before-intent');
    const kept = act.keep?.(images.before, images.after, true);
    await note(act, { name: act.name, state: 'intent', ...images }, kept);
    // The commit of the intent may have found the work cancelled: the act must not be performed.
    if (isCancelled(run) && !change.stays) await giveUpUnsent(run, row, act, earlier, new Cancelled());
    if (run.rollback && isStopped.aborted) {
      refuseIfNotYet(run.rollback, act);
      refuseIfEarly(run.rollback, notes);
    }
    point('after-intent');
    await run.journal.confirmHeld();
    const end = await perform(run, row, act, change, waiting);
    if (end instanceof NotSent) await giveUpUnsent(run, row, act, earlier, endOfUnsent(end));
    point('after-call');
    if (end === 'made') await done(act, images);
    else await note(act, { name: act.name, state: 'noop' });
    point('after-done');
  }
  if (acts.length === 0) {
    row.state = 'noop';
    await run.journal.write(row);
  }
}

/** Keeps `before` of the first try, which an undo restores; the act's `merge` also joins what any try may have put there. */
function imagesOf(act: Act, earlier: StoredAct | undefined, change: Change): Images {
  const left = imagesIn(change);
  if (!earlier) return left;
  return { ...left, ...(act.merge?.(imagesIn(earlier), left) ?? { before: earlier.before }) };
}

const imagesIn = ({ before, after, on }: Images | StoredAct): Images => ({
  before,
  after,
  ...(on !== undefined && { on }),
});

/** The images of an act that an earlier run has made, with its place in the order of work. */
const begunAs = (earlier: StoredAct): Images & Pick<StoredAct, 'fence'> => ({
  ...imagesIn(earlier),
  ...(earlier.fence !== undefined && { fence: earlier.fence }),
});
