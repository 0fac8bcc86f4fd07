import { useState } from 'react';
import type { ListName } from '../../../src/shared/access/list-views.ts';
import { useT } from '../language.ts';
import { saveFile } from '../saveFile.ts';
import type { Column } from '../table/DataTable.tsx';
import type { RowsSource } from '../table/useRows.ts';
import { csvOf } from './layout.ts';
import { toast, toastFailure } from '../toasts.tsx';

const PART = 1000;
const MOST = 20_000;

type AnyRow = { id: number } & object;

interface Rows<Row> {
  rows: Row[];
  /** How many there are, those that were not read as well. */
  total: number;
}

/** Reads a list part by part, each row once: one that comes while it is read moves those after it on by a place. */
async function readAll<Row extends AnyRow>({ load }: RowsSource<Row>): Promise<Rows<Row>> {
  const read = new Map<number, Row>();
  const { signal } = new AbortController();
  for (let offset = 0; ; offset += PART) {
    const { data, total = data.length } = await load({ limit: PART, offset }, signal);
    for (const row of data) read.set(row.id, row);
    const isEnd = data.length === 0 || offset + PART >= Math.min(total, MOST);
    if (isEnd) return { rows: [...read.values()], total: Math.max(total, read.size) };
  }
}

/** Reads lists that stand below one another, one after the other. */
async function readEach<Row extends AnyRow>(sources: readonly RowsSource<Row>[]): Promise<Rows<Row>> {
  const read: Rows<Row> = { rows: [], total: 0 };
  for (const source of sources) {
    const { rows, total } = await readAll(source);
    read.rows.push(...rows);
    read.total += total;
  }
  return { ...read, rows: read.rows.slice(0, MOST) };
}

/**
 * Returns a function that saves the filtered rows of a list, or of lists that stand below one another, in the given columns as CSV;
 * 20,000 rows at most, and a toast says so where there are more. A column without `fields`, such as a secret, is in no file.
 */
export function useSeenFile<Row extends AnyRow>(
  list: ListName,
  source: RowsSource<Row> | readonly RowsSource<Row>[],
  columns: readonly Column<Row>[],
): { busy: boolean; save: () => void } {
  const t = useT();
  const [busy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    try {
      const { rows, total } = await readEach([source].flat());
      const day = new Date().toISOString().slice(0, 10);
      saveFile(`${list.replaceAll('_', '-')}-${day}.csv`, new Blob([csvOf(rows, columns)], { type: 'text/csv' }));
      if (rows.length < total) toast.info(t('views.csv_cut', { rows: rows.length, total }));
    } catch (error) {
      toastFailure(t('views.csv_failed'), error);
    }
    setBusy(false);
  };
  return { busy, save: () => void save() };
}
