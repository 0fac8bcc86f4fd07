import Cookies from 'js-cookie';
import type { Key, Language } from '../../../src/shared/i18n/index.ts';
import { hasText, loadSame, loadTexts } from './texts.ts';

const watchers = new Set<() => void>();
let language: Language = Cookies.get('lang') === 'en' ? 'en' : 'ru';
let asked = language;
// Counts what has come in, so that what is shown is translated anew.
let arrived = 0;

/** Returns the current language outside of components, as for requests. */
export const languageNow = (): Language => language;

/** How often texts have come in: with more of them, the same key says more. */
export const arrivedTexts = (): number => arrived;

function tell(): void {
  arrived += 1;
  for (const watcher of watchers) watcher();
}

/**
 * Switches the page's language as soon as its texts are here, and keeps the choice in a cookie for 365 days. Without a
 * server the page stays as it is.
 */
export function setLanguage(next: Language): void {
  asked = next;
  const show = (): void => {
    if (asked !== next) return;
    language = next;
    document.documentElement.lang = next;
    Cookies.set('lang', next, { expires: 365, sameSite: 'lax' });
    tell();
  };
  void loadSame(next).then(show, () => (asked = language));
}

/** Loads the texts that neither the frame nor the dashboard has; what is on the page is drawn again when they are here. */
export const loadRest = (): Promise<void> => rest(language);

const rests = new Map<Language, Promise<void>>();

function rest(of: Language): Promise<void> {
  const load = rests.get(of) ?? loadTexts(of, 'rest').then(tell);
  rests.set(of, load);
  load.catch(() => rests.delete(of));
  return load;
}

/** The promise of a text that is not here yet; undefined: it is. */
export const missing = (key: Key): Promise<void> | undefined => (hasText(language, key) ? undefined : loadRest());

/** Calls back after another language or more texts have come. */
export function watchLanguage(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}
