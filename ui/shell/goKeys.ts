import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import { useSession } from '../kit/session.ts';
import { keyName, keysWork } from '../kit/useKeys.ts';
import { ROUTES, routesFor } from './routes.ts';

/** The key after `g` that opens a screen, by its path; letters as they stand on the keys. */
const GO: Readonly<Record<string, string>> = {
  '/': 'H',
  '/projects': 'P',
  '/position': 'O',
  '/sites': 'S',
  '/dns': 'D',
  '/check-site': 'C',
  '/cloudflare': 'A',
  '/cloudflare-groups': 'G',
  '/servers': 'V',
  '/registrars': 'R',
  '/xmlriver': 'X',
  '/arsenkin': 'K',
  '/templates': 'T',
  '/admin': 'U',
  '/tables': 'B',
  '/log': 'L',
  '/settings': ',',
};

/** Returns the keys that open a screen, as they are shown; undefined where it has none. */
export const goKeysOf = (path: string): string | undefined => (GO[path] === undefined ? undefined : `G ${GO[path]}`);

const codeOf = (key: string): string => (key === ',' ? 'Comma' : `Key${key}`);

const PATIENCE_MS = 1_500;

/** Opens screens by `g` and the key of the screen, pressed within a second and a half of each other. */
export function useGoKeys(): void {
  const navigate = useNavigate();
  const { user } = useSession();
  const since = useRef(-Infinity);
  const role = user?.role;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const waits = event.timeStamp - since.current < PATIENCE_MS;
      if (event.repeat || ['Shift', 'Control', 'Alt', 'Meta'].includes(event.key)) return;
      since.current = -Infinity;
      if (!keysWork(event)) return;
      const name = keyName(event);
      const path = waits ? ROUTES.find((route) => codeOf(GO[route.path] ?? '') === name)?.path : undefined;
      if (path === undefined) {
        if (name === 'KeyG') since.current = event.timeStamp;
        return;
      }
      // The second key has a meaning of its own, such as "change the theme", which nobody asked for now.
      event.preventDefault();
      event.stopPropagation();
      if (routesFor(role).some((route) => route.path === path)) void navigate(path);
    };
    document.addEventListener('keydown', onKeyDown, { capture: true });
    return () => document.removeEventListener('keydown', onKeyDown, { capture: true });
  }, [navigate, role]);
}
