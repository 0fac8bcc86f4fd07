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
// How long a writer waits for another process before its caller is told to come back.
const BUSY_GIVE_UP_MS = 20_000;
// A wait for another process that takes longer is told to whoever looks at the work.
const WORTH_TELLING_MS = 1_500;
const MAX_QUEUED_WRITES = 2000;

let sequelize: Sequelize | undefined;
let connection: Writer | undefined;
let readers: Readers | undefined;
let commits = 0;
let giveUpMs = BUSY_GIVE_UP_MS;
const running = new AsyncLocalStorage<Transaction>();
// Concurrent transactions starve each other: waiters sit in SQLite's busy handler on the thread pool that the holder of
// the lock needs for its commit. So there is one writer at a time in a process.
const writer = pLimit(1);

async function pragma(name: string): Promise<unknown> {
  const [row] = await select<Record<string, unknown>>(`PRAGMA ${name}`);
  return row && Object.values(row)[0];
}

/** Durability rests on these; a driver that was built otherwise must not start. */
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
 * Opens the database file (made where it is missing) and asserts what durability rests on. One per process; one that
 * serves many callers reads over `severalReaders`. A write waits `busyGiveUpMs` for another process's lock.
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
  // Transactions have a connection of their own: what holds there is what a commit is worth.
  await transaction(assertSettings);
  if (severalReaders) readers = await openReaders(path);
  return sequelize;
}

/** Takes the database out of WAL, for which no other process may have it open: throws SQLITE_BUSY where one has. */
export async function leaveWal(): Promise<void> {
  // This process's own connections count as well: one is left.
  await writer(() => connection?.release());
  await select('PRAGMA journal_mode = DELETE');
}

// Below this, or while most of the file is in use, the room is left for what comes.
const WORTH_COMPACTING = { pages: 4_096, share: 0.5 };

/** Gives what is free in the file back to the disk, where that is most of a large file. Not inside a transaction. */
export async function compact(): Promise<void> {
  const [pages, free] = [Number(await pragma('page_count')), Number(await pragma('freelist_count'))];
  if (free < WORTH_COMPACTING.pages || free < pages * WORTH_COMPACTING.share) return;
  // A disk that has no room for the copy, or a process beside that reads, leaves the file as large as it is.
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
    // One after the other: of two that close at once each takes the other for one that stays, and leaves the WAL behind.
    await connection?.release();
    await sequelize?.close();
  });
  sequelize = undefined;
  connection = undefined;
}

/** Whether the file that was opened is still there: after it was deleted or replaced nothing can be written. */
export const databaseFileExists = (): boolean => connection?.isInPlace ?? false;

export function sequelizeOpen(): Sequelize {
  if (!sequelize) throw new AppError('unavailable', 'error.database');
  return sequelize;
}

const isBusy = (error: unknown): boolean => {
  const { original, code } = error as { original?: { code?: string }; code?: string };
  return (original?.code ?? code) === 'SQLITE_BUSY';
};

// The keys of what this file refuses, and SQLite's words for a lock, a full disk and a disk that fails.
const TROUBLE_KEYS = new Set(['error.database', 'error.queue_full']);
const TROUBLE_CODES = new Set(['SQLITE_BUSY', 'SQLITE_FULL', 'SQLITE_IOERR']);

/** Whether our own storage could not do what was asked just now, and may later: nothing was written then. */
export function isStorageTrouble(error: unknown): boolean {
  if (error instanceof AppError) return TROUBLE_KEYS.has(error.key);
  if (!(error instanceof Error)) return false;
  const { original, code } = error as { original?: { code?: string }; code?: string };
  return TROUBLE_CODES.has(original?.code ?? code ?? '');
}

/** Another process holds the lock: comes back with growing, jittered pauses, outside the thread pool. */
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
    // Once used, a storage costs every promise of the process; there is one transaction at a time.
    running.disable();
  }
  await commit();
  commits += 1;
  return result;
}

/**
 * Runs `work` in a transaction: all of it or nothing. Joins one that is running; else waits its turn in the process's
 * writer queue and takes the write lock at once. Every write goes through here. Never call an outside service inside.
 * Throws `unavailable` where the queue is full or another process holds the lock for long.
 */
export async function transaction<T>(work: () => Promise<T>): Promise<T> {
  if (running.getStore()) return work();
  if (writer.pendingCount >= MAX_QUEUED_WRITES) {
    throw new AppError('unavailable', 'error.queue_full', {}, { retryAfter: 5 });
  }
  return writer(() => perform(work));
}

/** The running transaction, for model calls: `{ transaction: current() }`. */
export const current = (): Transaction | null => running.getStore() ?? null;

/** How many transactions this process has committed: while it stays, nothing of its own has changed. */
export const commitCount = (): number => commits;

/**
 * Changes with every commit, of whatever process, as of after the call; null where the database was opened without
 * `severalReaders`.
 */
export const dataVersion = async (): Promise<string | null> => (readers ? readers.version() : null);

/** Rows of a SELECT, with `$name` bound. Inside a transaction it sees that transaction's writes. */
export function select<T extends object>(sql: string, bind: Record<string, unknown> = {}): Promise<T[]> {
  if (readers && !current() && /^\s*(SELECT|WITH)\b/i.test(sql)) return readers.all(sql, bind) as Promise<T[]>;
  return sequelizeOpen().query<T>(sql, { type: QueryTypes.SELECT, bind, transaction: current() });
}

/** Runs one writing statement, with `$name` bound, and returns how many rows it changed. Only inside `transaction`. */
export async function execute(sql: string, bind: BindOrReplacements = {}): Promise<number> {
  const active = current();
  if (!active) throw new Error('execute() outside a transaction');
  // The type under which Sequelize gives the driver's count back; it does not look at the statement.
  return sequelizeOpen().query(sql, { type: QueryTypes.BULKUPDATE, bind, transaction: active });
}
