import { statfs } from 'node:fs/promises';
import { AppError } from '../../../shared/errors.ts';

// The rest of the disk is for the database itself, its log and drafts of pages.
const LEFT_FREE = 0.1;
const LEAST_FREE = 64 * 1024 * 1024;

const megabytes = (bytes: number): number => Math.ceil(bytes / 1024 / 1024);

/** Throws AppError `unavailable` where a copy would leave too little of the disk free. */
export async function requireRoom(folder: string, bytes: number): Promise<void> {
  const { bavail, blocks, bsize } = await statfs(folder);
  const needed = bytes + Math.max(LEAST_FREE, Math.min(blocks * bsize * LEFT_FREE, bytes));
  if (bavail * bsize >= needed) return;
  const params = { needed: megabytes(needed), free: megabytes(bavail * bsize), folder };
  throw new AppError('unavailable', 'backup.no_room', params, { code: 'storage_full' });
}
