import { isPostgres } from '../src/lib/database-address.ts';
import { AppError } from '../src/shared/errors.ts';
import type { Connection, Dialect } from './connection.ts';
import { openSqlite } from './sqlite.ts';

/** A database that is read as it was at one moment, beside the open one; nobody writes to it meanwhile. */
export interface Source {
  dialect: Dialect;
  all: Connection['all'];
  close: Connection['close'];
}

/** The reads of a SQLite transaction see one moment. Leaving WAL, as `refuseInUse` does, has writers wait for its end. */
async function openFile(path: string): Promise<Source> {
  const connection = await openSqlite(path, { mustExist: true });
  await connection.run('PRAGMA query_only = ON');
  await connection.run('BEGIN');
  return { dialect: 'sqlite', all: connection.all, close: connection.close };
}

/**
 * Opens a database to copy it. Throws AppError `busy` where another process uses a PostgreSQL database, `not_configured` or
 * `unavailable` where it can't be reached.
 */
export async function openSource(address: string): Promise<Source> {
  if (!isPostgres(address)) return openFile(address);
  const { openForCopy } = await import('./postgres-place.ts');
  const connection = await openForCopy(address);
  if (connection) return { dialect: 'postgres', all: connection.all, close: connection.close };
  throw new AppError('busy', 'backup.in_use');
}
