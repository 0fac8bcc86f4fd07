import { storageWait } from '../../lib/waits.ts';
import { owner } from '../../operations/lease.ts';
import type { Key } from '../../shared/i18n/index.ts';
import {
  findLastTold,
  listChangedDomains,
  listChangedNotices,
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

/** Finds the ids of what has changed since its last call. */
type Watcher = () => Promise<number[]>;

/**
 * Returns a function that finds rows whose stamp differs from the last look; `read` returns the rows that were changed
 * since a time.
 */
function watchRows(read: (since: string) => Promise<Stamped[]>): Watcher {
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
function watchNew(table: ToldBy): Watcher {
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
function watchStorage(): Watcher {
  let shown: Key | undefined;
  return async () => {
    const now = storageWait()?.key;
    if (now === shown) return [];
    const rows = await listHeldOperations(owner);
    shown = now;
    return rows.map(({ id }) => id);
  };
}

/** The ids of what has changed. */
export interface Changes {
  operations: number[];
  domains: number[];
  notices: number[];
}

/**
 * Returns a function that hands over what has changed since its last call; the result of the first call is to be
 * ignored. Where a call fails, in a query or in `deliver`, the next one hands over its changes, too.
 */
export function watchDatabase(): (deliver: (changes: Changes) => Promise<void>) => Promise<void> {
  const operations = new Set<number>();
  const domains = new Set<number>();
  const notices = new Set<number>();
  const watchers: [Set<number>, Watcher][] = [
    [operations, watchRows(listChangedOperations)],
    [operations, watchStorage()],
    [domains, watchRows(listChangedDomains)],
    [domains, watchNew('check_batches')],
    [domains, watchNew('transfer_decisions')],
    [notices, watchRows(listChangedNotices)],
  ];
  return async (deliver) => {
    // All at once: the first look is to be over before a page that waits for it reads its lists.
    await Promise.all(
      watchers.map(async ([pending, watcher]) => {
        for (const id of await watcher()) pending.add(id);
      }),
    );
    await deliver({ operations: [...operations], domains: [...domains], notices: [...notices] });
    operations.clear();
    domains.clear();
    notices.clear();
  };
}
