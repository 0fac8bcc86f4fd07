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

const topmost = (): Element | undefined =>
  [...document.querySelectorAll('[role="dialog"], [role="alertdialog"]')].at(-1);

/**
 * The keys of the topmost dialog where Blueprint and its form hear none: Escape closes it while nothing has the focus, as after
 * a press that took its own button away, and Ctrl+Enter or ⌘+Enter submits its only form wherever the focus is. `id`
 * is that of the title.
 */
export function useDialogKeys(id: string, onClose: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const dialog = topmost();
      if (event.defaultPrevented || dialog?.getAttribute('aria-labelledby') !== id) return;
      if (event.key === 'Escape' && document.activeElement === document.body) onClose();
      if (event.repeat || !(event.ctrlKey || event.metaKey) || !event.code.endsWith('Enter')) return;
      const [form, another] = dialog.querySelectorAll('form');
      if (!form || another) return;
      event.preventDefault();
      form.requestSubmit();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [id, onClose]);
}
