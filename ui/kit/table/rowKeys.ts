import { useKeys } from '../useKeys.ts';

interface RowActs<Row> {
  add: () => void;
  edit: (row: Row) => void;
  remove: (row: Row) => void;
}

/**
 * Binds the keys of a list: `n` adds, `e` edits and Delete removes the row with the focus. The row's element carries
 * its id as `data-row`, or holds an element that does; rows that must not be changed carry none. `rows` may be a function, which is called when a key is pressed.
 */
export function useRowKeys<Row extends { id: number }>(
  rows: readonly Row[] | (() => readonly Row[]),
  acts: RowActs<Row>,
): void {
  const onRow = (act: (row: Row) => void) => (): void => {
    const { activeElement } = document;
    // A row as a whole; in a cell of a grid these keys mean the cell.
    const whole = activeElement?.matches('[data-index], li') ? activeElement : null;
    const marked = activeElement?.closest('[data-row]') ?? whole?.querySelector('[data-row]');
    const id = Number(marked?.getAttribute('data-row'));
    const row = (typeof rows === 'function' ? rows() : rows).find((one) => one.id === id);
    if (row) act(row);
  };
  useKeys({ KeyN: acts.add, KeyE: onRow(acts.edit), Delete: onRow(acts.remove) });
}
