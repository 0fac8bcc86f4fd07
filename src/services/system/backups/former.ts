// The former database and key of a restore, which has to be alone with them: they stay beside under names that were free.
import { existsSync } from 'node:fs';
import { constants, copyFile, link, readFile, rename } from 'node:fs/promises';
import { closeDatabase, leaveWal, openDatabase } from '../../../../db/index.ts';
import { troubleOf } from '../../../lib/database-trouble.ts';
import { withLockFile } from '../../../lib/lock-file.ts';
import { AppError } from '../../../shared/errors.ts';
import { copyKey, type Files } from './backup.ts';

/** Returns the part of a kept name that tells when the restore was. */
export const stampOf = (): string => new Date().toISOString().replace(/[-:]|\.\d+/g, '');

/** Runs a restore while no other process restores the same database. Throws AppError `busy` where one does. */
export async function restoringAlone<T extends object>(files: Files, work: () => Promise<T>): Promise<T> {
  const { databaseFile, databaseUrl } = files;
  const alone = databaseUrl !== undefined && (await import('../../../../db/postgres-beside.ts')).restoringWith;
  const done = await (alone ? alone(databaseUrl, work) : withLockFile(`${databaseFile}.restore`, work));
  if (done === undefined) throw new AppError('busy', 'backup.restoring');
  return done;
}

/** Returns the name under which a file is kept, with a number where one of that moment is there already. */
function freeName(file: string, stamp: string): string {
  const first = `${file}.before-${stamp}`;
  let name = first;
  const isTaken = (): boolean => ['', '-wal', '-shm'].some((suffix) => existsSync(name + suffix));
  for (let count = 2; isTaken(); count += 1) name = `${first}-${count}`;
  return name;
}

/**
 * Keeps the former database under another name, which it returns; null where there is none. Throws AppError `busy`
 * where it is in use.
 */
export async function keepDatabase(databaseFile: string, stamp: string): Promise<string | null> {
  if (!existsSync(databaseFile)) return null;
  await refuseInUse(databaseFile);
  const kept = freeName(databaseFile, stamp);
  await link(databaseFile, kept).catch(() => copyFile(databaseFile, kept, constants.COPYFILE_EXCL));
  // A WAL file that stayed would be replayed into the restored file.
  for (const suffix of ['-wal', '-shm']) {
    if (existsSync(databaseFile + suffix)) await rename(databaseFile + suffix, kept + suffix);
  }
  return kept;
}

/** Puts a key in the place of the former one, which is kept; `changed` is false where it is the same. */
export async function replaceKey(
  source: string,
  keyFile: string,
  stamp: string,
): Promise<{ changed: boolean; kept: string | null }> {
  const former = existsSync(keyFile) ? await readFile(keyFile) : null;
  if (former?.equals(await readFile(source))) return { changed: false, kept: null };
  const kept = former ? freeName(keyFile, stamp) : null;
  if (kept !== null) await copyKey(keyFile, kept);
  await copyKey(source, keyFile);
  return { changed: true, kept };
}

/**
 * Throws AppError `busy` where a database is in use. Every process that has a WAL database open holds a shared lock on
 * it, which the system releases when the process dies. SQLite needs that lock exclusively to leave WAL, so it can only
 * where nobody else has the file open. Opens and closes the database.
 */
export async function refuseInUse(databaseFile: string): Promise<void> {
  try {
    await openDatabase(databaseFile);
    await leaveWal();
  } catch (error) {
    const trouble = troubleOf(error);
    if (trouble === 'busy') throw new AppError('busy', 'backup.in_use', {}, { cause: error });
    // An unreadable database is no obstacle: a restore replaces it.
    if (trouble !== 'damaged') throw error;
  } finally {
    await closeDatabase();
  }
}
