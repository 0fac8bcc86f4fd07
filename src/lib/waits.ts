import { AsyncLocalStorage } from 'node:async_hooks';
import type { Message } from '../shared/i18n/index.ts';

/** Called with the time until which work waits for the rate limit of an outside service; null: it goes on. */
export type WaitListener = (until: Date | null) => void;

const scopes = new AsyncLocalStorage<{ waits: Map<symbol, number>; tell: () => void }>();

// Shorter waits are not reported.
const WORTH_TELLING_MS = 1_500;

/** Runs work; calls `listener` with the latest end of the waits inside it, whenever that changes. */
export function withWaits<T>(listener: WaitListener, work: () => Promise<T>): Promise<T> {
  const waits = new Map<symbol, number>();
  let reported = 0;
  const tell = (): void => {
    const longest = Math.max(0, ...waits.values());
    if (longest === reported) return;
    reported = longest;
    listener(longest === 0 ? null : new Date(longest));
  };
  return scopes.run({ waits, tell }, work);
}

/** Notes a wait of `ms` in the running `withWaits`; call the returned function when it ends. */
export function noteLimit(ms: number): () => void {
  const scope = scopes.getStore();
  if (!scope || ms < WORTH_TELLING_MS || !Number.isFinite(ms)) return () => undefined;
  const key = Symbol('wait');
  scope.waits.set(key, Math.ceil((Date.now() + ms) / 1_000) * 1_000);
  scope.tell();
  return () => {
    scope.waits.delete(key);
    scope.tell();
  };
}

const storage = new Set<{ said: Message }>();

/** Notes that this process can't write to its own database, and why; call the returned function when it can again. */
export function noteStorage(said: Message): () => void {
  const note = { said };
  storage.add(note);
  return () => void storage.delete(note);
}

/** Returns why this process waits for its own database; null if it does not. In memory, because nothing can be written. */
export const storageWait = (): Message | null => [...storage][0]?.said ?? null;
