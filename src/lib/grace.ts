import { setMaxListeners } from 'node:events';

/** Returns a signal that fires some time after another one. */
export function graceful(signal: AbortSignal, ms: number): AbortSignal {
  const late = new AbortController();
  // Every call that is under way listens.
  setMaxListeners(0, signal, late.signal);
  const end = (): void => void setTimeout(() => late.abort(signal.reason), ms).unref();
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  return late.signal;
}

/** Waits for work, for `ms` at most, and returns whether it has ended. Throws what it throws in that time; what it throws later is dropped. */
export async function endsWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
