import { constants } from 'node:fs';
import type { SFTPWrapper, Attributes, FileEntryWithStats } from 'ssh2';
import { ProviderError } from '../provider-error.ts';
import { statusOf, STATUS } from './answers.ts';
import type { Done } from './session.ts';
import type { RemoteEntry } from './sftp.ts';

/** Bytes of a chunk, and chunks of a file in flight: half of what OpenSSH's own client has. */
export const CHUNK = 32 * 1024;
export const CHUNKS_AT_ONCE = 32;

// A longer list is refused: the server may never end it.
const MAX_ENTRIES = 20_000;

// The web server runs as another user than the uploading one, whose umask may deny it access.
const FILE_MODE = 0o644;
/** Sends one request about a path, its `subject` in errors, and awaits the answer. */
export type Ask = <T>(subject: string, send: (sftp: SFTPWrapper, done: Done<T>) => void) => Promise<T>;

/** Awaits an answer; null if the server answers that nothing is there, or with the status `also`. */
export async function orNull<T>(found: Promise<T>, also?: number): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    const status = statusOf(error);
    if (status === STATUS.missing || (status !== undefined && status === also)) return null;
    throw error;
  }
}

/** Returns the type of an entry by its mode. */
export function typeOf(mode: number): RemoteEntry['type'] {
  const kind = mode & constants.S_IFMT;
  if (kind === constants.S_IFREG) return 'file';
  if (kind === constants.S_IFDIR) return 'directory';
  return kind === constants.S_IFLNK ? 'link' : 'other';
}

/** Returns an entry by its name and attributes. */
export const entryOf = (name: string, { mode, size, mtime }: Attributes): RemoteEntry => ({
  name,
  type: typeOf(mode),
  size,
  modified: mtime,
});

/** Awaits an optional request; null if the server refuses it: it may not know it, or not allow changes of modes. */
export async function unlessDenied<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ProviderError && error.kind === 'refused') return null;
    throw error;
  }
}

/** Works with an open file or folder, and closes it. An error of closing counts, too: a full disk may show only then. */
export async function withHandle<T>(
  ask: Ask,
  path: string,
  open: (sftp: SFTPWrapper, done: Done<Buffer>) => void,
  work: (handle: Buffer) => Promise<T>,
): Promise<T> {
  const handle = await ask(path, open);
  const close = (): Promise<void> => ask<void>(path, (sftp, done) => sftp.close(handle, done));
  try {
    const result = await work(handle);
    await close();
    return result;
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
}

/** Returns the entries of a folder. Throws ProviderError `malformed` for a list that is none or never ends. */
export const list = (ask: Ask, dir: string): Promise<RemoteEntry[]> =>
  withHandle(
    ask,
    dir,
    (sftp, done) => sftp.opendir(dir, done),
    async (handle) => {
      const entries: RemoteEntry[] = [];
      for (;;) {
        const some = await untilEnd(ask<FileEntryWithStats[]>(dir, (sftp, done) => sftp.readdir(handle, done)));
        if (some === null) return entries;
        for (const { filename, attrs } of some) {
          if (filename === '.' || filename === '..') continue;
          if (filename === '' || /[/\0]/.test(filename) || entries.length >= MAX_ENTRIES) {
            throw new ProviderError('malformed', `${dir}: not a folder's list`);
          }
          entries.push(entryOf(filename, attrs));
        }
      }
    },
  );

/** Awaits an answer; null at the end of the file or list. */
export async function untilEnd<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (statusOf(error) === STATUS.eof) return null;
    throw error;
  }
}

/** Returns a file's content. Throws ProviderError `refused` where it is longer than `limit`. */
export const read = (ask: Ask, path: string, limit: number): Promise<Buffer> =>
  withHandle(
    ask,
    path,
    (sftp, done) => sftp.open(path, 'r', done),
    async (handle) => {
      const parts: Buffer[] = [];
      let size = 0;
      for (;;) {
        const buffer = Buffer.allocUnsafe(CHUNK);
        const got = await untilEnd(ask<number>(path, (sftp, done) => sftp.read(handle, buffer, 0, CHUNK, size, done)));
        if (!got) return Buffer.concat(parts);
        size += got;
        if (size > limit) throw new ProviderError('refused', `${path}: larger than ${limit}`, { code: 'too_large' });
        parts.push(buffer.subarray(0, got));
      }
    },
  );

/** Writes a file: a small one in three round trips; up to CHUNKS_AT_ONCE chunks of a large one are in flight at once. */
export const write = (ask: Ask, path: string, content: Uint8Array): Promise<void> =>
  withHandle(
    ask,
    path,
    (sftp, done) => sftp.open(path, 'w', done),
    async (handle) => {
      const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
      let next = 0;
      const send = async (): Promise<void> => {
        while (next < bytes.length) {
          const at = next;
          const length = Math.min(CHUNK, bytes.length - at);
          next += length;
          await ask<number>(path, (sftp, done) => sftp.write(handle, bytes, at, length, at, done));
        }
      };
      const opened = unlessDenied(ask<void>(path, (sftp, done) => sftp.fchmod(handle, FILE_MODE, done)));
      const senders = Math.min(CHUNKS_AT_ONCE, Math.ceil(bytes.length / CHUNK));
      await Promise.all([opened, ...Array.from({ length: senders }, send)]);
    },
  );
