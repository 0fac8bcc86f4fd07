import { AsyncLocalStorage } from 'node:async_hooks';
import pLimit from 'p-limit';
import { QueryTypes, Sequelize, type BindOrReplacements, type Transaction } from 'sequelize';
import { ensureDataDir } from '../src/lib/key.ts';
import { noteStorage } from '../src/lib/waits.ts';
import { AppError } from '../src/shared/errors.ts';
import { dirname } from 'node:path';
import { isSafeSqlite, sqliteDriver } from './driver.ts';
import { defineModels } from './models.ts';
import { openReaders, type Readers } from './readers.ts';
import { Writer, type Begun } from './writer.ts';

const BUSY_TIMEOUT_MS = 1000;
// A writer waits for so long for another process; then its caller gets `unavailable`.
const BUSY_GIVE_UP_MS = 20_000;
// A longer wait for another process is shown with the work.
const WORTH_TELLING_MS = 1_500;
const MAX_QUEUED_WRITES = 2000;

let sequelize: Sequelize | undefined;
let connection: Writer | undefined;
let readers: Readers | undefined;
let commits = 0;
let giveUpMs = BUSY_GIVE_UP_MS;
const running = new AsyncLocalStorage<Transaction>();
// Concurrent transactions starve each other: waiters occupy, in SQLite's busy handler, the thread pool that the holder of
// the lock needs for its commit. So a process has one writer at a time.
const writer = pLimit(1);

async function pragma(name: string): Promise<unknown> {
  const [row] = await select<Record<string, unknown>>(`PRAGMA ${name}`);
  return row && Object.values(row)[0];
}

/** Throws `not_configured` unless the connection has the settings on which durability depends; a driver may be built with others. */
async function assertSettings(): Promise<void> {
  const [row] = await select<{ version: string }>('SELECT sqlite_version() AS version');
  const version = row?.version ?? '0';
  if (!isSafeSqlite(version)) throw new AppError('not_configured', 'database.old_sqlite', { version });
  const wanted: Record<string, unknown> = { journal_mode: 'wal', synchronous: 2, foreign_keys: 1 };
  for (const [name, value] of Object.entries(wanted)) {
    const actual = await pragma(name);
    if (actual !== value) throw new AppError('not_configured', 'database.setting', { name, value: String(actual) });
  }
  if (Number(await pragma('busy_timeout')) < BUSY_TIMEOUT_MS) {
    throw new AppError('not_configured', 'database.setting', { name: 'busy_timeout', value: 'too short' });
  }
}

/**
 * Opens the database file (created if missing) and asserts the settings for durability. One per process. With
 * `severalReaders`, for a process with many callers, reads outside of transactions have connections of their own. A write
 * waits `busyGiveUpMs` for another process's lock.
 */
export async function openDatabase(
  path: string,
  { severalReaders = false, busyGiveUpMs = BUSY_GIVE_UP_MS } = {},
): Promise<Sequelize> {
  giveUpMs = busyGiveUpMs;
  ensureDataDir(dirname(path));
  sequelize = new Sequelize({
    dialect: 'sqlite',
    dialectModule: sqliteDriver(),
    storage: path,
    logging: false,
    define: { timestamps: false, freezeTableName: true, underscored: true },
  });
  defineModels(sequelize);
  await retryBusy(() => sequelizeOpen().query('PRAGMA journal_mode = WAL'));
  connection = new Writer(sequelize, path);
  await sequelize.query('PRAGMA synchronous = FULL');
  await assertSettings();
  // Transactions have a connection of their own, whose settings decide on the durability of commits.
  await transaction(assertSettings);
  if (severalReaders) readers = await openReaders(path);
  return sequelize;
}

/** Switches the database from WAL to a rollback journal. Throws SQLITE_BUSY if another process has it open. */
export async function leaveWal(): Promise<void> {
  // Our own connections count, too: the writer's is closed, so that one is left.
  await writer(() => connection?.release());
  await select('PRAGMA journal_mode = DELETE');
}

// Smaller free space, in pages and as a share of the file, is left for new rows.
const WORTH_COMPACTING = { pages: 4_096, share: 0.5 };

/** Returns free space of the file to the disk if it is most of a large file. Call outside of transactions. */
export async function compact(): Promise<void> {
  const [pages, free] = [Number(await pragma('page_count')), Number(await pragma('freelist_count'))];
  if (free < WORTH_COMPACTING.pages || free < pages * WORTH_COMPACTING.share) return;
  // VACUUM fails if the disk has no room for the copy, or another process reads: the file then keeps its size.
  await writer(() =>
    sequelizeOpen()
      .query('VACUUM')
      .catch(() => undefined),
  );
}

