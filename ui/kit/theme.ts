import Cookies from 'js-cookie';
import { useSyncExternalStore } from 'react';

export type Theme = 'light' | 'dark';

const DARK_CLASS = 'bp6-dark';
const watchers = new Set<() => void>();

const themeNow = (): Theme => (document.documentElement.classList.contains(DARK_CLASS) ? 'dark' : 'light');

/**
 * Sets the theme on the document, so that portals (dialogs, menus) have it too, and keeps it in a cookie for 365 days.
 */
export function setTheme(theme: Theme): void {
  document.documentElement.classList.toggle(DARK_CLASS, theme === 'dark');
  document.documentElement.style.colorScheme = theme;
  Cookies.set('theme', theme, { expires: 365, sameSite: 'lax' });
  for (const watcher of watchers) watcher();
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Returns the current theme. public/first-paint.js sets the first one: from the cookie, else the system's. */
export const useTheme = (): Theme => useSyncExternalStore(watch, themeNow);
