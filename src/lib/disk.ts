import { open, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AppError } from '../shared/errors.ts';
import { isAlive } from './lock-file.ts';

// About the size of a small transaction.
const PROBE_BYTES = 16 * 1024;

/** Writes, syncs and removes a small file in `dir`. Throws AppError `unavailable` if the disk is full; rethrows other errors. */
export async function probeWrite(dir: string): Promise<void> {
  const path = join(dir, `.probe.${process.pid}.${crypto.randomUUID()}`);
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(Buffer.alloc(PROBE_BYTES, 1));
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'ENOSPC' && code !== 'EDQUOT') throw cause;
    throw new AppError('unavailable', 'error.storage_full', {}, { retryAfter: 30, code: 'storage_full', cause });
  } finally {
    await rm(path, { force: true });
  }
}

const PART = /\.(\d+)\.part(?:-wal|-shm|\.key|\.sha256|\.json)?$/;

/** Removes the drafts in a folder whose process is dead, as `removeDeadParts` does for one file; those of our own process stay. */
export async function sweepParts(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch((): string[] => [])) {
    const pid = Number(PART.exec(name)?.[1] ?? process.pid);
    if (pid !== process.pid && !isAlive(pid)) await rm(join(folder, name), { force: true });
  }
}

/** Removes drafts of a file (`<file>.<pid>.part` and SQLite's files beside them) whose process is dead, or has our pid. */
export async function removeDeadParts(file: string): Promise<void> {
  const prefix = `${basename(file)}.`;
  // A missing folder holds no drafts; the later write into it reports the error.
  for (const name of await readdir(dirname(file)).catch((): string[] => [])) {
    const pid = name.startsWith(prefix)
      ? /^(\d+)\.part(?:-wal|-shm)?$/.exec(name.slice(prefix.length))?.[1]
      : undefined;
    if (pid !== undefined && (Number(pid) === process.pid || !isAlive(Number(pid)))) {
      await rm(join(dirname(file), name), { force: true });
    }
  }
}
