import { AsyncResource } from 'node:async_hooks';
import { NotSent, type LineWork } from '../../lib/outgoing/line.ts';

/** A call that waits in a queue. */
export interface Waiter {
  /** It is its turn; `end` is called after it. The waiter has left the queue. */
  start: (end: () => void) => void;
  fail: (error: unknown) => void;
  /** Called with the milliseconds until calls may go on, to show them with the work that waits. */
  waits: (ms: number) => void;
}

/** Notes a wait of so many ms; returns what ends it. */
type Note = (ms: number) => () => void;

// A time that was noted is not noted anew for less.
const WORTH_NOTING_MS = 1_000;

/**
 * Waits in a queue until `drain`, which is called whenever the queue changes, starts or fails this waiter. Returns what is to be called
 * after the call. Throws the reason of `signal`, or NotSent where the calls of `work` are dropped.
 */
export function waitIn(
  queue: Waiter[],
  signal: AbortSignal | undefined,
  drain: () => void,
  noteLimit: Note,
  work?: LineWork,
): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const note = waitNote(noteLimit);
    const settle = (): void => {
      note.clear();
      queue.splice(queue.indexOf(waiter), 1);
      signal?.removeEventListener('abort', leave);
      work?.dropped.removeEventListener('abort', drop);
    };
    const leaveFor = (reason: unknown): void => {
      settle();
      reject(reason);
      drain();
    };
    const leave = (): void => leaveFor(signal?.reason);
    const drop = (): void => leaveFor(new NotSent(work?.sent === 0));
    const waiter: Waiter = {
      waits: note.show,
      start(end) {
        settle();
        resolve(end);
      },
      fail(error) {
        settle();
        reject(error);
      },
    };
    signal?.addEventListener('abort', leave);
    work?.dropped.addEventListener('abort', drop);
    queue.push(waiter);
    drain();
  });
}

/** Makes the note by which the running work shows that it waits. */
function waitNote(noteLimit: Note): { show: (ms: number) => void; clear: () => void } {
  // Bound to the async context of this call: `drain` may run in that of another one.
  const note = AsyncResource.bind(noteLimit);
  let release: (() => void) | undefined;
  let notedUntil = -Infinity;
  return {
    show: (ms) => {
      // A 429 may make a short wait a long one.
      const until = performance.now() + ms;
      if (until < notedUntil + WORTH_NOTING_MS) return;
      release?.();
      release = note(ms);
      notedUntil = until;
    },
    clear: () => release?.(),
  };
}