/** Waits for the running write, then closes. */
export async function closeDatabase(): Promise<void> {
  const reading = readers;
  readers = undefined;
  await reading?.close();
  await writer(async () => {
    // One after the other: two connections that close at once both see another one open, and leave the WAL behind.
    await connection?.release();
    await sequelize?.close();
  });
  sequelize = undefined;
  connection = undefined;
}

/** Whether the opened file is still in place: after it was deleted or replaced nothing can be written. */
export const databaseFileExists = (): boolean => connection?.isInPlace ?? false;

export function sequelizeOpen(): Sequelize {
  if (!sequelize) throw new AppError('unavailable', 'error.database');
  return sequelize;
}

const isBusy = (error: unknown): boolean => {
  const { original, code } = error as { original?: { code?: string }; code?: string };
  return (original?.code ?? code) === 'SQLITE_BUSY';
};

// The keys of this file's own errors, and SQLite's codes for a lock, a full disk and a failing disk.
const TROUBLE_KEYS = new Set(['error.database', 'error.queue_full']);
const TROUBLE_CODES = new Set(['SQLITE_BUSY', 'SQLITE_FULL', 'SQLITE_IOERR']);

/** Whether an error is a passing failure of our own storage: nothing was written, and a retry may succeed. */
export function isStorageTrouble(error: unknown): boolean {
  if (error instanceof AppError) return TROUBLE_KEYS.has(error.key);
  if (!(error instanceof Error)) return false;
  const { original, code } = error as { original?: { code?: string }; code?: string };
  return TROUBLE_CODES.has(original?.code ?? code ?? '');
}

/** Retries while another process holds the lock, with growing, jittered pauses outside the thread pool. Throws `unavailable` after `giveUpMs`. */
async function retryBusy<T>(work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  let end: (() => void) | undefined;
  try {
    for (let pause = 5; ; pause = Math.min(pause * 2, 200)) {
      try {
        return await work();
      } catch (error) {
        if (!isBusy(error)) throw error;
        const waited = performance.now() - start;
        if (waited > giveUpMs) throw new AppError('unavailable', 'error.database', {}, { cause: error });
        if (waited > WORTH_TELLING_MS) end ??= noteStorage({ key: 'operation.waits_lock' });
        await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random())));
      }
    }
  } finally {
    end?.();
  }
}

async function begin(): Promise<Begun> {
  return retryBusy(async () => {
    if (!connection) throw new AppError('unavailable', 'error.database');
    return connection.begin();
  });
}

async function perform<T>(work: () => Promise<T>): Promise<T> {
  const { handle, commit, rollback } = await begin();
  let result: T;
  try {
    result = await running.run(handle, work);
  } catch (error) {
    await rollback();
    throw error;
  } finally {
    // An enabled AsyncLocalStorage slows every promise of the process. Safe, because one transaction runs at a time.
    running.disable();
  }
  await commit();
  commits += 1;
  return result;
}

/**
 * Runs `work` in a transaction: all of it or nothing. Joins one that is running; else waits its turn in the process's
 * writer queue and takes the write lock at once. Every write goes through here. Never call an outside service inside.
 * Throws `unavailable` if the queue is full or another process holds the lock for too long.
 */
export async function transaction<T>(work: () => Promise<T>): Promise<T> {
  if (running.getStore()) return work();
  if (writer.pendingCount >= MAX_QUEUED_WRITES) {
    throw new AppError('unavailable', 'error.queue_full', {}, { retryAfter: 5 });
  }
  return writer(() => perform(work));
}

/** Returns the running transaction, for model calls: `{ transaction: current() }`; null outside of one. */
export const current = (): Transaction | null => running.getStore() ?? null;

/** Returns the number of transactions that this process has committed: while it is equal, this process has changed nothing. */
export const commitCount = (): number => commits;

/**
 * Returns a value, read after the call, that changes with every commit of any process; null if the database was opened
 * without `severalReaders`.
 */
export const dataVersion = async (): Promise<string | null> => (readers ? readers.version() : null);

/** Returns the rows of a SELECT, with `$name` bound. Inside a transaction it sees that transaction's writes. */
export function select<T extends object>(sql: string, bind: Record<string, unknown> = {}): Promise<T[]> {
  if (readers && !current() && /^\s*(SELECT|WITH)\b/i.test(sql)) return readers.all(sql, bind) as Promise<T[]>;
  return sequelizeOpen().query<T>(sql, { type: QueryTypes.SELECT, bind, transaction: current() });
}

/** Runs one writing statement, with `$name` bound, and returns the number of changed rows. Throws outside `transaction`. */
export async function execute(sql: string, bind: BindOrReplacements = {}): Promise<number> {
  const active = current();
  if (!active) throw new Error('execute() outside a transaction');
  // With this type Sequelize returns the driver's count, whatever the statement.
  return sequelizeOpen().query(sql, { type: QueryTypes.BULKUPDATE, bind, transaction: active });
}
