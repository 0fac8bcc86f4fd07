import { useEffect } from 'react';
import { keyName, keysWork } from '../kit/useKeys.ts';

// The rows of the lists of a screen: those of tables and cards, of which each has its number, and of accounts.
const ROWS = '#main [data-index], #main .account-grid > li';

/** Returns the element that takes the focus of a row: the cell of a grid in the column where the focus was, else the row itself. */
function placeOf(row: HTMLElement, from: Element | null): HTMLElement {
  const column = from?.closest('[data-place]')?.getAttribute('data-place')?.split(':')[1] ?? '0';
  return row.querySelector<HTMLElement>(`[data-place$=":${column}"]`) ?? row;
}

/** Whether a row can be seen, at least in part, in the list that scrolls around it. */
function isInSight(row: HTMLElement): boolean {
  const { top, bottom, height } = row.getBoundingClientRect();
  const list = row.closest('.rows')?.getBoundingClientRect();
  return (
    height > 0 && bottom > Math.max(0, list?.top ?? 0) && top < Math.min(window.innerHeight, list?.bottom ?? Infinity)
  );
}

const rowWith = (element: Element | null): HTMLElement | null => element?.closest<HTMLElement>(ROWS) ?? null;

/** Moves the focus by a row; without one, to the first row in sight. At either end it stays. */
function step(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>(ROWS)];
  const from = document.activeElement;
  const at = rows.indexOf(rowWith(from) ?? document.body);
  const next = at < 0 ? (rows.find(isInSight) ?? rows[0]) : rows[at + by];
  if (!next) return;
  const place = placeOf(next, from);
  if (place === next) place.tabIndex = -1;
  place.focus();
}

const boxOf = (row: HTMLElement): Element | null =>
  row.querySelector('.select-cell input, article > header input[type="checkbox"]');

/**
 * Chooses the row with the focus, or gives it free; with `range` all between it and the last one. In a list whose rows have no
 * boxes yet the choice begins with it.
 */
function choose(range: boolean): void {
  const row = rowWith(document.activeElement);
  if (!row) return;
  const press = (): unknown =>
    boxOf(row)?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey: range }));
  if (boxOf(row)) press();
  else {
    row.closest('.panel')?.querySelector<HTMLElement>('[data-begins-choice]')?.click();
    requestAnimationFrame(press);
  }
}

/** Opens what the row with the focus leads to: its first link or button. */
function openRow(event: KeyboardEvent): void {
  const row = event.target;
  if (!(row instanceof HTMLElement) || rowWith(row) !== row) return;
  event.preventDefault();
  row.querySelector<HTMLElement>('a[href], button:not([aria-disabled="true"])')?.click();
}

/** Opens the tab before or after the open one, in a circle. */
function turn(by: 1 | -1): void {
  const tabs = [
    ...(document.querySelector('#main [role="tablist"]')?.querySelectorAll<HTMLElement>('[role="tab"]') ?? []),
  ];
  const at = tabs.findIndex((tab) => tab.getAttribute('aria-selected') === 'true');
  tabs.at((at + by + tabs.length) % tabs.length)?.click();
}

const ACTS: Record<string, (event: KeyboardEvent) => void> = {
  KeyJ: () => step(1),
  KeyK: () => step(-1),
  KeyX: () => choose(false),
  'Shift+KeyX': () => choose(true),
  Enter: openRow,
  BracketLeft: () => turn(-1),
  BracketRight: () => turn(1),
};

/** The keys of every list and of every row of tabs, by physical key; a held key goes on moving. */
export function useListKeys(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const name = keyName(event);
      const act = ACTS[name];
      if (!act || event.defaultPrevented || (event.repeat && name !== 'KeyJ' && name !== 'KeyK') || !keysWork(event))
        return;
      // Enter belongs to whatever has the focus, unless that is a row.
      if (name !== 'Enter') event.preventDefault();
      act(event);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}
