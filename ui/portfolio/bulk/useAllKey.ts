import { useEffect, useEffectEvent } from 'react';
import { isTyping, keyName } from '../../kit/useKeys.ts';

interface AllKey {
  /** The selector of the list. */
  list: string;
  /** Whether rows of it are chosen. */
  isBegun: boolean;
  onAll: () => void;
}

/**
 * Binds Ctrl+A to the choice of all rows of a list, while it has the focus or some of its rows are chosen. In fields and dialogs the key
 * stays the browser's, as it does on the rest of the page.
 */
export function useAllKey({ list, isBegun, onAll }: AllKey): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent): void => {
    if (keyName(event) !== 'Ctrl+KeyA' || event.altKey || isTyping(event.target)) return;
    if (document.querySelector('[aria-modal="true"]')) return;
    if (!isBegun && !document.activeElement?.closest(list)) return;
    event.preventDefault();
    onAll();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onKeyDown(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}
