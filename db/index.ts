import { AsyncLocalStorage } from 'node:async_hooks';
import { isPostgres } from '../src/lib/database-address.ts';
import { inSpan, isTraced } from '../src/lib/tracing/spans.ts';
import { AppError } from '../src/shared/errors.ts';
import { commitWith } from './audit-chain.ts';
import { requireNote, rowsToAudit } from './audit-notes.ts';
import type { Bind, Connection, Dialect, Place, Transaction, Writer } from './connection.ts';
import type { Wait } from './waiting/patience.ts';
import { callersPatience, openReaders, type Readers } from './readers.ts';
import { retryBusy } from './waiting/retry-busy.ts';
import { isWorthCompacting, sqlitePlace } from './sqlite-place.ts';
import { forgetWaits, inTurn, takeLock, writing } from './waiting/turns.ts';
import type { Unaudited } from './unaudited.ts';

// A writer waits for so long for another process; then its caller gets `unavailable`.
const BUSY_GIVE_UP_MS = 20_000;
const MAX_QUEUED_WRITES = 2000;

let place: Place | undefined;
// Reads outside of transactions go over the first connection where there are no readers.
let main: Connection | undefined;
let writer: Writer | undefined;
let readers: Readers | undefined;
let commits = 0;
let giveUpMs = BUSY_GIVE_UP_MS;
const whileBusy = <T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> => retryBusy(work, giveUpMs, signal);
const running = new AsyncLocalStorage<Transaction>();
const commitListeners = new WeakMap<Transaction, (() => void)[]>();

/** Returns the place of an address: that of a PostgreSQL database, or the path of a SQLite file. */
async function placeOf(address: string): Promise<Place> {
  if (!isPostgres(address)) return sqlitePlace(address);
  const { postgresPlace } = await import('./postgres-place.ts');
  return postgresPlace(address);
}

async function openPlace(opening: Place): Promise<void> {
  const opened = await whileBusy(opening.connect);
  [place, main] = [opening, opened];
  await whileBusy(() => opening.prepare(opened));
  const opens = (writer = opening.writer());
  await opening.assertSettings(opened);
  // Transactions have a connection of their own. Another process may have the write lock: commands that only read don't wait for it.
  await whileBusy(() => writing(() => opens.connect()));
}

/**
 * Opens the database, by the path of a SQLite file (created if missing) or a `postgres:` address, and asserts the settings for
 * durability. One per process. With `severalReaders`, for a process with many callers, reads outside of transactions have
 * connections of their own. A write waits `busyGiveUpMs` for another process's lock. Throws AppError `unavailable` where the disk
 * is full or the server does not answer.
 */
export async function openDatabase(
  address: string,
  { severalReaders = false, busyGiveUpMs = BUSY_GIVE_UP_MS } = {},
): Promise<void> {
  giveUpMs = busyGiveUpMs;
  const opening = await placeOf(address);
  try {
    await openPlace(opening);
    if (severalReaders) readers = await whileBusy(() => openReaders(opening));
  } catch (error) {
    const explained = await opening.explain(error);
    // A connection that stays open keeps a process alive that has just said why it can't start.
    await closeConnections();
    throw explained;
  }
}

/** Returns which database is open. Throws AppError `unavailable` if none is. */
export function dialect(): Dialect {
  if (!place) throw new AppError('unavailable', 'error.database');
  return place.dialect;
}

/** Switches a SQLite database from WAL to a rollback journal. Throws SQLITE_BUSY if another process has it open. */
export async function leaveWal(): Promise<void> {
  // Our own connections count, too: the writer's is closed, so that one is left.
  await writing(() => writer?.release());
  await select('PRAGMA journal_mode = DELETE');
}

/** Returns free space of a SQLite file to the disk if it is most of a large file. Call outside of transactions. */
export async function compact(): Promise<void> {
  if (dialect() !== 'sqlite') return;
  if (!(await isWorthCompacting(openConnection()))) return;
  // VACUUM fails if the disk has no room for the copy, or another process reads: the file then keeps its size.
  await writing(() => openConnection().run('VACUUM')).catch(() => undefined);
}

const closing = new Set<() => Promise<void>>();

/** Has `work` done each time before the database is closed; what it throws is ignored. */
export const beforeClose = (work: () => Promise<void>): void => void closing.add(work);

async function closeConnections(): Promise<void> {
  const reading = readers;
  readers = undefined;
  await reading?.close();
  await writing(async () => {
    // One after the other: two connections that close at once both see another one open, and leave the WAL behind.
    await writer?.release();
    await main?.close();
  });
  main = undefined;
  writer = undefined;
  place = undefined;
  forgetWaits();
}

/** Waits for the running write, then closes. */
export async function closeDatabase(): Promise<void> {
  if (main) for (const work of closing) await work().catch(() => undefined);
  await closeConnections();
}

/** Whether the opened database is still in place: after its file was deleted or replaced nothing can be written. */
export const databaseFileExists = (): boolean => writer?.isInPlace ?? false;

