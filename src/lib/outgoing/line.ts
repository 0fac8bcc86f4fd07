// Calls that stand in the line of an outside service's limit, and are dropped there once nobody wants them any more.
import { AsyncLocalStorage } from 'node:async_hooks';

/** Thrown in place of a call that was dropped before it was sent. `isFirst`: no other call was sent by the same work. */
export class NotSent extends Error {
  constructor(readonly isFirst: boolean) {
    super('the call was dropped before it was sent');
  }
}

/** The running work as a line knows it. */
export interface LineWork {
  /** Drops the calls of the work that still stand in a line. */
  dropped: AbortSignal;
  /** Number of calls that were sent. */
  sent: number;
}

const works = new AsyncLocalStorage<LineWork>();

/** Runs work; once `dropped` fires, its calls that still stand in a line throw NotSent. Those that were sent go on. */
export const withDrop = <T>(dropped: AbortSignal, work: () => Promise<T>): Promise<T> =>
  works.run({ dropped, sent: 0 }, work);

/** Returns the running `withDrop`; undefined: the calls stay in their lines. */
export const lineWork = (): LineWork | undefined => works.getStore();
