import { useEffect, useState } from 'react';

/**
 * Puts the focus on the first field of a dialog, or on the first button of its form, which closes it: Blueprint leaves it
 * before the dialog.
 */
export function focusFirst(dialog: HTMLElement): void {
  if (dialog.contains(document.activeElement)) return;
  const field = dialog.querySelector<HTMLElement>('input:enabled, select:enabled, textarea:enabled');
  const button =
    dialog.querySelector<HTMLElement>('form button:enabled') ?? dialog.querySelector<HTMLElement>('button:enabled');
  (field ?? button)?.focus();
}

/** Gives the focus back to what opened a dialog when it is unmounted, unless it has gone elsewhere by then. */
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
