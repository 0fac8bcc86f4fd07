import { mkdir, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { config } from '../../lib/config.ts';
import { shownAddress } from '../../lib/database-address.ts';
import type { JobOutcome } from '../../operations/schedule/run.ts';
import { AppError } from '../../shared/errors.ts';
import { backupDatabase, digestFile, sealedCopy } from './backup.ts';
import { keepOf } from './schedules.ts';

// The rest of the disk is for the database itself, its log and drafts of pages.
const LEFT_FREE = 0.1;
const LEAST_FREE = 64 * 1024 * 1024;

const OURS = /^seo-admin-\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}\.sqlite$/;

const nameOf = (now: Date): string => `seo-admin-${now.toISOString().slice(0, 19).replaceAll(':', '-')}.sqlite`;

/** Returns the bytes that the database takes, with the log that a copy of it takes in. */
async function databaseBytes(file: string): Promise<number> {
  const sizes = [file, `${file}-wal`].map((path) =>
    stat(path).then(
      ({ size }) => size,
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

const megabytes = (bytes: number): number => Math.ceil(bytes / 1024 / 1024);

/** Throws AppError `unavailable` where a copy would leave too little of the disk free. */
async function requireRoom(folder: string, bytes: number): Promise<void> {
  const { bavail, blocks, bsize } = await statfs(folder);
  const needed = bytes + Math.max(LEAST_FREE, Math.min(blocks * bsize * LEFT_FREE, bytes));
  if (bavail * bsize >= needed) return;
  const params = { needed: megabytes(needed), free: megabytes(bavail * bsize), folder };
  throw new AppError('unavailable', 'backup.no_room', params, { code: 'storage_full' });
}

/** Deletes all but the newest `keep` backups of the schedule, with what lies beside them; other files stay. */
async function deleteOld(folder: string, keep: number): Promise<void> {
  const ours = (await readdir(folder)).filter((name) => OURS.test(name)).toSorted();
  for (const name of ours.slice(0, Math.max(ours.length - keep, 0))) {
    const file = join(folder, name);
    for (const path of [digestFile(file), sealedCopy(file), file]) await rm(path, { force: true });
  }
}

/**
 * Backs the database up into `backups` of the data directory and deletes the oldest backups beyond those that are kept. The key is
 * beside it only where a passphrase is configured, sealed. A database of a server is skipped: its backups are the server's. Throws
 * AppError `unavailable` where the disk has too little room.
 */
export async function runBackup(): Promise<JobOutcome> {
  const { dataDir, databaseFile, databaseUrl, keyFile, backupPassphrase } = config();
  if (databaseUrl !== undefined) {
    return { result: 'skipped', message: { key: 'backup.of_server', params: { address: shownAddress(databaseUrl) } } };
  }
  const folder = join(dataDir, 'backups');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await requireRoom(folder, await databaseBytes(databaseFile));
  const file = join(folder, nameOf(new Date()));
  const { bytes } = await backupDatabase({ databaseFile, keyFile }, file, true, backupPassphrase);
  await deleteOld(folder, await keepOf('backup'));
  return { result: 'ok', message: { key: 'backup.done', params: { file, bytes } } };
}
