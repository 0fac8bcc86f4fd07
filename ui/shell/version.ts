import { useSyncExternalStore } from 'react';
import { keepTyped } from '../kit/session.ts';

const watchers = new Set<() => void>();
let isNew = false;

function found(): void {
  isNew = true;
  for (const watcher of watchers) watcher();
}

const ENTRY = /<script type="module"[^>]* src="([^"]+)"/;

/** Looks whether the server has another version of the interface than this page, whose first script has another name. */
export async function lookForVersion(): Promise<void> {
  const own = document.querySelector('script[type="module"][src]')?.getAttribute('src');
  try {
    const page = await (await fetch('/', { cache: 'no-store' })).text();
    const theirs = ENTRY.exec(page)?.[1];
    if (own !== undefined && theirs !== undefined && own !== theirs) found();
  } catch {
    // The server has gone again; it is asked when it is back.
  }
}

// A part of the page could not be loaded: most likely the build that it belongs to is no longer there. A message takes the place of the screen, and of
// its forms: what is typed is kept before.
window.addEventListener('vite:preloadError', () => {
  keepTyped();
  void lookForVersion();
});

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Whether a reload would bring another version of the interface. */
export const useNewVersion = (): boolean => useSyncExternalStore(watch, () => isNew);
