import { dirname } from 'node:path';
import { troubleOf } from '../src/lib/database-trouble.ts';
import { probeWrite } from '../src/lib/disk.ts';
import { ensureDataDir } from '../src/lib/key.ts';
import { AppError } from '../src/shared/errors.ts';
import type { Connection, Place } from './connection.ts';
import { isSafeSqlite } from './driver.ts';
import { openSqlite } from './sqlite.ts';
import { SqliteWriter } from './sqlite-writer.ts';

const BUSY_TIMEOUT_MS = 1000;
// SQLite's 2 MB are less than the domains of a large portfolio: each look at all of them would read the file again.
const READER_CACHE = 'PRAGMA cache_size = -8000';

const WANTED: Record<string, unknown> = { journal_mode: 'wal', synchronous: 2, foreign_keys: 1 };

/** Returns the value of a setting of SQLite. */
export async function pragma(connection: Connection, name: string): Promise<unknown> {
  const [row] = (await connection.all(`PRAGMA ${name}`)) as Record<string, unknown>[];
  return row && Object.values(row)[0];
}

/** Throws `not_configured` unless the connection is durable; a driver may be built with other settings. */
async function assertSettings(connection: Connection): Promise<void> {
  const [row] = (await connection.all('SELECT sqlite_version() AS version')) as { version: string }[];
  const version = row?.version ?? '0';
  if (!isSafeSqlite(version)) throw new AppError('not_configured', 'database.old_sqlite', { version });
  for (const [name, value] of Object.entries(WANTED)) {
    const actual = await pragma(connection, name);
    if (actual !== value) throw new AppError('not_configured', 'database.setting', { name, value: String(actual) });
  }
  if (Number(await pragma(connection, 'busy_timeout')) < BUSY_TIMEOUT_MS) {
    throw new AppError('not_configured', 'database.setting', { name: 'busy_timeout', value: 'too short' });
  }
}

/** Returns the place of a SQLite file, which the first connection creates. */
export const sqlitePlace = (path: string): Place => ({
  dialect: 'sqlite',
  connect: async () => {
    ensureDataDir(dirname(path));
    return openSqlite(path);
  },
  prepare: async (connection) => {
    await connection.all('PRAGMA journal_mode = WAL');
    await connection.run('PRAGMA synchronous = FULL');
  },
  connectForReading: async () => {
    const connection = await openSqlite(path, { mustExist: true });
    await connection.run('PRAGMA query_only = ON');
    await connection.run(READER_CACHE);
    return connection;
  },
  version: async (connection) => String(await pragma(connection, 'data_version')),
  assertSettings,
  explain: async (error) => {
    // SQLite calls it an I/O error that a full disk has no room for its shared index.
    if (troubleOf(error) !== 'failing') return error;
    return probeWrite(dirname(path)).then(
      () => error,
      (full: unknown) => full,
    );
  },
  writer: () => new SqliteWriter(path, assertSettings),
});

// Smaller free space, in pages and as a share of the file, is left for new rows.
const WORTH_COMPACTING = { pages: 4_096, share: 0.5 };

/** Whether free space is most of a large file. */
export async function isWorthCompacting(connection: Connection): Promise<boolean> {
  const [pages, free] = [
    Number(await pragma(connection, 'page_count')),
    Number(await pragma(connection, 'freelist_count')),
  ];
  return free >= WORTH_COMPACTING.pages && free >= pages * WORTH_COMPACTING.share;
}
