import { Checkbox } from '@blueprintjs/core';
import { useRef } from 'react';
import type { Key } from '../../../src/shared/i18n/index.ts';
import type { Selection, Window } from './DataTable.tsx';
import { useSight } from './ListFoot.tsx';
import { PAGE, type RowsSource } from './useRows.ts';
import { useT } from '../language.ts';
import { toastFailure } from '../toasts.tsx';

interface At {
  index: number;
}

export interface RowSelection {
  has: (id: number) => boolean;
  /** With `range`, also all rows between the last toggled one and this one, whether they are loaded or not. */
  toggle: (index: number, range: boolean) => void;
  inView: (items: readonly At[]) => 'all' | 'some' | 'none';
  /** Chooses the rows in view; where all of them are chosen, gives every row free. */
  toggleInView: (items: readonly At[]) => void;
}

interface Chosen<Row> {
  selection?: Selection<Row>;
  source: RowsSource<Row>;
  failed: Key;
}

/** Selects rows by checkbox, ranges with Shift. A range begins anew where the list or its order is another one. */
export function useRowSelection<Row extends { id: number }>(
  { selection, source, failed }: Chosen<Row>,
  rowAt: (index: number) => Row | undefined,
): RowSelection {
  const t = useT();
  const list = JSON.stringify(source.key);
  const last = useRef({ list: '', index: 0 });
  const has = (id: number): boolean => selection?.has(id) ?? false;
  const loaded = (indices: readonly number[]): Row[] =>
    indices.flatMap((index) => {
      const row = rowAt(index);
      return row ? [row] : [];
    });
  const between = async (from: number, to: number): Promise<readonly Row[]> => {
    const count = to - from + 1;
    const rows = loaded(Array.from({ length: count }, (_, step) => from + step));
    if (rows.length === count) return rows;
    return (await source.load({ limit: count, offset: from }, new AbortController().signal)).data;
  };
  const putRange = async (from: number, to: number, on: boolean): Promise<void> => {
    try {
      selection?.put(await between(from, to), on);
    } catch (error) {
      toastFailure(t(failed), error);
    }
  };
  const rowsIn = (items: readonly At[]): Row[] => loaded(items.map(({ index }) => index));
  const inView = (items: readonly At[]): 'all' | 'some' | 'none' => {
    const rows = rowsIn(items);
    const count = rows.filter(({ id }) => has(id)).length;
    if (count === 0) return 'none';
    return count === rows.length ? 'all' : 'some';
  };
  return {
    has,
    toggle: (index, range) => {
      const row = rowAt(index);
      if (!row) return;
      const from = range && last.current.list === list ? last.current.index : index;
      last.current = { list, index };
      if (from === index) selection?.put([row], !has(row.id));
      else void putRange(Math.min(from, index), Math.max(from, index), !has(row.id));
    },
    inView,
    toggleInView: (items) => {
      if (inView(items) === 'all') selection?.clear();
      else selection?.put(rowsIn(items), true);
    },
  };
}

interface SelectRowProps<Row> {
  row: Row;
  index: number;
  choose: RowSelection;
  name: ((row: Row) => string) | undefined;
}

/** The box of a row: one element that paints itself, where Blueprint's is four, two of them layers of their own. */
export function SelectRow<Row extends { id: number }>({ row, index, choose, name }: SelectRowProps<Row>) {
  const t = useT();
  return (
    <label className="row-box">
      <input
        type="checkbox"
        aria-label={t('ui.select_row', { name: name?.(row) ?? String(row.id) })}
        checked={choose.has(row.id)}
        onChange={(event) => choose.toggle(index, (event.nativeEvent as MouseEvent).shiftKey)}
      />
    </label>
  );
}

const rowsOf = (first: number, last: number): At[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, place) => ({ index: first - 1 + place }));

/** Chooses all rows of a list of one page, of a longer one those in view: where some of them are chosen, it is neither on nor off. */
export function SelectInView({
  choose,
  view,
}: {
  choose: RowSelection;
  view: Pick<Window<unknown>, 'items' | 'total' | 'box'>;
}) {
  const t = useT();
  const sight = useSight(view.box, view.total);
  const isWhole = view.total <= PAGE;
  const items = isWhole ? rowsOf(1, view.total) : sight ? rowsOf(sight.first, sight.last) : view.items;
  const state = choose.inView(items);
  return (
    <Checkbox
      aria-label={t(isWhole ? 'ui.select_all' : 'ui.select_loaded')}
      checked={state === 'all'}
      indeterminate={state === 'some'}
      onChange={() => choose.toggleInView(items)}
    />
  );
}
