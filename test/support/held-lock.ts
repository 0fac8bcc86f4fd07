// The write lock of a SQLite file, as another process holds it.
import { openSqlite } from '../../db/sqlite.ts';

/** Takes the write lock of a file over a connection of its own, and keeps it until the function that it returns is called. */
export async function holdWriteLock(file: string): Promise<() => Promise<void>> {
  const connection = await openSqlite(file, { mustExist: true });
  await connection.script('BEGIN IMMEDIATE');
  return async () => {
    await connection.run('ROLLBACK');
    await connection.close();
  };
}