/** Returns the process's first connection, one object for each opening. Throws AppError `unavailable` if no database is open. */
export function openConnection(): Connection {
  if (!main) throw new AppError('unavailable', 'error.database');
  return main;
}

/** Begins a transaction. Throws where its caller has given up meanwhile. */
async function begin(wait?: Wait): Promise<{ in: Writer; transaction: Transaction }> {
  const begun = await takeLock(() =>
    whileBusy(async () => {
      if (!writer) throw new AppError('unavailable', 'error.database');
      return { in: writer, transaction: await writer.begin() };
    }, wait?.signal),
  );
  wait?.end();
  if (!wait?.signal.aborted) return begun;
  await begun.in.rollback(begun.transaction);
  throw wait.signal.reason as Error;
}

/** Takes and gives back the write lock, in its turn: whether writes go through. */
export const tryWriter = (): Promise<void> =>
  writing(async () => {
    const { in: active, transaction: opened } = await begin();
    await active.rollback(opened);
  });

async function perform<T>(work: () => Promise<T>, wait?: Wait): Promise<T> {
  const { in: active, transaction: opened } = await begin(wait);
  let result: T;
  try {
    result = await running.run(opened, work);
    await commitWith(active, opened, rowsToAudit(opened));
  } catch (error) {
    await active.rollback(opened);
    throw error;
  } finally {
    // An enabled AsyncLocalStorage slows every promise of the process. Safe, because one transaction runs at a time.
    running.disable();
  }
  commits += 1;
  wait?.written();
  for (const listener of commitListeners.get(opened) ?? []) listener();
  return result;
}

/**
 * Runs `work` in a transaction: all of it or nothing. Joins one that is running; else waits its turn in the process's
 * writer queue and takes the write lock at once. Every write goes through here. Never call an outside service inside.
 * Throws `unavailable` if the queue is full or another process holds the lock for too long.
 */
export async function transaction<T>(work: () => Promise<T>): Promise<T> {
  if (running.getStore()) return work();
  if (writing.pendingCount >= MAX_QUEUED_WRITES) {
    throw new AppError('unavailable', 'error.queue_full', {}, { retryAfter: 5 });
  }
  const run = (): Promise<T> => inTurn(callersPatience(), (wait) => perform(work, wait));
  return isTraced()
    ? inSpan({ name: 'transaction', kind: 'client', facts: tracedAs(), partOnly: true, leaf: true }, run)
    : run();
}

const tracedAs = () => ({ 'db.system.name': place?.dialect === 'postgres' ? 'postgresql' : 'sqlite' });

/** Load of this process's connections: transactions that wait for the writer, reads that wait for a reader, and reads under way. */
export const databaseLoad = (): { writesQueued: number; readsQueued: number; readsRunning: number } => ({
  writesQueued: writing.pendingCount,
  ...(readers?.load() ?? { readsQueued: 0, readsRunning: 0 }),
});

/** Returns the running transaction; null outside of one. */
export const current = (): Transaction | null => running.getStore() ?? null;

/** Calls `listener` after the commit of the running transaction, or now where none runs. It must not throw. */
export function afterCommit(listener: () => void): void {
  const active = current();
  if (!active) return listener();
  const listeners = commitListeners.get(active);
  if (listeners) listeners.push(listener);
  else commitListeners.set(active, [listener]);
}

/** Returns the number of transactions that this process has committed: while it is equal, this process has changed nothing. */
export const commitCount = (): number => commits;

/**
 * Returns a value, read after the call, that changes with every commit of any process; null if the database was opened
 * without `severalReaders`.
 */
export const dataVersion = async (): Promise<string | null> => (readers ? readers.version() : null);

/** Returns the running transaction's connection. Throws where the transaction has ended without waiting for its work. */
function connectionOf({ connection, isOver }: Transaction): Connection {
  if (isOver) throw new Error('The transaction is over');
  return connection;
}

/** Returns the rows of a SELECT, with `$name` bound. Inside a transaction it sees that transaction's writes. */
export async function select<T extends object>(sql: string, bind: Bind = {}): Promise<T[]> {
  const active = current();
  if (active) {
    const rows = (await connectionOf(active).all(sql, bind)) as T[];
    requireNote(active, sql, rows.length);
    return rows;
  }
  if (readers && /^\s*(SELECT|WITH)\b/i.test(sql)) return (await readers.all(sql, bind)) as T[];
  return (await openConnection().all(sql, bind)) as T[];
}

async function run(sql: string, bind: Bind): Promise<number> {
  const active = current();
  if (!active) throw new Error('execute() outside a transaction');
  return connectionOf(active).run(sql, bind);
}

/**
 * Runs one writing statement, with `$name` bound, and returns the number of changed rows. Throws outside `transaction`. On an
 * audited table it needs a `note()` in the same transaction.
 */
export async function execute(sql: string, bind: Bind = {}): Promise<number> {
  const changed = await run(sql, bind);
  requireNote(current()!, sql, changed);
  return changed;
}

/** As `execute`, for a statement on an audited table that is not audited, for a declared reason. */
export const executeUnaudited = (_reason: Unaudited, sql: string, bind: Bind = {}): Promise<number> => run(sql, bind);
