import { useRef } from 'react';
import type { ListOf } from '../../src/shared/lists.ts';
import type { TableRow, TableValue } from '../../src/shared/system/table-editor.ts';
import { ApiError, call, queries } from '../kit/api.ts';
import { useT } from '../kit/language.ts';
import { toast, toastFailure } from '../kit/toasts.tsx';
import { pick } from './fields.ts';
import type { NamedRow } from './useColumns.tsx';

/** A row that was written: as it was before, and the columns that were given. */
export interface Written {
  before: TableRow;
  columns: readonly string[];
}

type Values = Readonly<Record<string, TableValue>>;

/** Writes cells of a table, and takes them back. */
export interface Edits {
  /** Writes values over a row as it was read, or as our own writes have left it since; throws ApiError. */
  write: (row: TableRow, values: Values) => Promise<Written>;
  /** Says what was written, with a button that takes it back; Ctrl+Z does, too. */
  done: (text: string, written: readonly Written[]) => void;
  /** Takes back what was written last. */
  undo: () => void;
}

// Undo goes back this far.
const MOST_KEPT = 50;

/** Whether a call did not reach the server. */
export const isAway = (error: unknown): boolean => error instanceof ApiError && error.status === 0;

/** Returns the columns of a row that an undo did not bring back. */
const lostOf = (before: TableRow, after: TableRow): string[] =>
  Object.keys(before).filter(
    (name) => name !== 'updated_at' && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );

const versionOf = (updated_at: TableValue | undefined) => (updated_at ? { updated_at } : {});

// A row of a table without `updated_at` is told by all that it holds.
const versionKey = (row: TableRow): string => `${row.id} ${JSON.stringify(row['updated_at'] ?? row)}`;

/** Remembers what our own writes have made of rows: a row that was read before is not somebody else's change. */
function useOwnWrites() {
  const made = useRef(new Map<string, TableRow>());
  return {
    keep: (before: TableRow, after: TableRow): void => {
      // The clock may have been set back: no row leads to itself.
      made.current.delete(versionKey(after));
      if (versionKey(before) !== versionKey(after)) made.current.set(versionKey(before), after);
    },
    /** Somebody else may have brought back what a row held once: after a refusal what is read is taken as it is. */
    refused:
      ({ id }: TableRow) =>
      (error: unknown): never => {
        if (error instanceof ApiError && error.code === 'stale') {
          for (const [key, row] of made.current) if (row.id === id) made.current.delete(key);
        }
        throw error;
      },
    latestOf: (row: TableRow): TableRow => {
      let latest = row;
      for (let next: TableRow | undefined = row; next; next = made.current.get(versionKey(latest))) latest = next;
      return latest;
    },
  };
}

/** Returns a function that runs works one after another. */
function useChain() {
  const last = useRef<Promise<unknown>>(Promise.resolve());
  return async <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.current.then(work);
    last.current = next.catch(() => undefined);
    return next;
  };
}

/** Puts a saved row into the pages of a list that are loaded. */
function showSaved(list: readonly unknown[], id: number, saved: TableRow): void {
  queries.setQueriesData<ListOf<NamedRow>>(
    { queryKey: list },
    (page) => page && { ...page, data: page.data.map((one) => (one.id === id ? { ...one, row: saved } : one)) },
  );
}

/** Says that cells have their former values again, but for those of the columns that are `lost`. */
function tellUndone(t: ReturnType<typeof useT>, lost: ReadonlySet<string>): void {
  if (lost.size === 0) toast.success(t('tables.undone'));
  else toast.info(t('tables.undone_but', { columns: [...lost].join(', ') }));
}

/** Returns how cells of a table are written; `list` is the key of its rows in the cache. */
export function useEdits(table: string, list: readonly unknown[]): Edits {
  const t = useT();
  const kept = useRef<(readonly Written[])[]>([]);
  // The cell values of our own last writes, and the `updated_at` of the row: an undo is refused only where somebody else has written since.
  const left = useRef(new Map<number, Values>());
  const own = useOwnWrites();
  // A version is known only once the write before has been answered.
  const inTurn = useChain();
  const store = async (id: number, condition: object, values: Values): Promise<TableRow> => {
    const body = { ...values, id, ...condition };
    const saved = await call('POST /api/tables/:table', { params: { table }, body });
    left.current.set(id, { ...left.current.get(id), ...pick(saved, [...Object.keys(values), 'updated_at']) });
    showSaved(list, id, saved);
    return saved;
  };
  const takeBack = async (written: readonly Written[]): Promise<void> => {
    kept.current = kept.current.filter((one) => one !== written);
    const lost = new Set<string>();
    let failure: unknown;
    for (const [index, { before, columns }] of written.entries()) {
      try {
        const after = await inTurn(() => {
          const { updated_at, ...cells } = left.current.get(before.id) ?? {};
          const was = Object.fromEntries(columns.map((name) => [name, cells[name] ?? null]));
          return store(before.id, { ...versionOf(updated_at), was }, pick(before, columns));
        });
        for (const name of lostOf(before, after)) lost.add(name);
      } catch (error) {
        failure ??= error;
        if (!isAway(error)) continue;
        // The server is away: the rest can be taken back later.
        kept.current = [...kept.current, written.slice(index)];
        break;
      }
    }
    if (failure !== undefined) toastFailure(t('tables.undo_failed'), failure);
    else tellUndone(t, lost);
    void queries.invalidateQueries();
  };
  return {
    write: (row, values) =>
      inTurn(async () => {
        const before = own.latestOf(row);
        const columns = Object.keys(values);
        const condition = { ...versionOf(before['updated_at']), was: pick(before, columns) };
        own.keep(before, await store(row.id, condition, values).catch(own.refused(row)));
        return { before, columns };
      }),
    done: (text, written) => {
      kept.current = [...kept.current, written].slice(-MOST_KEPT);
      toast.success(text, { action: { text: t('tables.undo'), run: () => void takeBack(written) } });
      void queries.invalidateQueries();
    },
    undo: () => {
      const last = kept.current.at(-1);
      if (last) void takeBack(last);
      else toast.info(t('tables.nothing_to_undo'));
    },
  };
}
