import { AppError } from '../../src/shared/errors.ts';

const LOOK_AGAIN_MS = 500;

/** Makes the error for a write that did not get the database: nothing was written, and a retry may succeed. */
export const notWritten = (cause?: unknown): AppError => new AppError('unavailable', 'error.database', {}, { cause });

const gone = (): AppError => new AppError('unavailable', 'error.database', {}, { code: 'client_gone' });

/** The wait of one transaction for the writer. `signal` fires when nobody waits any longer: the transaction must not begin then. */
export interface Wait {
  signal: AbortSignal;
  /** Ends the wait: the transaction has begun. */
  end: () => void;
  /** Notes that the transaction was committed. */
  written: () => void;
}

/**
 * The patience of one call, such as a request: how long its transactions wait for the writer altogether, and whether its client is
 * still there. A client that repeats a call whose answer does not come would otherwise have it done twice.
 */
export class Patience {
  private hasWritten = false;
  /** Whether the call was answered: work that goes on after it has the patience of any other work. */
  isOver = false;

  constructor(
    private leftMs: number,
    private readonly client: AbortSignal,
  ) {}

  /**
   * Begins the wait of a transaction. While `isStuck` says that another process keeps the writer waiting, it lasts as long as the
   * patience does; in the line of this process's own writes, which moves, it lasts longer. A client that leaves meanwhile ends
   * it, unless a part of the call has been written already, or was begun without him.
   */
  wait(isStuck: () => boolean): Wait {
    const over = new AbortController();
    const began = performance.now();
    const leave = (): void => over.abort(gone());
    const isWatched = !this.hasWritten && !this.client.aborted;
    if (isWatched) this.client.addEventListener('abort', leave);
    let timer: NodeJS.Timeout;
    const look = (): void => {
      if (isStuck()) over.abort(notWritten());
      else timer = setTimeout(look, LOOK_AGAIN_MS).unref();
    };
    timer = setTimeout(look, this.leftMs).unref();
    return {
      signal: over.signal,
      end: () => {
        clearTimeout(timer);
        this.client.removeEventListener('abort', leave);
        this.leftMs = Math.max(0, this.leftMs - (performance.now() - began));
      },
      written: () => {
        this.hasWritten = true;
      },
    };
  }
}
