import { useEffect, useState } from 'react';

/**
 * Focuses the first field of a dialog, or else the first button of its form or of the dialog: Blueprint leaves the
 * focus on an element before the dialog.
 */
export function focusFirst(dialog: HTMLElement): void {
  if (dialog.contains(document.activeElement)) return;
  const field = dialog.querySelector<HTMLElement>('input:enabled, select:enabled, textarea:enabled');
  const button =
    dialog.querySelector<HTMLElement>('form button:enabled') ?? dialog.querySelector<HTMLElement>('button:enabled');
  (field ?? button)?.focus();
}

/**
 * Returns the focus to the element that opened a dialog when it is unmounted, unless it has moved elsewhere by then.
 */
export function useReturnFocus(): void {
  const [opener] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      const isLost = document.activeElement === null || document.activeElement === document.body;
      if (isLost && opener instanceof HTMLElement && opener.isConnected) opener.focus();
    },
    [opener],
  );
}
