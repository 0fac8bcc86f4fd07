import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';

/**
 * Keeps the state of a view in the URL, so that a link opens the same view. Only values that differ from `defaults` (a
 * constant) are written; a change replaces the history entry.
 */
export function useUrlState<State extends Record<string, string>>(
  defaults: State,
): [State, (change: Partial<State>) => void] {
  const [search, setSearch] = useSearchParams();
  const state = useMemo(
    () =>
      Object.fromEntries(Object.entries(defaults).map(([name, value]) => [name, search.get(name) ?? value])) as State,
    [search, defaults],
  );
  const change = useCallback(
    (changes: Partial<State>) => {
      // Reads the current URL, not the last rendered one: two changes may come between two renders.
      const after = new URLSearchParams(window.location.search);
      for (const [name, value] of Object.entries(changes)) {
        if (value === undefined || value === defaults[name]) after.delete(name);
        else after.set(name, value);
      }
      setSearch(after, { replace: true });
    },
    [setSearch, defaults],
  );
  return [state, change];
}
