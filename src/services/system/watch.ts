import { storageWait } from '../../lib/waits.ts';
import { owner } from '../../operations/lease.ts';
import type { Key } from '../../shared/i18n/index.ts';
import {
  findLastTold,
  listChangedDomains,
  listChangedOperations,
  listHeldOperations,
  listToldAfter,
  type Stamped,
  type ToldBy,
} from './rows.ts';

// Rows are read again for this long after their time: a transaction may end later, or the clock be set.
const LATE_MS = 10_000;
// The results of a large check go out over several looks.
const ROWS_A_LOOK = 2000;

/**
 * Returns a function that finds rows whose stamp differs from the last look; `read` returns the rows that were changed
 * since a time.
 */
function watchRows(read: (since: string) => Promise<Stamped[]>): () => Promise<number[]> {
  let seen = new Map<number, string>();
  let looked = Date.now();
  return async () => {
    const start = Date.now();
    const rows = await read(new Date(Math.min(looked, start) - LATE_MS).toISOString());
    const changed = rows.filter(({ id, stamp }) => seen.get(id) !== stamp);
    seen = new Map(rows.map(({ id, stamp }) => [id, stamp]));
    looked = start;
    return changed.map(({ id }) => id);
  };
}

/** Returns a function that finds the domains of rows added since the last look, a part at a time. */
function watchNew(table: ToldBy): () => Promise<number[]> {
  let last: number | undefined;
  let waiting: number[] = [];
  return async () => {
    if (last === undefined) {
      last = await findLastTold(table);
      return [];
    }
    if (waiting.length === 0) {
      const rows = await listToldAfter(table, last, ROWS_A_LOOK);
      last = rows.at(-1)?.id ?? last;
      waiting = [...new Set(rows.flatMap(({ ids }) => JSON.parse(ids) as number[]))];
    }
    return waiting.splice(0, ROWS_A_LOOK);
  };
}

/**
 * Returns a function that finds this process's operations when it begins or ceases to wait for our own database, which
 * no row shows.
 */
function watchStorage(): () => Promise<number[]> {
  let shown: Key | undefined;
  return async () => {
    const now = storageWait()?.key;
    if (now === shown) return [];
    shown = now;
    const rows = await listHeldOperations(owner);
    return rows.map(({ id }) => id);
  };
}

/** The ids of what has changed. */
export interface Changes {
  operations: number[];
  domains: number[];
}

/**
 * Returns a function that returns, at each call, what has changed since the one before. The result of the first call is
 * to be ignored.
 */
export function watchDatabase(): () => Promise<Changes> {
  const operations = watchRows(listChangedOperations);
  const edited = watchRows(listChangedDomains);
  const checked = watchNew('check_batches');
  const decided = watchNew('transfer_decisions');
  const stuck = watchStorage();
  return async () => ({
    operations: [...new Set([...(await operations()), ...(await stuck())])],
    domains: [...new Set([...(await edited()), ...(await checked()), ...(await decided())])],
  });
}
