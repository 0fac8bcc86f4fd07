import { useSyncExternalStore } from 'react';

/**
 * The line to the server: `none` before it is first heard and while the page is hidden, `live` while its events come,
 * `slow` while it is silent, `cut` where only its events don't come, `lost` while it does not answer at all.
 */
export type Line = 'none' | 'live' | 'slow' | 'cut' | 'lost';

/** The state of the line, and when the server was last heard, in milliseconds. */
export interface Connection {
  line: Line;
  heardAt: number;
}

const watchers = new Set<() => void>();
let connection: Connection = { line: 'none', heardAt: Date.now() };

/** Sets the state of the line; a server that answers is heard now. */
export function setLine(line: Line): void {
  const isHeard = line === 'live' || line === 'cut';
  if (line === connection.line && !isHeard) return;
  const isSame = line === connection.line;
  connection = { line, heardAt: isHeard ? Date.now() : connection.heardAt };
  if (!isSame) for (const watcher of watchers) watcher();
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Returns the state of the line; draws anew when that changes, not whenever the server is heard. */
export const useLine = (): Line => useSyncExternalStore(watch, () => connection.line);

/** Returns when the server was last heard, in milliseconds. */
export const heardAt = (): number => connection.heardAt;

/** Whether events come; while they do not, running operations are polled. */
export const useIsLive = (): boolean => ['live', 'slow'].includes(useLine());
