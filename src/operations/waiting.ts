import type { Message } from '../shared/i18n/index.ts';
import type { OperationItemRow } from '../shared/operations/tables.ts';
import type { StoredWait } from '../shared/operations.ts';

/**
 * How often an act that waits is looked at again, and for how long at most. `grows`: ever less often, after half the time that has
 * passed; `everyMs` is then the shortest pause.
 */
export interface WaitPace {
  everyMs: number;
  limitMs: number;
  grows?: true;
}

/**
 * Thrown by the `look` of an act that cannot go on yet and has not failed: it is looked at again at its pace. Once
 * `limitMs` have passed since the first time, or the work is cancelled, it is looked at for the last time, with `isOver`: then
 * it must not throw this. `say` makes the message from the time of that limit, ISO in UTC. Thrown by a `perform` that was
 * refused as too early, and has changed nothing, with the refusal as its `cause`: that is the act's failure once the time is over.
 */
export class Waiting extends Error {
  readonly say: (until: string) => Message;
  readonly pace: WaitPace;
  /** Name of the act, set by the engine. */
  act = '';
  /** The act's `tellsEnd`, set by the engine. */
  tellsEnd = false;
  /** The time is over: `cause` is the act's failure. Set by the engine. */
  isOver = false;

  constructor(say: (until: string) => Message, pace: WaitPace, options?: ErrorOptions) {
    super('waiting', options);
    this.say = say;
    this.pace = pace;
  }
}

/** Returns the wait noted on an item; null if it does not wait. */
export const waitOf = ({ waiting }: Pick<OperationItemRow, 'waiting'>): StoredWait | null =>
  waiting === null ? null : (JSON.parse(waiting) as StoredWait);

/** Notes on an item that its act waits, and when it is due again. The limit of an earlier wait for the same act is kept; where the clock was set back it
 * is as far away as it was at first, at most.
 */
export function noteWait(row: OperationItemRow, { act, tellsEnd, say, pace }: Waiting): void {
  const { everyMs, limitMs, grows } = pace;
  const earlier = waitOf(row);
  const now = Date.now();
  const left = earlier?.act === act ? Math.min(Date.parse(earlier.until) - now, limitMs) : limitMs;
  const until = new Date(now + left).toISOString();
  const pause = grows ? Math.max(everyMs, (limitMs - left) / 2) : everyMs;
  const pauseMs = Math.min(pause, Math.max(0, left));
  const wait: StoredWait = { act, until, pauseMs, said: say(until), ...(tellsEnd && { tellsEnd }) };
  row.waiting = JSON.stringify(wait);
  row.not_before = new Date(now + pauseMs).toISOString();
}

/**
 * Thrown by a `perform`, before it has sent anything: another operation sets the thing, or its user has lost it, and it stays as it is. The
 * act has changed nothing then.
 */
export class LeftAlone extends Error {}
