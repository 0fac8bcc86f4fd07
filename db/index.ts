import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync } from 'node:fs';
import pLimit from 'p-limit';
import { QueryTypes, Sequelize, Transaction, type BindOrReplacements } from 'sequelize';
import { ensureDataDir } from '../src/lib/key.ts';
import { AppError } from '../src/shared/errors.ts';
import { dirname } from 'node:path';
import { sqliteDriver } from './driver.ts';
import { defineModels } from './models/index.ts';

// Older libraries can corrupt a WAL database when two processes checkpoint at once, which is what server and CLI do.
const OLDEST_SQLITE = [3, 51, 3];
const BUSY_TIMEOUT_MS = 1000;
// How long a writer waits for another process before its caller is told to come back.
const BUSY_GIVE_UP_MS = 20_000;
const MAX_QUEUED_WRITES = 2000;

let sequelize: Sequelize | undefined;
let file: string | undefined;
const running = new AsyncLocalStorage<Transaction>();
// Concurrent transactions starve each other: waiters sit in SQLite's busy handler on the thread pool that the holder of
// the lock needs for its commit. So there is one writer at a time in a process.
const writer = pLimit(1);

function atLeast(version: string, oldest: number[]): boolean {
  const parts = version.split('.').map(Number);
  for (const [index, wanted] of oldest.entries()) {
    const difference = (parts[index] ?? 0) - wanted;
    if (difference !== 0) return difference > 0;
  }
  return true;
}

async function pragma(name: string): Promise<unknown> {
  const [row] = await select<Record<string, unknown>>(`PRAGMA ${name}`);
  return row && Object.values(row)[0];
}

/** Durability rests on these; a driver that was built otherwise must not start. */
async function assertSettings(): Promise<void> {
  const [row] = await select<{ version: string }>('SELECT sqlite_version() AS version');
  const version = row?.version ?? '0';
  if (!atLeast(version, OLDEST_SQLITE)) throw new AppError('not_configured', 'database.old_sqlite', { version });
  const wanted: Record<string, unknown> = { journal_mode: 'wal', synchronous: 2, foreign_keys: 1 };
  for (const [name, value] of Object.entries(wanted)) {
    const actual = await pragma(name);
    if (actual !== value) throw new AppError('not_configured', 'database.setting', { name, value: String(actual) });
  }
  if (Number(await pragma('busy_timeout')) < BUSY_TIMEOUT_MS) {
    throw new AppError('not_configured', 'database.setting', { name: 'busy_timeout', value: 'too short' });
  }
}

/** Opens the database file (made where it is missing) and asserts what durability rests on. One per process. */
export async function openDatabase(path: string): Promise<Sequelize> {
  ensureDataDir(dirname(path));
  sequelize = new Sequelize({
    dialect: 'sqlite',
    dialectModule: sqliteDriver(),
    storage: path,
    logging: false,
    transactionType: Transaction.TYPES.IMMEDIATE,
    define: { timestamps: false, freezeTableName: true, underscored: true },
  });
  file = path;
  defineModels(sequelize);
  await retryBusy(() => sequelizeOpen().query('PRAGMA journal_mode = WAL'));
  await sequelize.query('PRAGMA synchronous = FULL');
  await assertSettings();
  // A transaction has a connection of its own: what holds there is what a commit is worth.
  await transaction(assertSettings);
  return sequelize;
}

/** Waits for the running write, then closes. */
export async function closeDatabase(): Promise<void> {
  await writer(() => sequelize?.close());
  sequelize = undefined;
}

/** Whether the file is still there: a deleted database must not be made anew, empty, by the next write. */
export const databaseFileExists = (): boolean => file !== undefined && existsSync(file);

export function sequelizeOpen(): Sequelize {
  if (!sequelize) throw new AppError('unavailable', 'error.database');
  return sequelize;
}

const isBusy = (error: unknown): boolean => {
  const { original, code } = error as { original?: { code?: string }; code?: string };
  return (original?.code ?? code) === 'SQLITE_BUSY';
};

/** Another process holds the lock: comes back with growing, jittered pauses, outside the thread pool. */
async function retryBusy<T>(work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  for (let pause = 5; ; pause = Math.min(pause * 2, 200)) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (performance.now() - start > BUSY_GIVE_UP_MS)
        throw new AppError('unavailable', 'error.database', {}, { cause: error });
      await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random())));
    }
  }
}

async function begin(): Promise<Transaction> {
  return retryBusy(() => sequelizeOpen().transaction({ type: Transaction.TYPES.IMMEDIATE }));
}

async function perform<T>(work: () => Promise<T>): Promise<T> {
  const current = await begin();
  try {
    const result = await running.run(current, work);
    await current.commit();
    return result;
  } catch (error) {
    await current.rollback().catch(() => undefined);
    throw error;
  }
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

/** Rows of a SELECT, with `$name` bound. Inside a transaction it sees that transaction's writes. */
export function select<T extends object>(sql: string, bind: BindOrReplacements = {}): Promise<T[]> {
  return sequelizeOpen().query<T>(sql, { type: QueryTypes.SELECT, bind, transaction: current() });
}

/** Runs one writing statement, with `$name` bound, and returns how many rows it changed. Only inside `transaction`. */
export async function execute(sql: string, bind: BindOrReplacements = {}): Promise<number> {
  const active = current();
  if (!active) throw new Error('execute() outside a transaction');
  await sequelizeOpen().query(sql, { type: QueryTypes.RAW, bind, transaction: active });
  const [row] = await select<{ changed: number }>('SELECT changes() AS changed');
  return row?.changed ?? 0;
}
