import Cookies from 'js-cookie';
import { useSyncExternalStore } from 'react';

export type Theme = 'light' | 'dark';

const DARK_CLASS = 'bp6-dark';
const watchers = new Set<() => void>();

const themeNow = (): Theme => (document.documentElement.classList.contains(DARK_CLASS) ? 'dark' : 'light');

/** Puts the theme on the page, so that dialogs and menus in portals have it too, and keeps it for 365 days. */
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

/** The theme on the page. The first one was chosen by public/first-paint.js: the cookie, else the system's. */
export const useTheme = (): Theme => useSyncExternalStore(watch, themeNow);
