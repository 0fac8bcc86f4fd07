import { Checkbox } from '@blueprintjs/core';
import { useRef } from 'react';
import type { Selection } from './DataTable.tsx';
import { useT } from '../language.ts';

interface At {
  index: number;
}

export interface RowSelection {
  has: (id: number) => boolean;
  /** With `range`, also all loaded rows between the last toggled one and this one. */
  toggle: (index: number, range: boolean) => void;
  allInView: (items: readonly At[]) => boolean;
  toggleInView: (items: readonly At[]) => void;
}

/** Selects rows by checkbox, ranges with Shift. Rows that are not loaded are not selected. */
export function useRowSelection(
  selection: Selection | undefined,
  rowAt: (index: number) => { id: number } | undefined,
): RowSelection {
  const last = useRef(0);
  const ids = selection?.ids ?? new Set<number>();
  const idsAt = (indices: readonly number[]): number[] =>
    indices.flatMap((index) => {
      const row = rowAt(index);
      return row ? [row.id] : [];
    });
  const put = (changed: readonly number[], on: boolean): void => {
    const next = new Set(ids);
    for (const id of changed) {
      if (on) next.add(id);
      else next.delete(id);
    }
    selection?.onChange(next);
  };
  const inView = (items: readonly At[]): number[] => idsAt(items.map(({ index }) => index));
  const all = (items: readonly At[]): boolean => {
    const here = inView(items);
    return here.length > 0 && here.every((id) => ids.has(id));
  };
  return {
    has: (id) => ids.has(id),
    toggle: (index, range) => {
      const row = rowAt(index);
      if (!row) return;
      const from = range ? Math.min(last.current, index) : index;
      const to = range ? Math.max(last.current, index) : index;
      put(idsAt(Array.from({ length: to - from + 1 }, (_, step) => from + step)), !ids.has(row.id));
      last.current = index;
    },
    allInView: all,
    toggleInView: (items) => put(inView(items), !all(items)),
  };
}

interface SelectRowProps<Row> {
  row: Row;
  index: number;
  choose: RowSelection;
  name: ((row: Row) => string) | undefined;
}

export function SelectRow<Row extends { id: number }>({ row, index, choose, name }: SelectRowProps<Row>) {
  const t = useT();
  return (
    <Checkbox
      aria-label={t('ui.select_row', { name: name?.(row) ?? String(row.id) })}
      checked={choose.has(row.id)}
      onChange={(event) => choose.toggle(index, (event.nativeEvent as MouseEvent).shiftKey)}
    />
  );
}
