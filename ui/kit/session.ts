import { useSyncExternalStore } from 'react';
import type { TokenPayload } from '../../src/shared/access/users.ts';
import { forgetDrafts, keepDrafts } from './reader/drafts.ts';
import { keep, readKept } from './reader/storage.ts';
import { forgetRecent } from './recent.ts';

const STORAGE_KEY = 'token';
// The token of the last session, which outlives it.
const FORMER_KEY = 'former-token';
// Tells the other tabs how the session ended: `hand` where its user signed out.
const ENDED_KEY = 'session-ended';

/** The payload of the token. It is not verified here and only shapes the menu: the server decides. */
export interface Session {
  token: string;
  user: TokenPayload | undefined;
  /** The user is signing out: no screen is mounted, so that nothing is read with a token that is about to end. */
  isLeaving?: boolean;
}

function decode(token: string): TokenPayload | undefined {
  const part = token.split('.')[1];
  if (part === undefined) return undefined;
  try {
    const bytes = Uint8Array.from(atob(part.replace(/-/g, '+').replace(/_/g, '/')), (char) => char.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(bytes)) as TokenPayload;
  } catch {
    return undefined;
  }
}

const sessionOf = (token: string): Session => ({ token, user: decode(token) });

let leaving = false;
const watchers = new Set<() => void>();
let session = sessionOf(readKept(STORAGE_KEY) ?? '');

export const sessionNow = (): Session => session;

function setSession(next: Session): void {
  session = next;
  for (const watcher of watchers) watcher();
}

/** Stores the token of a new session. Throws a DOMException where the browser forbids that, or has no room. */
export function setToken(token: string): void {
  localStorage.setItem(STORAGE_KEY, token);
  keep(FORMER_KEY, token);
  setSession(sessionOf(token));
}

/** Returns the token of the last session in this browser. It opens nothing once that is over, but whoever guesses the login has none. */
export const formerToken = (): string | undefined => readKept(FORMER_KEY) ?? undefined;

const loginPath = (isExpired: boolean): string => {
  const here = encodeURIComponent(window.location.pathname + window.location.search);
  return `/login?${isExpired ? 'expired=1&' : ''}next=${here}`;
};

/**
 * Loads the page anew where another tab ended the session or began one of another user: rows and forms of the former user
 * would stay in memory otherwise. The drafts of this tab are dropped where the other tab signed out by hand, and kept where the server
 * ended the session.
 */
function followTab(user: number, next: Session): void {
  leaving = true;
  if (next.token !== '') {
    window.location.reload();
    return;
  }
  const isByHand = localStorage.getItem(ENDED_KEY) === 'hand';
  if (isByHand) forgetDrafts();
  else keepDrafts(user);
  forgetRecent();
  window.location.assign(loginPath(!isByHand));
}

function watch(watcher: () => void): () => void {
  // Another tab signed in or out.
  const onStorage = (event: StorageEvent): void => {
    if (event.key !== STORAGE_KEY || leaving) return;
    const next = sessionOf(event.newValue ?? '');
    if (session.user && next.user?.id !== session.user.id) {
      followTab(session.user.id, next);
      return;
    }
    session = next;
    watcher();
  };
  watchers.add(watcher);
  window.addEventListener('storage', onStorage);
  return () => {
    watchers.delete(watcher);
    window.removeEventListener('storage', onStorage);
  };
}

// The browser shows a page again as it was left, with the rows of its user, and has told it nothing meanwhile.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted && (leaving || (readKept(STORAGE_KEY) ?? '') !== session.token)) window.location.reload();
});

export const useSession = (): Session => useSyncExternalStore(watch, sessionNow);

/** Returns the path to open after signing in: `next` from the query if it is a path of this application, else `/`. */
export function nextPath(search: string): string {
  const next = new URLSearchParams(search).get('next') ?? '/';
  return /^\/(?![/\\])/.test(next) && !next.startsWith('/login') ? next : '/';
}

/** Removes the token and loads the sign-in page anew, so that nothing of the session stays in memory. */
export function leave(path = '/login'): void {
  if (leaving) return;
  // Without room for it the other tabs keep what is typed there.
  keep(ENDED_KEY, null);
  keep(ENDED_KEY, path === '/login' ? 'hand' : 'server');
  leaving = true;
  // Another session may have begun in another tab.
  if (localStorage.getItem(STORAGE_KEY) === session.token) localStorage.removeItem(STORAGE_KEY);
  forgetRecent();
  window.location.assign(path);
}

/** Whether the page is about to give way to the sign-in: what is typed is kept where it is to be, and nothing is asked. */
export const isLeavingNow = (): boolean => leaving;

/** Unmounts all screens and cancels what they read. The sign-out itself is still called with the token. */
export function beginLeaving(): void {
  forgetDrafts();
  setSession({ ...session, isLeaving: true });
}

/** Keeps what is typed for the next load of the page, in this tab alone. */
export function keepTyped(): void {
  if (session.user) keepDrafts(session.user.id);
}

/** Loads the page anew; what is typed is in its forms again. */
export function reloadPage(): void {
  keepTyped();
  leaving = true;
  window.location.reload();
}

/** Leaves for the sign-in after the server refused the token; signing in returns to this page, and to what was typed. */
export function endSession(reason: string): void {
  if (session.isLeaving) return;
  console.warn(`Session ended: ${reason}`);
  if (!leaving) keepTyped();
  leave(loginPath(true));
}

const SETTINGS = '/settings';
// The sections of the settings that need no call refused before the second factor is added. Without a section, the first one is open.
const OPEN_SECTIONS: ReadonlySet<string> = new Set(['', 'appearance', 'security']);

/** Opens the own security for a user who has to add a second factor first, but where that or the appearance is open already. */
export function addSecondFactor(): void {
  const { pathname, search } = window.location;
  if (pathname === SETTINGS && OPEN_SECTIONS.has(new URLSearchParams(search).get('section') ?? '')) return;
  window.location.assign(`${SETTINGS}?section=security`);
}
