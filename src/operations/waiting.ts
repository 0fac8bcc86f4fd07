import type { Message } from '../shared/i18n/index.ts';
import type { OperationItemRow } from '../shared/operations/tables.ts';
import type { StoredWait } from '../shared/operations.ts';

/**
 * Thrown by the `look` of an act that cannot go on yet and has not failed: it is looked at again after `everyMs`. Once
 * `limitMs` have passed since the first time, or the work is cancelled, it is looked at for the last time, with `isOver`: then
 * it must not throw this. `say` makes the message from the time of that limit, ISO in UTC.
 */
export class Waiting extends Error {
  readonly say: (until: string) => Message;
  readonly everyMs: number;
  readonly limitMs: number;
  /** Name of the act, set by the engine. */
  act = '';
  /** The act's `tellsEnd`, set by the engine. */
  tellsEnd = false;

  constructor(say: (until: string) => Message, { everyMs, limitMs }: { everyMs: number; limitMs: number }) {
    super('waiting');
    this.say = say;
    this.everyMs = everyMs;
    this.limitMs = limitMs;
  }
}

/** Returns the wait noted on an item; null if it does not wait. */
export const waitOf = ({ waiting }: Pick<OperationItemRow, 'waiting'>): StoredWait | null =>
  waiting === null ? null : (JSON.parse(waiting) as StoredWait);

/** Notes on an item that its act waits, and when it is due again. The limit of an earlier wait for the same act is kept. */
export function noteWait(row: OperationItemRow, { act, tellsEnd, say, everyMs, limitMs }: Waiting): void {
  const earlier = waitOf(row);
  const now = Date.now();
  const until = earlier?.act === act ? earlier.until : new Date(now + limitMs).toISOString();
  row.waiting = JSON.stringify({ act, until, said: say(until), ...(tellsEnd && { tellsEnd }) } satisfies StoredWait);
  row.not_before = new Date(Math.min(now + everyMs, Math.max(now, Date.parse(until)))).toISOString();
}
