// The context of a call that a door sets: the actor, and the client that waits for its reads and writes.
import { acting } from '../../../db/acting.ts';
import { Patience } from '../../../db/waiting/patience.ts';
import { readingFor, type Reader } from '../../../db/readers.ts';

// With the try for the lock that is under way, a request is answered within ten seconds.
const REQUEST_PATIENCE_MS = 8_000;

/** Runs a call for its caller: what it writes is audited as his, through the door that he came in by. */
export const actFor = acting;

export type { Door } from '../../../db/acting.ts';

/** Runs a call for a client: once `signal` fires, its reads that still wait are dropped. `urgent` ones go ahead. */
export const forClient = readingFor;

/**
 * As `forClient`, for a call whose client waits for the answer: its writes wait for another process's lock for some seconds
 * altogether, and are dropped where the client has left (`client`) before the first of them.
 */
export async function forRequest<T>(reader: Reader, client: AbortSignal, work: () => Promise<T>): Promise<T> {
  const patience = new Patience(REQUEST_PATIENCE_MS, client);
  try {
    return await readingFor({ ...reader, patience }, work);
  } finally {
    patience.isOver = true;
  }
}

/** Runs work that may be left to somebody else: it is given up where its writes wait for another process's lock for more than `ms`. */
export const withoutWaiting = <T>(ms: number, work: () => Promise<T>): Promise<T> =>
  readingFor({ patience: new Patience(ms, new AbortController().signal) }, work);
