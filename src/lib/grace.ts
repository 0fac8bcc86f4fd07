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
