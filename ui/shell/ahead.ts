import { useEffect } from 'react';
import { matchRoutes } from 'react-router-dom';
import { PAGES, ROUTES } from './routes.ts';

// A pointer that crosses a list rests on no name of it for so long.
const REST_MS = 80;
const ALL = [...ROUTES, ...PAGES];

/** Returns the path of this interface to which the link under an event leads in this tab. */
function pathOf({ target }: Event): string | undefined {
  const link = target instanceof Element ? target.closest('a') : null;
  if (!link || link.target !== '' || link.origin !== window.location.origin) return undefined;
  return link.pathname === window.location.pathname ? undefined : link.pathname;
}

/** Loads the screen of a path, and reads what it will show. */
function load(path: string): void {
  const [found] = matchRoutes(ALL, path) ?? [];
  if (!found) return;
  const { Screen, read } = found.route as (typeof PAGES)[number];
  // Opened, the screen asks again, and says what is wrong.
  Screen.load().catch(() => undefined);
  void read?.(found.params);
}

const isSaving = (): boolean =>
  (navigator as Navigator & { connection?: { saveData?: boolean } }).connection?.saveData === true;

/**
 * Loads a screen and what it will show ahead: as soon as a pointer rests on a link or a key has focused it, unless the reader saves
 * data, and with a click, both at once instead of one after the other.
 */
export function useAhead(): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let aimed: string | undefined;
    const aim = (path: string | undefined): void => {
      if (path === aimed) return;
      clearTimeout(timer);
      aimed = path;
      if (path !== undefined && !isSaving()) timer = setTimeout(() => load(path), REST_MS);
    };
    const over = (event: PointerEvent): void => aim(event.pointerType === 'touch' ? undefined : pathOf(event));
    const focus = (event: FocusEvent): void => {
      if (event.target instanceof Element && event.target.matches(':focus-visible')) aim(pathOf(event));
    };
    const click = (event: MouseEvent): void => {
      const path = event.ctrlKey || event.metaKey || event.shiftKey ? undefined : pathOf(event);
      if (path !== undefined) load(path);
    };
    const leave = (): void => aim(undefined);
    document.addEventListener('pointerover', over);
    document.addEventListener('focusin', focus);
    document.addEventListener('focusout', leave);
    document.addEventListener('click', click, { capture: true });
    return () => {
      clearTimeout(timer);
      document.removeEventListener('pointerover', over);
      document.removeEventListener('focusin', focus);
      document.removeEventListener('focusout', leave);
      document.removeEventListener('click', click, { capture: true });
    };
  }, []);
}
