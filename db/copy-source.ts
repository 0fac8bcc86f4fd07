import { stat } from 'node:fs/promises';
import { isPostgres } from '../src/lib/database-address.ts';
import { AppError } from '../src/shared/errors.ts';
import type { Connection, Dialect } from './connection.ts';
import { openSqlite } from './sqlite.ts';

/** A database that is read as it was at one moment, beside the open one; nobody writes to it meanwhile. */
export interface Source {
  dialect: Dialect;
  all: Connection['all'];
  close: Connection['close'];
  /** Whether an address leads to this very database: by a link, or another name of its server. */
  isAt: (address: string) => Promise<boolean>;
}

async function isSameFile(path: string, address: string): Promise<boolean> {
  if (isPostgres(address)) return false;
  const [one, two] = await Promise.all([stat(path), stat(address).catch(() => null)]);
  return two !== null && one.dev === two.dev && one.ino === two.ino;
}

/** The reads of a SQLite transaction see one moment. Leaving WAL, as `refuseInUse` does, has writers wait for its end. */
async function openFile(path: string): Promise<Source> {
  const connection = await openSqlite(path, { mustExist: true });
  await connection.run('PRAGMA query_only = ON');
  await connection.run('BEGIN');
  return { dialect: 'sqlite', all: connection.all, close: connection.close, isAt: (to) => isSameFile(path, to) };
}

/**
 * Opens a database to copy it. Throws AppError `busy` where another process uses a PostgreSQL database, `not_configured` or
 * `unavailable` where it can't be reached.
 */
export async function openSource(address: string): Promise<Source> {
  if (!isPostgres(address)) return openFile(address);
  const { isSamePostgres, openForCopy } = await import('./postgres-place.ts');
  const connection = await openForCopy(address);
  if (connection) {
    const isAt = async (to: string): Promise<boolean> => isPostgres(to) && isSamePostgres(connection, to);
    return { dialect: 'postgres', all: connection.all, close: connection.close, isAt };
  }
  throw new AppError('busy', 'backup.in_use');
}
