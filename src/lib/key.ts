import { hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '../shared/errors.ts';

const BYTES = 32;

/** Creates the data directory if it is missing, readable by its owner only. */
export function ensureDataDir(path: string): void {
  const isFolder = (): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (isFolder()) return;
  // Not `recursive`: below `/proc` Node would try for ever.
  ensureDataDir(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !isFolder()) throw error;
  }
}

/** Creates the key file atomically: of two processes that start at once, the second finds the file of the first. */
function createKeyFile(path: string): void {
  ensureDataDir(dirname(path));
  // Not the number of the process, which is 1 in each container: writing into the draft of another one would change the key that it has just linked.
  const draft = `${path}.${randomUUID()}`;
  try {
    writeFileSync(draft, `${randomBytes(BYTES).toString('base64')}\n`, { mode: 0o600 });
    chmodSync(draft, 0o600);
    syncPath(draft);
    linkSync(draft, path);
    syncPath(dirname(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Syncs a file or directory to disk. Secrets sealed with a key lost to a power failure would be lost, too. */
function syncPath(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Reads the key in a file. Throws AppError `not_configured` if it is too short or no file. */
export function readKey(path: string): Buffer {
  if (statSync(path).isDirectory()) throw new AppError('not_configured', 'config.key_folder', { path });
  const key = Buffer.from(readFileSync(path, 'utf8').trim(), 'base64');
  if (key.length < BYTES) throw new AppError('not_configured', 'config.key_short', { path });
  return key;
}

/**
 * Returns the installation's key, created at first start (mode 0600). All secret keys are derived from it by purpose, so that
 * a copy of the database alone reveals no secret. Throws AppError `not_configured` if it is too short or others may read it.
 */
export function loadKey(path: string): Buffer {
  if (!existsSync(path)) createKeyFile(path);
  const key = readKey(path);
  if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0) {
    throw new AppError('not_configured', 'config.key_readable', { path });
  }
  return key;
}

/** Derives a separate key for one purpose (HKDF-SHA-256), so that no two uses share key material. */
export const deriveKey = (key: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, '', `seo-admin/${purpose}`, BYTES));
