import { useUrlState } from './useUrlState.ts';

const VIEW = { open: '' };

/**
 * The dialog of a screen that a link asks for by `?open=name`, and a function that opens another one. It stands in the URL
 * while it is open; `''` is none.
 */
export function useAsked(): [string, (name: string) => void] {
  const [{ open }, setView] = useUrlState(VIEW);
  const ask = (name: string): void => {
    // Back may have closed it while an answer was awaited.
    if (name === '' && new URLSearchParams(window.location.search).get('open') !== open) return;
    setView({ open: name });
  };
  return [open, ask];
}
