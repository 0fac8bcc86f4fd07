import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { config } from '../../../lib/config.ts';
import { sweepDrafts } from '../../../lib/disk.ts';
import { withLockFile } from '../../../lib/lock-file.ts';
import type { JobOutcome } from '../../../operations/schedule/run.ts';
import { AppError } from '../../../shared/errors.ts';
import { findServerBytes } from '../rows.ts';
import { keepOf } from '../schedules.ts';
import { backupDatabase, type BackupView } from './backup.ts';
import { copyBackup } from './copies.ts';
import { backupsFolder, listBackups, nameOf, removeBackup } from './files.ts';
import { requireRoom } from './room.ts';
import { outdated, type Keep } from './rotation.ts';
import { readTrial } from './state.ts';

/** Returns the bytes that the database takes, with the log that a copy of it takes in. */
async function databaseBytes(): Promise<number> {
  const { databaseFile: file, databaseUrl } = config();
  // A dump is compressed.
  if (databaseUrl !== undefined) return findServerBytes();
  const sizes = [file, `${file}-wal`].map((path) =>
    stat(path).then(
      ({ size }) => size,
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** Throws AppError `unavailable` where a folder has no room for a backup of the open database. */
export const requireDatabaseRoom = async (folder: string): Promise<void> => requireRoom(folder, await databaseBytes());

/** Returns how many backups stay: the days are set in the schedule, hours and weeks in the configuration. */
export async function readKeep(): Promise<Keep> {
  const { hours, weeks } = config().backupKeep;
  return { hours, days: await keepOf('backup'), weeks };
}

/** Deletes the backups of the schedule that are outdated, and what a dead process has left; other files stay. */
async function rotate(folder: string): Promise<void> {
  const found = await listBackups(folder);
  const whole = found.filter((backup) => backup.whole);
  const proved = (await readTrial('drill'))?.file ?? null;
  const newest = whole.at(-1)?.name ?? '';
  // A backup that is not whole counts for no hour, day or week. If it is newer than all whole ones, a process may still write it.
  const broken = found.filter(({ whole, name }) => !whole && name < newest);
  for (const { name } of [...broken, ...outdated(whole, await readKeep(), proved)]) {
    await removeBackup(join(folder, name));
  }
}

/** Makes a backup and rotates, one process at a time. Throws AppError `busy` where another one does. */
async function backUpInto(folder: string): Promise<BackupView> {
  const files = config();
  const dialect = files.databaseUrl === undefined ? 'sqlite' : 'postgres';
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const made = await withLockFile(join(folder, '.lock'), async () => {
    await sweepDrafts(folder);
    await requireDatabaseRoom(folder);
    const file = join(folder, nameOf(new Date(), dialect));
    const view = await backupDatabase(files, file, true, files.backupPassphrase);
    await rotate(folder);
    return view;
  });
  if (!made) throw new AppError('busy', 'backup.running', { folder });
  return made;
}

/**
 * Backs the database up into `backups` of the data directory and deletes the backups that are outdated. The key is
 * beside it only where a passphrase is configured, sealed. Copies go to the places that are configured.
 * Throws
 * AppError `unavailable` where the disk has too little room.
 */
export async function runBackup(): Promise<JobOutcome> {
  const { file, bytes } = await backUpInto(backupsFolder(config()));
  await copyBackup(file, await readKeep());
  return { result: 'ok', message: { key: 'backup.done', params: { file, bytes } } };
}
