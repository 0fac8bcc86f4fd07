// Calls that stand in the line of an outside service's limit, and are dropped there once nobody wants them any more.
import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Thrown in place of a call that was dropped before it was sent. `isFirst`: no other call was sent by the same work. `cause`: why it may not be
 * sent any more; without one nobody wants it.
 */
export class NotSent extends Error {
  constructor(
    readonly isFirst: boolean,
    options?: ErrorOptions,
  ) {
    super('the call was dropped before it was sent', options);
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

/** Work whose calls that change something may be sent for so long as `confirm` does not throw. */
interface ConfirmedWork {
  confirm: () => Promise<void>;
  /** Number of calls that were sent. */
  sent: number;
}

const confirmed = new AsyncLocalStorage<ConfirmedWork>();

/**
 * Runs work whose calls may have to wait in a line: before each that changes something is sent, `confirm` is asked, beside that of the work
 * around. Where it throws, the call throws NotSent with that as its cause.
 */
export function withConfirm<T>(confirm: () => Promise<void>, work: () => Promise<T>): Promise<T> {
  const outer = confirmed.getStore();
  const both = async (): Promise<void> => {
    await outer?.confirm();
    await confirm();
  };
  return confirmed.run({ confirm: both, sent: 0 }, work);
}

/** Asks whether the running work may send a call. Called when it is the call's turn, right before it is sent. */
export async function confirmSending(): Promise<void> {
  const work = confirmed.getStore();
  if (!work) return;
  try {
    await work.confirm();
  } catch (cause) {
    throw new NotSent(work.sent === 0, { cause });
  }
  work.sent += 1;
}
