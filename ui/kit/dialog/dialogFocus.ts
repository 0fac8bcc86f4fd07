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

/**
 * Closes the topmost dialog on Escape while nothing has the focus, as after a press that took its own button away: Blueprint hears keys
 * inside the dialog alone. `id` is that of the title.
 */
export function useEscape(id: string, onClose: () => void): void {
  useEffect(() => {
    const onKeyDown = ({ key, defaultPrevented }: KeyboardEvent): void => {
      if (key !== 'Escape' || defaultPrevented || document.activeElement !== document.body) return;
      const open = [...document.querySelectorAll('[role="dialog"], [role="alertdialog"]')].at(-1);
      if (open?.getAttribute('aria-labelledby') === id) onClose();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [id, onClose]);
}
