import { useEffect, useRef } from 'react';
import { keep, readKept } from './reader/storage.ts';

/** Keys by `event.code`: `KeyR`, `Slash`, `Ctrl+KeyK`, `Shift+Slash`. Ctrl stands for ⌘ too. */
export type KeyMap = Record<string, (event: KeyboardEvent) => void>;

const OFF = 'keys-off';

/** Returns whether single-letter keys are enabled; a user can disable them (WCAG 2.1.4). */
export const keysAreOn = (): boolean => readKept(OFF) === null;

export const setKeysOn = (on: boolean): void => keep(OFF, on ? null : '1');

/** Returns the name of a key press, as used in a KeyMap. */
export const keyName = (event: Pick<KeyboardEvent, 'code' | 'ctrlKey' | 'metaKey' | 'shiftKey'>): string =>
  [event.ctrlKey || event.metaKey ? 'Ctrl' : '', event.shiftKey ? 'Shift' : '', event.code].filter(Boolean).join('+');

/** Whether a press of a key goes into a field. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.closest('input:not([type="checkbox"]), textarea, select') !== null);

/** Whether a press of a single key is meant for the page: not for a field or a dialog, and the user has not disabled it. */
export const keysWork = (event: KeyboardEvent): boolean =>
  !event.altKey && !isTyping(event.target) && keysAreOn() && !document.querySelector('[aria-modal="true"]');

/**
 * Binds keys of the page by physical key, so that they also work on a Russian layout. Keys without Ctrl are ignored in
 * input fields; all keys are ignored while a dialog is open.
 */
export function useKeys(keys: KeyMap): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const action = latest.current[keyName(event)];
      if (!action || event.altKey || event.repeat || document.querySelector('[aria-modal="true"]')) return;
      if (!(event.ctrlKey || event.metaKey) && (isTyping(event.target) || !keysAreOn())) return;
      event.preventDefault();
      action(event);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}
